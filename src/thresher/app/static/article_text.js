// Text of the article that is read, for finding passages in it and marking them.
"use strict";

window.thresherText = (() => {
  const ROOTS = "#title, .article .text";
  const BLOCKS = "p, li, h1, h2, h3, h4, h5, h6, td, th, dt, dd, pre, blockquote, figcaption, div";
  const UNSEEN = "annotation, annotation-xml";

  // The texts of blocks are separated by line ends.
  function read() {
    const parts = [];
    let text = "";
    let block = null;
    for (const root of document.querySelectorAll(ROOTS)) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.parentElement.closest(UNSEEN)) continue;
        const within = node.parentElement.closest(BLOCKS);
        if (text && within !== block) text += "\n";
        block = within;
        parts.push({ node, start: text.length });
        text += node.data;
      }
    }
    return { text, parts };
  }

  // Places of words, whatever their case and the spaces between them.
  function find(article, words, most) {
    const escaped = words.trim().split(/\s+/u).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
    if (!escaped[0]) return [];
    const found = [];
    for (const match of article.text.matchAll(new RegExp(escaped.join("\\s+"), "giu"))) {
      found.push({ from: match.index, to: match.index + match[0].length });
      if (found.length === most) break;
    }
    return found;
  }

  // Pieces of text nodes in a place.
  function piecesOf(article, { from, to }) {
    return article.parts
      .map(({ node, start }) => ({ node, from: Math.max(from - start, 0), to: Math.min(to - start, node.length) }))
      .filter((piece) => piece.from < piece.to);
  }

  function rangeOf(article, place) {
    const pieces = piecesOf(article, place);
    const [first, last] = [pieces[0], pieces.at(-1)];
    const range = new Range();
    range.setStart(first.node, first.from);
    range.setEnd(last.node, last.to);
    return range;
  }

  // Place of what is selected, without the spaces around it; null if it is not of the article.
  function placeOf(article, range) {
    const within = article.parts.filter(({ node }) => range.intersectsNode(node));
    if (!within.length) return null;
    const [first, last] = [within[0], within.at(-1)];
    let from = first.start + (first.node === range.startContainer ? range.startOffset : 0);
    let to = last.start + (last.node === range.endContainer ? range.endOffset : last.node.length);
    while (from < to && /\s/u.test(article.text[from])) from += 1;
    while (from < to && /\s/u.test(article.text[to - 1])) to -= 1;
    return from < to ? { from, to } : null;
  }

  return { read, find, piecesOf, rangeOf, placeOf };
})();
