// Findings about records: the message, and the line of the text with carets below the place.

import { el, withCode } from "./dom.js";
import { codeLink } from "./gamefacts.js";
import { counted } from "./format.js";
import { advice } from "./notice.js";
import { pageHelp } from "./pagehelp.js";

/** Returns a finding as an item of a list; `code` is its code, by default with a link to the explanation. */
export function findingItem(one, code = codeLink(one.code, one.name)) {
  const where = [one.game ? `record ${one.game}` : null, one.line ? `line ${one.line}` : null, one.column ? `column ${one.column}` : null, one.ply ? `ply ${one.ply}` : null];
  return el("li", { class: `excerpt ${one.severity}`, "data-code": one.code },
    el("p", {}, el("strong", {}, one.severity), " ", code, " ", withCode(pageHelp(one.message))),
    el("p", { class: "dim" }, where.filter(Boolean).join(", ")), carets(one), advice(one.help));
}

/** Returns the line of a finding with carets below the place, cut around the place if it is long. */
function carets(one) {
  if (!one.source_line || !one.caret) return null;
  const letters = [...one.source_line];
  const { start } = one.caret;
  const end = Math.max(start + 1, one.caret.end);
  const from = Math.max(0, start - 28);
  const to = Math.min(letters.length, end + 40);
  const before = (from > 0 || one.source_line_from > 1 ? "…" : "") + letters.slice(from, start).join("");
  const under = letters.slice(start, Math.min(end, to)).join("");
  return el("pre", { tabindex: 0, "data-column": one.column ?? start + 1 }, el("code", {}, before, el("mark", {}, under || " "), letters.slice(Math.min(end, to), to).join("") + (to < letters.length ? "…" : ""), "\n",
    el("span", { class: "carets", "aria-hidden": "true" }, blanks(before) + "^".repeat(Math.max(1, [...under].length)))));
}

/** Returns blanks as wide as a text, with its tabs. */
function blanks(text) {
  return [...text].map((letter) => (letter === "\t" ? "\t" : " ")).join("");
}

/** Returns the number of findings of each severity. */
export function severityCounts(findings) {
  const counts = new Map();
  for (const { severity } of findings) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  if (counts.size === 0) return null;
  return el("p", { class: "dim" }, [...counts].map(([severity, count]) => counted(count, severity)).join(", "));
}
