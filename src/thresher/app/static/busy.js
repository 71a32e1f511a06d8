// Shared by all pages: says that something takes longer than a moment, and offers to cancel it.
"use strict";

window.thresherBusy = (() => {
  const SHOW_AFTER_MS = 300;
  let timer = 0;
  let bar = null;

  function start(words, cancel) {
    stop();
    timer = setTimeout(() => show(words, cancel), SHOW_AFTER_MS);
  }

  function stop() {
    clearTimeout(timer);
    bar?.remove();
    bar = null;
    document.body.removeAttribute("aria-busy");
  }

  function show(words, cancel) {
    bar = document.createElement("div");
    bar.className = "working";
    const said = document.createElement("p");
    said.setAttribute("role", "status");
    said.textContent = `${words}…`;
    const button = makeButton("Cancel", () => {
      stop();
      cancel();
    });
    bar.append(said, button);
    document.body.append(bar);
    document.body.setAttribute("aria-busy", "true");
  }

  // Whether a script handles the event itself is known only after all listeners.
  function leave(event, words) {
    setTimeout(() => {
      if (!event.defaultPrevented) start(words, () => window.stop());
    }, 0);
  }

  document.addEventListener("submit", (event) => {
    leave(event, event.target.dataset.busy ?? "Working");
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname === location.pathname && link.search === location.search) return;
    leave(event, "Opening the page");
  });
  // A page that the browser goes back to is as it was left.
  addEventListener("pageshow", () => stop());

  return { start, stop };
})();
