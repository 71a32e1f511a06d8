// Reading page: copying, printing, and the current outline entry.
"use strict";

const said = document.querySelector("[data-said]");

for (const button of document.querySelectorAll("[data-copy], [data-print]")) button.hidden = false;

document.querySelector("[data-print]").addEventListener("click", () => window.print());

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const work = new AbortController();
    window.thresherBusy.start("Writing the article", () => work.abort());
    try {
      const answer = await fetch(button.dataset.copy, { signal: work.signal });
      if (!answer.ok) throw new Error(answer.statusText);
      await window.thresherCopy(await answer.text());
      said.textContent = "Copied";
    } catch {
      said.textContent = work.signal.aborted ? "Cancelled" : "Could not copy";
    }
    window.thresherBusy.stop();
    setTimeout(() => { said.textContent = ""; }, 3000);
  });
}

const outline = document.querySelector("[data-outline]");
if (outline) {
  if (matchMedia("(max-width: 67.99rem)").matches) outline.open = false;
  const links = [...outline.querySelectorAll("a")];
  const marks = links.map((link) => document.getElementById(link.hash.slice(1)));
  const follow = () => {
    const passed = marks.filter((mark) => mark && mark.getBoundingClientRect().top < 120);
    links.forEach((link, index) => {
      if (index === passed.length - 1) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  addEventListener("scroll", follow, { passive: true });
  follow();
}
