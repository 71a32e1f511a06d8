// Lists: selection of all entries, the field of an editor that is opened, and parts that are open
// only where there is room.
"use strict";

{
  const all = document.querySelector("[data-select-all]");
  const boxes = () => [...document.querySelectorAll('input[form="bulk"]')];

  function show() {
    const n = boxes().filter((box) => box.checked).length;
    const box = all.querySelector("input");
    box.checked = n > 0 && n === boxes().length;
    box.indeterminate = n > 0 && !box.checked;
  }

  if (all) {
    all.hidden = false;
    all.addEventListener("change", () => {
      for (const box of boxes()) box.checked = all.querySelector("input").checked;
    });
    document.addEventListener("change", show);
    document.addEventListener("thresher:list", show);
  }

  for (const part of document.querySelectorAll("[data-wide]")) {
    if (matchMedia("(max-width: 59.99rem)").matches) part.open = false;
  }

  document.addEventListener("toggle", ({ target }) => {
    if (target.open && target.matches(".tags")) target.querySelector("input[type=text]").focus();
  }, true);
}
