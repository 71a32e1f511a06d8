"""Pages of the test site with scripts and styles of their own, by path."""

from __future__ import annotations

from pathlib import Path
from typing import Final

__all__ = ["CASES", "FILES"]

CASES: Final = Path(__file__).parent / "cases"
"""Pages that a person works with: articles with controls, applications, shops."""

_HTML: Final = "text/html; charset=utf-8"
_SCRIPT: Final = "text/javascript; charset=utf-8"
_STORY: Final = "".join(
    f"<p>Paragraph {number}: rye is sown in autumn, stands under the snow through the winter, and "
    "is cut when the days are longest, which is why the village counts its years by the harvest "
    "and its evenings by the sheaves that still lie in the field behind the church.</p>"
    for number in range(6)
)
_ADVERTISED: Final = f"""<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Rye in autumn</title><script>
window.errors = []; window.loaded = [];
addEventListener("error", event => errors.push(event.target.src || event.message), true);
</script></head><body>
<main><h1>Rye in autumn</h1>{_STORY}</main>
<script>
function add(tag, attributes) {{
  const element = document.createElement(tag);
  element.onload = () => loaded.push(tag);
  Object.assign(element, attributes);
  document.body.append(element);
}}
add("script", {{src: "http://ad.doubleclick.net/tag.js"}});
add("script", {{src: "https://ad.doubleclick.net/secure.js", crossOrigin: "anonymous"}});
add("img", {{src: "http://ad.doubleclick.net/pixel.gif"}});
add("link", {{rel: "stylesheet", href: "http://ad.doubleclick.net/ad.css"}});
add("iframe", {{src: "https://ad.doubleclick.net/frame.html"}});
add("img", {{src: "/banners/own.png"}});
fetch("http://ad.doubleclick.net/beacon", {{method: "POST", body: "1"}})
  .then(answer => loaded.push(answer.status));
</script></body></html>"""
_WORKED: Final = f"""<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Rye in autumn</title></head><body><nav><ul>
{"".join(f'<li><a href="/{number}">Field {number} of the farm</a></li>' for number in range(9))}
</ul></nav><main><h1>Rye in autumn</h1>{_STORY}
<p><a href="http://ad.doubleclick.net/click">Buy seed</a></p></main>
<script>navigator.serviceWorker.register("/scripted/worker.js")
  .then(() => navigator.serviceWorker.ready).then(() => document.title = "ready");</script>
</body></html>"""
_WORKER: Final = """
addEventListener("install", () => skipWaiting());
addEventListener("activate", event => event.waitUntil(clients.claim()));
addEventListener("fetch", event => event.respondWith(fetch(event.request)));
"""

_LINKS: Final = "".join(
    f'<li class="item"><a href="/{number}">Field {number} of the farm</a></li>'
    for number in range(9)
)
_ERRORS: Final = """<script>
window.errors = [];
addEventListener("error", event => errors.push(event.message));
addEventListener("unhandledrejection", event => errors.push(String(event.reason)));
</script>"""
"""Has to come first: what the page's own scripts throw."""


def _page(style: str, body: str, script: str = "") -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Rye in autumn</title>'
        f"{_ERRORS}{style}</head><body>{body}{script}</body></html>"
    )


