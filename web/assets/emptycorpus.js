// The notice for a corpus without games, which explains how to add some.

import { info } from "./api.js";
import { el, link } from "./dom.js";
import { empty } from "./notice.js";

/** Returns the notice; `mayWrite` is whether the pages can add games. */
export function emptyCorpus(mayWrite) {
  return empty(el("p", {}, "The corpus has no games yet."), mayWrite ? el("p", {}, link("Add files", "/upload"), " here, or import them in a terminal:") : el("p", { class: "dim" }, "Import games in a terminal:"),
    el("pre", { tabindex: 0 }, "tafl import CORPUS games/"),
    el("p", { class: "dim" }, "These pages show new games without a restart. “Play”, “Analysis”, and “Check files” work without games."));
}

/** Returns the notice if the corpus has no games, otherwise null. */
export async function noticeIfEmpty() {
  const { corpus, may_write: mayWrite } = await info();
  return corpus?.games === 0 ? emptyCorpus(mayWrite) : null;
}
