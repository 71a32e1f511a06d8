import { createApp, h, onMounted, ref } from "vue";

// What the page says comes by fetch, after the first drawing, as in most applications.
createApp({
  setup() {
    const story = ref(null);
    onMounted(async () => { story.value = await (await fetch("/story.json")).json(); });
    return () => [
      h("nav", [h("a", { href: "/" }, "Home"), h("a", { href: "/tides" }, "Tides")]),
      h("main", story.value
        ? h("article", [h("h1", story.value.title), ...story.value.paragraphs.map((text) => h("p", text))])
        : h("p", "Loading…")),
    ];
  },
}).mount("#root");
