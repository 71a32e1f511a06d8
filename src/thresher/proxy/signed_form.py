"""Checks of a form of the proxy's own address, and the answer when it cannot be saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from thresher.errors import UsageError
from thresher.proxy.own_pages import Answer, Question, is_of_own_page, names_site, write_page
from thresher.proxy.state import ProxyState
from thresher.support.files import explain_os_error

__all__ = ["refuse_form", "refuse_saving"]


def refuse_form(
    state: ProxyState, question: Question, form: Mapping[str, str], purpose: str
) -> Answer | None:
    """Return why a form is not accepted; None if it is.

    It must come from a page of the proxy, with the token for its purpose and the user, and its
    field ``url`` must name a site.
    """
    token = form.get("token", "")
    if not is_of_own_page(question) or not state.is_token(token, question.user, purpose):
        return write_page(
            403, "This form is invalid or has expired. Reload the page and try again."
        )
    if not names_site(form.get("url", "")):
        return write_page(400, "This form does not name a site.")
    return None


def refuse_saving(save: Callable[[], None]) -> Answer | None:
    """Save something; return why that failed, None if it did not."""
    try:
        save()
    except UsageError as error:
        return write_page(400, str(error))
    except OSError as error:
        return write_page(500, f"This cannot be saved: {explain_os_error(error)}.")
    return None
