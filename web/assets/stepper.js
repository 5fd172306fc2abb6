// The games of a file that could be played: a board for each, to step through.

import { board as boardOf, variants } from "./api.js";
import { Board, scene } from "./board.js";
import { button, el, fill, link } from "./dom.js";
import { read } from "./geometry.js";
import { positionHref } from "./position.js";
import { counted, ended, ends, player } from "./words.js";

const SHOWN = 50;

/** Returns the games of an answer; a board is drawn when its game is opened. */
export function games(list) {
  if (!list?.length) return null;
  return el("section", {}, el("h2", {}, "Games"), list.slice(0, SHOWN).map((game) => {
    const names = `${player(game.attackers, "attackers")} – ${player(game.defenders, "defenders")}`;
    const box = el("details", { class: "gamebox" }, el("summary", {}, `${game.ordinal}. ${names} `, el("span", { class: "dim" },
      [game.variant, counted(game.plies, "ply", "plies"), game.verdict].filter(Boolean).join(", "))));
    box.addEventListener("toggle", () => box.open && box.children.length === 1 && unfold(box, game));
    return box;
  }), list.length > SHOWN ? el("p", { class: "dim" }, `and ${list.length - SHOWN} more`) : null);
}

/** Returns the parameters that name the rules of a game: what a record calls its own rules is no name of the catalog. */
async function rulesFor(game) {
  const known = (await variants()).some(({ name }) => name === game.variant);
  return known ? { variant: game.variant } : { rules: game.rules };
}

async function unfold(box, game) {
  const host = el("div", { class: "boardhost medium" });
  box.append(host);
  if (!game.positions?.length && !game.start) {
    host.append(el("p", { class: "dim" }, "This game could not be played, so there is no board."));
    return;
  }
  try {
    const rules = await rulesFor(game);
    const drawing = await boardOf(rules);
    const board = new Board(host, { label: `Game ${game.ordinal}` });
    board.setBoard(drawing);
    walk(box, board, game, { rules, start: drawing.start });
  } catch (error) {
    host.append(el("p", { class: "dim" }, error.message));
  }
}

function walk(box, board, game, { rules, start }) {
  const positions = game.positions?.length ? game.positions : [game.start];
  const last = positions.length - 1;
  const words = el("span", { class: "stand" });
  const slider = el("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Ply", input: () => show(Number(slider.value)) });
  let at = 0;
  function show(ply) {
    at = Math.max(0, Math.min(last, ply));
    slider.value = at;
    const move = at > 0 ? game.moves?.[at - 1] : null;
    board.show(scene({ pieces: read(board.geometry, positions[at]), last: move ? ends(move) : null }));
    fill(words, at === 0 ? "the start" : `ply ${at} of ${last}: ${move ?? ""}`, at === last && game.outcome ? ` · ${result(game.outcome)}` : "");
  }
  const pos = { ...rules, ...(game.start && game.start !== start ? { position: game.start, side: game.first } : {}),
    moves: (game.moves ?? []).map((move) => move.split("x")[0]).join(",") };
  box.append(el("div", { class: "controls" }, button("◀", () => show(at - 1), { "aria-label": "A ply back" }), slider, button("▶", () => show(at + 1), { "aria-label": "A ply on" }), words),
    el("p", {}, link("Analyse", positionHref("/analysis", pos))));
  show(0);
}

function result(outcome) {
  return typeof outcome === "string" ? outcome : ended(outcome.winner, outcome.reason);
}
