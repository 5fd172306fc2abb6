// Findings about records: the line of the text with a caret under what is meant, and words.

import { el } from "./dom.js";
import { code } from "./gamefacts.js";
import { counted } from "./words.js";

/** Returns a finding with its place in the text. */
export function finding(one) {
  const where = [one.game ? `record ${one.game}` : null, one.line ? `line ${one.line}` : null, one.column ? `column ${one.column}` : null, one.ply ? `ply ${one.ply}` : null];
  return el("li", { class: `pointed ${one.severity}`, "data-code": one.code },
    el("p", {}, el("strong", {}, one.severity), " ", code(one.code, one.name), " ", one.message),
    el("p", { class: "dim" }, where.filter(Boolean).join(", ")), caret(one), one.help ? el("p", { class: "dim" }, one.help) : null);
}

/** Returns the line of a finding, with a caret line as terminals have it; long lines are cut around the place. */
function caret(one) {
  if (!one.source_line || !one.caret) return null;
  const letters = [...one.source_line];
  const { start } = one.caret;
  const end = Math.max(start + 1, one.caret.end);
  const from = Math.max(0, start - 28);
  const to = Math.min(letters.length, end + 40);
  const before = (from > 0 || one.source_line_from > 1 ? "…" : "") + letters.slice(from, start).join("");
  const under = letters.slice(start, Math.min(end, to)).join("");
  return el("pre", { tabindex: 0, "data-column": one.column ?? start + 1 }, el("code", {}, before, el("mark", {}, under || " "), letters.slice(Math.min(end, to), to).join("") + (to < letters.length ? "…" : ""), "\n",
    el("span", { class: "carets", "aria-hidden": "true" }, blank(before) + "^".repeat(Math.max(1, [...under].length)))));
}

/** Returns as much room as a text takes: tabs stay tabs. */
function blank(text) {
  return [...text].map((letter) => (letter === "\t" ? "\t" : " ")).join("");
}

/** Returns how many findings of each severity there are. */
export function findingList(findings) {
  const sums = new Map();
  for (const { severity } of findings) sums.set(severity, (sums.get(severity) ?? 0) + 1);
  if (sums.size === 0) return null;
  return el("p", { class: "dim" }, [...sums].map(([severity, count]) => counted(count, severity, severity === "info" ? "infos" : `${severity}s`)).join(", "));
}
