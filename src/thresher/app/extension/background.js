// The keys: each does what a button of the popup does, and the button says how it went.

import {ACTIONS, send} from "./send.js";

const api = globalThis.browser ?? globalThis.chrome;

api.commands.onCommand.addListener(async (name, tab) => {
  if (!ACTIONS[name] || !tab) return;
  let sign = "✓", title = "Thresher";
  try {
    await send(name, tab);
  } catch (error) {
    [sign, title] = ["!", error.message];
  }
  await api.action.setBadgeText({tabId: tab.id, text: sign});
  await api.action.setTitle({tabId: tab.id, title});
});
