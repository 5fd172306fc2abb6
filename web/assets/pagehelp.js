// Rewrites messages of the server for the pages: names fields and pages instead of commands, options, and addresses.

import { localPath } from "./base.js";

/** Parts of messages and their replacements; empty if the pages have no equivalent. */
const PARTS = [
  ["with `--variant`, and change single rules with `--rule KEY=VALUE`", "in the field “Variant”"],
  ["`--as`, for example `--as movelist`", "the field “Notation”"],
  ["With one of them as `--variant`, `tafl validate` shows the first move that does not fit, and `tafl repair` looks for the error.",
    "With one of them in the field “Variant”, “Check” shows the first move that does not fit, and suggests repairs."],
  ["with `--variant`", "in the field “Variant”"], ["`--variant`", "the field “Variant”"], ["`--as`", "the field “Notation”"],
  ["`tafl rules list` prints all names and aliases", "The field “Variant” lists all variants"],
  ["`tafl rules list` lists all variants", "the field “Variant” lists all variants"],
  ["the names that `tafl rules list` prints", "a name in the list of the field “Variant”"],
  ["/api/variants lists the variants", "the field “Variant” lists all variants"],
  ["/api/games lists the games", "the page “Search” finds games"],
  ["docs/query.md describes the query language", "“Help with queries” on the page “Search” has an example of each condition"],
  [/`tafl rules explain` shows the meaning of a rules string(; FORMATS\.md lists all keys)?/, "“Rules in words” on the page “Explore” shows the meaning of a rules string"],
  [", or run `tafl repair` to find the move that was probably meant", "; a repair of the record suggests the move that was probably meant"],
  [" It is reported only by `tafl validate --attribute`.", ""],
  [/; (`tafl move` explains what blocks a piece|`tafl validate` reports the errors|`repair` suggests the numbers|in `replay` they are plies without the number of a written move)/, ""],
  [/^`tafl infer` checks the same for many games.*/, ""],
  ["use --force to merge them nevertheless", ""],
  ["`convert` writes", "“Convert” writes"],
];

/** The words for the help that is on another page. */
const HELP_ELSEWHERE = "“Help with queries” on the page “Search” has";

/** Returns a message of the server in terms of the pages; empty if no part of it applies to them. */
export function pageHelp(text) {
  const words = PARTS.reduce((help, [part, replacement]) => help.replaceAll(part instanceof RegExp ? new RegExp(part, "g") : part, replacement), text ?? "").trim();
  return globalThis.location && localPath(location.pathname) === "/search" ? words.replace(HELP_ELSEWHERE, "“Help with queries” has") : words;
}
