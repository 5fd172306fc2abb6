// The answer of the explorer: sums, the table of moves, games.

import { el, link } from "./dom.js";
import { bar, share } from "./table.js";
import { counted, ended, player, whole } from "./words.js";

/** Returns the sums of a position. */
export function heading(found) {
  const took = found.took_ms === undefined ? "" : ` (${whole(found.took_ms)} ms)`;
  return el("div", { class: "sums" }, el("p", {}, el("strong", {}, counted(found.games, "game")), ` came to this position${took}. `,
    found.ended_here ? `${counted(found.ended_here, "game")} ended here. ` : "",
    found.mean_plies ? `They took ${whole(found.mean_plies)} plies on average.` : ""),
  found.games ? bar(found) : null);
}

/** Returns the table of moves. */
export function table(found, { play, point, asked }) {
  if (found.moves.length === 0) return nothing(found, asked);
  const side = found.to_move;
  const head = el("thead", {}, el("tr", {}, ["Move", "Games", "How they ended", `${side === "attackers" ? "Attackers" : "Defenders"}’ share`, "Plies", "Last"]
    .map((text, at) => el("th", { scope: "col", class: at > 3 ? "wide" : null }, text))));
  const rows = found.moves.map((line) => {
    const alike = line.alike?.length ?? 0;
    const folded = alike ? el("small", { class: "dim", title: `The same move, turned or mirrored: ${line.alike.join(", ")}` }, ` ×${alike + 1}`) : null;
    const press = el("button", { type: "button", class: "move", click: () => play(line), focus: () => point(line), blur: () => point(null),
      "aria-label": `Play ${line.move}${alike ? `, with ${counted(alike, "mirror image")}` : ""}` }, line.move);
    return el("tr", { "data-move": line.move, mouseenter: () => point(line), mouseleave: () => point(null) },
      el("th", { scope: "row" }, press, folded), el("td", { class: "number" }, whole(line.games)), el("td", { class: "ends" }, bar(line)),
      el("td", { class: "number" }, share(line, side)), el("td", { class: "number wide" }, line.mean_plies ? whole(line.mean_plies) : "–"),
      el("td", { class: "wide" }, line.last_played ?? "–"));
  });
  return el("div", { class: "scroll" }, el("table", { class: "moves" }, el("caption", { class: "unseen" }, "Moves that were played from this position"), head, el("tbody", {}, rows)));
}

function nothing(found, asked) {
  if (found.games > 0) return el("p", { class: "empty" }, "No game went on from here.");
  return el("div", { class: "empty" }, el("p", {}, "No game of the corpus came here."),
    el("p", { class: "dim" }, asked ? "Take a condition away under “Filter games”, or go a move back." : "Go a move back, or choose another variant. Analysis says what the engine would play."));
}

/** Returns the best games of a position with links to the ply, where moves led there from the start; else to the start. */
export function games(found, { set }) {
  if (!found.top?.length) return null;
  const ply = set ? 0 : found.moves_before?.length ?? 0;
  return el("section", {}, el("h2", {}, "Games"), el("ul", { class: "games" }, found.top.map((game) => el("li", {},
    link(`${player(game.attackers, "attackers")} – ${player(game.defenders, "defenders")}`, `/game/${game.game}${ply ? `#${ply}` : ""}`),
    el("span", { class: "dim" }, [game.rating ? `rating ${whole(game.rating)}` : null, game.date, ended(game.result), counted(game.plies, "ply", "plies")].filter(Boolean).join(", "))))));
}
