// Label: the page as a browser would lay it out, beside the list of its blocks or, where there is
// no room for both, instead of it. The list stays what holds the marks and the focus.
"use strict";

const DRAWN_KEY = "thresher-label-drawn";

// Where the bar at the foot of the window begins, which covers what is below.
function footTop(holder) {
  const parts = [...holder.querySelectorAll(".bar, .bar .roles, .bar .end")].filter((each) => each.offsetHeight);
  const tops = parts.map((each) => each.getBoundingClientRect().top);
  return Math.max(Math.min(innerHeight, ...tops), innerHeight / 2);
}

// `page` is the page on the desk: boxes(), number().
function makeDrawing(holder, page) {
  const wide = matchMedia("(min-width: 70rem)");
  let isOn = recallSwitch(DRAWN_KEY);
  let asked = 0; // the last request; answers to earlier ones are dropped
  let parts = new Map(); // block → its texts

  const panel = () => holder.querySelector("[data-drawn]");
  const canvas = () => holder.querySelector("[data-canvas]");
  const drawn = () => holder.querySelector(".annotated");

  // A new page is on the desk.
  function set_up() {
    parts = new Map();
    const button = holder.querySelector('button[data-do="drawn"]');
    button.setAttribute("aria-pressed", String(isOn));
    panel().hidden = !isOn;
    document.documentElement.classList.toggle("drawing", isOn);
    if (isOn) load(current());
  }

  function toggle() {
    isOn = !isOn;
    rememberSwitch(DRAWN_KEY, isOn);
    const box = focused();
    set_up();
    if (!isOn && box) box.closest(".block").scrollIntoView({ block: "center" });
  }

  async function load(block) {
    const ticket = ++asked;
    const number = page.number();
    const bar = holder.querySelector("[data-drawn-bar]");
    const timer = setTimeout(() => bar.replaceChildren("Drawing the page…"), 300);
    let markup;
    try {
      const answer = await fetch(`/label/${number}/drawn?block=${block}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (!answer.ok) throw new Error(`the server responded with ${answer.status}`);
      markup = await answer.text();
    } catch (error) {
      if (ticket !== asked) return;
      const isGone = error instanceof TypeError || error.name === "TimeoutError";
      const why = isGone ? "the server is not responding" : error.message;
      bar.replaceChildren(`The page could not be drawn: ${why}. `, makeButton("Retry", () => load(block)));
      return;
    } finally {
      clearTimeout(timer);
    }
    if (ticket !== asked || !isOn) return;
    canvas().innerHTML = markup;
    parts = new Map();
    for (const part of canvas().querySelectorAll("[data-b]")) {
      const at = Number(part.dataset.b);
      if (parts.has(at)) parts.get(at).push(part);
      else parts.set(at, [part]);
    }
    show_stretch(bar);
    paint();
    reveal(block);
  }

  // Pages of more than a thousand blocks are drawn in stretches.
  function show_stretch(bar) {
    const [start, stop, all] = ["start", "stop", "all"].map((name) => Number(drawn().dataset[name]));
    bar.replaceChildren();
    if (stop - start === all) return;
    bar.append(`Blocks ${start + 1} to ${stop} of ${all} `);
    if (start > 0) bar.append(makeButton("Earlier blocks", () => load(start - 1)));
    if (stop < all) bar.append(makeButton("Later blocks", () => load(stop)));
  }

  function paint() {
    if (!isOn) return;
    const here = current();
    for (const box of page.boxes()) {
      const block = Number(box.value);
      for (const part of parts.get(block) ?? []) {
        part.classList.toggle("on", box.checked);
        part.classList.toggle("here", block === here);
      }
      const first = parts.get(block)?.[0];
      if (first) first.dataset.role = box.closest(".block").dataset.role;
    }
  }

  // The focus has moved to a block.
  function follow() {
    if (!isOn || !focused()) return;
    paint();
    if (parts.has(current())) reveal(current());
    else if (parts.size) load(current());
  }

  function reveal(block) {
    const part = parts.get(block)?.[0];
    if (!part) return;
    const at = part.getBoundingClientRect();
    const frame = wide.matches ? canvas().getBoundingClientRect() : { top: 0, bottom: footTop(holder) };
    if (at.top >= frame.top && at.bottom <= frame.bottom) return;
    const by = at.top - frame.top - (frame.bottom - frame.top) / 3;
    (wide.matches ? canvas() : window).scrollBy(0, by);
  }

  // The block of a text that was pointed at, as an element of the list.
  function block_of(target) {
    const part = target.closest("[data-canvas] [data-b]");
    return part && page.boxes().find((box) => box.value === part.dataset.b)?.closest(".block");
  }

  const focused = () => (document.activeElement?.matches(".block input") ? document.activeElement : null);

  function current() {
    const box = focused() ?? page.boxes().find((each) => each.checked) ?? page.boxes()[0];
    return box ? Number(box.value) : 0;
  }

  const is_alone = () => isOn && !wide.matches;

  return { set_up, toggle, paint, follow, block_of, is_alone };
}
