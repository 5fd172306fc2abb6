// The history of moves: back and forward through the moves in the address.

import { isTyping } from "./dom.js";
import { change, params } from "./address.js";
import { joinMoves, splitMoves } from "./format.js";

/** The moves in the address, and those that were undone and can be redone. */
export class MoveHistory {
  constructor() {
    this.clearFuture();
  }

  /** Discards the undone moves. */
  clearFuture() {
    this.future = [];
  }

  /** Undoes all moves but the first `plies`. */
  truncate(plies) {
    const played = splitMoves(params().get("moves"));
    this.future = [...played.slice(plies), ...this.future];
    change({ moves: played.slice(0, plies).join(",") });
  }

  /** Undoes a move (-1), or redoes one (1). */
  step(by) {
    const played = splitMoves(params().get("moves"));
    if (by < 0 && played.length) this.truncate(played.length - 1);
    if (by > 0 && this.future.length) change({ moves: joinMoves([...played, this.future.shift()]) });
  }

  /** Redoes all undone moves. */
  redoAll() {
    const moves = [...splitMoves(params().get("moves")), ...this.future];
    this.clearFuture();
    change({ moves: joinMoves(moves) });
  }

  /** Handles the arrow keys, Home, End, and `f`. `outside` selects the elements that handle keys themselves; boards keep those that they handle. */
  key(event, board, outside) {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(outside)) return;
    if (event.key === "ArrowLeft") this.step(-1);
    else if (event.key === "ArrowRight") this.step(1);
    else if (event.key === "Home") this.truncate(0);
    else if (event.key === "End") this.redoAll();
    else if (event.key === "f") board.flip();
    else return;
    event.preventDefault();
  }
}
