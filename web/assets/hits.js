// The hits of a search: small boards with the matching cells, and links to the games.

import { rulesOf } from "./api.js";
import { el, link } from "./dom.js";
import { miniBoard } from "./miniboard.js";
import { counted, integer, moveCells, playerNames, resultText } from "./format.js";
import { rulesTitle } from "./variantname.js";

/** Returns a hit as a card; `titles` are the titles of variants by name. */
export function hitCard(hit, titles) {
  const { at } = hit;
  const names = playerNames(hit);
  const more = hit.matches > 1 ? `first of ${counted(hit.matches, "position")}` : null;
  const position = at?.ply === 0 ? `start of ${counted(hit.plies, "ply", "plies")}`
    : at ? `ply ${at.ply} of ${hit.plies} (${moveCells(at.move).cells.join("-")})` : counted(hit.plies, "ply", "plies");
  const target = `/game/${hit.game}${at ? `#${at.ply}` : ""}`;
  return el("li", { class: "card", "data-game": hit.game, "data-ply": at ? at.ply : null },
    el("a", { href: target, class: "cardboard", tabindex: -1, "aria-hidden": "true" }, miniBoard(rulesOf(hit), at?.position ?? hit.final ?? null, { move: at?.move, marks: at?.cells ?? [], label: names })),
    el("div", { class: "cardtext" }, link(names, target), el("span", { class: "dim" },
      [rulesTitle(hit, titles), position, more, resultText(hit.result, hit.reason, hit.reason_source), hit.date, hit.event].filter(Boolean).join(", "))));
}

/** Returns the counts of an answer in words. */
export function hitCounts(answer) {
  const { hits, games, exact, hits_between, games_between } = answer.summary;
  const bound = exact === false ? "about " : "";
  const range = (between) => (between ? ` (${integer(between[0])} to ${integer(between[1])})` : "");
  const isGames = answer.hits.length > 0 && !answer.hits[0].at;
  return isGames || hits === undefined ? `${bound}${counted(games ?? answer.hits.length, "game")}${range(games_between)}`
    : `${bound}${counted(hits, "position")}${range(hits_between)} in ${counted(games, "game")}`;
}
