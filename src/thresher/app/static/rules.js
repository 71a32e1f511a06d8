// Rules: previews changes while typing, and saves one host without touching the other forms.
"use strict";

const WAIT_MS = 400;
const TYPED = ["host", "keep", "drop", "view", "method"];
let timer = 0;
let request = null;

document.addEventListener("input", (event) => {
  const form = event.target.closest("[data-rules]");
  if (!form || !form.elements.host.value) return;
  clearTimeout(timer);
  timer = setTimeout(() => preview(form), WAIT_MS);
});
document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-rules]");
  if (!form) return;
  event.preventDefault();
  if (event.submitter?.hasAttribute("data-preview")) preview(form);
  else save(form, event.submitter?.value ?? "save");
});
addEventListener("beforeunload", (event) => {
  if ([...document.querySelectorAll("form.host")].some(isUnsaved)) event.preventDefault();
});

async function preview(form) {
  request?.abort();
  request = new AbortController();
  const outcome = form.querySelector("[data-outcome]");
  try {
    const answer = await post("/rules/preview", new FormData(form), request.signal);
    outcome.innerHTML = await answer.text();
  } catch (error) {
    if (error.name !== "AbortError") outcome.textContent = "The server is not responding.";
  }
}

async function save(form, act) {
  if (form.hasAttribute("aria-busy")) return;
  clearTimeout(timer);
  request?.abort();
  form.setAttribute("aria-busy", "true");
  const sent = new FormData(form);
  sent.set("act", act);
  try {
    const answer = await post("/rules", sent);
    const part = document.createElement("template");
    part.innerHTML = await answer.text();
    const card = part.content.querySelector("[data-rules]");
    if (!card) throw new Error(part.content.querySelector("[role=alert]")?.textContent);
    put(form, sent, card);
  } catch (error) {
    say(form, `Not saved: ${error.message && error.name === "Error" ? error.message : "the server is not responding."} What you typed is still here; try again.`);
  } finally {
    form.removeAttribute("aria-busy");
  }
}

// Shows the answer to a save in place of its form; what was typed meanwhile stays.
function put(form, sent, card) {
  const isAdded = form.id !== card.id && !card.matches("[data-undo]");
  const typed = form.matches("[data-undo]") ? [] : TYPED.filter((name) => form.elements[name].value.replaceAll("\r", "") !== String(sent.get(name)).replaceAll("\r", ""));
  if (!isAdded) {
    for (const name of typed) card.elements[name]?.tagName && (card.elements[name].value = form.elements[name].value);
    form.replaceWith(card);
  } else {
    const there = document.getElementById(card.id);
    if (there && isUnsaved(there)) {
      const said = card.querySelector("[data-done]");
      there.querySelector("h2").after(said);
    } else if (there) there.replaceWith(card);
    else document.getElementById("new").before(card);
    if (form.matches("[data-undo]")) form.remove();
    else if (typed.length === 0) clear(form);
    document.querySelector(".hosts > .none")?.remove();
  }
  const shown = document.getElementById(card.id) ?? card;
  (shown.matches("[data-done]") ? shown : shown.querySelector("[data-done]"))?.focus();
}

function clear(form) {
  for (const name of TYPED) form.elements[name].value = "";
  for (const name of ["host", "keep", "drop"]) form.elements[name].defaultValue = "";
  form.removeAttribute("data-unsaved");
  form.querySelector("[data-outcome]").textContent = "";
  form.querySelector("[data-done]")?.remove();
}

function isUnsaved(form) {
  if (form.hasAttribute("data-unsaved")) return true;
  return [...form.elements].some((field) => {
    if (field.tagName === "SELECT") {
      const saved = [...field.options].findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(saved, 0);
    }
    return field.name !== "csrf" && field.tagName !== "BUTTON" && field.value !== field.defaultValue;
  });
}

function say(form, message) {
  form.querySelector("p.note[data-done]")?.remove();
  const note = document.createElement("p");
  note.className = "note bad";
  note.setAttribute("role", "alert");
  note.setAttribute("data-done", "");
  note.tabIndex = -1;
  note.textContent = message;
  (form.querySelector("h2") ?? form.firstElementChild).after(note);
  note.focus();
}

function post(path, data, signal) {
  return fetch(path, { method: "POST", body: new URLSearchParams(data), headers: { "X-Part": "1" }, signal });
}
