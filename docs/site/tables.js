// Wide tables scroll; the keyboard reaches them too (WCAG 2.2, 2.1.1).
document$.subscribe(() => setTimeout(() => {
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) table.tabIndex = 0;
}));
