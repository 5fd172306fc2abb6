// Shows the findings of `tafl validate` in the editor, whenever a record is opened, changed, or saved.
"use strict";

const { execFile } = require("node:child_process");
const vscode = require("vscode");

// The notation of each language, so that a record that is being written is not taken for another one.
const NOTATIONS = { tafl: "opentafl", "tafl-moves": "movelist" };
// The time without changes after which a text is checked, in milliseconds.
const DELAY = 300;
const SEVERITIES = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    note: vscode.DiagnosticSeverity.Information,
};

/** Returns the range of a finding. `tafl` counts characters, and the editor UTF-16 units. */
function rangeOf(finding, document) {
    const line = Math.min(finding.line, document.lineCount) - 1;
    const text = document.lineAt(line).text;
    const start = [...text].slice(0, finding.column - 1).join("").length;
    const [marked] = finding.text.split("\n");
    return new vscode.Range(line, start, line, Math.min(start + marked.length, text.length));
}

function diagnosticOf(finding, document) {
    const message = `${finding.message}\n${finding.help}`;
    const diagnostic = new vscode.Diagnostic(rangeOf(finding, document), message, SEVERITIES[finding.severity]);
    diagnostic.source = "tafl";
    diagnostic.code = finding.code;
    return diagnostic;
}

/** Checks a document, and shows what is found unless the document has changed since. */
function check(document, shown) {
    const settings = vscode.workspace.getConfiguration("taflbase");
    const [program, variant] = [settings.get("path"), settings.get("variant")];
    if (!program) {
        shown.delete(document.uri);
        return;
    }
    const args = ["validate", "--quiet", "--format", "json", "--as", NOTATIONS[document.languageId]];
    if (variant) {
        args.push("--variant", variant);
    }
    const version = document.version;
    const options = { maxBuffer: 1 << 28 };
    const process = execFile(program, [...args, "-"], options, (error, stdout, stderr) => {
        if (document.isClosed || document.version !== version) {
            return;
        }
        try {
            const { findings } = JSON.parse(stdout);
            shown.set(document.uri, findings.map((finding) => diagnosticOf(finding, document)));
        } catch {
            shown.delete(document.uri);
            vscode.window.setStatusBarMessage(`tafl: ${stderr.trim() || error?.message}`, 10000);
        }
    });
    // A program that can't be started, or that stops early, doesn't read its input.
    process.stdin?.on("error", () => {});
    process.stdin?.end(document.getText());
}

function activate(context) {
    const shown = vscode.languages.createDiagnosticCollection("tafl");
    const timers = new Map();
    const checkSoon = (document, delay) => {
        if (!NOTATIONS[document.languageId]) {
            return;
        }
        const key = document.uri.toString();
        clearTimeout(timers.get(key));
        timers.set(key, setTimeout(() => {
            timers.delete(key);
            check(document, shown);
        }, delay));
    };
    const { workspace } = vscode;
    context.subscriptions.push(
        shown,
        workspace.onDidOpenTextDocument((document) => checkSoon(document, 0)),
        workspace.onDidSaveTextDocument((document) => checkSoon(document, 0)),
        workspace.onDidChangeTextDocument((event) => checkSoon(event.document, DELAY)),
        workspace.onDidCloseTextDocument((document) => shown.delete(document.uri)),
    );
    workspace.textDocuments.forEach((document) => checkSoon(document, 0));
}

module.exports = { activate };
