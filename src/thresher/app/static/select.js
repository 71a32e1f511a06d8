// Selection of many entries: all at once, and the field of an editor that is opened.
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

  document.addEventListener("toggle", ({ target }) => {
    if (target.open && target.matches(".tags")) target.querySelector("input[type=text]").focus();
  }, true);
}
