// Highlights: the passage that is selected, or found, is stored with the saved page and marked.
"use strict";

{
  const AROUND = 60; // characters before and after that tell a passage from others of its words
  const text = window.thresherText;
  const button = document.querySelector("[data-highlight]");
  const told = document.querySelector("[data-said]");
  const csrf = document.querySelector('meta[name="csrf"]').content;

  button.hidden = false;

  const listed = () => document.querySelector("[data-highlights]");

  function paint() {
    for (const mark of document.querySelectorAll("mark[data-of]")) {
      const parent = mark.parentNode;
      mark.replaceWith(...mark.childNodes);
      parent.normalize();
    }
    for (const item of listed().querySelectorAll("li")) {
      const place = locate(item);
      item.querySelector("[data-show]").hidden = !place;
      item.querySelector("[data-missing]").hidden = Boolean(place);
    }
    window.thresherFind.renew();
  }

  // Mark the passage whose surroundings are the most alike; return whether it is there.
  function locate(item) {
    const article = text.read();
    const { before, after, id } = item.dataset;
    const places = text.find(article, item.querySelector("blockquote").textContent, 1000);
    const likeness = ({ from, to }) => {
      let n = 0;
      while (n < before.length && before.at(-1 - n) === article.text[from - 1 - n]) n += 1;
      let m = 0;
      while (m < after.length && after[m] === article.text[to + m]) m += 1;
      return n + m;
    };
    const place = places.reduce((best, each) => (best && likeness(best) >= likeness(each) ? best : each), null);
    if (!place) return null;
    let isFirst = true;
    for (const { node, from, to } of text.piecesOf(article, place)) {
      if (!node.data.slice(from, to).trim()) continue; // between the cells of a table, for example
      const mark = document.createElement("mark");
      mark.dataset.of = id;
      if (isFirst) mark.id = `mark-${id}`;
      isFirst = false;
      const piece = node.splitText(from);
      piece.splitText(to - from);
      piece.replaceWith(mark);
      mark.append(piece);
    }
    return place;
  }

  function tell(words, isBad = false) {
    told.classList.toggle("bad", isBad);
    told.textContent = words;
  }

  function readSelection() {
    const chosen = getSelection();
    const range = chosen.rangeCount && !chosen.isCollapsed ? chosen.getRangeAt(0) : null;
    return range && document.querySelector(".article").contains(range.startContainer) ? range : null;
  }

  async function add() {
    const article = text.read();
    const selected = readSelection();
    const place = selected ? text.placeOf(article, selected) : window.thresherFind.current();
    if (!place) return tell("Select a passage first, or find it");
    const { from, to } = place;
    const body = new URLSearchParams({
      quote: article.text.slice(from, to),
      before: article.text.slice(Math.max(from - AROUND, 0), from),
      after: article.text.slice(to, to + AROUND),
      start: from,
    });
    const work = new AbortController();
    window.thresherBusy.start("Saving the highlight", () => work.abort());
    try {
      const answer = await fetch(listed().dataset.highlights, {
        method: "POST",
        body,
        headers: { accept: "application/json", "x-csrf-token": csrf },
        signal: work.signal,
      });
      if (!answer.ok) throw new Error((await answer.json()).error.message);
      const made = document.createElement("template");
      made.innerHTML = await answer.text(); // the app's own, with the passage escaped
      listed().replaceWith(made.content);
      document.querySelector(".read-so-far").dataset.progress = `/saved/${listed().dataset.page}/progress`;
      const save = document.querySelector("[data-save]");
      if (save) {
        const link = document.createElement("a");
        link.className = "button quiet small";
        link.href = `/saved?shelf=all#page-${listed().dataset.page}`;
        link.textContent = "Saved";
        save.replaceWith(link);
      }
      getSelection().removeAllRanges();
      paint();
      tell("Highlighted");
    } catch (error) {
      const reason = error instanceof TypeError ? "the server is not responding" : error.message;
      tell(work.signal.aborted ? "Cancelled" : `Not highlighted: ${reason}. Try again.`, true);
    }
    window.thresherBusy.stop();
  }

  // A press must not end the selection.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", add);
  paint();
}
