// API page: a form that sends a request, and writes it as a command and as a program to copy.
"use strict";

{
  const SHOWN_CHARS = 20_000;
  const form = document.querySelector("[data-try]");
  const fields = form.elements;
  const said = form.querySelector("[data-said]");
  const answer = document.querySelector("[data-answer]");
  const target = `${form.dataset.base}/api/extract`;
  const token = form.hasAttribute("data-token");
  let sent = null;

  form.hidden = false;
  for (const each of document.querySelectorAll("[data-unscripted]")) each.hidden = true;
  form.addEventListener("input", write);
  // The browser may have restored what was typed.
  addEventListener("pageshow", write);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  for (const button of form.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      try {
        await window.thresherCopy(form.querySelector(button.dataset.copy).textContent);
        said.textContent = "Copied";
      } catch {
        said.textContent = "Could not copy";
      }
    });
  }
  write();

  function request() {
    const values = {};
    for (const name of ["url", "html", "method", "scope"]) {
      const value = name === "html" ? fields.html.value : fields[name].value.trim();
      if (value.trim() && value !== fields[name].dataset.default) values[name] = value;
    }
    values.formats = [fields.format.value];
    return values;
  }

  function write() {
    const values = request();
    if (!values.url && !values.html) values.url = "https://example.org/story";
    const json = JSON.stringify(values);
    const bearer = ` \\\n  -H "Authorization: Bearer $THRESHER_TOKEN"`;
    form.querySelector("#as-curl").textContent = `curl -s ${target}${token ? bearer : ""} \\\n`
      + `  -H 'Content-Type: application/json' \\\n  -d '${json.replaceAll("'", "'\\''")}'`;
    // Strings and lists of them are written alike in JSON and in Python.
    const lines = Object.entries(values).map(([name, value]) => `    "${name}": ${JSON.stringify(value)},`);
    form.querySelector("#as-python").textContent = [
      token ? "import json\nimport os" : "import json",
      "from urllib.request import Request, urlopen\n",
      `page = {\n${lines.join("\n")}\n}`,
      `headers = {"Content-Type": "application/json"}`,
      ...(token ? [`headers["Authorization"] = f"Bearer {os.environ['THRESHER_TOKEN']}"`] : []),
      `request = Request("${target}", json.dumps(page).encode(), headers)`,
      `record = json.load(urlopen(request))`,
      `print(record["output"]["${fields.format.value}"])`,
    ].join("\n");
  }

  async function send() {
    sent?.abort();
    const work = sent = new AbortController();
    window.thresherBusy.start("Extracting the page", () => work.abort());
    let status = "";
    let text = "";
    try {
      const response = await fetch("/api/extract", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(request()),
        signal: work.signal,
      });
      status = `${response.status} ${response.ok ? "OK" : "Error"}`;
      text = JSON.stringify(await response.json(), null, 2);
    } catch {
      status = work.signal.aborted ? "Cancelled" : "The server is not responding; what you typed is still here";
    }
    if (sent !== work) return;
    window.thresherBusy.stop();
    const cut = text.length > SHOWN_CHARS;
    answer.querySelector("[role=status]").textContent = cut ? `${status}, the first ${SHOWN_CHARS} characters` : status;
    const shown = answer.querySelector("pre");
    shown.textContent = text.slice(0, SHOWN_CHARS);
    shown.hidden = text === "";
    answer.hidden = false;
  }
}
