// The answer of the explorer: counts, the table of moves, and games.

import { info, variants } from "./api.js";
import { el, link } from "./dom.js";
import { openingText } from "./people.js";
import { bar, score } from "./table.js";
import { counted, integer, playerNames, resultText } from "./format.js";

/** Returns the counts of a position. */
export function heading(found) {
  const took = found.took_ms === undefined ? "" : ` (${integer(found.took_ms)} ms)`;
  return el("div", { class: "sums" }, found.opening ? el("p", { class: "opening" }, openingText(found.opening)) : null, el("p", {}, el("strong", {}, counted(found.games, "game")), ` reached this position${took}. `,
    found.ended_here ? `${counted(found.ended_here, "game")} ended here. ` : "",
    found.mean_plies ? `Mean length: ${counted(Math.round(found.mean_plies), "ply", "plies")}.` : ""),
  found.games ? bar(found) : null);
}

/** Returns a sentence about other variants with the same rules, whose games count too; null without them. */
export async function sameRules(pos) {
  if (!pos.variant) return null;
  const [{ variants: played }, all] = await Promise.all([info(), variants()]);
  const nameless = (rules) => rules.replace(/(^| )name:\S+/, "").trim();
  const own = played.find(({ name }) => name === pos.variant);
  const same = own ? played.filter(({ name, rules }) => name && name !== pos.variant && nameless(rules) === nameless(own.rules)) : [];
  if (same.length === 0) return null;
  const titles = same.map(({ name, games: n }) => `${all.find((one) => one.name === name)?.title ?? name} (${counted(n, "game")})`);
  return el("p", { class: "dim" }, `Games of variants with the same rules count, too: ${titles.join(", ")}.`);
}

/** Returns the table of moves. `isReply` returns whether a move is one of the other side, which was played after a chain was declined. */
export function moveTable(found, { play, showArrows, isReply, isFiltered }) {
  if (found.moves.length === 0) return noMoves(found, isFiltered);
  const side = found.to_move;
  const head = el("thead", {}, el("tr", {}, ["Move", "Games", "Results", `${side === "attackers" ? "Attackers" : "Defenders"}’ score`, "Mean plies", "Last played"]
    .map((text, at) => el("th", { scope: "col", class: at > 3 ? "wide" : null }, text))));
  const rows = found.moves.map((line) => {
    const alike = line.alike?.length ?? 0;
    const folded = alike ? el("small", { class: "dim", title: `Symmetric moves: ${line.alike.join(", ")}` }, ` ×${alike + 1}`) : null;
    const declined = isReply(line) ? el("small", { class: "dim" }, " chain declined") : null;
    const press = el("button", { type: "button", class: "move", click: () => play(line), focus: () => showArrows(line), blur: () => showArrows(null),
      "aria-label": `Play ${line.move}${alike ? `, with ${counted(alike, "symmetric move")}` : ""}` }, line.move);
    return el("tr", { "data-move": line.move, mouseenter: () => showArrows(line), mouseleave: () => showArrows(null) },
      el("th", { scope: "row" }, press, folded, declined), el("td", { class: "number" }, integer(line.games)), el("td", { class: "ends" }, bar(line)),
      el("td", { class: "number" }, score(line[`${side}_share`])), el("td", { class: "number wide" }, line.mean_plies ? integer(line.mean_plies) : "–"),
      el("td", { class: "wide" }, line.last_played ?? "–"));
  });
  return el("div", { class: "scroll" }, el("table", { class: "moves" }, el("caption", { class: "visually-hidden" }, "Moves played from this position"), head, el("tbody", {}, rows)));
}

function noMoves(found, isFiltered) {
  if (found.games > 0) return el("p", { class: "empty" }, "No game continued from here.");
  return el("div", { class: "empty" }, el("p", {}, "No game of the corpus reached this position."),
    el("p", { class: "dim" }, isFiltered ? "Remove a condition under “Filter games”, or go back a move." : "Go back a move, or choose another variant. “Analyze” asks the engine."));
}

/** Returns the top games of a position. Links lead to its ply, or to the start of the game if the position was set up. */
export function games(found, { isSetUp }) {
  if (!found.top?.length) return null;
  const ply = isSetUp ? 0 : found.moves_before?.length ?? 0;
  return el("section", {}, el("h2", {}, "Games"), el("ul", { class: "games" }, found.top.map((game) => el("li", {},
    link(playerNames(game), `/game/${game.game}${ply ? `#${ply}` : ""}`),
    el("span", { class: "dim" }, [game.rating ? `rating ${integer(game.rating)}` : null, game.date, resultText(game.result), counted(game.plies, "ply", "plies")].filter(Boolean).join(", "))))));
}
