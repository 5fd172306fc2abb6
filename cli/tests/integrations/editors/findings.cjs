// Opens a file in an editor with the extension, and prints the findings that it shows, as JSON.
//
// Usage: findings.cjs FOLDER_OF_EXTENSION PROGRAM LANGUAGE FILE. The editor is replaced by the parts that the extension uses.

const fs = require("node:fs");
const Module = require("node:module");

const [folder, program, languageId, file] = process.argv.slice(2);
const lines = fs.readFileSync(file, "utf8").split("\n");
const document = {
    languageId,
    uri: file,
    version: 1,
    isClosed: false,
    lineCount: lines.length,
    lineAt: (line) => ({ text: lines[line] }),
    getText: () => lines.join("\n"),
};
const listen = () => ({ dispose() {} });
const vscode = {
    DiagnosticSeverity: { Error: "error", Warning: "warning", Information: "note" },
    Range: class {
        constructor(...ends) {
            this.text = lines[ends[0]].slice(ends[1], ends[3]);
            this.ends = ends;
        }
    },
    Diagnostic: class {
        constructor(range, message, severity) {
            Object.assign(this, { range, message, severity });
        }
    },
    languages: {
        createDiagnosticCollection: () => ({
            set: (_, diagnostics) => console.log(JSON.stringify(diagnostics)),
            delete: () => console.log("[]"),
        }),
    },
    window: { setStatusBarMessage: (message) => console.error(message) },
    workspace: {
        getConfiguration: () => ({ get: (name) => ({ path: program, variant: "brandubh7" })[name] }),
        textDocuments: [document],
        onDidOpenTextDocument: listen,
        onDidSaveTextDocument: listen,
        onDidChangeTextDocument: listen,
        onDidCloseTextDocument: listen,
    },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
require(folder).activate({ subscriptions: [] });
