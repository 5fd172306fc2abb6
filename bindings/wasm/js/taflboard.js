// <tafl-board>: a position, and moves on it by the rules.

import { request } from "./taflbase.js";
import { TaflElement } from "./element.js";
import { Board } from "../../../web/assets/board.js";
import { BoardInput } from "../../../web/assets/boardinput.js";
import { button, el, fill, withCode } from "../../../web/assets/dom.js";
import { splitMoves } from "../../../web/assets/format.js";
import { lastMoveText, positionScene } from "../../../web/assets/position.js";

/** A board. With the attribute `playable`, the pieces can be moved by mouse, touch, and keyboard. */
export class TaflBoard extends TaflElement {
  static observedAttributes = ["variant", "position", "side", "moves", "playable", "theme"];

  /** Returns the moves that were played, those of the attribute included. */
  get moves() {
    return [...(this.played ?? [])];
  }

  async draw(isCurrent) {
    const rules = { variant: this.getAttribute("variant") };
    const layout = await request("board", rules);
    if (!isCurrent()) return;
    this.position = { ...rules, position: this.getAttribute("position"), side: this.getAttribute("side") };
    this.played = splitMoves(this.getAttribute("moves"));
    this.pieces = new Map();
    const host = el("div", { class: "boardhost" });
    this.status = el("p", { class: "status", "aria-live": "polite" });
    this.explanations = el("div", { class: "explains" });
    const isPlayable = this.hasAttribute("playable");
    const controls = el("div", { class: "controls" },
      button("Take back", () => this.takeBack(), { class: "back" }), button("Flip", () => this.board.flip(), { title: "Rotate the board by 180°" }));
    fill(this.content, host, this.status, this.explanations, isPlayable ? controls : null);
    this.board = new Board(host, { label: `Board, ${layout.title}` });
    this.board.setBoard(layout);
    this.input = isPlayable ? new BoardInput(this.board, (from, to) => this.play(`${from}-${to}`)) : null;
    await this.update();
  }

  /** Plays a move, such as `d1-d3`. An illegal one is rejected with the reason. */
  async play(move) {
    // Rules about repetition and about turns of several captures depend on earlier moves.
    const after = await request("move", { ...this.position, moves: this.played.join(" "), move, explain: true });
    if (!after.legal) {
      fill(this.explanations, el("p", { class: "illegal", role: "alert" }, withCode(after.why)));
      return false;
    }
    this.played.push(move);
    await this.update(after.outcome);
    fill(this.explanations, after.explanation?.map((sentence) => el("p", {}, withCode(sentence))) ?? []);
    this.emit("tafl-move", { move, captured: after.captured, position: this.answer.position, outcome: this.answer.outcome });
    return true;
  }

  /** Takes the last move back. */
  async takeBack() {
    this.played.pop();
    fill(this.explanations);
    await this.update();
  }

  /** Returns the end of the game by the last move, also by repetition; null if it continues. */
  async endByLastMove() {
    if (this.played.length === 0) return null;
    const [moves, move] = [this.played.slice(0, -1).join(" "), this.played.at(-1)];
    return (await request("move", { ...this.position, moves, move })).outcome;
  }

  /** Shows the position after the moves. `outcome` is the end of the game by the last move, null if it continues; if it is not given, it is determined. */
  async update(outcome) {
    this.answer = await request("position", { ...this.position, moves: this.played.join(" ") });
    // In this answer, repetitions don't end the game, because records can continue after them.
    this.answer.outcome ??= outcome === undefined ? await this.endByLastMove() : outcome;
    const shown = positionScene(this.answer, this.pieces);
    this.pieces = shown.pieces;
    this.board.show(shown, { glide: true });
    if (this.input) this.input.moves = this.answer.outcome ? {} : this.answer.moves;
    fill(this.status, lastMoveText(this.answer));
  }
}
