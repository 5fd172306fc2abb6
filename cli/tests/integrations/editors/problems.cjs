// Prints the problems that a problem matcher of the extension finds in the output of a task, as JSON.
//
// Usage: problems.cjs FOLDER_OF_EXTENSION MATCHER FILE. The patterns match consecutive lines, as in the editor.

const fs = require("node:fs");
const path = require("node:path");

const [folder, name, file] = process.argv.slice(2);
const { problemMatchers } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")).contributes;
const patterns = problemMatchers.find((matcher) => matcher.name === name).pattern;
const lines = fs.readFileSync(file, "utf8").split("\n");
const problems = [];
lines.forEach((_, first) => {
    const problem = {};
    for (const [nth, { regexp, ...groups }] of patterns.entries()) {
        const found = new RegExp(regexp).exec(lines[first + nth] ?? "");
        if (!found) {
            return;
        }
        Object.entries(groups).forEach(([key, group]) => (problem[key] = found[group]));
    }
    problems.push(problem);
});
console.log(JSON.stringify(problems));
