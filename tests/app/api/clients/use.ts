// The only name of Node's that this uses.
declare const process: { argv: string[] };
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const client = createClient<paths>({ baseUrl: process.argv[2] });
const html = "<title>Rye</title><article><h1>Rye</h1><p>Rye is sown in autumn.</p></article>";
const page: components["schemas"]["Request"] = { html, method: "keep_all", formats: ["text"] };
const { data } = await client.POST("/api/extract", { body: page });
const title: string | undefined = data?.metadata.title;
const text: string | undefined = data?.output.text;
const refused = await client.POST("/api/extract", { body: { html: "%PDF-1.7" } });
const kind: string | undefined = refused.error?.error.type;
const many = await client.POST("/api/batch", { body: { pages: [page, { html: "%PDF-1.7" }] } });
const found = typeof many.data === "object" ? many.data.records : [];
const said = found.map((each) => ("error" in each ? each.error.type : each.output.text?.trim()));
const methods = (await client.GET("/api/methods")).data?.filter((each) => each.is_default);
const health = (await client.GET("/healthz")).data?.status;
console.log(JSON.stringify({ title, text: text?.includes("autumn"), kind, lines: found.map((each) =>
  each.line), failed: said[1], methods: methods?.map((each) => each.name), health }));
