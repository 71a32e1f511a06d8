// Wide tables scroll; the keyboard reaches them too (WCAG 2.2, 2.1.1).
document$.subscribe(() => setTimeout(() => {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) table.tabIndex = 0;
}));

// Tables of figures are sorted by the column whose heading is pressed, downwards first. A row without a
// figure there stays last.
const MIN_ROWS = 5;
const figure = (row, at) => parseFloat((row.cells[at]?.textContent ?? "").replace(/[,\s]/g, "").replace("−", "-"));

function sortBy(table, at) {
  const heading = table.tHead.rows[0].cells[at];
  const falls = heading.getAttribute("aria-sort") !== "descending";
  for (const cell of table.tHead.rows[0].cells) cell.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
  const key = (row) => { const value = figure(row, at); return isNaN(value) ? -Infinity : falls ? value : -value; };
  table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => key(b) - key(a) || 0));
}

document$.subscribe(() => {
  for (const table of document.querySelectorAll("article table")) {
    const rows = [...(table.tBodies[0]?.rows ?? [])];
    if (!table.tHead || rows.length < MIN_ROWS) continue;
    [...table.tHead.rows[0].cells].forEach((heading, at) => {
      // Most cells have a figure: names and explanations may begin with one.
      if (!heading.textContent.trim() || rows.filter((row) => !isNaN(figure(row, at))).length * 2 < rows.length) return;
      const button = document.createElement("button");
      button.className = "sort";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sortBy(table, at));
      heading.append(button);
    });
  }
});

// The theme's search dialog has no name (axe: aria-dialog-name).
document$.subscribe(() => document.querySelector("[data-md-component=search]")?.setAttribute("aria-label", "Search"));

// The theme makes a landmark of every part of the navigation and of every code block (axe: landmark-unique).
document$.subscribe(() => {
  for (const part of document.querySelectorAll(".md-nav .md-nav, .md-code__nav")) {
    const makePlain = () => ["aria-label", "aria-labelledby", "aria-expanded"].forEach((name) => part.removeAttribute(name));
    part.setAttribute("role", "none");
    makePlain();
    new MutationObserver(makePlain).observe(part, { attributeFilter: ["aria-expanded"] }); // the theme sets it again
  }
});
