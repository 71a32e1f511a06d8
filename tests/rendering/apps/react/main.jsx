import React, { Suspense, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

// What the page says comes by fetch, after the first drawing, as in most applications.
function Story() {
  const [story, setStory] = useState(null);
  useEffect(() => {
    fetch("/story.json").then((answer) => answer.json()).then(setStory);
  }, []);
  if (!story) return <p>Loading…</p>;
  return (
    <article>
      <h1>{story.title}</h1>
      {story.paragraphs.map((text, at) => <p key={at}>{text}</p>)}
    </article>
  );
}

createRoot(document.getElementById("root")).render(
  <><nav><a href="/">Home</a><a href="/tides">Tides</a></nav><main><Story /></main></>
);
