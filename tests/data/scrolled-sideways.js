() => [...document.querySelectorAll("body *")].filter((each) =>
  each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1
  && ["auto", "scroll"].includes(getComputedStyle(each).overflowX)
  && !each.matches("textarea, select, input")
).map((each) => each.outerHTML.slice(0, 120))
