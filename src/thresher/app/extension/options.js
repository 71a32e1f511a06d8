// Where the app is, and the key that it asks for.

import {readSettings} from "./send.js";

const api = globalThis.browser ?? globalThis.chrome;
const form = document.getElementById("options");
const outcome = document.getElementById("outcome");

for (const [name, value] of Object.entries(await readSettings())) {
  form.elements[name].value = value;
  form.elements[name].disabled = false;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const {origin, hostname} = new URL(form.elements.app.value);
  // Everywhere but on this machine, the browser asks first.
  const granted = await api.permissions.request({origins: [`${new URL(origin).protocol}//${hostname}/*`]});
  if (!granted) {
    outcome.textContent = "Not saved: the browser does not let the extension reach this address.";
    return;
  }
  await api.storage.local.set({app: origin, key: form.elements.key.value.trim()});
  outcome.textContent = "Saved.";
});
