// Find in the article: all matches are shown; Next and Previous, or Enter, lead from one to another.
"use strict";

window.thresherFind = (() => {
  const MOST = 2000;
  const panel = document.querySelector("[data-find]");
  const field = panel.querySelector("input");
  const count = panel.querySelector("[data-count]");
  let article = null;
  let places = [];
  let at = 0;

  panel.hidden = false;

  function paint() {
    const ranges = places.map((place) => window.thresherText.rangeOf(article, place));
    if (window.CSS?.highlights) {
      CSS.highlights.set("found", new Highlight(...ranges));
      CSS.highlights.set("found-here", new Highlight(...ranges.slice(at, at + 1)));
    } else if (ranges[at]) {
      getSelection().removeAllRanges();
      getSelection().addRange(ranges[at]);
    }
    const more = places.length === MOST ? "+" : "";
    count.textContent = places.length ? `${at + 1} of ${places.length}${more}` : field.value.trim() ? "Not found" : "";
    return ranges[at];
  }

  function show() {
    const range = paint();
    if (!range) return;
    range.startContainer.parentElement.scrollIntoView({ block: "center", behavior: "instant" });
    // A paragraph can be taller than the window: its middle is not where the match is.
    const box = range.getBoundingClientRect();
    const top = panel.getBoundingClientRect().bottom;
    scrollBy({ top: (box.top + box.bottom - innerHeight - top) / 2, behavior: "instant" });
  }

  function look() {
    article = window.thresherText.read();
    places = panel.open ? window.thresherText.find(article, field.value, MOST) : [];
    at = Math.min(at, Math.max(places.length - 1, 0));
  }

  function step(by) {
    if (!places.length) return;
    at = (at + by + places.length) % places.length;
    show();
  }

  field.addEventListener("input", () => {
    at = 0;
    look();
    show();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.shiftKey) return;
    event.preventDefault();
    step(-1);
  });
  panel.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    step(1);
  });
  panel.querySelector("[data-back]").addEventListener("click", () => step(-1));
  panel.addEventListener("toggle", () => {
    look();
    paint();
    // The event comes late: what is being typed by then must not be replaced.
    if (panel.open && document.activeElement !== field) field.select();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    panel.open = true;
    field.select();
  });

  return {
    // The match that is shown, while the panel is open.
    current: () => (panel.open ? places[at] ?? null : null),
    // The text nodes of the article have changed.
    renew: () => {
      look();
      paint();
    },
  };
})();
