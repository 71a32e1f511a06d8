
// Takes over the markup as frameworks do: node by node, against what it would have rendered.
const expect = (parent, tags) => {
  const found = [...parent.childNodes].map(node => node.nodeName.toLowerCase());
  if (found.filter(name => name !== "#text").join() !== tags.join())
    throw new Error(`Hydration failed: ${found} is not ${tags}`);
};
const root = document.getElementById("__next");
expect(root, ["div", "footer"]);
expect(root.firstChild, ["nav", "main"]);
const main = root.querySelector("main"), bar = main.querySelector(".bar");
expect(main, ["p", "h1", "button", ...Array(6).fill("p")]);
if (bar.firstChild.data !== "You are here: " || bar.lastChild.data !== " / Rye")
  throw new Error("Hydration failed: text");
expect(root.querySelector("nav ul"), Array(9).fill("li"));
const like = document.getElementById("like");
let likes = 0;
like.onclick = () => { like.firstChild.data = `${++likes} likes`; };
document.body.dataset.ready = "yes";
