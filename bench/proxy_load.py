"""Load on the proxy: many keep-alive connections on loopback, with the addon and without it.

    python -m bench.proxy_load [--pages 2000] [--connections 100] [--kilobytes 30]
        [--memory-pages 10000]

A site, a proxy and the clients are processes of their own, on this machine. Prints a table of
pages a second, the share of them that were filtered, the median and the 95th percentile of the time
of a page, and the memory of the proxy with its workers; then the latency of one connection, page
after page. Needs the extra proxy, and Linux for the memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from bench.harness import make_parser

WORDS: Final = (
    "the mill stood by the weir for two hundred years and kept the books of every sack that went "
    "through it in a hand that hardly changed from one generation to the next"
).split()
N_PAGE: Final = 20
"""Different pages."""
_PROMO: Final = b"bench.doubleclick.net"
"""An advertisement in each page, which is gone if the page was filtered."""
ROLES: Final = ("mitmproxy", "mitmproxy, streaming", "thresher, original", "thresher, in place")


_TITLES: Final = (
    "| proxy | pages/s | filtered | p50, ms | p95, ms | CPU a page, ms | memory, MiB "
    "| alone: p50, ms | p95, ms |"
)


class Load(NamedTuple):
    """Outcome of some pages, all requested over the same number of connections."""

    pages_s: float
    filtered: float
    """Share of the pages; the others passed, as too many were waiting."""
    median_s: float
    p95_s: float
    rss_mib: float
    cpu_s: float
    """Of the proxy and its workers, a page."""


def make_page(number: int, n_byte: int = 30_000) -> bytes:
    """Write an article with a menu and a sidebar, of about ``n_byte`` bytes, at least 10,000."""
    menu = "".join(f'<li><a href="/{i}">Section {i}</a></li>' for i in range(40))
    side = "".join(
        f'<div class="teaser"><a href="/s{i}"><img src="/{i}.jpg">More of {i}</a></div>'
        for i in range(60)
    )
    paragraphs = (
        f"<p>{number}.{i} {' '.join(WORDS[(i + k * 7) % len(WORDS)] for k in range(90))}.</p>"
        for i in count()
    )
    text = ""
    while len(text) < n_byte - len(menu) - len(side):
        text += next(paragraphs)
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page {number}</title>'
        f"<style>{'p{margin:1em}' * 100}</style></head><body><ul>{menu}</ul>"
        f"<article><h1>Page {number}</h1>{text}</article><aside>{side}</aside>"
        f'<img src="http://{_PROMO.decode()}/a.png">'
        "<footer>Imprint</footer></body></html>"
    ).encode()


async def serve_site(n_byte: int) -> None:
    """Answer every request with one of the pages; print the port."""
    pages = [make_page(number, n_byte) for number in range(N_PAGE)]
    answers = [
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n"
        % len(page)
        + page
        for page in pages
    ]

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                number = int(head.split(b" ", 2)[1].rpartition(b"/")[2])
                writer.write(answers[number % N_PAGE])
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def serve_plain(*, is_streaming: bool) -> None:
    """Run mitmproxy as it is; print the port."""
    from mitmproxy.addons import default_addons
    from mitmproxy.master import Master
    from mitmproxy.options import Options

    master = Master(Options())
    master.addons.add(*default_addons())
    master.options.update(listen_host="127.0.0.1", listen_port=0)
    if is_streaming:
        master.options.update(stream_large_bodies="1")
    running = asyncio.create_task(master.run())
    proxyserver = master.addons.get("proxyserver")
    while not proxyserver.listen_addrs():
        await asyncio.sleep(0.01)
    print(proxyserver.listen_addrs()[0][1], flush=True)
    await running


def serve_thresher(view: str) -> None:
    """Run the proxy; print the port."""
    from thresher.proxy.serve import serve
    from thresher.proxy.settings import ProxySettings
    from thresher.proxy.state import ProxyState

    state = ProxyState(ProxySettings(listen_port=0, view=view))
    serve(state, when_ready=lambda port, stop: print(port, flush=True))


@contextmanager
def started(role: str, *options: str) -> Iterator[tuple[int, int]]:
    """Start a part in a process of its own; give its port and its process number."""
    command = [sys.executable, "-m", "bench.proxy_load", "--role", role, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield int(process.stdout.readline()), process.pid
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


async def ask(
    proxy: int, site: int, n_page: int, n_connection: int
) -> tuple[float, list[float], int]:
    """Ask for pages over some connections; return the seconds of all, of each, and the filtered."""
    numbers = iter(range(n_page))
    times: list[float] = []
    n_filtered = 0

    async def one() -> None:
        nonlocal n_filtered
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy, limit=2**22)
        for number in numbers:
            start = time.perf_counter()
            writer.write(
                f"GET http://127.0.0.1:{site}/{number} HTTP/1.1\r\nHost: 127.0.0.1:{site}\r\n"
                "Sec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\n\r\n".encode()
            )
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            body = await read_body(reader, head)
            times.append(time.perf_counter() - start)
            n_filtered += _PROMO not in body
        writer.close()

    start = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(n_connection)))
    return time.perf_counter() - start, times, n_filtered


async def read_body(reader: asyncio.StreamReader, head: bytes) -> bytes:
    """Read a body by its length or its chunks."""
    if b"content-length:" in head:
        length = int(head.partition(b"content-length:")[2].split(None, 1)[0])
        return await reader.readexactly(length)
    chunks = []
    while size := int(await reader.readuntil(b"\r\n"), 16):
        chunks.append((await reader.readexactly(size + 2))[:-2])
    await reader.readexactly(2)
    return b"".join(chunks)


def rss_mib(pid: int) -> float:
    """Return the memory of a process and its children, in MiB."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except OSError:
            continue
        if str(pid) in (fields["Pid"].strip(), fields["PPid"].strip()) and "VmRSS" in fields:
            total += int(fields["VmRSS"].split()[0])
    return total / 1024


