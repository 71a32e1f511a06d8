// Forms with data-send: sent without leaving the page, which stays with all that is typed on it
// where that fails.
"use strict";

{
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("[data-send]");
    if (!form) return;
    event.preventDefault();
    if (!form.hasAttribute("aria-busy")) send(form, event.submitter);
  });

  addEventListener("beforeunload", (event) => {
    const fields = document.querySelectorAll("[data-send] :is(input[type=text], textarea)");
    if ([...fields].some((field) => field.value !== field.defaultValue)) event.preventDefault();
  });

  async function send(form, button) {
    const work = new AbortController();
    form.setAttribute("aria-busy", "true");
    sayBelow(form, "");
    window.thresherBusy.start(form.dataset.busy ?? "Working", () => work.abort());
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: new URLSearchParams(new FormData(form, button)),
        signal: work.signal,
      });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!answer.ok) refuse(form, page);
      else if (put(form, page)) history.replaceState(null, "", answer.url);
      else {
        for (const field of form.querySelectorAll("textarea")) field.defaultValue = field.value;
        go(answer.url);
      }
    } catch {
      sayBelow(form, work.signal.aborted ? "Cancelled: it may have been stored nevertheless." : `${form.dataset.send}: the server is not responding. Try again.`);
    }
    window.thresherBusy.stop();
    form.removeAttribute("aria-busy");
  }

  function go(url) {
    if (url === location.href.split("#", 1)[0]) location.reload();
    else location.assign(url);
  }

  // Show the list as the app answers it, but leave what is typed in other cards; false if there is
  // none.
  function put(form, page) {
    const list = document.querySelector("ol.saved");
    const fresh = page.querySelector("ol.saved");
    if (!list || !fresh) return false;
    const { id } = document.activeElement;
    const own = form.closest("li[id]")?.id;
    const isTyped = (card) => [...card?.querySelectorAll("input[type=text]") ?? []].some((field) => field.value !== field.defaultValue);
    list.replaceChildren(...[...fresh.children].map((card) => {
      const shown = card.id !== own && document.getElementById(card.id);
      return isTyped(shown || null) ? shown : card;
    }));
    for (const part of document.querySelectorAll("[data-fresh]")) {
      part.replaceWith(page.querySelector(`[data-fresh="${part.dataset.fresh}"]`));
    }
    const tag = document.getElementById("tag");
    if (tag) {
      const { value } = tag;
      tag.replaceChildren(...page.getElementById("tag").children);
      tag.value = value;
    }
    document.querySelector("form.note")?.remove();
    const note = page.querySelector("form.note");
    if (note) document.querySelector("h1").after(note);
    if (form.id === "bulk") form.reset();
    document.dispatchEvent(new Event("thresher:list"));
    const same = document.getElementById(id);
    const card = document.getElementById(own);
    const place = [same, note?.querySelector("button"), card?.querySelector("summary"), list.querySelector("a")];
    place.find((each) => each?.checkVisibility())?.focus();
    return true;
  }

  function refuse(form, page) {
    if (page.querySelector("li [role=alert]") && put(form, page)) return;
    const reason = page.querySelector("[role=alert]")?.textContent.trim() || "the server failed.";
    sayBelow(form, `${form.dataset.send}: ${reason}`);
  }
}
