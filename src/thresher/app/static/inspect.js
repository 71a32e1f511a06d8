// Inspect: updates the result when the form changes, links blocks and graph, and loads block details
// without leaving the page. Everything works with plain forms and links too.
"use strict";

const WAIT_MS = 400;
const GAP_PX = 8;
let here = null;
let request = null;

document.documentElement.classList.add("scripted");
const live = () => document.getElementById("live");
const detail = () => document.getElementById("block");
const markers = () => [...document.querySelectorAll(".annotated a.n")];

prepare();
document.addEventListener("change", (event) => {
  if (event.target.closest("[data-how]")) run(event.target.form);
  if (event.target.closest("[data-force]")) settle(event.target);
});
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-own]")) {
    event.target.closest(".pick").querySelector("[type=radio]").checked = true;
    later(() => preview(event.target.form, event.target.form.dataset.force));
  }
});
document.addEventListener("submit", (event) => {
  if (event.target.matches("[data-how]")) {
    event.preventDefault();
    run(event.target);
  } else if (event.target.matches("[data-force]") && event.submitter?.hasAttribute("data-preview")) {
    event.preventDefault();
    preview(event.target, event.submitter.value);
  }
});
document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const close = event.target.closest("[data-close]");
  const step = event.target.closest("[data-step]");
  const bar = event.target.closest(".graph a[data-b]");
  const block = event.target.closest(".annotated [data-b], .annotated a.n");
  if (close) leave();
  else if (step) choose(Number(step.dataset.step));
  else if (bar) choose(Number(bar.dataset.b));
  else if (block) choose(numberOf(block));
  else return;
  event.preventDefault();
});
document.addEventListener("pointerover", (event) => {
  const bar = event.target.closest(".graph a[data-b]");
  const block = event.target.closest(".annotated [data-b], .annotated a.n");
  point(bar ? Number(bar.dataset.b) : block ? numberOf(block) : null, "at");
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if (event.key === "Escape" && here !== null) return leave();
  const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  // A click on a block focuses one of its ancestors.
  const isOnPage = event.target.closest(".annotated") || event.target.matches("body, main");
  if (!by || !isOnPage || !document.querySelector(".annotated")) return;
  const all = markers();
  const at = all.findIndex((marker) => numberOf(marker) === here);
  const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
  if (!next) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
  choose(numberOf(next));
});

function numberOf(element) {
  return Number(element.dataset.b ?? element.id.slice(1));
}

// Roving tabindex: one block number can be reached with Tab, the others with arrow keys.
function prepare() {
  for (const hint of document.querySelectorAll("[data-keys]")) hint.hidden = false;
  for (const button of document.querySelectorAll("[data-run]")) button.hidden = true;
  const field = document.querySelector('[data-how] [name="block"]');
  here = field ? Number(field.value) : null;
  for (const marker of markers()) marker.tabIndex = -1;
  const first = document.getElementById(`b${here}`) ?? markers()[0];
  if (first) first.tabIndex = 0;
  if (here !== null) {
    point(here, "here");
    detail()?.classList.add("open");
    reveal(here);
  }
}

// Scrolls the page until a block stands between the graph and the panel, which may overlay the page.
function reveal(block) {
  const parts = [...document.querySelectorAll(`.annotated [data-b="${block}"]`)];
  const part = parts[0] ?? document.getElementById(`b${block}`);
  if (!part) return;
  const box = detail();
  const overlays = box.classList.contains("open") && getComputedStyle(box).position === "fixed";
  const low = (document.getElementById("graph")?.offsetHeight ?? 0) + GAP_PX;
  const high = (overlays ? box.getBoundingClientRect().top : innerHeight) - GAP_PX;
  const { top, bottom } = part.getBoundingClientRect();
  if (top >= low && bottom <= high) return;
  // A block that is higher than the space begins at its top.
  scrollBy({ top: top - low - Math.max((high - low - (bottom - top)) / 2, 0), behavior: "instant" });
}

function point(block, name) {
  for (const old of document.querySelectorAll(`.${name}[data-b]`)) old.classList.remove(name);
  if (block === null) return;
  for (const part of document.querySelectorAll(`.annotated [data-b="${block}"]`)) part.classList.add(name);
  for (const bar of document.querySelectorAll(".graph a[data-b]")) {
    if (Number(bar.dataset.from) <= block && block <= Number(bar.dataset.to)) bar.classList.add(name);
  }
}

