// Shared by all pages: a form is left only if the server can be reached; else the page stays, with
// all that was typed and chosen on it.
"use strict";

{
  const PATIENCE_MS = 15000;
  const reached = new WeakSet(); // forms that are being sent

  // At the window, so that it runs after all scripts that send a form themselves.
  addEventListener("submit", async (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || reached.has(form)) return;
    event.preventDefault();
    if (form.hasAttribute("aria-busy")) return;
    form.setAttribute("aria-busy", "true");
    const work = new AbortController();
    sayBelow(form, "");
    window.thresherBusy.start(form.dataset.busy ?? "Working", () => work.abort());
    let isReached = false;
    try {
      const signal = AbortSignal.any([work.signal, AbortSignal.timeout(PATIENCE_MS)]);
      isReached = (await fetch("/healthz", { cache: "no-store", signal })).ok;
    } catch {
      // Not reached.
    }
    window.thresherBusy.stop();
    form.removeAttribute("aria-busy");
    if (isReached) {
      reached.add(form);
      form.requestSubmit(event.submitter);
      reached.delete(form);
      return;
    }
    form.dispatchEvent(new CustomEvent("thresher:unsent"));
    if (!work.signal.aborted) sayBelow(form, "Not sent: the server is not responding. What you entered is still here.");
  });
}
