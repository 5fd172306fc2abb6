// About: what is served, keys, the interface for programs, what codes of findings mean.

import { info } from "./api.js";
import { el, fill, link } from "./dom.js";
import { whole } from "./words.js";

const KEYS = [["arrow keys on the board", "from cell to cell"], ["Enter or space", "pick a piece up, put it down; on the page of a game, play"], ["Escape", "put a piece back"],
  ["← →", "a ply back, a ply on"], ["Home, End", "start and end of a game"], ["f", "turn the board by half"], ["e, E", "next and last error of a game"], ["letters on the board of Search", "paint this piece"]];

/** Opens the page. */
export async function open(main) {
  document.title = "About · Taflbase";
  const known = await info();
  const list = (rows) => el("dl", { class: "facts" }, rows.flatMap(([name, words]) => [el("dt", {}, name), el("dd", {}, words)]));
  fill(main, el("h1", {}, "About"), el("p", {}, `Taflbase ${known.version} reads, checks, searches and explains games of the tafl family. It runs on this machine, and nothing leaves it.`),
    known.corpus ? [el("h2", {}, "Corpus"), list([["Name", known.corpus.name], ["Games", whole(known.corpus.games)], ["Positions", whole(known.corpus.positions)],
      ["Generation", known.corpus.generation], ["Manifest", el("code", {}, known.corpus.manifest)]])] : null,
    el("h2", {}, "Keys"), list(KEYS), el("h2", {}, "For programs"), el("p", {}, "The pages ask an interface that other programs can ask, too: ", link("/api/openapi.json", "/api/openapi.json"),
      " describes it. ", link("/metrics", "/metrics"), " has figures of the server."),
    el("h2", {}, "Codes of findings"), codes(known.findings));
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  return { follow: () => document.getElementById(location.hash.slice(1))?.scrollIntoView() };
}

function codes(findings) {
  if (!findings?.length) return el("p", {}, "In a terminal, ", el("code", {}, "tafl validate --explain CODE"), " says what a code means; ", el("code", {}, "all"), " lists them.");
  return el("dl", { class: "facts" }, findings.flatMap(({ code, name, severity, words }) => [
    el("dt", { id: code }, el("code", {}, code)), el("dd", {}, el("strong", {}, name), ` (${severity}): ${words ?? ""}`)]));
}
