// Label: keyboard and mouse control, with preloading of the next pages.
"use strict";

const desk = document.querySelector("[data-desk]");
if (desk) start();

function start() {
  const holder = desk.querySelector("[data-sheet]");
  const said = desk.querySelector("[data-said]");
  const sheets = new Map(); // page number → { html: promise of its HTML, work }
  let ahead = desk.dataset.ahead.split(",").filter(Boolean).map(Number);
  let history = [];
  let since = performance.now();
  let spent = 0;
  let drag = null;

  document.documentElement.classList.add("scripts");
  for (const each of desk.querySelectorAll(".scripted")) each.hidden = false;

  const sheet = () => holder.querySelector(".sheet");
  const form = () => holder.querySelector("form[data-label]");
  const boxes = () => [...holder.querySelectorAll(".block:not(.hides) input, .block.hides.shown input")];
  const everyBox = () => [...holder.querySelectorAll(".block input")];

  const page_number = () => Number(sheet().dataset.page);
  const marks = () => `${everyBox().map((box) => Number(box.checked)).join("")} ${form().elements.page_type.value} ${roles.value()}`;
  const note = () => form().elements.note.value;
  const stored_note = () => form().elements.note.defaultValue;
  const saver = makeSaver(desk, { marks, note, stored_note, form, number: page_number, body, go_on, reload });
  const drawing = makeDrawing(holder, { boxes: everyBox, number: page_number });
  const roles = makeRoles(holder, { boxes: everyBox, change, move, say, drawing: () => drawing });

  const refused = desk.querySelector("[data-problem]:not([hidden])"); // by a save without scripts
  set_up();
  if (refused) refused.hidden = false;
  load_ahead();

  function set_up() {
    for (const button of holder.querySelectorAll("button[data-do]")) button.hidden = false;
    history = [];
    spent = 0;
    since = performance.now();
    saver.start();
    // A hidden block that is kept must be visible, so that it can be dropped.
    for (const block of holder.querySelectorAll(".block.hides")) {
      if (block.querySelector("input").checked) block.classList.add("shown");
    }
    const first = boxes().find((box) => box.checked) || boxes()[0];
    first?.focus({ preventScroll: true });
    drawing.set_up();
    roles.set_up();
  }

  // Each change is of a block, to kept or dropped (`checked`), to a role, or both.
  function change(changes) {
    const done = [];
    for (const [box, to] of changes) {
      const was = { checked: box.checked, role: roles.role_of(box) };
      const next = { ...was, ...to };
      if (next.checked === was.checked && next.role === was.role) continue;
      done.push([box, was]);
      put(box, next);
    }
    if (done.length) history.push(done);
    drawing.paint();
  }

  function put(box, { checked, role = roles.role_of(box) }) {
    box.checked = checked;
    if (role !== roles.role_of(box)) roles.set(box, role);
  }

  function step_back() {
    const last = history.pop();
    if (!last) return;
    for (const [box, was] of last) put(box, was);
    last[0][0].focus({ preventScroll: drawing.is_alone() });
    drawing.paint();
    say(`${last.length} ${last.length === 1 ? "change" : "changes"} undone`);
  }

  function move(by, apply) {
    const all = boxes();
    const at = all.indexOf(document.activeElement);
    const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
    if (!next) return;
    if (apply && at >= 0) {
      const role = roles.role_of(all[at]) || roles.role_of(next);
      change([[next, { checked: all[at].checked, role }]]);
    }
    next.focus({ preventScroll: true });
    if (drawing.is_alone()) return;
    next.closest(".block").scrollIntoView({ block: "nearest" });
    const { top, bottom } = next.closest(".block").getBoundingClientRect();
    const foot = footTop(holder) - 8;
    if (bottom > foot) scrollBy(0, Math.min(bottom - foot + 80, innerHeight / 2));
    else if (top < 80) scrollBy(0, top - 160);
  }

  const actions = {
    suggest: () => {
      change(everyBox().map((box) => [box, { checked: box.closest(".block").dataset.suggest === "1" }]));
      say("reset to suggestion");
    },
    none: () => {
      change(everyBox().map((box) => [box, { checked: false }]));
      say("all blocks cleared");
    },
    hidden: () => {
      const button = holder.querySelector('button[data-do="hidden"]');
      if (!button) return;
      const show = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(show));
      for (const block of holder.querySelectorAll(".block.hides")) {
        block.classList.toggle("shown", show || block.querySelector("input").checked);
      }
    },
    drawn: () => drawing.toggle(),
    roles: () => roles.toggle(),
    no_role: () => roles.give(""),
    take_roles: () => roles.take_suggested(),
    pass: () => save("pass"),
    save: () => save("save"),
  };

  const keys = {
    j: () => move(1), ArrowDown: () => move(1), J: () => move(1, true),
    k: () => move(-1), ArrowUp: () => move(-1), K: () => move(-1, true),
    x: () => toggle(), z: step_back, r: actions.suggest, n: actions.none, h: actions.hidden,
    P: () => form().elements.note.focus(), v: actions.drawn, R: actions.roles, t: actions.take_roles, Backspace: actions.no_role, p: actions.pass, u: undo, Enter: actions.save,
  };

  function toggle() {
    const box = document.activeElement;
    if (box && box.matches(".block input")) change([[box, { checked: !box.checked }]]);
  }

  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const typing = target.matches("select, textarea, summary, input:not([type=checkbox])");
    const pressing = event.key === "Enter" && target.matches("a, button");
    if (event.key === "Escape" && target.matches("[data-note]")) boxes()[0]?.focus();
    if (typing || pressing || event.altKey || event.metaKey) return;
    if (event.ctrlKey) {
      if (event.key === "z") { event.preventDefault(); step_back(); }
      return;
    }
    if (event.key === " " && target.matches(".block input")) {
      event.preventDefault();
      toggle();
      return;
    }
    const role = roles.of_key(event);
    const action = role ? () => roles.give(role) : keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  holder.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-do]");
    if (button) return actions[button.dataset.do]();
    const block = drawing.block_of(event.target);
    if (!block) return;
    const box = block.querySelector("input");
    block.classList.add("shown"); // a hidden one that is marked must be visible in the list too
    change([[box, { checked: !box.checked }]]);
    box.focus({ preventScroll: true });
    if (!drawing.is_alone()) block.scrollIntoView({ block: "nearest" });
  });
  holder.addEventListener("focusin", () => drawing.follow());

  // A checkbox has already changed when the event fires; record its previous state.
  holder.addEventListener("change", (event) => {
    if (!event.target.matches(".block input")) return;
    history.push([[event.target, { checked: !event.target.checked }]]);
    drawing.paint();
  });

  // Dragging over blocks sets them all to the new state of the first one.
  holder.addEventListener("pointerdown", (event) => {
    const block = block_at(event.target);
    if (!block || event.pointerType !== "mouse" || event.button !== 0) return;
    const box = block.querySelector("input");
    drag = { first: block, value: !box.checked, was: new Map(), moved: false };
  });
  holder.addEventListener("pointerover", (event) => {
    const block = drag && block_at(event.target);
    if (!block || (block === drag.first && !drag.moved)) return;
    if (!drag.moved) {
      drag.moved = true;
      document.body.classList.add("dragging");
      getSelection().removeAllRanges();
    }
    const all = boxes();
    const from = all.indexOf(drag.first.querySelector("input"));
    const to = all.indexOf(block.querySelector("input"));
    const covered = new Set(all.slice(Math.min(from, to), Math.max(from, to) + 1));
    for (const box of covered) {
      if (!drag.was.has(box)) drag.was.set(box, box.checked);
      box.checked = drag.value;
    }
    for (const [box, was] of drag.was) {
      if (covered.has(box)) continue;
      box.checked = was;
      drag.was.delete(box);
    }
    drawing.paint();
  });
  addEventListener("pointerup", () => {
    if (drag && drag.moved) {
      const done = [...drag.was].filter(([box, was]) => was !== box.checked);
      if (done.length) history.push(done.map(([box, was]) => [box, { checked: was }]));
      say(`${done.length} blocks ${drag.value ? "kept" : "dropped"}`);
      document.body.classList.remove("dragging");
      holder.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => holder.removeEventListener("click", swallow, { capture: true }), 0);
    }
    drag = null;
  });
  function block_at(target) {
    return target.closest(".block") ?? drawing.block_of(target);
  }

  function swallow(event) {
    event.preventDefault();
    event.stopPropagation();
  }

  holder.addEventListener("submit", (event) => {
    event.preventDefault();
    save(event.submitter && event.submitter.value === "pass" ? "pass" : "save");
  });
  desk.querySelector("[data-undo]").addEventListener("submit", (event) => {
    event.preventDefault();
    undo();
  });

  // Only the time while the page is visible counts.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) spent += performance.now() - since;
    else since = performance.now();
  });

  function save(what) {
    if (holder.inert) return; // another page is being loaded
    if (what === "pass" && saver.is_edited() && !saver.may_discard("Skip the page anyway?")) return;
    saver.save(what, (spent + (document.hidden ? 0 : performance.now() - since)) / 1000);
  }

  function body(what) {
    const values = new URLSearchParams({ do: what, page_type: form().elements.page_type.value });
    values.set("roles", roles.value());
    values.set("note", note());
    values.set("keep", everyBox().filter((box) => box.checked).map((box) => box.value).join(","));
    return values;
  }

  function go_on(answer) {
    const number = page_number();
    // What another browser labelled, or was dealt to others meanwhile, is not shown.
    ahead = ahead.filter((each) => each !== number && answer.ahead.includes(each));
    const next = ahead.shift() ?? answer.ahead.find((each) => each !== number);
    show_state(answer, next);
    if (next === undefined) location.assign("/label");
    else show(next);
  }

  async function undo() {
    if (holder.inert || !saver.may_discard("Discard them and undo the last label?")) return;
    saver.give_up();
    const focused = document.activeElement;
    const work = new AbortController();
    holder.inert = true;
    window.thresherBusy.start("Undoing", () => work.abort());
    try {
      const state = await saver.post("/label/undo", new URLSearchParams(), work.signal);
      window.thresherBusy.stop();
      if (state.page === null) return say("no label to undo");
      sheets.delete(state.page);
      const here = page_number();
      show_state(state, state.page);
      if (here !== state.page && !ahead.includes(here)) ahead.unshift(here);
      await show(state.page);
    } catch (error) {
      const why = work.signal.aborted ? "cancelled, but it may have been undone nevertheless" : error.message;
      saver.tell(`Not undone: ${why}.`, [["Retry", undo]]);
    } finally {
      window.thresherBusy.stop();
      holder.inert = false;
      if (focused?.isConnected) focused.focus({ preventScroll: true });
    }
  }

  // Load the page on the desk anew; `carry` marks blocks with the same text as they are marked now.
  async function reload(carry) {
    const marks = [...holder.querySelectorAll(".block")].map((block) => [text_of(block), { checked: block.querySelector("input").checked, role: block.dataset.role }]);
    const kind = form().elements.page_type.value;
    const said = note();
    const number = page_number();
    sheets.delete(number);
    if (!(await show(number, () => reload(carry))) || !carry) return;
    const changes = [];
    for (const block of holder.querySelectorAll(".block")) {
      const at = marks.findIndex(([text]) => text === text_of(block));
      if (at >= 0) changes.push([block.querySelector("input"), marks.splice(at, 1)[0][1]]);
    }
    change(changes);
    form().elements.page_type.value = kind;
    form().elements.note.value = said;
  }

  function text_of(block) {
    return block.querySelector(".text").textContent;
  }

  // Put a page on the desk; return whether it could be loaded.
  async function show(number, retry = () => show(number)) {
    holder.inert = true;
    const { html, work } = load(number);
    window.thresherBusy.start("Loading the next page", () => work.abort());
    try {
      holder.innerHTML = await html;
    } catch (error) {
      const why = work.signal.aborted ? "cancelled" : "the server is not responding";
      if (error.status) location.assign("/label");
      else saver.tell(`The page could not be loaded: ${why}.`, [["Retry", retry]]);
      return false;
    } finally {
      window.thresherBusy.stop();
      holder.inert = false;
    }
    sheets.delete(number);
    scrollTo(0, 0);
    set_up();
    say(sheet().dataset.title);
    load_ahead();
    return true;
  }

  function load(number) {
    if (!sheets.has(number)) {
      const work = new AbortController();
      const signal = AbortSignal.any([work.signal, AbortSignal.timeout(PATIENCE_MS)]);
      const html = fetch(`/label/${number}/sheet`, { signal }).then((response) => {
        if (!response.ok) throw Object.assign(new Error(`status ${response.status}`), { status: response.status });
        return response.text();
      });
      html.catch(() => sheets.delete(number));
      sheets.set(number, { html, work });
    }
    return sheets.get(number);
  }

  function load_ahead() {
    for (const number of ahead.slice(0, 2)) load(number);
  }

  function show_state(state, next) {
    const here = page_number();
    ahead = state.ahead.filter((each) => each !== next && each !== here);
    const bar = desk.querySelector("progress");
    bar.max = state.n_page;
    bar.value = state.n_done;
    desk.querySelector("[data-done]").textContent = state.n_done;
    desk.querySelector("[data-all]").textContent = state.n_page;
    const team = desk.querySelector("[data-team]");
    if (team && state.team) team.textContent = state.team;
    if (state.pages_per_hour) {
      desk.querySelector("[data-pace]").textContent = `${Math.round(state.pages_per_hour)} pages per hour`;
    }
    load_ahead();
  }

  function say(text) {
    said.textContent = text;
  }
}
