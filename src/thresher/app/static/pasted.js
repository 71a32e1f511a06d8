// Pages that were pasted or uploaded have no address. What was pasted is kept in this tab until it is
// closed, so that it can be opened again when the server, restarted perhaps, no longer has it.
"use strict";

const pastedPages = (() => {
  const KEY = "thresher-pasted";
  const MOST = 20;

  function recall() {
    try {
      const found = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
      return Array.isArray(found) ? found : [];
    } catch {
      return [];
    }
  }

  // The latest pages that there is room for. Without storage nothing is remembered.
  function remember(page) {
    let pages = [page, ...recall()].slice(0, MOST);
    while (pages.length) {
      try {
        return sessionStorage.setItem(KEY, JSON.stringify(pages));
      } catch {
        pages = pages.slice(0, -1);
      }
    }
  }

  const find = (path) => recall().find((page) => page.name === path.split("/")[2]);

  return { remember, find };
})();

{
  const form = document.querySelector("form[data-pasted]");
  const page = form && pastedPages.find(location.pathname);
  if (page) {
    const [, view] = location.pathname.split("/");
    form.action = `/${view}`;
    for (const name of ["html", "url"]) form.elements[name].value = page[name];
    const said = form.querySelector("p");
    if (page.file) said.textContent = `It was the file “${page.file}”. Choose it again.`;
    form.querySelector("button").hidden = Boolean(page.file);
    form.hidden = false;
    form.addEventListener("submit", (event) => sendOpening(event, form));
  }
}

// Send a form that opens a page without leaving it, so that nothing is lost where that fails.
async function sendOpening(event, form) {
  event.preventDefault();
  const work = new AbortController();
  const body = new FormData(form);
  tellOpening(form, "");
  window.thresherBusy.start("Opening the page", () => work.abort());
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body,
      headers: { accept: "application/json" },
      signal: work.signal,
    });
    const said = await answer.json().catch(() => null);
    if (answer.ok && said?.path) {
      const { path } = said;
      const [html, url, { name: file = "" }] = ["html", "url", "file"].map((each) => body.get(each) ?? "");
      if (html || file) pastedPages.remember({ name: path.split(/[/?]/)[2], html, url, file: html ? "" : file });
      // The page may take a while to be read, and can be cancelled too.
      window.thresherBusy.start("Opening the page", () => window.stop());
      location.assign(path);
      return;
    }
    tellOpening(form, said?.error?.message ?? `The server responded with ${answer.status}.`);
  } catch {
    if (!work.signal.aborted) tellOpening(form, "Not opened: the server is not responding. Try again.");
  }
  window.thresherBusy.stop();
}

function tellOpening(form, words) {
  let note = document.querySelector("p.note[role=alert]");
  if (!note) {
    note = document.createElement("p");
    note.setAttribute("role", "alert");
    form.before(note);
  }
  note.className = "note bad";
  note.hidden = !words;
  note.textContent = words;
}
