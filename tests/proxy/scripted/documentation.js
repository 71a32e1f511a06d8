
const find = selector => {
  const found = document.querySelector(selector);
  if (!found) throw new Error(`Missing element: expected "${selector}" to be present`);
  return found;
};
const part = name => find(`[data-md-component=${name}]`);
for (const name of ["header", "drawer", "tabs", "sidebar", "content", "footer", "dialog"])
  part(name).dataset.mounted = "yes";
part("tabs").querySelector("li.item a").classList.add("active");
part("search-query").addEventListener("input", event => {
  part("search-result").innerHTML = `<li>${event.target.value} in autumn</li>`;
});
const blocks = [...find(".tabbed-content").children];
const show = number => blocks.forEach((block, n) => block.classList.toggle("shown", n === number));
find(".tabbed-labels").querySelectorAll("label").forEach(
  (label, number) => label.addEventListener("click", () => show(number)));
show(0);
document.body.dataset.ready = "yes";
