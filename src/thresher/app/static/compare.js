// Compare: applies choices immediately, and scrolls from a bar of the graph to its block.
"use strict";

const form = document.querySelector("[data-compare]");
form.querySelector("[data-run]").hidden = true;
form.addEventListener("change", () => form.requestSubmit());
document.querySelector(".graph")?.addEventListener("click", (event) => {
  const bar = event.target.closest("a[data-b]");
  const block = bar && document.getElementById(`b${bar.dataset.b}`);
  if (!block || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  block.scrollIntoView({ block: "center" });
});