function addressOf(block) {
  const marker = document.querySelector(".annotated a.n");
  const url = new URL(marker ? marker.href : location.href);
  url.searchParams.delete("from");
  if (block === null) url.searchParams.delete("block");
  else url.searchParams.set("block", block);
  url.hash = "";
  return url;
}

function choose(block) {
  const marker = document.getElementById(`b${block}`);
  if (!marker) return load(addressOf(block));
  here = block;
  for (const other of document.querySelectorAll('.annotated a.n[tabindex="0"]')) other.tabIndex = -1;
  marker.tabIndex = 0;
  point(block, "here");
  const box = detail();
  box.classList.add("open");
  box.setAttribute("aria-busy", "true");
  box.querySelector("#block-title").textContent = `Block ${block + 1}`;
  reveal(block);
  const url = addressOf(block);
  history.replaceState(null, "", url);
  remember(block);
  later(() => showDetails(url, block), 120);
}

function remember(block) {
  const form = document.querySelector("[data-how]");
  let field = form.querySelector('[name="block"]');
  if (block === null) return field?.remove();
  if (!field) {
    field = document.createElement("input");
    field.type = "hidden";
    field.name = "block";
    form.append(field);
  }
  field.value = block;
}

async function showDetails(url, block) {
  const part = new URL(`${url.pathname}/block/${block}${url.search}`, url);
  const text = await get(part);
  if (typeof text !== "string" || here !== block) return;
  const box = detail();
  box.innerHTML = text;
  box.removeAttribute("aria-busy");
  box.scrollTop = 0;
  document.querySelector(".side").scrollTop = 0;
  reveal(block);
  const form = box.querySelector("[data-force]");
  if (form) later(() => preview(form, form.dataset.force));
}

function leave() {
  const marker = document.getElementById(`b${here}`);
  here = null;
  point(null, "here");
  remember(null);
  const box = detail();
  box.classList.remove("open");
  box.removeAttribute("aria-busy");
  box.replaceChildren(document.querySelector("[data-nothing]").content.cloneNode(true));
  history.replaceState(null, "", addressOf(null));
  marker?.focus({ preventScroll: true });
}

function run(form) {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) if (value !== "") url.searchParams.append(name, value);
  load(url);
}

async function load(url) {
  const focused = document.activeElement?.name;
  document.body.classList.add("busy");
  window.thresherBusy.start("Extracting the page", () => request?.abort());
  const text = await get(url);
  window.thresherBusy.stop();
  document.body.classList.remove("busy");
  if (typeof text !== "string") return;
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("live");
  if (!fresh) return location.assign(url);
  live().replaceWith(document.adoptNode(fresh));
  history.replaceState(null, "", url);
  prepare();
  if (focused) document.querySelector(`[data-how] [name="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  const facts = document.querySelector(".facts");
  document.querySelector("[data-status]").textContent = facts ? facts.textContent.replace(/\s+/g, " ") : "";
}

// A chosen proposal becomes the initial value of the custom selector.
function settle(field) {
  const form = field.form;
  if (field.name === "pick" && field.value) form.querySelector("[data-own]").value = field.value;
  preview(form, form.dataset.force);
}

async function preview(form, kind) {
  const data = new URLSearchParams(new FormData(form));
  data.set("kind", kind);
  const outcome = form.querySelector("[data-outcome]");
  const text = await get("/rules/preview", { method: "POST", body: data, headers: { "X-Part": "1" } });
  if (typeof text === "string") outcome.innerHTML = text;
}

async function get(url, options = {}) {
  request?.abort();
  request = new AbortController();
  try {
    const answer = await fetch(url, { ...options, signal: request.signal });
    // The page has expired: its address, if it has one, opens it again.
    if (answer.status === 404) return location.reload();
    return await answer.text();
  } catch (error) {
    if (error.name !== "AbortError") document.querySelector("[data-status]").textContent = "The server is not responding.";
    return null;
  }
}

let timer = 0;
function later(act, wait_ms = WAIT_MS) {
  clearTimeout(timer);
  timer = setTimeout(act, wait_ms);
}
