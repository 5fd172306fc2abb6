// The contents of a cell of a pattern, and their text.

import { pieceCodes, pieceName } from "./format.js";

/** Everything that a cell of a pattern can match, with its label. */
export const CONTENTS = [
  ["x", "any attacker"], ["o", "any defender"], ["*", "any piece"], [".", "no piece"], ["?", "anything, even off the board"],
  ...pieceCodes().map((code) => [code, pieceName(code)]),
];

const KNOWN = new Set(CONTENTS.map(([letter]) => letter));

/** Returns the content of one letter. */
export function single(letter) {
  return { not: false, letters: [letter] };
}

/** Returns the text of a content. */
export function text({ not, letters }) {
  if (letters.length === 1 && !not) return letters[0];
  return `[${not ? "^" : ""}${letters.join("")}]`;
}

/** Returns the label of a content: `attacker or empty`. */
export function words({ not, letters }) {
  const list = letters.map((letter) => CONTENTS.find(([known]) => known === letter)?.[1] ?? letter);
  return (not ? "not " : "") + list.join(not ? " nor " : " or ");
}

/** Returns the rows of a pattern, lowest rank first, as lists of contents, or null if the text cannot be drawn. */
export function parseRows(pattern) {
  const found = [];
  for (const row of pattern.replace(/\s/g, "").replace(/^\/|\/$/g, "").split("/")) {
    const cells = [];
    for (const token of row.match(/\[\^?[^\]]*\]|\d+|./g) ?? []) {
      if (/^\d+$/.test(token)) {
        if (Number(token) > 64) return null;
        for (let empty = Number(token); empty > 0; empty -= 1) cells.push(single("."));
      } else if (token.startsWith("[")) {
        const not = token[1] === "^";
        const letters = [...token.slice(not ? 2 : 1, -1)];
        if (!letters.length || !letters.every((letter) => KNOWN.has(letter))) return null;
        cells.push({ not, letters });
      } else if (KNOWN.has(token)) cells.push(single(token));
      else return null;
    }
    found.push(cells);
  }
  return found;
}
