// What TypeScript finds wrong with the scripts of a folder, as they are and with each change in them alone.
//
// The changes come as JSON: the script and its new text by name. What is found goes out as JSON: a text by name, ""
// for the scripts as they are. After the first, what a change does not reach is not checked again, as an editor does it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const folder = process.argv[2];
const changes = JSON.parse(readFileSync(0, "utf8"));
const config = ts.getParsedCommandLineOfConfigFile(join(folder, "tsconfig.json"), {}, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (one) => {
    throw new Error(ts.flattenDiagnosticMessageText(one.messageText, "\n"));
  },
});
const host = ts.createCompilerHost(config.options);
const read = host.getSourceFile;
const known = new Map();
let changed = {};

host.getSourceFile = (path, ...more) => {
  const slip = path === changed.path;
  if (!slip && known.has(path)) return known.get(path);
  const file = slip ? ts.createSourceFile(path, changed.text, ...more) : read(path, ...more);
  if (file) file.version = slip ? "changed" : "as it is";
  if (!slip) known.set(path, file);
  return file;
};

function found(before) {
  const errors = ts.getConfigFileParsingDiagnostics(config);
  const built = ts.createSemanticDiagnosticsBuilderProgram(config.fileNames, config.options, host, before, errors);
  const all = [
    ...built.getConfigFileParsingDiagnostics(),
    ...built.getOptionsDiagnostics(),
    ...built.getSyntacticDiagnostics(),
    ...built.getGlobalDiagnostics(),
    ...built.getSemanticDiagnostics(),
  ];
  return [built, ts.formatDiagnostics(all, host)];
}

const [asIs, told] = found();
const all = { "": told };
for (const [name, { script, text }] of Object.entries(changes)) {
  changed = { path: ts.sys.resolvePath(join(folder, script)), text };
  [, all[name]] = found(asIs);
}
process.stdout.write(JSON.stringify(all));
