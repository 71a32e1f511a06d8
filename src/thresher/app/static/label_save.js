// Label: saves the marks of the page on the desk, retries what fails, and asks at a conflict.
"use strict";

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 15000;
const PATIENCE_MS = 30000;

// `page` is the page on the desk: marks(), note(), stored_note(), form(), number(), body(what), go_on(answer),
// reload(carry).
function makeSaver(desk, page) {
  const csrf = document.querySelector('meta[name="csrf"]').content;
  const problem = desk.querySelector("[data-problem]");
  let saved = null; // the marks as shown first or saved last; null if they must be saved
  let saved_note = ""; // the same for the note, which is not asked about when a page is skipped
  let pending = null; // the save in progress

  addEventListener("beforeunload", (event) => {
    if (is_unsaved()) event.preventDefault();
  });
  addEventListener("online", () => pending?.retry?.());

  function is_unsaved() {
    return pending !== null || page.marks() !== saved || page.note() !== saved_note;
  }

  function is_edited() {
    return pending === null && page.marks() !== saved;
  }

  function start() {
    pending = null;
    saved = page.marks();
    saved_note = page.stored_note(); // what was typed before this script ran is not saved
    clear();
  }

  // Ask before unsaved marks are discarded; true if there are none, or it is confirmed.
  function may_discard(what) {
    if (!is_unsaved()) return true;
    return confirm(`The changes on this page are not saved. ${what}`);
  }

  function save(what, seconds) {
    if (pending) return pending.retry?.();
    pending = { what, seconds, asked: page.marks(), n_failed: 0, retry: null };
    attempt(pending);
  }

  async function attempt(job) {
    const sent = page.marks();
    const sent_note = page.note();
    const form = page.form();
    const body = page.body(job.what);
    body.set("seconds", job.seconds.toFixed(2));
    for (const name of ["who", "version", "blocks", "too"]) body.set(name, form.elements[name].value);
    let answer;
    window.thresherBusy.start("Saving", give_up);
    try {
      answer = await post(`/label/${page.number()}`, body);
    } catch (error) {
      if (pending !== job) return;
      window.thresherBusy.stop();
      if (error.status === 409) return ask(error, job);
      return wait(error, job);
    }
    if (pending !== job) return;
    window.thresherBusy.stop();
    form.elements.version.value = answer.version;
    saved = sent;
    saved_note = sent_note;
    const is_changed = job.what === "save" && page.marks() !== sent;
    if (is_changed || page.note() !== sent_note) return attempt(job); // changed meanwhile
    pending = null;
    clear();
    if (job.n_failed && page.marks() !== job.asked) tell("Saved, with the changes made meanwhile.");
    else page.go_on(answer);
  }

  function wait(error, job) {
    const pause = Math.min(FIRST_RETRY_MS * 2 ** job.n_failed, LAST_RETRY_MS);
    job.n_failed += 1;
    const timer = setTimeout(() => job.retry?.(), pause);
    job.retry = () => {
      job.retry = null;
      clearTimeout(timer);
      if (pending === job) attempt(job);
    };
    tell(`Not saved – retrying. Keep this page open: ${error.message}.`, [["Retry now", () => job.retry?.()]]);
  }

  function ask(error, job) {
    pending = null;
    saved = null;
    const reload = (carry) => page.reload(carry);
    if (error.reason === "blocks") {
      tell(`Not saved: ${error.message}.`, [["Load them and keep my marks", () => reload(true)]]);
      return;
    }
    if (error.reason === "queue") {
      tell(`Not saved: ${error.message}.`, [
        ["Label it too", () => {
          page.form().elements.too.value = "1";
          clear();
          save(job.what, job.seconds);
        }],
        ["Next page of my queue", () => location.assign("/label")],
      ]);
      return;
    }
    tell(`Not saved: ${error.message}.`, [
      ["Keep mine", () => {
        page.form().elements.version.value = error.version;
        clear();
        save(job.what, job.seconds);
      }],
      ["Load theirs", () => reload(false)],
    ]);
  }

  // Stop retrying; the marks stay on the page and count as unsaved.
  function give_up() {
    if (!pending) return;
    pending = null;
    saved = null;
    window.thresherBusy.stop();
    clear();
  }

  async function post(path, body, cancelled) {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    let response;
    try {
      response = await fetch(path, {
        method: "POST",
        body,
        headers: { accept: "application/json", "x-csrf-token": csrf },
        signal: cancelled ? AbortSignal.any([cancelled, limit]) : limit,
      });
    } catch {
      throw new Error("the server is not responding");
    }
    const answer = await response.json().catch(() => null);
    if (response.ok && answer) return answer;
    const said = answer?.error;
    const error = new Error(said?.message ?? `the server responded with ${response.status}`);
    throw Object.assign(error, { status: response.status, reason: said?.reason, version: answer?.version });
  }

  function tell(text, actions = []) {
    problem.firstElementChild.textContent = text;
    problem.lastElementChild.replaceChildren(...actions.map(([name, act]) => makeButton(name, act)));
    problem.classList.toggle("bad", !text.startsWith("Saved"));
    problem.hidden = false;
  }

  function clear() {
    problem.hidden = true;
  }

  return { start, save, post, tell, is_edited, may_discard, give_up };
}
