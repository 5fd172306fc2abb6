// Going back and forth in the moves of the address.

import { writing } from "./dom.js";
import { change, params } from "./address.js";
import { moves } from "./words.js";

/** The moves of the address, and those that were taken back and can be played again. */
export class MoveHistory {
  constructor() {
    this.forget();
  }

  /** Forgets the moves that were taken back: others are played now. */
  forget() {
    this.future = [];
  }

  /** Takes back all moves but the first ones. */
  keep(plies) {
    const played = moves(params().get("moves"));
    this.future = [...played.slice(plies), ...this.future];
    change({ moves: played.slice(0, plies).join(",") });
  }

  /** Takes one move back, or plays one again. */
  step(by) {
    const played = moves(params().get("moves"));
    if (by < 0 && played.length) this.keep(played.length - 1);
    if (by > 0 && this.future.length) change({ moves: [...played, this.future.shift()].join(",") });
  }

  /** Walks with the arrow keys and flips the board with f; keys mean something else in what `outside` selects. */
  key(event, board, outside) {
    if (writing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(outside)) return;
    if (event.key === "ArrowLeft") this.step(-1);
    else if (event.key === "ArrowRight") this.step(1);
    else if (event.key === "f") board.flip();
    else return;
    event.preventDefault();
  }
}
