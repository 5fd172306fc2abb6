// The games of a validated file: a board for each, with a slider to step through the plies.

import { board as boardOf, variants } from "./api.js";
import { Board, scene } from "./board.js";
import { button, el, fill, link } from "./dom.js";
import { parsePosition } from "./geometry.js";
import { positionHref, startParams } from "./position.js";
import { counted, moveCells, playerNames, resultText } from "./format.js";

const MAX_GAMES = 50;

/** Returns the games of an answer; `titles` are the titles of variants by name. A board is drawn when its game is opened. */
export function games(list, titles) {
  if (!list?.length) return null;
  return el("section", {}, el("h2", {}, "Games"), list.slice(0, MAX_GAMES).map((game) => {
    const names = playerNames(game);
    const box = el("details", { class: "gamebox" }, el("summary", {}, `${game.ordinal}. ${names} `, el("span", { class: "dim" },
      [game.variant ? titles.get(game.variant) || game.variant : null, counted(game.plies, "ply", "plies"), game.verdict].filter(Boolean).join(", "))));
    box.addEventListener("toggle", () => box.open && box.children.length === 1 && openGame(box, game));
    return box;
  }), list.length > MAX_GAMES ? el("p", { class: "dim" }, `${list.length - MAX_GAMES} more`) : null);
}

/** Returns the parameters of a game's rules. A record may have its own name for its rules, which isn't in the catalog. */
async function rulesFor(game) {
  const known = (await variants()).some(({ name }) => name === game.variant);
  return known ? { variant: game.variant } : { rules: game.rules };
}

async function openGame(box, game) {
  const host = el("div", { class: "boardhost medium" });
  box.append(host);
  if (!game.positions?.length && !game.start) {
    host.append(el("p", { class: "dim" }, "The moves of this game could not be replayed, so there is no board."));
    return;
  }
  try {
    const rules = await rulesFor(game);
    const layout = await boardOf(rules);
    const board = new Board(host, { label: `Game ${game.ordinal}` });
    board.setBoard(layout);
    showStepper(box, board, game, { ...rules, ...startParams(game, layout) });
  } catch (error) {
    host.append(el("p", { class: "dim" }, error.message));
  }
}

/** Adds the slider of a game; `before` are the parameters of the position before its moves. */
function showStepper(box, board, game, before) {
  const positions = game.positions?.length ? game.positions : [game.start];
  const last = positions.length - 1;
  const status = el("span", { class: "status" });
  const slider = el("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Ply", input: () => show(Number(slider.value)) });
  let at = 0;
  function show(ply) {
    at = Math.max(0, Math.min(last, ply));
    slider.value = at;
    const move = at > 0 ? game.moves?.[at - 1] : null;
    board.show(scene({ pieces: parsePosition(board.geometry, positions[at]), last: move ? moveCells(move) : null }));
    fill(status, at === 0 ? "start" : `ply ${at} of ${last}: ${move ?? ""}`, at === last && game.outcome ? ` · ${resultText(game.outcome.winner, game.outcome.reason, game.outcome.reason_source)}` : "");
  }
  const pos = { ...before, moves: (game.moves ?? []).map((move) => move.split("x")[0]).join(",") };
  box.append(el("div", { class: "controls" }, button("◀", () => show(at - 1), { "aria-label": "Previous ply" }), slider, button("▶", () => show(at + 1), { "aria-label": "Next ply" }), status),
    el("p", {}, link("Analyze", positionHref("/analysis", pos))));
  show(0);
}
