// Recent pages: kept in this browser only, added by Read, and listed on the start page.
"use strict";

{
  const KEY = "thresher_recent";
  const MOST = 12;

  function readRecent() {
    try {
      const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
      return Array.isArray(found) ? found.filter((each) => /^\/read\//.test(each?.path)) : [];
    } catch {
      return [];
    }
  }

  function writeRecent(pages) {
    try {
      localStorage.setItem(KEY, JSON.stringify(pages.slice(0, MOST)));
    } catch {
      // Without storage nothing is remembered.
    }
  }

  const read = document.querySelector("[data-page-title]");
  if (read) {
    const url = new URLSearchParams(location.search).get("url");
    const path = location.pathname + (url ? `?${new URLSearchParams({ url })}` : "");
    const page = { path, url, title: read.dataset.pageTitle, from: read.dataset.pageFrom };
    const others = readRecent().filter((each) => each.path !== path && (!url || each.url !== url));
    writeRecent([page, ...others]);
  }

  const list = document.querySelector("[data-recent]");
  if (list) {
    const pages = readRecent();
    list.hidden = pages.length === 0;
    for (const page of pages) {
      const link = document.createElement("a");
      link.href = page.path;
      link.textContent = page.title;
      const from = document.createElement("span");
      from.textContent = page.from;
      const item = document.createElement("li");
      item.append(link, " ", from);
      list.querySelector("ul").append(item);
    }
    list.querySelector("[data-forget]").addEventListener("click", () => {
      writeRecent([]);
      list.hidden = true;
    });
  }
}
