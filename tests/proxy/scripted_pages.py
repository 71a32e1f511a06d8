"""Pages of the test site with scripts and styles of their own, by path."""

from __future__ import annotations

from typing import Final

__all__ = ["FILES"]

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

FILES: Final[dict[str, tuple[str, str]]] = {
    "/scripted/advertised": (_HTML, _ADVERTISED),
    "/scripted/worked": (_HTML, _WORKED),
    "/scripted/worker.js": (_SCRIPT, _WORKER),
    "/banners/own.png": ("image/png", "not stopped"),
}
"""Path → media type and text."""
