// Shared by all pages: applies display preferences immediately, without a request.
"use strict";

const YEAR_S = 365 * 24 * 60 * 60;

for (const form of document.querySelectorAll("form[data-preferences]")) {
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button || !button.name) return;
    event.preventDefault();
    choose(button.name, button.value);
  });
}

function choose(name, value) {
  const root = document.documentElement;
  root.dataset[name] = value;
  const chosen = new URLSearchParams();
  for (const each of ["theme", "face", "size", "width"]) chosen.set(each, root.dataset[each]);
  document.cookie = `thresher_view=${chosen}; path=/; max-age=${YEAR_S}; samesite=lax`;
  for (const button of document.querySelectorAll(`form[data-preferences] button[name="${name}"]`)) {
    if (button.hasAttribute("aria-pressed")) {
      button.setAttribute("aria-pressed", String(button.value === value));
    }
  }
  document.dispatchEvent(new CustomEvent("thresher:preference", { detail: { name, value } }));
}
