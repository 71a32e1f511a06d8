() => {
  const isUsable = (each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled
    && !each.closest("[inert]") && each.tabIndex >= 0 && each.type !== "hidden";
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")];
  // Of a group of radio buttons Tab leads to one; the arrows lead to the others.
  const groups = new Set();
  const found = all.filter(isUsable).filter((each) => {
    if (each.type !== "radio") return true;
    const isFirst = !groups.has(each.name);
    groups.add(each.name);
    return isFirst && !document.querySelector(`input[name="${CSS.escape(each.name)}"]:checked`);
  });
  found.forEach((each, at) => { each.dataset.number = at; });
  return found.map((each, at) => at);
}
