// Forms that open a page: opens a file immediately when it is chosen, or dropped anywhere.
"use strict";

const form = document.querySelector("form[data-drop]");
const file = form.querySelector("input[type=file]");
document.documentElement.classList.add("has-script");
form.addEventListener("submit", (event) => sendOpening(event, form));

file.addEventListener("change", () => {
  if (file.files.length) form.requestSubmit();
});

document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("is-over");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("is-over");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("is-over");
  const address = event.dataTransfer.getData("text/uri-list").split("\n")[0].trim();
  if (event.dataTransfer.files.length) {
    file.files = event.dataTransfer.files;
    form.requestSubmit();
  } else if (/^https?:/.test(address)) {
    form.elements.url.value = address;
    form.requestSubmit();
  }
});

// The bookmarklet must not run on this page.
document.querySelector(".bookmarklet")?.addEventListener("click", (event) => event.preventDefault());
