// Decide: takes a whole label, hides what both agree on, and asks before choices are left.
"use strict";

const form = document.querySelector("[data-decide]");
const only = form.querySelector("[data-only]");
let isChanged = document.querySelector("[role=alert]") !== null;

form.addEventListener("change", () => { isChanged = true; });
form.addEventListener("submit", () => { isChanged = false; });
form.addEventListener("thresher:unsent", () => { isChanged = true; });
addEventListener("beforeunload", (event) => {
  if (isChanged) event.preventDefault();
});
for (const button of form.querySelectorAll("[data-take]")) {
  button.addEventListener("click", (event) => {
    event.preventDefault(); // to be looked at, then saved
    for (const choice of form.querySelectorAll(`[data-${button.dataset.take}="1"]`)) choice.checked = true;
    form.elements.page_type.value = button.dataset.kind;
    isChanged = true;
  });
}
if (only) {
  only.hidden = false;
  only.addEventListener("click", () => {
    only.setAttribute("aria-pressed", String(form.classList.toggle("only")));
  });
}
