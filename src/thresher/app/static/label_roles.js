// Label: the roles of blocks, a key each. A block's role is in its data-role.
"use strict";

const ROLES_KEY = "thresher-label-roles";

// `page` is the page on the desk: boxes(), change(blocks, act), move(by), say(text), drawing().
function makeRoles(holder, page) {
  let isOn = recallSwitch(ROLES_KEY);
  let last = null; // the block that had the focus last, which a button means

  const panel = () => holder.querySelector("[data-roles]");
  const block_of = (box) => box.closest(".block");
  const role_of = (box) => block_of(box).dataset.role;
  const suggested = (box) => block_of(box).dataset.suggestedRole;
  const name_of = (role) => role[0].toUpperCase() + role.slice(1);

  function turn(value) {
    isOn = value;
    rememberSwitch(ROLES_KEY, isOn);
    show();
  }

  // A new page is on the desk.
  function set_up() {
    last = null;
    for (const shown of holder.querySelectorAll("[data-role-shown]")) paint(shown);
    if (page.boxes().some((box) => role_of(box))) isOn = true;
    show();
  }

  function show() {
    panel().hidden = !isOn;
    document.documentElement.classList.toggle("with-roles", isOn);
    holder.querySelector('button[data-do="roles"]').setAttribute("aria-pressed", String(isOn));
    page.drawing().paint();
  }

  function paint(shown) {
    const block = shown.closest(".block");
    const { role } = block.dataset;
    shown.classList.toggle("given", Boolean(role));
    shown.textContent = name_of(role || block.dataset.suggestedRole || "none");
    shown.title = role ? "Role" : "Suggested role, not given yet";
  }

  function set(box, role) {
    block_of(box).dataset.role = role;
    paint(block_of(box).querySelector("[data-role-shown]"));
  }

  // All roles, as the server reads them.
  function value() {
    const given = [...holder.querySelectorAll(".block")].map((block, at) => block.dataset.role && `${at} ${block.dataset.role}`);
    return given.filter(Boolean).join(",");
  }

  // The block that keys and buttons are about.
  function current() {
    const box = document.activeElement;
    if (box?.matches(".block input")) return box;
    return last?.isConnected ? last : null;
  }

  // Give the current block a role, and move on.
  function give(role) {
    const box = current();
    if (!box) return page.say("choose a block first");
    if (!isOn) turn(true);
    page.change([[box, { role }]]);
    page.say(role ? `block ${Number(box.value) + 1}: ${role}` : `block ${Number(box.value) + 1}: no role`);
    box.focus({ preventScroll: true });
    if (role) page.move(1);
  }

  function take_suggested() {
    if (!isOn) turn(true);
    const changes = page.boxes().filter((box) => !role_of(box) && suggested(box));
    page.change(changes.map((box) => [box, { role: suggested(box) }]));
    page.say(`${changes.length} roles taken`);
  }

  // The role that a key stands for. The digits have their place on every keyboard.
  function of_key(event) {
    const key = !event.shiftKey && /^Digit\d$/.test(event.code) ? event.code.at(-1) : event.key;
    return panel().querySelector(`[data-role-key="${CSS.escape(key)}"]`)?.dataset.give;
  }

  holder.addEventListener("focusin", (event) => {
    if (event.target.matches(".block input")) last = event.target;
  });
  holder.addEventListener("click", (event) => {
    const button = event.target.closest("[data-give]");
    if (button) return give(button.dataset.give);
    // A click on a role chooses the block, and leaves the mark.
    const shown = event.target.closest("[data-role-shown]");
    if (!shown) return;
    event.preventDefault();
    block_of(shown).querySelector("input").focus({ preventScroll: true });
  });

  return { set_up, set, value, role_of, give, take_suggested, of_key, toggle: () => turn(!isOn) };
}
