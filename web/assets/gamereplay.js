// The positions of a game: those after its plies are in the answer, those of variations are requested.

import { rulesOf } from "./api.js";
import { icon } from "./pieces.js";
import { el } from "./dom.js";
import { scene } from "./board.js";
import { parsePosition } from "./geometry.js";
import { fetchPosition, lastMoveText, positionScene, startParams } from "./position.js";
import { failure } from "./notice.js";
import { playerLink } from "./people.js";
import { counted, moveCells, opponent, pieceName, playerName, splitMoves } from "./format.js";

/** Returns a scene with the cells of an explanation marked. */
export function withMarks(shown, { kind, words, cells, captured }) {
  const mark = kind === "end" || kind === "captured" ? "wall" : "note";
  const marks = cells.map((cell) => ({ cell, kind: mark, words }));
  if (captured && !cells.includes(captured)) marks.push({ cell: captured, kind: "breach", words });
  return { ...shown, marks };
}

/** What the page of a game shows at each of its positions. */
export class GameReplay {
  constructor(answer, signal) {
    this.answer = answer;
    this.signal = signal;
    this.start = null;
  }

  /** Returns the nearest position that the game has. */
  clamp({ ply, variation, step }) {
    const { plies } = this.answer;
    if (ply > plies.length) return { ply: plies.length, variation: null, step: 0 };
    const branch = variation === null ? null : plies[ply - 1]?.variations?.[variation];
    if (!branch) return { ply, variation: null, step: 0 };
    return { ply, variation, step: Math.max(1, Math.min(step, branch.moves.length)) };
  }

  record(ply) {
    return this.answer.positions?.[ply] ?? (ply === 0 ? this.answer.game.start : this.answer.plies[ply - 1]?.position);
  }

  toMove(ply) {
    if (ply > 0) return this.answer.plies[ply - 1].to_move ?? opponent(this.answer.plies[ply - 1].side);
    return this.answer.game.first ?? this.answer.plies[0]?.side ?? this.answer.board.first ?? "attackers";
  }

  /** Returns the parameters of the position after a ply, with the moves from the start. */
  pos(ply) {
    const { game, plies, board } = this.answer;
    const pos = { ...rulesOf(game), ...startParams({ start: game.start, first: this.toMove(0) }, board) };
    const moves = plies.slice(0, ply).map(({ move }) => move.split("x")[0]).join(",");
    return moves ? { ...pos, moves } : pos;
  }

  /** Returns the scene and the texts of a position. */
  async viewAt(at, geometry, before) {
    if (at.variation !== null) return this.variationView(at, geometry, before);
    const { ply } = at;
    const pieces = parsePosition(geometry, this.record(ply));
    const here = ply > 0 ? this.answer.plies[ply - 1] : null;
    const previous = ply > 0 ? parsePosition(geometry, this.record(ply - 1)) : new Map();
    const shown = scene({ pieces, last: here ? moveCells(here.move) : null,
      captured: (here?.captured ?? []).map((cell) => ({ cell, code: pieces.has(cell) ? null : previous.get(cell) ?? null })) });
    const name = here ? playerName(this.answer.game[here.side], here.side) : null;
    const words = here ? `Ply ${ply} of ${this.answer.plies.length}: ${name}${name.toLowerCase() === here.side ? "" : ` (${here.side})`} played ${moveCells(here.move).cells.join(" to ")}${
      here.captured?.length ? ` and captured ${here.captured.join(", ")}` : ""}.`
      : `Start. The ${this.toMove(0)} are to move.`;
    return { scene: shown, words, comment: here ? here.comment : this.answer.start_comment ?? null, explain: here?.explain ?? [], record: this.record(ply), pos: this.pos(ply), problem: null };
  }

  async variationView({ ply, variation, step }, geometry, before) {
    const pos = this.pos(ply - 1);
    const moves = this.answer.plies[ply - 1].variations[variation].moves.slice(0, step).flatMap(splitMoves);
    pos.moves = [pos.moves, ...moves].filter(Boolean).join(",");
    try {
      const answer = await fetchPosition(pos, this.signal);
      return { scene: positionScene(answer, before), words: `Variation: ${lastMoveText(answer)}.`, comment: null, explain: [], record: answer.position, pos, problem: null };
    } catch (error) {
      const pieces = parsePosition(geometry, this.record(ply - 1));
      return { scene: scene({ pieces }), words: "This variation is illegal.", comment: null, explain: [], record: this.record(ply - 1),
        pos: this.pos(ply - 1), problem: failure(error) };
    }
  }

  /** Returns the name of a side's player and the captured pieces of the side, as pictures with numbers. */
  losses(pieces, side, geometry) {
    this.start ??= parsePosition(geometry, this.record(0));
    const isOwn = (code) => (side === "attackers" ? code === code.toLowerCase() : code !== code.toLowerCase());
    const missing = new Map();
    for (const code of this.start.values()) if (isOwn(code)) missing.set(code, (missing.get(code) ?? 0) + 1);
    for (const code of pieces.values()) if (isOwn(code)) missing.set(code, (missing.get(code) ?? 0) - 1);
    const captured = [...missing].filter(([, count]) => count > 0);
    const label = captured.length ? `captured: ${captured.map(([code, count]) => counted(count, pieceName(code))).join(", ")}` : "no captured pieces";
    const { game } = this.answer;
    const rating = game[`${side}_rating`];
    return [el("strong", {}, (game.game ? playerLink(game[side]) : null) ?? playerName(game[side], side)), rating ? el("span", { class: "dim" }, ` ${rating}`) : null,
      game[side] ? el("span", { class: "dim" }, ` ${side}`) : null,
      el("span", { class: "lost", role: "img", "aria-label": label, title: captured.length ? label : "" },
        captured.flatMap(([code, count]) => [icon(code), count > 1 ? `×${count} ` : " "]))];
  }
}
