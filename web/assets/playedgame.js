// The game of an address: its record, and its review as that of a stored game.

import { params } from "./address.js";
import { Failure, board as boardOf, post } from "./api.js";
import { Geometry, parsePosition } from "./geometry.js";
import { levelName } from "./levels.js";
import { fetchPosition, positionParams, rulesParams } from "./position.js";
import { recordText } from "./record.js";
import { capitalize, moveCells, pieceSide, splitMoves } from "./format.js";

/** The name of the record for readers, which expect a file. */
export const RECORD_NAME = "played.txt";

/** Returns how the game of the address was lost after its moves: the side and the reason; null if it wasn't. */
export function lostGame() {
  const [side, reason, after] = (params().get("lost") ?? "").split(",");
  const nMoves = splitMoves(params().get("moves")).length;
  const isKnown = ["attackers", "defenders"].includes(side) && ["time", "resignation"].includes(reason);
  return isKnown && after !== undefined && Number(after) === nMoves ? { side, reason } : null;
}

/** Returns the record of a game: `you` is the side of the user or `both`, `level` that of the engine, `date` the day if it is known. */
export function playedRecord(layout, pos, { you, level, date = "" }) {
  const names = ["attackers", "defenders"].map((side) => [capitalize(side), you === "both" ? "" : you === side ? "You" : `Taflbase, ${levelName(level)}`]);
  const lost = lostGame();
  const end = lost ? `${lost.side} ${lost.reason === "time" ? "lost on time" : "resign"}` : "";
  return recordText(layout, pos, [...names, ["Date", date]], end);
}

/** Returns the game of the address in the form of a stored game. */
export async function playedGame(signal) {
  const pos = positionParams(params());
  if (!pos.moves || (!pos.variant && !pos.rules)) throw new Failure({ code: "no-game", message: "There is no game to review.", help: "Play a game; at its end, the page offers the review." });
  const layout = await boardOf(rulesParams(pos));
  const text = playedRecord(layout, pos, { you: params().get("you") ?? "both", level: Number(params().get("level")) || 1 });
  const { games: [game], findings } = await post("/api/validate", { name: RECORD_NAME }, text, signal);
  const error = findings.find(({ severity }) => severity === "error");
  // The answer about the position has the error in the words of moves.
  if (error) await fetchPosition(pos, signal);
  if (error) throw new Failure({ code: "bad-record", message: `The moves of the address cannot be played: ${error.message}` });
  const outcome = game?.outcome ?? null;
  const { moves = [], captured = [], positions = [] } = game ?? {};
  const first = game?.first ?? layout.first ?? "attackers";
  const geometry = new Geometry(layout);
  // A side moves several times in a turn with a chain, so the sides don't just alternate.
  const sideOf = (move, at) => pieceSide(parsePosition(geometry, positions[at]).get(moveCells(move).from) ?? "t");
  const plies = moves.map((move, at) => ({ ply: at + 1, side: sideOf(move, at), move, captured: captured[at] ?? [], position: positions[at + 1], explain: [] }));
  return { board: layout, plies, positions, outcome, evals: null, text,
    game: { variant: pos.variant ?? null, rules: pos.rules ?? layout.rules, attackers: game?.attackers ?? null, defenders: game?.defenders ?? null, date: game?.date, plies: plies.length,
      start: game?.start ?? layout.start, first, result: outcome?.winner ?? "unfinished", reason: outcome?.reason, reason_source: outcome?.reason_source } };
}
