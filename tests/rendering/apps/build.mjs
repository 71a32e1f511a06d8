// Builds the applications: npm install, then node build.mjs. What comes out is committed.
import { build } from "esbuild";
import svelte from "esbuild-svelte";

for (const [name, entry] of [["react", "main.jsx"], ["vue", "main.js"], ["svelte", "main.js"]]) {
  const { metafile } = await build({
    entryPoints: [`${name}/${entry}`],
    outfile: `built/${name}.js`,
    bundle: true, minify: true, format: "iife", target: "es2022", legalComments: "inline",
    charset: "utf8", conditions: ["production"], metafile: true,
    define: {
      "process.env.NODE_ENV": '"production"',
      __VUE_OPTIONS_API__: "false", __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
    plugins: [svelte({ compilerOptions: { css: "injected" } })],
  });
  const packages = Object.keys(metafile.inputs).map((path) => path.match(/node_modules\/((@[^/]+\/)?[^/]+)/)?.[1]);
  console.log(name, [...new Set(packages)].filter(Boolean).join(" "));
}
