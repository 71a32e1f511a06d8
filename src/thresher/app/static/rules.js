// Rules: previews changes while typing.
"use strict";

const WAIT_MS = 400;
let timer = 0;
let request = null;

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
  request?.abort();
  request = new AbortController();
  const data = new URLSearchParams(new FormData(form));
  const outcome = form.querySelector("[data-outcome]");
  try {
    const answer = await fetch("/rules/preview", { method: "POST", body: data, headers: { "X-Part": "1" }, signal: request.signal });
    outcome.innerHTML = await answer.text();
  } catch (error) {
    if (error.name !== "AbortError") outcome.textContent = "The server is not responding.";
  }
}
