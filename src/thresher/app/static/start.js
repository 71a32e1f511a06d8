// The first page: a file that is chosen, or dropped anywhere, is read at once.
"use strict";

const form = document.querySelector("form[data-drop]");
const file = form.querySelector("input[type=file]");
document.documentElement.classList.add("has-script");

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

// A link to a script does nothing here, so say what it is for instead of nothing.
document.querySelector(".bookmarklet").addEventListener("click", (event) => event.preventDefault());
