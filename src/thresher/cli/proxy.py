"""`thresher proxy`: serve the filtering proxy until it is stopped.

Passwords of its users never stand on the command line. Whoever has an account on a machine can read
the command lines of all its processes, and shells keep them. So a password is asked for, read from
a file, or given as its hash.
"""

from __future__ import annotations

import getpass
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from thresher.cli.console import Exit, say, write_stdout
from thresher.errors import UsageError
from thresher.filters.public_lists import PUBLIC_LISTS
from thresher.filters.settings import Filters
from thresher.proxy.passwords import hash_password, is_hash
from thresher.proxy.serve import serve
from thresher.proxy.settings import ProxySettings, User
from thresher.proxy.settings_store import (
    RunOptions,
    default_settings_path,
    read_settings,
    write_settings,
)
from thresher.proxy.state import ProxyState
from thresher.sites.rulebook import default_rules_path
from thresher.support.files import explain_os_error
from thresher.support.quoting import quote
from thresher.support.settings import given


def run(args: Namespace) -> Exit:
    """Serve the proxy; UsageError for invalid settings, MissingExtraError without mitmproxy."""
    if args.hash_password:
        print(hash_password(ask_password("Password")))
        return Exit.OK
    path = args.settings or default_settings_path()
    if args.settings and not args.settings.exists():
        raise UsageError(f"{args.settings} is not there; --write-settings prints one")
    settings, chosen = read_settings(path), _read_options(args)
    if args.write_settings:
        write_stdout([write_settings(chosen.apply(settings))])
        return Exit.OK
    state = ProxyState(
        settings,
        run=chosen,
        settings_path=path,
        rules_path=args.rules or default_rules_path(),
        data_dir=path.parent,
        upstream_ca=args.upstream_ca,
    )
    serve(state, confdir=args.ca_dir, when_ready=partial(_announce, state, args.ca_dir))
    return Exit.OK


def _read_options(args: Namespace) -> RunOptions:
    return RunOptions(
        given(ProxySettings, args),
        given(Filters, args),
        {name: User(hashed) for name, hashed in read_users(args.user, args.users_file)},
        tuple(args.ignore_host),
    )


def _announce(state: ProxyState, ca_dir: Path | None, port: int, stop: Callable[[], None]) -> None:
    """Print the proxy's address, the steps needed for HTTPS, and at first the public lists."""
    del stop
    settings = state.settings.current
    certificate = (ca_dir or Path.home() / ".mitmproxy") / "mitmproxy-ca-cert.pem"
    say(
        f"the proxy is at http://{settings.listen_host}:{port}; for HTTPS let your browser trust "
        f"{certificate}, or open http://thresher.internal/ through it"
    )
    if settings.settings_port:
        say(f"the settings are at http://127.0.0.1:{settings.settings_port}/")
    if not settings.list_urls and not (state.settings.path and state.settings.path.exists()):
        names = ", ".join(listed.name for listed in PUBLIC_LISTS)
        say(
            f"only the best-known advertisers are stopped; for the usual public lists ({names}) "
            "add --lists recommended, or open http://thresher.internal/lists"
        )


def read_users(spelled: Iterable[str], file: Path | None) -> Iterator[tuple[str, str]]:
    """Yield the names and hashed passwords of users, those of the file first.

    ``spelled`` are ``NAME``, whose password is asked for, or ``NAME:HASH``. UsageError for a
    password in the clear, an empty one, or a file that cannot be read.
    """
    if file:
        yield from _read_file(file)
    for user in spelled:
        name, colon, hashed = user.partition(":")
        if colon and not is_hash(hashed):
            raise UsageError(
                f"--user {name}: others on this machine can read a password on the command line: "
                f"give --user {name} to be asked for it, --users-file, or its hash, which "
                "thresher proxy --hash-password prints"
            )
        yield name, hashed if colon else hash_password(ask_password(f"Password of {name}"))


def ask_password(label: str) -> str:
    """Ask for a password twice at the terminal, or read it from a line of the standard input.

    UsageError if the two differ.
    """
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    password = getpass.getpass(f"{label}: ")
    if getpass.getpass(f"{label} again: ") != password:
        raise UsageError("the two passwords differ")
    return password


def _read_file(path: Path) -> Iterator[tuple[str, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {explain_os_error(error)}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, password = line.partition(":")
        if not colon:
            raise UsageError(f"{path}, line {number}: {quote(name)} has no password after a colon")
        yield name.strip(), password if is_hash(password) else hash_password(password)
