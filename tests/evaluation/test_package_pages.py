"""Pages of packages: a table names them, and a command packs them into a corpus."""

from __future__ import annotations

import io
import json
import lzma
import tarfile
import zipfile
from collections import Counter
from pathlib import Path
from urllib.parse import quote

import pytest

from thresher.errors import FetchError, InputError, UsageError
from thresher.evaluation import package_pages
from thresher.evaluation.package_pages import Package, download, main, read_files, read_table

HEADER = "registry\tpackage\tversion\tpath\tgenerator\tkind\tlang\tlicence\n"
PAGE = "<p>Käse".encode()


def make_tar(path: str, data: bytes = PAGE) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:xz") as tar:
        info = tarfile.TarInfo(f"./{path}")
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("./link.html")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    return file.getvalue()


def make_deb(path: str) -> bytes:
    def member(name: str, data: bytes) -> bytes:
        return f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode() + data

    odd = member("debian-binary", b"2.0") + b"\n"
    return b"!<arch>\n" + odd + member("data.tar.xz", make_tar(path))


def make_wheel(path: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(path, PAGE)
    return file.getvalue()


def put(cache: Path, package: Package, suffix: str, data: bytes) -> Path:
    folder = cache / package.registry / quote(f"{package.name}={package.version}", safe="@=+~")
    folder.mkdir(parents=True)
    (file := folder / f"held{suffix}").write_bytes(data)
    return file


MAKERS = {"debian": (".deb", make_deb), "pypi": (".whl", make_wheel), "npm": (".tgz", make_tar)}


@pytest.mark.parametrize("registry", MAKERS)
def test_a_page_is_read_out_of_each_kind_of_archive(tmp_path: Path, registry: str) -> None:
    """The bytes at a path come back; what is absent or a link does not."""
    suffix, make = MAKERS[registry]
    held = put(tmp_path, package := Package(registry, "made", "1:2.0"), suffix, make("doc/a.html"))
    assert held == download(package, tmp_path)
    assert {"doc/a.html": PAGE} == read_files(held, ["doc/a.html", "link.html", "none.html"])


@pytest.mark.parametrize("path", ["/etc/passwd", "../a.html", "a/../../b.html", ""])
def test_a_path_stays_within_its_package(tmp_path: Path, path: str) -> None:
    """A path that leads elsewhere is an error of the table."""
    with pytest.raises(UsageError):
        read_files(tmp_path / "any.whl", [path])


@pytest.mark.parametrize("suffix", [".deb", ".whl", ".tgz"])
@pytest.mark.parametrize("data", [b"", b"nonsense", make_deb("a")[:150]])
def test_a_broken_archive_is_an_input_error(tmp_path: Path, suffix: str, data: bytes) -> None:
    """Whatever an archive holds, there is an InputError and no traceback."""
    (file := tmp_path / f"broken{suffix}").write_bytes(data)
    with pytest.raises(InputError):
        read_files(file, ["a.html"])


@pytest.mark.parametrize("name", ["-o", "../x", "a b", ""])
def test_a_name_is_never_an_option_or_a_path(name: str) -> None:
    """What a client would take for something else than a name is refused."""
    with pytest.raises(UsageError):
        Package("npm", name, "1")


def test_a_client_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the client the error names the package and the program."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FetchError, match=r"npm/made/1: needs the program npm"):
        download(Package("npm", "made", "1"), tmp_path / "cache")


def test_the_others_are_written_if_a_package_cannot_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing package and a missing page are named, the status is 1, and the rest is packed."""
    monkeypatch.setitem(package_pages.REGISTRIES, "npm", (".tgz", "false"))
    put(tmp_path / "cache", Package("debian", "made", "1"), ".deb", make_deb("a.html"))
    rows = [
        "debian\tmade\t1\ta.html\tby hand\tguide\tde\tMIT",
        "debian\tmade\t1\tb.html\tby hand\tguide\tde\tMIT",
        "npm\tgone\t1\ta.html\tby hand\tguide\t\t",
    ]
    (table := tmp_path / "table.tsv").write_text(HEADER + "\n".join(rows), encoding="utf-8")
    out = tmp_path / "out.jsonl.xz"
    call = ["-o", str(out), "--table", str(table), "--cache", str(tmp_path / "cache")]
    assert 1 == main(call)
    with lzma.open(out, "rt", encoding="utf-8") as lines:
        (record,) = map(json.loads, lines)
    assert {
        "id": "debian/made/1/a.html",
        "url": None,
        "html": "<p>Käse",
        "lang": "de",
        "page_type": None,
        "source": "made",
        "licence": "MIT",
    } == record
    said = capsys.readouterr().err
    assert "debian/made/1/b.html: not in the package" in said
    assert "npm/gone/1: false failed" in said


@pytest.mark.parametrize(
    "text", ["", "a\tb\n", HEADER + "npm\tx\n", HEADER + "no\tx\t1" + "\t" * 5]
)
def test_a_wrong_table_is_a_wrong_call(tmp_path: Path, text: str) -> None:
    """A table without the columns, or with a row that is not one, ends the command with 2."""
    (table := tmp_path / "table.tsv").write_text(text, encoding="utf-8")
    assert 2 == main(["-o", str(tmp_path / "out.jsonl.xz"), "--table", str(table)])


def test_the_table_is_varied() -> None:
    """The pages are about a hundred, of 35 generators or more, with at most 3 of each."""
    pages = read_table()
    counts = Counter(page.generator for page in pages)
    assert 100 <= len(pages) <= 110
    assert len(counts) >= 35
    assert max(counts.values()) <= 3
