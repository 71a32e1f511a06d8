// Live progress of a run by server-sent events; reloads the page when the run has ended.
"use strict";

const live = document.querySelector("[data-live]");
if (live) {
  const events = new EventSource(live.dataset.live);
  const part = (name) => live.querySelector(`[data-${name}]`);
  events.addEventListener("message", (event) => {
    const progress = JSON.parse(event.data);
    part("words").textContent = progress.words;
    if (progress.total) {
      part("progress").max = progress.total;
      part("progress").value = progress.done;
    }
    if (progress.chart && part("chart").dataset.shown !== progress.chart) {
      part("chart").dataset.shown = progress.chart;
      part("chart").innerHTML = progress.chart;
    }
  });
  events.addEventListener("ended", () => {
    events.close();
    location.reload();
  });
}
