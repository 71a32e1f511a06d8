// Copying, shared by Read and the API page. The clipboard API requires HTTPS or the local machine;
// elsewhere the deprecated execCommand is used.
"use strict";

window.thresherCopy = async (text) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("not allowed");
};
