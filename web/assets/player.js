// The moments of a game: plies from the answer, variations asked of the server.

import { rulesOf } from "./api.js";
import { icon } from "./pieces.js";
import { el } from "./dom.js";
import { scene } from "./board.js";
import { read } from "./geometry.js";
import { fetchPosition, lastMoveText, positionScene } from "./position.js";
import { failure } from "./notice.js";
import { ends, moves, other, piece, player } from "./words.js";

/** Returns a scene with the cells of an explanation marked. */
export function marked(shown, { kind, words, cells, captured }) {
  const mark = kind === "end" || kind === "captured" ? "wall" : "note";
  const marks = cells.map((cell) => ({ cell, kind: mark, words }));
  if (captured && !cells.includes(captured)) marks.push({ cell: captured, kind: "breach", words });
  return { ...shown, marks };
}

/** What is to be seen at each place of a game. */
export class Player {
  constructor(answer, signal) {
    this.answer = answer;
    this.signal = signal;
    this.start = null;
  }

  /** Returns the place itself, or the nearest one that the game has. */
  sound({ ply, variation, step }) {
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
    if (ply > 0) return this.answer.plies[ply - 1].to_move ?? other(this.answer.plies[ply - 1].side);
    return this.answer.game.first ?? this.answer.plies[0]?.side ?? this.answer.board.first ?? "attackers";
  }

  /** Returns the parameters of the position after a ply: moves from the start, so that the way is seen. */
  pos(ply) {
    const { game, plies, board } = this.answer;
    const pos = { ...rulesOf(game) };
    if (game.start && game.start !== board.start) {
      pos.position = game.start;
      pos.side = this.toMove(0);
    }
    const way = plies.slice(0, ply).map(({ move }) => move.split("x")[0]).join(",");
    return way ? { ...pos, moves: way } : pos;
  }

  /** Returns what is to be seen and said at a place. */
  async moment(at, geometry, before) {
    if (at.variation !== null) return this.branch(at, geometry, before);
    const { ply } = at;
    const pieces = read(geometry, this.record(ply));
    const here = ply > 0 ? this.answer.plies[ply - 1] : null;
    const fell = ply > 0 ? read(geometry, this.record(ply - 1)) : new Map();
    const shown = scene({ pieces, last: here ? ends(here.move) : null,
      captured: (here?.captured ?? []).map((cell) => ({ cell, code: pieces.has(cell) ? null : fell.get(cell) ?? null })) });
    const name = here ? player(this.answer.game[here.side], here.side) : null;
    const words = here ? `Ply ${ply} of ${this.answer.plies.length}: ${name}${name.toLowerCase() === here.side ? "" : ` (${here.side})`} played ${ends(here.move).cells.join(" to ")}${
      here.captured?.length ? ` and captured ${here.captured.join(", ")}` : ""}.`
      : `The start. The ${this.toMove(0)} are to move.`;
    return { scene: shown, words, comment: here ? here.comment : this.answer.start_comment ?? null, explain: here?.explain ?? [], record: this.record(ply), pos: this.pos(ply), problem: null };
  }

  async branch({ ply, variation, step }, geometry, before) {
    const pos = this.pos(ply - 1);
    const way = this.answer.plies[ply - 1].variations[variation].moves.slice(0, step).flatMap(moves);
    pos.moves = [pos.moves, ...way].filter(Boolean).join(",");
    try {
      const answer = await fetchPosition(pos, this.signal);
      return { scene: positionScene(answer, before), words: `Variation: ${lastMoveText(answer)}.`, comment: null, explain: [], record: answer.position, pos, problem: null };
    } catch (error) {
      const pieces = read(geometry, this.record(ply - 1));
      return { scene: scene({ pieces }), words: "This variation cannot be played.", comment: null, explain: [], record: this.record(ply - 1),
        pos: this.pos(ply - 1), problem: failure(error) };
    }
  }

  /** Returns the pieces that a side has lost, as pictures with a number. */
  lost(pieces, side, geometry) {
    this.start ??= read(geometry, this.record(0));
    const own = (code) => (side === "attackers" ? code === code.toLowerCase() : code !== code.toLowerCase());
    const left = new Map();
    for (const code of this.start.values()) if (own(code)) left.set(code, (left.get(code) ?? 0) + 1);
    for (const code of pieces.values()) if (own(code)) left.set(code, (left.get(code) ?? 0) - 1);
    const fallen = [...left].filter(([, count]) => count > 0);
    const words = fallen.map(([code, count]) => `${count} ${piece(code)}${count > 1 ? "s" : ""}`).join(", ");
    const { game } = this.answer;
    const rating = game[`${side}_rating`];
    return [el("strong", {}, player(game[side], side)), rating ? el("span", { class: "dim" }, ` ${rating}`) : null,
      game[side] ? el("span", { class: "dim" }, ` ${side}`) : null,
      el("span", { class: "lost", role: "img", "aria-label": fallen.length ? `lost: ${words}` : "lost nothing", title: fallen.length ? `lost: ${words}` : "" },
        fallen.flatMap(([code, count]) => [icon(code), count > 1 ? `×${count} ` : " "]))];
  }
}
