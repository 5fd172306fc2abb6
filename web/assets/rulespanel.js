// The rules of a board in words, as `tafl rules explain` has them.

import { el, fill } from "./dom.js";

/** Returns a fold with the rules; `set` gives it those of an answer of `/api/board`. */
export function rulesPanel() {
  const words = el("div", {});
  const host = el("details", { class: "ruled" }, el("summary", {}, "Rules in words"), words);
  return { host, set(board) {
    const sections = board.rules_sections ?? [{ title: null, sentences: board.rules_words ?? [] }];
    fill(words, board.title ? el("p", {}, el("strong", {}, board.title)) : null, sections.map(({ title, sentences }) => [
      title ? el("h3", {}, title) : null, el("ul", { class: "sentences" }, sentences.map((sentence) => el("li", {}, sentence)))]),
    el("p", { class: "dim" }, "Rules string: ", el("code", {}, board.rules)));
    host.hidden = sections.every(({ sentences }) => sentences.length === 0);
  } };
}
