"""Run the tests on every supported Python that is installed: ``nox``."""

import nox

nox.options.error_on_missing_interpreters = False


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    session.install(".[test]")
    session.run("pytest", *session.posargs)
    session.run("pytest", "-m", "slow", "--timeout=600", *session.posargs)
    # And once more by numpy alone, as where nothing was compiled.
    session.run("pytest", *session.posargs, env={"THRESHER_NATIVE": "0"})
