// Shared by all pages: applies display preferences immediately, without a request, keeps one panel
// open at a time, and labels the cells of tables, whose rows are cards on a phone.
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

const panels = document.querySelectorAll(".menu-of");
for (const panel of panels) {
  panel.addEventListener("toggle", () => {
    if (panel.open) for (const other of panels) if (other !== panel) other.open = false;
  });
}
document.addEventListener("click", (event) => {
  // What is found stays found while it is highlighted.
  if (event.target.closest("[data-highlight], .working")) return;
  for (const panel of panels) if (!panel.contains(event.target)) panel.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const panel of panels) {
    if (panel.open) {
      panel.open = false;
      panel.querySelector("summary").focus();
    }
  }
});

function makeButton(name, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet small";
  button.textContent = name;
  button.addEventListener("click", act);
  return button;
}

// Say below a form why it was not sent; without words, take back what was said.
function sayBelow(form, words) {
  let said = form.querySelector("[data-unsent]");
  if (!said && !words) return;
  if (!said) {
    said = document.createElement("p");
    said.dataset.unsent = "";
    said.setAttribute("role", "alert");
    form.append(said);
  }
  said.className = words ? "note bad" : "";
  said.textContent = words;
}

// A switch that this browser remembers; without storage it is off when a page is opened.
function recallSwitch(key) {
  try {
    return localStorage.getItem(key) === "1";
  } catch {
    return false;
  }
}

function rememberSwitch(key, isOn) {
  try {
    localStorage.setItem(key, isOn ? "1" : "0");
  } catch {
    // As above.
  }
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

// As boxes other than those of a table, rows and cells would lose their roles.
const ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };

function makeCards(table) {
  const [head, ...rows] = table.rows;
  const labels = [...head.cells].map((each) => each.textContent.trim());
  head.classList.add("heads");
  for (const row of rows) {
    [...row.cells].forEach((cell, index) => { cell.dataset.label = labels[index] ?? ""; });
  }
  for (const part of [table, ...table.querySelectorAll("thead, tbody, tr, th, td")]) {
    const isLabel = part.scope === "row" || !part.closest(".heads");
    part.setAttribute("role", ROLES[part.tagName] ?? (isLabel ? "rowheader" : "columnheader"));
  }
  table.classList.add("cards");
}

// Tables of a page that is read may be anything; only those with one row of headings have labels.
function hasLabels(table) {
  const [head, ...rows] = table.rows;
  return rows.length > 0 && [...head.cells].every((cell) => cell.tagName === "TH")
    && rows.every((row) => row.cells.length === head.cells.length)
    && !table.querySelector("[colspan], [rowspan], table");
}

for (const table of document.querySelectorAll("table.data")) makeCards(table);
for (const table of document.querySelectorAll(".text table, .paper table")) {
  if (hasLabels(table)) makeCards(table);
}
