// What may stand in a cell of a pattern, and the text of it.

import { codes, piece } from "./words.js";

/** Everything that a pattern can ask of a cell, with words. */
export const CONTENTS = [
  ["x", "any attacker"], ["o", "any defender"], ["*", "any piece"], [".", "nothing"], ["?", "anything, even off the board"],
  ...codes().map((code) => [code, piece(code)]),
];

const KNOWN = new Set(CONTENTS.map(([letter]) => letter));

/** Returns a content of one letter. */
export function one(letter) {
  return { not: false, letters: [letter] };
}

/** Returns the text of a content. */
export function text({ not, letters }) {
  if (letters.length === 1 && !not) return letters[0];
  return `[${not ? "^" : ""}${letters.join("")}]`;
}

/** Returns a content in words: `attacker or empty`. */
export function words({ not, letters }) {
  const list = letters.map((letter) => CONTENTS.find(([known]) => known === letter)?.[1] ?? letter);
  return (not ? "not " : "") + list.join(not ? " nor " : " or ");
}

/** Returns the rows of a pattern: lists of contents, the lowest rank first, or null where the text cannot be drawn. */
export function rows(pattern) {
  const found = [];
  for (const row of pattern.replace(/\s/g, "").replace(/^\/|\/$/g, "").split("/")) {
    const cells = [];
    for (const token of row.match(/\[\^?[^\]]*\]|\d+|./g) ?? []) {
      if (/^\d+$/.test(token)) {
        if (Number(token) > 64) return null;
        for (let empty = Number(token); empty > 0; empty -= 1) cells.push(one("."));
      } else if (token.startsWith("[")) {
        const not = token[1] === "^";
        const letters = [...token.slice(not ? 2 : 1, -1)];
        if (!letters.length || !letters.every((letter) => KNOWN.has(letter))) return null;
        cells.push({ not, letters });
      } else if (KNOWN.has(token)) cells.push(one(token));
      else return null;
    }
    found.push(cells);
  }
  return found;
}
