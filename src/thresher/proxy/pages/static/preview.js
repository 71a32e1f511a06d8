// Live preview: changing a setting reloads the preview of the same page, replacing only the outcome.
"use strict";

const WAIT_MS = 350;
const form = document.querySelector("form[data-preview]");
let waiting = 0;
let running = null;

form.addEventListener("change", (event) => {
  if (event.target.closest("[data-source]")) return;
  clearTimeout(waiting);
  waiting = setTimeout(show, WAIT_MS);
});
form.addEventListener("submit", (event) => {
  if (event.submitter && event.submitter.hasAttribute("formaction")) return;
  event.preventDefault();
  show();
});

async function show() {
  if (!form.elements.url.value.trim() && !form.elements.html.value.trim()) return;
  if (running) running.abort();
  running = new AbortController();
  const outcome = document.getElementById("outcome");
  outcome.dataset.busy = "true";
  try {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch("/preview", { method: "POST", body, signal: running.signal });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = fresh.getElementById("outcome");
    if (!next) throw new Error(fresh.querySelector("main").textContent.trim());
    outcome.replaceWith(next);
    form.elements.page.value = fresh.querySelector("[name=page]").value;
  } catch (error) {
    if (error.name === "AbortError") return;
    outcome.dataset.busy = "false";
    outcome.textContent = `Could not load the preview: ${error.message}`;
  }
}
