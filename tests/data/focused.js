() => {
  const each = document.activeElement;
  if (!each || each === document.body) return [-1, true];
  const { top, bottom, width } = each.getBoundingClientRect();
  const isInSight = bottom > 0 && top < innerHeight && width > 0;
  const ring = [each, each.closest(".block") ?? each].map(getComputedStyle)
    .some((style) => style.outlineStyle !== "none" && style.outlineWidth !== "0px");
  return [Number(each.dataset.number ?? -1), isInSight && ring];
}
