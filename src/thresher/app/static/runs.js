// A run as it happens: the server sends how far it is; when it has ended, the page is loaded anew.
"use strict";

const live = document.querySelector("[data-live]");
if (live) {
  const events = new EventSource(live.dataset.live);
  const part = (name) => live.querySelector(`[data-${name}]`);
  events.addEventListener("message", (event) => {
    const told = JSON.parse(event.data);
    part("stage").textContent = told.stage;
    part("done").textContent = told.done;
    if (told.total) {
      part("progress").max = told.total;
      part("progress").value = told.done;
      part("total").textContent = told.total;
      part("of").hidden = false;
    }
    if (told.chart && part("chart").dataset.shown !== told.chart) {
      part("chart").dataset.shown = told.chart;
      part("chart").innerHTML = told.chart;
    }
  });
  events.addEventListener("ended", () => {
    events.close();
    location.reload();
  });
}
