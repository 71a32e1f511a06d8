"""TEI P5: the content as a text of divisions, paragraphs, lists and tables, under a header.

Text Encoding Initiative, Guidelines for Electronic Text Encoding and Interchange, P5: chapter 2 for
the header, 3 and 4 for the text, 14 for tables, formulas and figures.
"""

from __future__ import annotations

from thresher.analysis.links import find_base
from thresher.document import Document, WriteOptions
from thresher.support.xml import format_attribute, format_text
from thresher.writers.fragment.fragment import write_fragment
from thresher.writers.tei_body import DATE, LANGUAGE, write_body


def write(document: Document, options: WriteOptions) -> str:
    """Write a TEI document; the metadata is always in it."""
    markup = str(write_fragment(document, options).markup, "utf-8", "surrogatepass")
    body = write_body(markup, find_base(document.page), tracking=options.tracking)
    language = _value(document, "language")
    lang = format_attribute("xml:lang", language) if LANGUAGE.fullmatch(language) else ""
    return (
        '<?xml version="1.0"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'
        f"{_head(document)}<text{lang}>\n{body}</text>\n</TEI>"
    )


def _head(document: Document) -> str:
    title = _element("title", _value(document, "title"))
    authors = document.metadata_values.get("authors", ())
    by = title + "".join(_element("author", author) for author in authors)
    address = document.page.url or _value(document, "canonical_url")
    place = f"<ref{format_attribute('target', address)}/>" if address else ""
    return (
        "<teiHeader>\n<fileDesc>\n"
        f"<titleStmt>{by}</titleStmt>\n"
        f"<publicationStmt>{_publication(document) or '<p/>'}</publicationStmt>\n"
        f"<notesStmt>{_notes(document)}</notesStmt>\n"
        f"<sourceDesc><bibl>{by}{place}</bibl></sourceDesc>\n"
        f"</fileDesc>\n{_profile(document)}</teiHeader>\n"
    )


def _value(document: Document, name: str) -> str:
    """Return the value of a field that has one; empty if it is unknown."""
    value = document.metadata_values.get(name, "")
    assert isinstance(value, str)
    return value


def _publication(document: Document) -> str:
    """Return publisher, date and terms; TEI requires the publisher first."""
    site_name = _value(document, "site_name")
    parts = [_element("publisher", site_name)]
    parts += [
        _date(when, kind) for kind in ("published", "modified") if (when := _value(document, kind))
    ]
    if licence := _value(document, "licence"):
        target = format_attribute("target", licence)
        parts.append(f"<availability><licence{target}/></availability>")
    return "".join(parts) if len(parts) > 1 or site_name else ""


def _date(when: str, kind: str) -> str:
    attribute = format_attribute("when", when) if DATE.fullmatch(when) else ""
    return f"<date{format_attribute('type', kind)}{attribute}>{format_text(when)}</date>"


def _notes(document: Document) -> str:
    facts = {"verdict": document.verdict.value}
    if document.page_type:
        facts["page_type"] = document.page_type.name
    if document.confidence is not None:
        facts["confidence"] = f"{document.confidence:.2f}"
    return "".join(
        f"<note{format_attribute('type', name)}>{format_text(value)}</note>"
        for name, value in facts.items()
    )


def _profile(document: Document) -> str:
    parts = []
    if description := _value(document, "description"):
        parts.append(f"<abstract>{_element('p', description)}</abstract>")
    if LANGUAGE.fullmatch(language := _value(document, "language")):
        ident = format_attribute("ident", language)
        parts.append(f"<langUsage><language{ident}/></langUsage>")
    if tags := document.metadata_values.get("tags"):
        terms = "".join(_element("term", tag) for tag in tags)
        parts.append(f"<textClass><keywords>{terms}</keywords></textClass>")
    return f"<profileDesc>{''.join(parts)}</profileDesc>\n" if parts else ""


def _element(name: str, text: str) -> str:
    return f"<{name}>{format_text(text)}</{name}>" if text else f"<{name}/>"
