"""`thresher proxy`: serve the filtering proxy until it is stopped."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path

from thresher.cli.exits import Exit
from thresher.cli.outputs import say, write_stdout
from thresher.cli.proxy_users import ask_password, read_users
from thresher.errors import ThresherError, UsageError
from thresher.filters.public_lists import PUBLIC_LISTS
from thresher.filters.settings import Filters
from thresher.proxy.passwords import hash_password
from thresher.proxy.serve import serve
from thresher.proxy.settings import ProxySettings, User
from thresher.proxy.settings_file import default_settings_path, read_settings, write_settings
from thresher.proxy.settings_store import RunOptions
from thresher.proxy.state import ProxyState
from thresher.sites.rulebook import default_rules_path
from thresher.support.settings import given

__all__ = ["run"]


def run(args: Namespace) -> Exit:
    """Serve the proxy; UsageError for invalid settings, MissingExtraError without mitmproxy."""
    if args.hash_password:
        print(hash_password(ask_password("Password")))
        return Exit.OK
    path = args.settings or default_settings_path()
    if args.settings and not args.settings.exists():
        raise UsageError(f"{args.settings} is not there; --write-settings prints one")
    known, chosen = read_settings(path), _read_options(args)
    if args.write_settings:
        write_stdout([(0, write_settings(chosen.apply(known)))], [""])
        return Exit.OK
    state = ProxyState(
        known,
        run=chosen,
        settings_path=path,
        rules_path=args.rules or default_rules_path(),
        data_dir=path.parent,
        upstream_ca=args.upstream_ca,
    )
    try:
        serve(
            state,
            confdir=args.ca_dir,
            when_ready=partial(_announce, state, args.ca_dir),
        )
    except UsageError:
        raise
    except ThresherError as error:
        say(str(error))
        return Exit.FAILED
    return Exit.OK


def _read_options(args: Namespace) -> RunOptions:
    """Return what the options set for this run."""
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
        names = ", ".join(each.name for each in PUBLIC_LISTS)
        say(
            f"only the best-known advertisers are stopped; for the usual public lists ({names}) "
            "add --lists recommended, or open http://thresher.internal/lists"
        )
