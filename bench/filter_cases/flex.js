"use strict";
// Components are found by name, and a missing one ends the script, as in many real pages.
const part = name => {
  const found = document.querySelector(`[data-component="${name}"]`);
  if (!found) throw new Error(`component ${name} is missing`);
  return found;
};
for (const name of ["bar", "burger", "nav", "find", "content", "mail", "column", "toc", "foot"]) part(name).classList.add("mounted");
part("burger").addEventListener("click", event => {
  const open = event.target.getAttribute("aria-expanded") !== "true";
  event.target.setAttribute("aria-expanded", open);
  part("nav").hidden = !open;
});
part("mail").querySelector("input").addEventListener("focus", event => event.target.select());
for (const heading of part("content").querySelectorAll("h2")) {
  const item = document.createElement("li");
  item.textContent = heading.textContent;
  part("toc").append(item);
}
for (const picture of document.querySelectorAll("img[data-src]")) picture.src = picture.dataset.src;
const tag = document.createElement("script");
tag.src = "https://static.criteo.net/js/ld/ld.js";
tag.onload = tag.onerror = () => { document.body.dataset.ready = "yes"; };
document.head.append(tag);