def cpu_s(pid: int) -> float:
    """Return the processor time of a process and its children, in seconds."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        if pid in (int(name.split()[0]), int(fields[1])):
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def measure(role: str, site: int, n_page: int, n_connection: int) -> tuple[Load, Load]:
    """Measure a proxy under load, then over a single connection."""
    with started(role) as (port, pid):
        asyncio.run(ask(port, site, 50, 5))
        before_s = cpu_s(pid)
        asked = asyncio.run(ask(port, site, n_page, n_connection))
        loaded = summarise(*asked, rss_mib(pid), cpu_s(pid) - before_s)
        asked = asyncio.run(ask(port, site, min(n_page, 300), 1))
        return loaded, summarise(*asked, rss_mib(pid), 0.0)


def summarise(
    whole_s: float, times: list[float], n_filtered: int, memory_mib: float, work_s: float
) -> Load:
    """Return the figures of a run."""
    p95 = statistics.quantiles(times, n=20)[-1]
    n_page = len(times)
    return Load(
        n_page / whole_s,
        n_filtered / n_page,
        statistics.median(times),
        p95,
        memory_mib,
        work_s / n_page,
    )


def watch_memory(site: int, n_page: int) -> list[tuple[int, float]]:
    """Return the memory of the proxy after each tenth of many pages."""
    readings = []
    with started("thresher, in place") as (port, pid):
        for tenth in range(1, 11):
            asyncio.run(ask(port, site, n_page // 10, 20))
            readings.append((tenth * n_page // 10, round(rss_mib(pid), 1)))
    return readings


def main() -> None:
    """Run the part that is named, or all of them."""
    parser = make_parser(__doc__)
    parser.add_argument("--role", help=argparse.SUPPRESS)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--kilobytes", type=int, default=30, help="size of a page")
    parser.add_argument("--memory-pages", type=int, default=0)
    args = parser.parse_args()
    match args.role:
        case None:
            report(args.pages, args.connections, args.kilobytes, args.memory_pages)
        case "site":
            asyncio.run(serve_site(args.kilobytes * 1000))
        case "mitmproxy" | "mitmproxy, streaming":
            asyncio.run(serve_plain(is_streaming="streaming" in args.role))
        case role:
            serve_thresher("inplace" if "place" in role else "original")


def report(n_page: int, n_connection: int, kilobytes: int, n_memory_page: int) -> None:
    """Print the tables."""
    size = len(make_page(0, kilobytes * 1000))
    with started("site", "--kilobytes", str(kilobytes)) as (site, _):
        print(f"{n_page} pages of {size:,} bytes over {n_connection} connections\n")
        print(_TITLES)
        print("|---" * (_TITLES.count("|") - 1) + "|")
        for role in ROLES:
            load, alone = measure(role, site, n_page, n_connection)
            print(
                f"| {role} | {load.pages_s:.0f} | {load.filtered:.0%} | {load.median_s * 1e3:.0f} "
                f"| {load.p95_s * 1e3:.0f} | {load.cpu_s * 1e3:.1f} | {load.rss_mib:.0f} "
                f"| {alone.median_s * 1e3:.1f} | {alone.p95_s * 1e3:.1f} |",
                flush=True,
            )
        if n_memory_page:
            print(f"\nmemory by page: {json.dumps(watch_memory(site, n_memory_page))}")


if __name__ == "__main__":
    main()
