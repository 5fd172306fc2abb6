// The base of the explorer and the analysis page: a board to play on, and the moves so far. Both are in the address.

import { change, params } from "./address.js";
import { board as boardOf } from "./api.js";
import { Board } from "./board.js";
import { BoardInput } from "./boardinput.js";
import { chooser, completeVariant } from "./chooser.js";
import { announce, button, el, fill, onWheel, withCode } from "./dom.js";
import { MoveHistory } from "./movehistory.js";
import { failure } from "./notice.js";
import { fetchPosition, lastMoveText, moveTrail, outcomeText, positionLinks, positionParams, positionScene, rulesParams, withMove } from "./position.js";
import { pictureLinks } from "./pictures.js";
import { rulesPanel } from "./rulespanel.js";
import { joinMoves, playedMoves, splitMoves } from "./format.js";
import { pageHelp } from "./pagehelp.js";
import { rulesTitle } from "./variantname.js";

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
    // The picture of the board, which the server put into the page, stays until the board is drawn.
    this.host = el("div", { class: "boardhost" }, document.getElementById("firstboard"));
    this.board = new Board(this.host, { label });
    this.input = new BoardInput(this.board, (from, to) => this.play([`${from}-${to}`]), (from, to) => this.refuse(from, to));
    this.input.hasHistory = () => this.handlesKeys();
    this.status = el("p", { class: "status" });
    this.trail = el("div", { class: "trailhost" });
    this.links = el("div", { class: "later" });
    this.rules = rulesPanel();
    this.chooser = chooser(this.variantName(), (variant) => this.go({ variant, rules: null, position: null, side: null, moves: null }));
    this.first = button("Start", () => this.history.truncate(0), { title: "First position" });
    this.back = button("◀ Back", () => this.history.step(-1));
    this.forth = button("Forward ▶", () => this.history.step(1));
    document.addEventListener("keydown", (event) => this.handlesKeys() && this.history.key(event, this.board, outside), { signal });
    onWheel(this.host, (by) => this.handlesKeys() && this.history.step(by));
    addEventListener("popstate", () => this.history.clearFuture(), { signal });
  }

  /** Returns the buttons below the board. */
  controls(...more) {
    return el("div", { class: "controls" }, this.first, this.back, this.forth, button("Flip", () => this.board.flip()), more);
  }

  /** Returns whether keys go through the moves now. */
  handlesKeys() {
    return true;
  }

  variantName() {
    const pos = positionParams(params());
    return pos.rules ? rulesTitle(pos, new Map()) : pos.variant;
  }

  /** Returns the title of the variant. */
  variantTitle() {
    return this.layout?.title || this.variantName() || "custom rules";
  }

  /** Shows why a piece can't move to a cell, in the words of the server. */
  async refuse(from, to) {
    const pos = positionParams(params());
    const { request } = this;
    try {
      await fetchPosition({ ...pos, moves: withMove(pos, from, to) }, this.signal);
    } catch (error) {
      // The position may have changed while the server answered.
      if (error.name === "AbortError" || request !== this.request) return;
      fill(this.status, withCode(pageHelp(error.message)));
      announce(`${pageHelp(error.message)}; ${from} is put down`);
    }
  }

  /** Plays moves from the position; `options` are those of a change of the address. */
  play(line, options) {
    this.go({ moves: joinMoves([...splitMoves(params().get("moves")), ...line]) }, options);
  }

  /** Goes to another position, where undone moves can't be redone. */
  go(position, options) {
    this.history.clearFuture();
    change(position, options);
  }

  /** Shows the position of the address. */
  async follow() {
    const request = this.request += 1;
    const isOutdated = () => request !== this.request || this.signal.aborted;
    try {
      if (await completeVariant(this.signal)) this.history.clearFuture();
      if (isOutdated()) return;
      const pos = positionParams(params());
      this.chooser.set(this.variantName());
      this.prepare(pos);
      // The board is drawn even if the position is wrong, so that it can be repaired there.
      const [layout, found] = await Promise.all([boardOf(rulesParams(pos)),
        fetchPosition(pos, this.signal).then((answer) => ({ answer }), (error) => ({ error }))]);
      if (isOutdated()) return;
      this.layout = layout;
      this.board.setBoard(layout);
      this.showBoard(true);
      this.rules.set(layout);
      if (found.error) throw found.error;
      this.draw(pos, found.answer);
      this.update(pos, found.answer, request);
    } catch (error) {
      if (error.name === "AbortError" || request !== this.request) return;
      // Other rules can be chosen on the page.
      const canChoose = error.code === "unknown-variant" || error.code === "bad-rules";
      if (!this.board.geometry && !canChoose) throw error;
      this.showBoard(Boolean(this.board.geometry));
      this.report(error);
    }
  }

  /** Shows or hides the board with its buttons: unknown rules have none. */
  showBoard(isKnown) {
    this.host.closest(".left")?.classList.toggle("noboard", !isKnown);
  }

  /** Returns the notice of an error in the address. Moves that can't be played can be left out. */
  problem(error) {
    // In an outage, the moves are not the problem.
    return [failure(error, () => this.follow()), params().get("moves") && error.code !== "gone" ? el("p", {}, button("Go to the first position", () => this.go({ moves: null }))) : null];
  }

  /** Returns the drawings on the board as parameters of a picture. */
  drawings() {
    return {};
  }

  /** Adapts the page to the address before the request is sent. */
  prepare() {}

  draw(pos, answer) {
    this.answer = answer;
    const before = this.board.shown.pieces;
    this.board.show(positionScene(answer, before), { glide: true });
    this.input.moves = answer.outcome ? {} : answer.moves;
    const choice = answer.may_decline ? " They may decline to continue the chain: then the other side moves." : "";
    fill(this.status, answer.outcome ? outcomeText(answer.outcome) : `Ply ${answer.ply}: the ${answer.to_move} are to move.${choice}`);
    const words = splitMoves(pos.moves);
    fill(this.trail, moveTrail(answer.history, playedMoves(pos.moves).length, (ply) => this.history.truncate(ply)));
    fill(this.links, positionLinks(pos, answer.position, this.page), pictureLinks(pos, this.board, () => this.drawings()));
    this.first.disabled = this.back.disabled = words.length === 0;
    this.forth.disabled = this.history.future.length === 0;
    announce(lastMoveText(answer));
  }
}
