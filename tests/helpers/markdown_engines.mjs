// Answers each line, a text in JSON, with what each engine makes of it as Markdown, HTML let through.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const load = createRequire(`${process.argv[2]}/package.json`);
const { marked } = load("marked");
const markdownIt = load("markdown-it")({ html: true, linkify: true });
const showdown = load("showdown");
const snarkdown = load("snarkdown");

const plain = new showdown.Converter();
const github = new showdown.Converter();
github.setFlavor("github");

const ENGINES = {
  marked: (text) => marked.parse(text),
  "markdown-it": (text) => markdownIt.render(text),
  showdown: (text) => plain.makeHtml(text),
  "showdown, as GitHub": (text) => github.makeHtml(text),
  snarkdown: (text) => (snarkdown.default ?? snarkdown)(text),
};

for await (const line of createInterface({ input: process.stdin })) {
  const text = JSON.parse(line);
  const made = Object.entries(ENGINES).map(([name, render]) => [name, render(text)]);
  console.log(JSON.stringify(Object.fromEntries(made)));
}