_WEEK: Final = (
    "the seed is carried to the field in the first dry week of September, and what the ground "
    "takes in that week stands highest in the spring, as every family on the hill can tell."
)
_TABS: Final = f"""<div class="tabbed-set"><input checked id="t1" name="t" type="radio">
<input id="t2" name="t" type="radio"><div class="tabbed-labels"><label for="t1">Hand</label>
<label for="t2">Drill</label></div><div class="tabbed-content"><div class="tabbed-block">
<p>By hand, from a cloth tied around the neck, three steps to a throw: {_WEEK}</p></div>
<div class="tabbed-block"><p>With the drill, two fingers deep: {_WEEK}</p></div></div></div>"""
_DOCUMENTATION: Final = _page(
    '<link rel="stylesheet" href="/scripted/documentation.css">',
    f"""<header class="md-header" data-md-component="header"><nav class="md-header__inner">
<button type="button" data-md-component="drawer">Menu</button><span>Rye guide</span>
<div class="md-search" data-md-component="search"><form name="search"><input type="text"
 name="query" data-md-component="search-query" placeholder="Search"></form>
<ol data-md-component="search-result"></ol></div></nav></header>
<div class="md-container"><nav class="md-tabs" data-md-component="tabs"><ul>{_LINKS}</ul></nav>
<main class="md-main"><div class="md-sidebar" data-md-component="sidebar"><nav><ul>{_LINKS}</ul>
</nav></div><div class="md-content" data-md-component="content"><article><h1>Rye in autumn</h1>
{_STORY}{_TABS}{_STORY}</article></div></main>
<footer class="md-footer" data-md-component="footer"><a href="/next">Next: harvest</a></footer>
</div><div class="md-dialog" data-md-component="dialog"></div>""",
    '<script src="/scripted/documentation.js"></script>',
)
_DOCUMENTATION_STYLE: Final = """
body{margin:0;font:16px/1.5 serif}.md-header{position:sticky;top:0;background:#eee;padding:8px}
.md-header__inner,.md-tabs ul{display:flex;gap:16px}
.md-main{display:flex;max-width:1100px;margin:auto}
.md-sidebar{width:260px;flex-shrink:0}.md-content{flex-grow:1;min-width:0}
.tabbed-set>input{display:none}.tabbed-block{display:none}.tabbed-block.shown{display:block}
"""
_DOCUMENTATION_SCRIPT: Final = """
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
"""
_HYDRATED: Final = _page(
    '<link rel="stylesheet" href="/scripted/grid.css">',
    f"""<div id="__next"><div class="shell"><nav class="side"><ul>{_LINKS}</ul></nav><main>
<p class="bar">You are here: <a href="/">Home</a> / Rye</p><h1>Rye in autumn</h1>
<button id="like">0 likes</button>{_STORY}</main></div>
<footer>Imprint, contact and the rest</footer></div>""",
    '<script src="/scripted/hydrated.js"></script>',
)
_HYDRATED_SCRIPT: Final = """
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
"""
_GRID_STYLE: Final = """
body{margin:0;font:16px/1.5 serif}.shell{display:grid;grid-template-columns:240px minmax(0,1fr);
max-width:900px;gap:24px}nav.side{padding:40px 0;border:3px solid}
"""
_GRID: Final = _page(
    '<link rel="stylesheet" href="/scripted/grid.css">',
    f"""<div class="shell"><nav class="side"><ul>{_LINKS}</ul></nav>
<main id="text"><h1>Rye in autumn</h1>{_STORY}</main></div>""",
)
_FLEX: Final = _page(
    "<style>body{margin:0;font:16px/1.5 serif}.row{display:flex;gap:30px}"
    "aside{flex:0 0 25%}main{flex:1;min-width:0}</style>",
    f"""<div class="row"><main id="text"><h1>Rye in autumn</h1>{_STORY}</main>
<aside><h2>Elsewhere</h2><ul>{_LINKS}</ul></aside></div>""",
)
_FLOAT: Final = _page(
    "<style>body{margin:0;font:16px/1.5 serif}.side{float:right;width:400px}"
    "main{display:flow-root}</style>",
    f"""<div><div class="side"><h2>Elsewhere</h2><ul>{_LINKS}</ul></div>
<main id="text"><h1>Rye in autumn</h1>{_STORY}</main></div>""",
)
_FIXED: Final = _page(
    "<style>body{margin:0;padding-top:90px;font:16px/1.5 serif}"
    ".top{position:fixed;top:0;left:0;right:0;height:80px;background:#ddd}.top ul{display:flex}"
    "</style>",
    f"""<header class="top"><nav><ul>{_LINKS}</ul></nav></header>
<main id="text"><h1>Rye in autumn</h1>{_STORY}</main>""",
)
_ASKING: Final = _page(
    "<style>.consent{position:fixed;bottom:0}</style>",
    f"""<nav id="menu"><ul>{_LINKS}</ul></nav><main id="text"><h1>Rye in autumn</h1>{_STORY}
<p><img class="offer" src="http://ad.doubleclick.net/offer.png" alt="Buy seed"></p></main>
<div class="cookie-consent" role="dialog" aria-label="Cookies"><p>We use cookies to measure. Do you
 accept all cookies?</p><button id="accept">Accept</button></div>""",
    """<script>
document.querySelector("#accept").addEventListener("click", () => {});
document.querySelector(".cookie-consent").style.display = "block";
document.getElementById("menu").hidden = false;
document.querySelector("img.offer").classList.add("seen");
document.getElementsByTagName("nav")[0].querySelector("li").classList.add("first");
document.body.dataset.ready = "yes";
</script>""",
)
_STYLE: Final = "text/css; charset=utf-8"

FILES: Final[dict[str, tuple[str, str]]] = {
    "/scripted/advertised": (_HTML, _ADVERTISED),
    "/scripted/worked": (_HTML, _WORKED),
    "/scripted/worker.js": (_SCRIPT, _WORKER),
    "/scripted/documentation": (_HTML, _DOCUMENTATION),
    "/scripted/documentation.css": (_STYLE, _DOCUMENTATION_STYLE),
    "/scripted/documentation.js": (_SCRIPT, _DOCUMENTATION_SCRIPT),
    "/scripted/hydrated": (_HTML, _HYDRATED),
    "/scripted/hydrated.js": (_SCRIPT, _HYDRATED_SCRIPT),
    "/scripted/grid": (_HTML, _GRID),
    "/scripted/grid.css": (_STYLE, _GRID_STYLE),
    "/scripted/flex": (_HTML, _FLEX),
    "/scripted/float": (_HTML, _FLOAT),
    "/scripted/fixed": (_HTML, _FIXED),
    "/scripted/asking": (_HTML, _ASKING),
    "/banners/own.png": ("image/png", "not stopped"),
    **{
        f"/cases/{path.relative_to(CASES).with_suffix('').as_posix()}": (_HTML, path.read_text())
        for path in sorted(CASES.rglob("*.html"))
    },
}
"""Path → media type and text."""
