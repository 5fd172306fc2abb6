// The panel with the rules in words, as `tafl rules explain` prints them.

import { el, fill } from "./dom.js";

/** Returns the panel, collapsed; `set` shows the rules of an answer of `/api/board`. */
export function rulesPanel() {
  const content = el("div", {});
  const host = el("details", { class: "rulespanel later" }, el("summary", {}, "Rules in words"), content);
  return { host, set(board) {
    fill(content, board.title ? el("p", {}, el("strong", {}, board.title)) : null, board.rules_sections.map(({ title, sentences }) => [
      title ? el("h2", {}, title) : null, el("ul", { class: "sentences" }, sentences.map((sentence) => el("li", {}, sentence)))]),
    el("p", { class: "dim" }, "Rules string: ", el("code", {}, board.rules)));
    host.hidden = board.rules_sections.every(({ sentences }) => sentences.length === 0);
  } };
}
