// The about page: the corpus, keyboard shortcuts, the API, and the codes of findings.

import { findingCodes, info } from "./api.js";
import { el, fill, link, withCode } from "./dom.js";
import { integer } from "./format.js";
import { pageHelp } from "./pagehelp.js";

const KEYS = [["arrow keys on the board", "move between cells"], ["Enter or space on the board", "pick up or put down a piece"], ["Escape", "put the piece back"],
  ["← →", "previous ply, next ply"], ["Home, End", "first position, last position"], ["mouse wheel over the board", "previous ply, next ply"], ["space on a game page", "play the game"], ["f", "rotate the board by 180°"],
  ["e, E on a game page", "next error, previous error"], ["letters on the board of Search", "paint this piece"]];

/** Opens the page. */
export async function open(main) {
  document.title = "About · Taflbase";
  const [known, findings] = await Promise.all([info(), findingCodes()]);
  const list = (rows) => el("dl", { class: "facts" }, rows.flatMap(([name, words]) => [el("dt", {}, name), el("dd", {}, words)]));
  fill(main, el("h1", {}, "About"), el("p", {}, `Taflbase ${known.version} validates, searches, and analyzes games of the tafl family. It runs on this server and sends nothing to other servers.`),
    known.corpus ? [el("h2", {}, "Corpus"), list([["Name", known.corpus.name], ["Games", integer(known.corpus.games)], ["Positions", integer(known.corpus.positions)],
      ["Generation", known.corpus.generation], ["Manifest", el("code", {}, known.corpus.manifest)]])] : null,
    el("h2", {}, "Keys"), list(KEYS), el("h2", {}, "For programs"), el("p", {}, "These pages use an HTTP API that other programs can use too. ", link("/api/openapi.json", "/api/openapi.json"),
      " describes it, and ", link("/metrics", "/metrics"), " has metrics of the server."),
    el("h2", {}, "Codes of findings"), codes(findings));
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  return { follow: () => document.getElementById(location.hash.slice(1))?.scrollIntoView() };
}

function codes(findings) {
  if (!findings?.length) return el("p", {}, "In a terminal, ", el("code", {}, "tafl validate --explain CODE"), " explains a code, and ", el("code", {}, "--explain all"), " lists all codes.");
  return el("dl", { class: "facts" }, findings.flatMap(({ code, name, severity, words }) => [
    el("dt", { id: code }, el("code", {}, code)), el("dd", {}, el("strong", {}, name), ` (${severity}): `, withCode(pageHelp(words)))]));
}
