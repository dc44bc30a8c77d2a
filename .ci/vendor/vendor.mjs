// Writes each library of the pages as one file, with its licence beside it and its version and hash in `lock.json`.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const TO = "../../softrail/api/pages/vendor/";
const LIBRARIES = {
  lit: {
    take: `export { LitElement, css, html, nothing } from "lit"; export { repeat } from "lit/directives/repeat.js";`,
  },
  marked: { take: `export { _Lexer as Lexer } from "marked/Lexer.ts";`, plugins: [sources("marked", "marked.esm.js")] },
};

/** A library by its own sources, as its map has them: its one file does things when it is loaded, so that all of it would be kept. */
function sources(library, file) {
  const { sources, sourcesContent } = JSON.parse(readFileSync(`node_modules/${library}/lib/${file}.map`, "utf8"));
  const found = new Map(sources.map((source, at) => [source.split("/").at(-1), sourcesContent[at]]));
  const filter = new RegExp(`^(${library}|[.])/[^/]+[.]ts$`);
  return {
    name: "sources",
    setup(made) {
      made.onResolve({ filter }, ({ path }) => ({ path: path.split("/").at(-1), namespace: library }));
      made.onLoad({ filter: /./, namespace: library }, ({ path }) => ({ contents: found.get(path), loader: "ts" }));
    },
  };
}

const lock = {};
for (const [name, { take, plugins }] of Object.entries(LIBRARIES)) {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  const made = await build({
    stdin: { contents: take, resolveDir: "." },
    bundle: true,
    charset: "utf8",
    format: "esm",
    legalComments: "none",
    minify: true,
    plugins,
    target: "es2022",
    write: false,
  });
  const text = `/* ${name} ${version}, made by \`make vendor\`. Licence: ${name}.LICENCE */\n${made.outputFiles[0].text}`;
  writeFileSync(`${TO}${name}.js`, text);
  writeFileSync(`${TO}${name}.LICENCE`, readFileSync(`node_modules/${name}/LICENSE`));
  lock[`${name}.js`] = { version, sha256: createHash("sha256").update(text).digest("hex") };
}
writeFileSync(`${TO}lock.json`, `${JSON.stringify(lock, null, 2)}\n`);
