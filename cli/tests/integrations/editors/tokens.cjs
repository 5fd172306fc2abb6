// Prints the tokens of files as the editor colors them: JSON lines of [line number, text, scopes].
//
// Usage: tokens.cjs FOLDER_OF_EXTENSION LANGUAGE FILE...; packages are found through NODE_PATH.

const fs = require("node:fs");
const path = require("node:path");
const oniguruma = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

async function main([folder, language, ...files]) {
    const { grammars } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")).contributes;
    const wasm = path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm");
    await oniguruma.loadWASM(fs.readFileSync(wasm));
    const onigLib = Promise.resolve({
        createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
        createOnigString: (text) => new oniguruma.OnigString(text),
    });
    const loadGrammar = async (scope) => {
        const file = path.join(folder, grammars.find(({ scopeName }) => scopeName === scope).path);
        return parseRawGrammar(fs.readFileSync(file, "utf8"), file);
    };
    const registry = new Registry({ onigLib, loadGrammar });
    const grammar = await registry.loadGrammar(grammars.find((entry) => entry.language === language).scopeName);
    for (const file of files) {
        let state = INITIAL;
        fs.readFileSync(file, "utf8").split("\n").forEach((line, nth) => {
            const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
            state = ruleStack;
            for (const { startIndex, endIndex, scopes } of tokens) {
                console.log(JSON.stringify([nth + 1, line.slice(startIndex, endIndex), scopes.slice(1)]));
            }
        });
    }
}

main(process.argv.slice(2));
