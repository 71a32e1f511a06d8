// Rules with scripts: what a change would do is shown while it is written.
"use strict";

const WAIT_MS = 400;
let timer = 0;
let asked = null;

document.addEventListener("input", (event) => {
  const form = event.target.closest("[data-rules]");
  if (!form || !form.elements.host.value) return;
  clearTimeout(timer);
  timer = setTimeout(() => preview(form), WAIT_MS);
});
document.addEventListener("submit", (event) => {
  if (!event.submitter?.hasAttribute("data-preview")) return;
  event.preventDefault();
  preview(event.target);
});

async function preview(form) {
  asked?.abort();
  asked = new AbortController();
  const data = new URLSearchParams(new FormData(form));
  const outcome = form.querySelector("[data-outcome]");
  try {
    const answer = await fetch("/rules/preview", { method: "POST", body: data, headers: { "X-Part": "1" }, signal: asked.signal });
    outcome.innerHTML = await answer.text();
  } catch (error) {
    if (error.name !== "AbortError") outcome.textContent = "The server does not answer.";
  }
}
