// What the explorer and the analysis have in common: a board to play on, the moves so far, and the address that says both.

import { change, params } from "./address.js";
import { board as boardOf } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./boardinput.js";
import { chooser, completeVariant } from "./chooser.js";
import { button, el, fill, say } from "./dom.js";
import { MoveHistory } from "./movehistory.js";
import { fetchPosition, lastMoveText, moveTrail, outcomeText, positionLinks, positionParams, positionScene, rulesParams } from "./position.js";
import { rulesPanel } from "./rulespanel.js";
import { moves } from "./words.js";

/** Stands for the name of rules that have none. */
const OWN_RULES = "by a rules string";

/**
 * A page with a board whose position is in the address. A page that extends it has the methods `update`, which shows a
 * position and its answer, and `report`, which shows an error beside the board.
 */
export class PositionPage {
  /** `page` is the name that links to other pages leave out; `outside` selects elements with keys of their own. */
  constructor({ signal, page, label, outside }) {
    this.signal = signal;
    this.page = page;
    this.request = 0;
    this.history = new MoveHistory();
    this.host = el("div", { class: "boardhost" });
    this.board = new Board(this.host, { label });
    this.input = new BoardInput(this.board, (from, to) => this.play([`${from}-${to}`]));
    this.said = el("p", { class: "stand" });
    this.trail = el("div", { class: "trailhost" });
    this.links = el("div", {});
    this.rules = rulesPanel();
    this.chooser = chooser(this.variantName(), (variant) => this.go({ variant, rules: null, position: null, side: null, moves: null }));
    this.first = button("Start", () => this.history.keep(0), { title: "To the start" });
    this.back = button("◀ Back", () => this.history.step(-1));
    this.forth = button("Forward ▶", () => this.history.step(1));
    document.addEventListener("keydown", (event) => this.takesKeys() && this.history.key(event, this.board, outside), { signal });
    addEventListener("popstate", () => this.history.forget(), { signal });
  }

  /** Returns the buttons below the board. */
  controls(...more) {
    return el("div", { class: "controls" }, this.first, this.back, this.forth, button("Flip", () => this.board.flip()), more);
  }

  /** Returns whether keys move through the game now. */
  takesKeys() {
    return true;
  }

  variantName() {
    const pos = positionParams(params());
    return pos.rules ? OWN_RULES : pos.variant;
  }

  /** Plays moves from the position. */
  play(line) {
    this.go({ moves: [...moves(params().get("moves")), ...line].join(",") });
  }

  /** Goes to another position: moves that were taken back belong to the one before. */
  go(position) {
    this.history.forget();
    change(position);
  }

  /** Shows what the address says. */
  async follow() {
    const request = this.request += 1;
    const isOver = () => request !== this.request || this.signal.aborted;
    try {
      if (await completeVariant(this.signal)) this.history.forget();
      if (isOver()) return;
      const pos = positionParams(params());
      this.chooser.set(this.variantName());
      this.prepare(pos);
      // The board is drawn first: what is wrong with a position can be repaired there.
      const [drawing, found] = await Promise.all([boardOf(rulesParams(pos)),
        fetchPosition(pos, this.signal).then((answer) => ({ answer }), (error) => ({ error }))]);
      if (isOver()) return;
      this.drawing = drawing;
      this.board.setBoard(drawing);
      this.rules.set(drawing);
      if (found.error) throw found.error;
      this.draw(pos, found.answer);
      this.update(pos, found.answer, request);
    } catch (error) {
      if (error.name === "AbortError" || request !== this.request) return;
      if (!this.board.geometry) throw error;
      this.report(error);
    }
  }

  /** Adapts the page to the address before the server is asked. */
  prepare() {}

  draw(pos, answer) {
    this.answer = answer;
    const before = this.board.shown.pieces;
    this.board.show(positionScene(answer, before), { glide: true });
    this.input.moves = answer.outcome ? {} : answer.moves;
    fill(this.said, answer.outcome ? outcomeText(answer.outcome) : `Ply ${answer.ply}: the ${answer.to_move} are to move.`);
    const played = moves(pos.moves);
    fill(this.trail, moveTrail(answer.history, played.length, (ply) => this.history.keep(ply)));
    fill(this.links, positionLinks(pos, answer.position, this.page));
    this.first.disabled = this.back.disabled = played.length === 0;
    this.forth.disabled = this.history.future.length === 0;
    say(lastMoveText(answer));
  }
}
