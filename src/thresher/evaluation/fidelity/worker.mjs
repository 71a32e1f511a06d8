// Run defuddle on pages: a program for a folder that npm installed it into.
//
//     node worker.mjs FOLDER
//
// It reads and writes what thresher.evaluation.leaderboard.worker does: a JSON object a line,
// {"html", "url", "lang"}, answered by {"found", "cpu_s", "error"}, after {"error": null} when it
// is loaded. Nothing is fetched. The deadline is that of the process that asks.

import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const answer = (fields) => process.stdout.write(JSON.stringify(fields) + "\n");
const explain = (error) => `${error?.name}: ${error?.message}`.replace(/\s+/g, " ").slice(0, 200);
for (const name of ["log", "info", "warn", "error", "debug"]) console[name] = () => {};
globalThis.fetch = () => Promise.reject(new Error("nothing is fetched"));

let Defuddle, parseHTML;
try {
  const found = createRequire(join(folder, "x.js"));
  const entry = join(folder, "node_modules", "defuddle", "dist", "node.js");
  ({ Defuddle } = await import(pathToFileURL(entry)));
  ({ parseHTML } = found("linkedom"));
} catch (error) {
  answer({ error: explain(error) });
  process.exit();
}
answer({ error: null });

for await (const line of createInterface({ input: process.stdin })) {
  const { html, url } = JSON.parse(line);
  const began = process.cpuUsage();
  let found = "";
  let problem = null;
  try {
    const { document } = parseHTML(html);
    const options = { markdown: true, useAsync: false };
    found = (await Defuddle(document, url ?? undefined, options)).content ?? "";
  } catch (error) {
    problem = explain(error);
  }
  const { user, system } = process.cpuUsage(began);
  answer({ found, cpu_s: (user + system) / 1e6, error: problem });
}
