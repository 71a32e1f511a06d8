function fill(id) {
  var frame = document.createElement("iframe");
  frame.src = "http://ad.doubleclick.net/adi/kiln;sz=300x250";
  frame.width = 300; frame.height = 250;
  document.getElementById(id).appendChild(frame);
}
function start() {
  document.getElementById("count").innerHTML = 1 + new Date().getDay();
  document.getElementById("right").getElementsByTagName("h3")[0].title = "Links";
  var pixel = new Image();
  pixel.src = "http://www.google-analytics.com/__utm.gif?r=" + Math.random();
  document.body.setAttribute("data-ready", "yes");
}
