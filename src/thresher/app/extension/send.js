// Takes the page of a tab as it is shown, and sends it to the app.

const api = globalThis.browser ?? globalThis.chrome;

const DEFAULTS = {app: "http://127.0.0.1:8765", key: ""};

// What is asked of the app for each action, and which of the answer's paths is opened then.
export const ACTIONS = {
  read: {fields: {}, opens: "read"},
  save: {fields: {save: true}},
  highlight: {fields: {save: true}, quotes: true},
  inspect: {fields: {}, opens: "inspect"},
  label: {fields: {label: true}, opens: "label"},
};

export function readSettings() {
  return api.storage.local.get(DEFAULTS);
}

// Runs in the page, and so can use nothing from around it.
function takePage() {
  const root = document.documentElement;
  const shadowRoots = [];
  const waiting = [document];
  while (waiting.length) {
    for (const element of waiting.pop().querySelectorAll("*")) {
      const shadow = globalThis.chrome?.dom?.openOrClosedShadowRoot?.(element) ?? element.shadowRoot;
      if (shadow) {
        shadowRoots.push(shadow);
        waiting.push(shadow);
      }
    }
  }
  const inside = root.getHTML ? root.getHTML({shadowRoots}) : root.innerHTML;
  const [start, end] = root.cloneNode(false).outerHTML.split("></");
  const type = document.doctype ? `<!DOCTYPE ${document.doctype.name}>` : "";
  return {
    html: `${type}${start}>${inside}</${end}`,
    url: location.href,
    quote: String(getSelection() ?? "").trim(),
  };
}

// Sends the page of a tab for an action; throws an Error that says what went wrong.
export async function send(name, tab) {
  const action = ACTIONS[name];
  const {app, key} = await readSettings();
  let page;
  try {
    [{result: page}] = await api.scripting.executeScript({target: {tabId: tab.id}, func: takePage});
  } catch {
    throw new Error("The browser lets no extension read this page.");
  }
  const {html, url, quote} = page;
  if (action.quotes && !quote) throw new Error("Select the passage to highlight first.");
  let answer;
  try {
    answer = await fetch(new URL("/api/pages", app), {
      method: "POST",
      credentials: "omit",
      headers: {"Content-Type": "application/json", ...(key && {Authorization: `Bearer ${key}`})},
      body: JSON.stringify({html, url, ...action.fields, ...(action.quotes && {quote})}),
    });
  } catch {
    throw new Error(`There is no answer from ${app}. Is thresher app running there?`);
  }
  if (answer.status === 401) throw new Error("The app asks for a key: set one in the options.");
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(told.error?.message ?? `The app answered ${answer.status}.`);
  if (action.opens) {
    await api.tabs.create({url: String(new URL(told[action.opens], app)), index: tab.index + 1, openerTabId: tab.id});
  }
  return told;
}
