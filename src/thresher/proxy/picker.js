// Picker of elements to hide. It is in a page only after its reader has asked for it, holds no
// secret, and saves nothing: it ends at a form of the proxy's own address. Selectors match the
// page as its server sent it, so none counts siblings, some of which may have been removed.
// Without ampersands and less-than signs, so that it can stand in XHTML as it is.
(() => {
  "use strict";
  const host = document.currentScript.previousElementSibling;
  document.currentScript.remove();
  const { form, site } = host.dataset;
  host.textContent = "";
  document.documentElement.append(host);
  const root = host.attachShadow({ mode: "closed" });

  const MAX_BOXES = 60;
  const MAX_LEVELS = 8;
  const LASTING = /^-?[A-Za-z_][A-Za-z_-]*$/;
  const STATE = /^((is|has|js|no)[-_].*|active|open(ed)?|closed|current|selected|hidden|visible|show|shown|first|last|loaded|lazyload(ed)?)$/i;
  const TELLING = ["itemprop", "role", "data-testid", "data-component", "data-module", "aria-label", "title", "alt", "name", "src", "href"];
  const LANDMARKS = ["article", "aside", "footer", "header", "main", "nav"];
  const WHOLE = ["html", "body", "head"];

  const styled = (text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  };
  const make = (tag, given = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(given)) {
      if (name in made) made[name] = value;
      else made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  };

  root.adoptedStyleSheets = [styled(`
    :host{all:initial!important;position:fixed!important;inset:0!important;width:auto!important;
      height:auto!important;margin:0!important;padding:0!important;border:0!important;
      background:none!important;display:block!important;z-index:2147483647!important;
      overflow:visible!important;max-width:none!important;max-height:none!important;
      font:16px/1.4 system-ui,sans-serif!important;color-scheme:light dark!important}
    .veil{position:fixed;inset:0;cursor:crosshair}
    .box{position:fixed;pointer-events:none;outline:2px solid #c2185b;background:#c2185b33}
    .panel{position:fixed;right:8px;bottom:8px;box-sizing:border-box;width:min(26rem,100vw - 16px);
      max-height:60vh;overflow:auto;padding:12px;border:2px solid #777;border-radius:8px;
      background:Canvas;color:CanvasText;box-shadow:0 2px 16px #0006}
    .panel.up{bottom:auto;top:8px}
    h2{font-size:1.05rem;margin:0 0 4px}p{margin:4px 0}
    select{width:100%;font:inherit;padding:4px;margin:4px 0}
    .row{display:flex;flex-wrap:wrap;gap:8px;margin-top:8px}
    button{font:inherit;padding:6px 12px;min-height:44px}
    :focus-visible{outline:3px solid #1565c0;outline-offset:1px}
    label{display:block}
  `)];
  const hiding = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, hiding];

  const hidden = [];
  let current = null;
  let isHeld = false;
  const veil = make("div", { className: "veil" });
  const boxes = make("div", { "aria-hidden": "true" });
  const says = make("p", { role: "status" });
  const choice = make("select", { id: "choice" });
  const button = (text, act) => make("button", { type: "button", textContent: text, onclick: (event) => event.isTrusted ? act() : null });
  const larger = button("Larger", () => walk("ArrowUp"));
  const smaller = button("Smaller", () => walk("ArrowDown"));
  const hide = button("Hide", () => hideChoice());
  const undo = button("Undo", () => undoLast());
  const save = button("Save…", () => location.assign(form + encodeURIComponent(hidden.join("\n"))));
  const cancel = button("Cancel", () => end());
  const panel = make("section", { className: "panel", role: "dialog", "aria-label": `Hide an element on ${site}`, tabIndex: -1 },
    make("h2", { textContent: `Hide an element on ${site}` }), says,
    make("label", { htmlFor: "choice", textContent: "What to hide" }), choice,
    make("div", { className: "row" }, larger, smaller, hide, undo, save, cancel));
  root.append(veil, boxes, panel);
  try {
    host.popover = "manual";
    host.showPopover(); // above dialogs and other popovers
  } catch {
    // An older browser: in front of everything else.
  }

  function isLasting(name) {
    return LASTING.test(name) ? (/[aeiouy]/i.test(name) ? !STATE.test(name) : false) : false;
  }

  function* namesOf(element) {
    const tag = element.localName;
    if (isLasting(element.id)) yield `#${element.id}`;
    const classes = [...element.classList].filter(isLasting).slice(0, 3);
    for (const name of classes) yield `${tag}.${name}`;
    if (classes.length > 1) yield `${tag}.${classes[0]}.${classes[1]}`;
    for (const name of TELLING) {
      const value = element.getAttribute(name);
      if (value ? /^[^"\\{}\n@;]{1,200}$/.test(value) : false) yield `${tag}[${name}="${value}"]`;
    }
    if (LANDMARKS.includes(tag)) yield tag;
  }

  function* selectorsOf(element) {
    yield* namesOf(element);
    const tag = element.localName;
    let around = element.parentElement;
    for (let level = 0; MAX_LEVELS > level; level++) {
      if (!around || WHOLE.includes(around.localName)) break;
      const anchor = namesOf(around).next().value;
      if (anchor) {
        yield `${anchor} ${level ? "" : "> "}${tag}`;
        break;
      }
      around = around.parentElement;
    }
    if (document.getElementsByTagName(tag).length === 1) yield tag;
  }

  function find(selector) {
    try {
      return [...document.querySelectorAll(selector)].filter((each) => !host.contains(each));
    } catch {
      return [];
    }
  }

  function candidatesOf(element) {
    const found = new Map();
    for (const selector of selectorsOf(element)) {
      const matched = find(selector);
      const isWhole = matched.some((each) => WHOLE.includes(each.localName));
      if (matched.includes(element) ? !isWhole : false) found.set(selector, matched.length);
    }
    return [...found].sort((one, other) => one[1] - other[1]);
  }

  function choose(element) {
    if (!element || WHOLE.includes(element.localName)) return;
    if (element === host) return;
    current = element;
    const found = candidatesOf(element);
    choice.replaceChildren(...found.map(([selector, n]) => make("option", { value: selector, textContent: `${selector} (${n} ${n === 1 ? "element" : "elements"})` })));
    show();
  }

  function show() {
    const matched = choice.value ? find(choice.value) : current ? [current] : [];
    boxes.replaceChildren(...matched.slice(0, MAX_BOXES).map((each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      const box = make("div", { className: "box" });
      box.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
      return box;
    }));
    hide.disabled = !choice.value;
    larger.disabled = smaller.disabled = !current;
    undo.disabled = save.disabled = !hidden.length;
    save.textContent = hidden.length ? `Save ${hidden.length}…` : "Save…";
    if (!current) says.textContent = hidden.length ? `Hidden for now: ${hidden.join(", ")}` : "Point at an element, or press an arrow key.";
    else if (!choice.value) says.textContent = `This ${current.localName} has no name that a rule could use. Choose a larger one.`;
    else says.textContent = `${matched.length} ${matched.length === 1 ? "element" : "elements"} would be hidden.`;
    if (current) {
      const at = current.getBoundingClientRect();
      const own = panel.getBoundingClientRect();
      if (isHeld ? at.bottom > own.top : false) {
        if (own.bottom > at.top) panel.classList.toggle("up", at.top > innerHeight / 2);
      }
    }
  }

  function walk(key) {
    isHeld = true;
    const seen = (each) => {
      const { width, height } = each.getBoundingClientRect();
      return Math.min(width, height) > 1;
    };
    if (!current) return choose([...document.body.children].find(seen));
    const next = (element, step) => {
      let at = element[step];
      while (at ? !seen(at) : false) at = at[step];
      return at;
    };
    const steps = {
      ArrowUp: () => current.parentElement,
      ArrowDown: () => [...current.children].find(seen),
      ArrowLeft: () => next(current, "previousElementSibling"),
      ArrowRight: () => next(current, "nextElementSibling"),
    };
    const found = steps[key]();
    if (found) {
      choose(found);
      current.scrollIntoView({ block: "nearest" });
    }
  }

  function apply() {
    hiding.replaceSync(hidden.map((each) => `${each}{display:none!important}`).join(""));
    current = null;
    isHeld = false;
    choice.replaceChildren();
    show();
  }

  function hideChoice() {
    if (!choice.value) return;
    hidden.push(choice.value);
    apply();
    save.focus();
  }

  function undoLast() {
    hidden.pop();
    apply();
    panel.focus();
  }

  function end() {
    removeEventListener("keydown", press, true);
    removeEventListener("scroll", show, true);
    removeEventListener("resize", show, true);
    hiding.replaceSync("");
    host.remove();
  }

  function moveFocus(event) {
    const stops = [...panel.querySelectorAll("select, button")].filter((each) => !each.disabled);
    const at = stops.indexOf(root.activeElement) + (event.shiftKey ? -1 : 1);
    stops.at(at % stops.length).focus();
  }

  function press(event) {
    if (!event.isTrusted) return;
    const isInList = root.activeElement === choice;
    const acts = event.key.startsWith("Arrow") ? (isInList ? null : () => walk(event.key))
      : { Tab: () => moveFocus(event), Escape: end, Enter: root.activeElement === panel ? hideChoice : null,
        z: event.ctrlKey || event.metaKey ? undoLast : null }[event.key];
    event.stopImmediatePropagation();
    if (!acts) return;
    event.preventDefault();
    acts();
  }

  const under = (event) => document.elementsFromPoint(event.clientX, event.clientY).find((each) => each !== host);
  veil.addEventListener("pointermove", (event) => isHeld ? null : choose(under(event)));
  veil.addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    isHeld = true;
    choose(under(event));
    (hide.disabled ? larger : hide).focus();
  });
  choice.addEventListener("change", show);
  addEventListener("keydown", press, true);
  addEventListener("scroll", show, true);
  addEventListener("resize", show, true);
  show();
  panel.focus();
})();
