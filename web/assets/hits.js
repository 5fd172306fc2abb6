// What a search found: small boards with the cells that fit, and links to the games.

import { rulesOf } from "./api.js";
import { el, link } from "./dom.js";
import { miniBoard } from "./miniboard.js";
import { counted, ended, ends, player } from "./words.js";

/** Returns a hit as a card. */
export function hit(found) {
  const { at } = found;
  const names = `${player(found.attackers, "attackers")} – ${player(found.defenders, "defenders")}`;
  const place = at ? `#${at.ply}` : "";
  const moment = at ? `${at.ply === 0 ? "the start" : `ply ${at.ply}, ${ends(at.move).cells.join("-")}`} of ${found.plies}` : counted(found.plies, "ply", "plies");
  const target = `/game/${found.game}${place}`;
  return el("li", { class: "card", "data-game": found.game, "data-ply": at ? at.ply : null },
    el("a", { href: target, class: "cardboard", tabindex: -1, "aria-hidden": "true" }, miniBoard(rulesOf(found), at?.position ?? null, { move: at?.move, marks: at?.cells ?? [], label: names })),
    el("div", { class: "cardtext" }, link(names, target), el("span", { class: "dim" },
      [found.variant, moment, ended(found.result, found.reason), found.date, found.event].filter(Boolean).join(", "))));
}

/** Returns the sums of an answer in words. */
export function sums(answer) {
  const { summary } = answer;
  const moments = summary.hits ?? summary.moments;
  const games = summary.games;
  const about = summary.exact === false ? "at least " : "";
  const isGames = answer.hits.length > 0 && !answer.hits[0].at;
  return isGames || moments === undefined ? `${about}${counted(games ?? answer.hits.length, "game")}`
    : `${about}${counted(moments, "moment")} in ${counted(games, "game")}`;
}
