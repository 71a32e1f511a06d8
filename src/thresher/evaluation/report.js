for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.onclick = () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const value = (row) => row.cells[column].textContent;
      const number = (row) => parseFloat(value(row).replace("–", "-1"));
      const compare = head.classList.contains("text")
        ? (a, b) => value(a).localeCompare(value(b))
        : (a, b) => number(a) - number(b);
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => (up ? compare(a, b) : compare(b, a)));
      table.tBodies[0].append(...rows);
    };
  });
}
