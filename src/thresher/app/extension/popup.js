// The buttons below the toolbar's button.

import {ACTIONS, send} from "./send.js";

const api = globalThis.browser ?? globalThis.chrome;
const outcome = document.getElementById("outcome");
// A tab can be named in the address: of a popup in a window of its own, which has no page below.
const asked = Number(new URLSearchParams(location.search).get("tab"));

async function findTab() {
  if (asked) return api.tabs.get(asked);
  const [tab] = await api.tabs.query({active: true, currentWindow: true});
  return tab;
}

async function act(name) {
  outcome.textContent = "Sending …";
  try {
    await send(name, await findTab());
    outcome.textContent = "Done.";
    if (ACTIONS[name].opens && !asked) close();
    else if (!ACTIONS[name].opens) outcome.textContent = name === "save" ? "Saved." : "Highlighted.";
  } catch (error) {
    outcome.textContent = error.message;
  }
}

for (const button of document.querySelectorAll("[data-action]")) {
  button.addEventListener("click", () => act(button.dataset.action));
}
