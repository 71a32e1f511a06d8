"""Run one peer on pages: a program for the peer's environment, without Thresher.

    python worker.py PEER SECONDS [LOADERS.py]

LOADERS.py is a file with a table ``LOADERS`` to use instead of the one here: it asks the same
packages for something else.

Reads one JSON object per line, ``{"html": …, "url": …, "lang": …}``, and answers each with a line:
``{"found": text or HTML, "cpu_s": seconds, "error": null or the exception}``. The first line it
writes, ``{"error": null}``, says that the peer is loaded. Loading is not timed, nor is a first call
on a small page, in which peers build their caches. A page that takes more processor seconds than
the command line allows ends the process with the signal SIGPROF (not on Windows).

Modules are imported by name, since only the peer's environment has them.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, Final

Find = Callable[[str, str | None, str | None], str | None]
"""``find(html, url, lang)``; ``lang`` is a code of two or three letters."""

MAX_BYTES: Final = 8 * 2**30
"""Memory limit of a peer, so that none takes the machine down: 8 GiB, far above any seen."""
MAX_ERROR_CHARS: Final = 200
SOME_URL: Final = "https://page.example/"
"""For peers that require a URL."""
SMALL_PAGE: Final = (
    "<html lang=en><title>Rye</title><body><article><h1>Rye</h1>"
    + "<p>It was a good year for rye, and a better one for oats, all along the river.</p>" * 9
    + "</article></body></html>"
)


def main() -> None:
    """Load the peer that the command line names, then answer until the input ends."""
    # Output that peers print must not get between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    _limit_memory()

    def answer(**fields: object) -> None:
        print(json.dumps(fields), file=answers, flush=True)

    deadline_s = float(sys.argv[2])
    try:
        loaders = runpy.run_path(sys.argv[3])["LOADERS"] if len(sys.argv) > 3 else LOADERS
        find = loaders[sys.argv[1]]()
    except Exception as error:
        answer(error=_explain(error))
        return
    with suppress(Exception):
        find(SMALL_PAGE, None, "en")
    answer(error=None)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        text, problem = None, None
        _set_timer(deadline_s)
        began = time.thread_time()
        try:
            text = find(request["html"], request["url"], request["lang"])
        except Exception as error:  # any exception of a peer is its answer
            problem = _explain(error)
        cpu_s = time.thread_time() - began
        _set_timer(0.0)
        answer(found=text or "", cpu_s=cpu_s, error=problem)


def _trafilatura(**settings: bool) -> Find:
    extract = import_module("trafilatura").extract
    return lambda html, url, lang: extract(html, **settings)


def _rs_trafilatura() -> Find:
    extract = import_module("rs_trafilatura").extract
    return lambda html, url, lang: extract(html, url=url).main_content


def _resiliparse(**settings: bool) -> Find:
    extract = import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda html, url, lang: extract(html, main_content=True, **settings)


def _readability() -> Find:
    document = import_module("readability").Document
    return lambda html, url, lang: document(html, url=url).summary()


def _magic_html() -> Find:
    extractor = import_module("magic_html").GeneralExtractor()
    return lambda html, url, lang: extractor.extract(html, base_url=url or "")["html"]


def _justext() -> Find:
    module = import_module("justext")

    def find(html: str, url: str | None, lang: str | None) -> str:
        name = _STOPLISTS.get(lang or "")
        stoplist = module.get_stoplist(name) if name else frozenset()
        # Without stop words: the mode that jusText calls language-independent.
        settings: dict[str, int] = {} if name else {"stopwords_low": 0, "stopwords_high": 0}
        if lang in _DENSE_SCRIPTS:
            settings |= {"length_low": 70 // 3, "length_high": 200 // 3}
        paragraphs = module.justext(html, stoplist, **settings)
        return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return find


def _boilerpy3() -> Find:
    extractor = import_module("boilerpy3.extractors").ArticleExtractor(raise_on_failure=False)
    return lambda html, url, lang: extractor.get_content(html)


def _newspaper4k() -> Find:
    module = import_module("newspaper")
    languages = set(import_module("newspaper.utils").get_available_languages())

    def find(html: str, url: str | None, lang: str | None) -> str:
        # Without a language it reads the page's metadata, and assumes English as the last resort.
        settings = {"language": lang} if lang in languages else {}
        article = module.Article(url or SOME_URL, fetch_images=False, **settings)
        article.download(input_html=html)
        article.parse()
        text: str = article.text
        return text

    return find


def _goose3() -> Find:
    goose = import_module("goose3").Goose
    words = import_module("goose3.text")
    classes = {
        "ar": words.StopWordsArabic,
        "ja": words.StopWordsJapanese,
        "ko": words.StopWordsKorean,
        "zh": words.StopWordsChinese,
    }

    def find(html: str, url: str | None, lang: str | None) -> str:
        settings = {"target_language": lang or "en"}
        if lang in classes:
            settings["stopwords_class"] = classes[lang]
        with goose(settings) as extractor:
            text: str = extractor.extract(raw_html=html).cleaned_text
            return text

    return find


def _turbohtml() -> Find:
    parse = import_module("turbohtml").parse
    return lambda html, url, lang: parse(html).main_text()


LOADERS: Final[dict[str, Callable[[], Find]]] = {
    "trafilatura": partial(_trafilatura, include_comments=False),
    "trafilatura comments": _trafilatura,
    "trafilatura fast": partial(_trafilatura, include_comments=False, fast=True),
    "trafilatura precision": partial(_trafilatura, include_comments=False, favor_precision=True),
    "trafilatura recall": partial(_trafilatura, include_comments=False, favor_recall=True),
    "rs-trafilatura": _rs_trafilatura,
    "resiliparse": _resiliparse,
    "resiliparse no alt": partial(_resiliparse, alt_texts=False),
    "readability-lxml": _readability,
    "magic-html": _magic_html,
    "jusText": _justext,
    "BoilerPy3": _boilerpy3,
    "newspaper4k": _newspaper4k,
    "goose3": _goose3,
    "turbohtml": _turbohtml,
}
"""By the name of `peers.PEERS`: functions that import the peer and return its call."""

_STOPLISTS: Final = dict(
    pair.split(":")
    for pair in """
    af:Afrikaans ar:Arabic az:Azerbaijani be:Belarusian bg:Bulgarian bn:Bengali bs:Bosnian
    ca:Catalan cs:Czech cy:Welsh da:Danish de:German el:Greek en:English eo:Esperanto es:Spanish
    et:Estonian eu:Basque fa:Persian fi:Finnish fr:French ga:Irish gl:Galician gu:Gujarati
    he:Hebrew hi:Hindi hr:Croatian hu:Hungarian hy:Armenian id:Indonesian is:Icelandic it:Italian
    jv:Javanese ka:Georgian kk:Kazakh kn:Kannada ko:Korean la:Latin lb:Luxembourgish
    lt:Lithuanian lv:Latvian mk:Macedonian ml:Malayalam mr:Marathi ms:Malay mt:Maltese
    nb:Norwegian_Bokmal ne:Nepali nl:Dutch nn:Norwegian_Nynorsk no:Norwegian_Bokmal pl:Polish
    pt:Portuguese ro:Romanian ru:Russian sk:Slovak sl:Slovenian sq:Albanian sr:Serbian
    su:Sundanese sv:Swedish sw:Swahili ta:Tamil te:Telugu tl:Tagalog tr:Turkish uk:Ukrainian
    ur:Urdu uz:Uzbek vi:Vietnamese yo:Yoruba
    """.split()
)
"""Language code → jusText's name of its stoplist; Chinese, Japanese and Thai have none."""


_DENSE_SCRIPTS: Final = frozenset({"ja", "zh"})
"""Languages in which a character carries as much as some three Latin letters: jusText's lengths are
in characters, and its defaults, 70 and 200, find next to nothing there."""


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):  # not on Windows; may be limited already
        resource: Any = import_module("resource")
        resource.setrlimit(
            resource.RLIMIT_AS, (MAX_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1])
        )


def _set_timer(seconds: float) -> None:
    """End the process after this many processor seconds from now, or never for 0.

    It raises no exception: code that hangs in native code would not see it. While such a timer
    runs, Linux reports the time of a whole process only in clock ticks; that of a thread stays
    exact.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _explain(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:MAX_ERROR_CHARS]


if __name__ == "__main__":
    main()
