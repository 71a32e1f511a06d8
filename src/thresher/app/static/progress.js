// Progress: how much of the article was in sight is shown, and kept for a saved page, which opens
// where it was left.
"use strict";

{
  const PAUSE_MS = 800;
  const DWELL_MS = 4000; // after which what fits into the window counts as read
  const bar = document.querySelector(".read-so-far");
  const article = document.querySelector(".article");
  const { content } = document.querySelector('meta[name="csrf"]');
  let sent = bar.value;
  let timer = 0;

  function edges() {
    const top = document.getElementById("title").getBoundingClientRect().top + scrollY;
    const bottom = article.querySelector(":scope > footer").getBoundingClientRect().top + scrollY;
    return { top, height: Math.max(bottom - top, 1) };
  }

  // The share of the article above the lower edge of the window.
  function share() {
    const { top, height } = edges();
    return Math.min(Math.max((scrollY + innerHeight - top) / height, 0), 1);
  }

  function send() {
    clearTimeout(timer);
    // The page may have been saved meanwhile; one that was read stays read.
    const target = bar.dataset.progress;
    if (!target || sent === 1 || Math.abs(bar.value - sent) < 0.005) return;
    sent = bar.value;
    const body = new URLSearchParams({ progress: String(sent) });
    fetch(target, { method: "POST", body, headers: { "x-csrf-token": content }, keepalive: true }).catch(() => {});
  }

  function follow() {
    bar.value = share();
    clearTimeout(timer);
    timer = setTimeout(send, PAUSE_MS);
  }

  const left = bar.dataset.progress ? sent : 0;
  if (left > 0 && left < 1 && !location.hash) {
    const { top, height } = edges();
    // Not smoothly: this is where the reader was.
    scrollTo({ top: top + left * height - innerHeight, behavior: "instant" });
  }
  addEventListener("scroll", follow, { passive: true });
  addEventListener("pagehide", send);
  bar.value = share();
  setTimeout(follow, DWELL_MS);
}
