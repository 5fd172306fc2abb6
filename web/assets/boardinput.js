// Input of moves on a board: by click or tap, by dragging, and with the keyboard.

import { announce, svg } from "./dom.js";
import { piece } from "./pieces.js";
import { counted } from "./format.js";

/** Announces that a piece was put down, because it can't move to a cell. */
function announceRefusal(from, to) {
  announce(`${to} is not a legal target; ${from} is put down`);
}

/** Turns input on a board into moves. */
export class BoardInput {
  /**
   * `played` is called with the first and last cell of a move, and `refused` with those of a piece that can't move there.
   * `moves` maps each cell to the targets of its legal moves.
   */
  constructor(board, played, refused = announceRefusal) {
    this.board = board;
    this.played = played;
    this.refused = refused;
    this.moves = {};
    this.drag = null;
    /** Whether the left and right arrow go through the moves after a pointer was used on the board. */
    this.hasHistory = () => false;
    const root = board.svg;
    root.addEventListener("pointerdown", (event) => this.press(event));
    root.addEventListener("pointermove", (event) => this.dragTo(event));
    root.addEventListener("pointerup", (event) => this.drop(event));
    root.addEventListener("pointercancel", () => this.cancelDrag());
    root.addEventListener("keydown", (event) => this.key(event));
  }

  /** Selects the piece on a cell and returns whether it can move; without a cell, deselects. */
  pick(name) {
    const targets = name ? this.moves[name] ?? [] : [];
    this.board.show({ ...this.board.shown, picked: targets.length ? name : null, targets });
    return targets.length > 0;
  }

  choose(name) {
    const { picked, targets } = this.board.shown;
    if (picked && targets.includes(name)) {
      this.pick(null);
      this.played(picked, name);
      return;
    }
    if (picked === name) {
      this.pick(null);
      announce("Piece put back");
    } else if (this.pick(name)) {
      announce(`${name} picked up, ${counted(this.moves[name].length, "legal move")}`);
    } else if (picked) {
      this.refused(picked, name);
    } else if (this.board.shown.pieces.has(name)) {
      announce(`The piece on ${name} cannot move now`);
    }
  }

  press(event) {
    if (event.button !== 0) return;
    const at = this.board.pointAt(event);
    if (!at?.name) return;
    this.board.setFocus(at.name, "pointer");
    const was = this.board.shown.picked;
    if (this.board.shown.targets.includes(at.name)) return this.choose(at.name);
    if (was === at.name) return this.choose(at.name);
    if (!this.pick(at.name)) {
      if (was) this.refused(was, at.name);
      return;
    }
    this.drag = { from: at.name, id: event.pointerId, moved: false };
    this.board.svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  dragTo(event) {
    if (!this.drag) return;
    const at = this.board.pointAt(event);
    if (!at) return;
    const from = this.board.geometry.center(this.drag.from);
    if (!this.drag.moved && Math.hypot(at.x - from.x, at.y - from.y) < 0.5) return;
    if (!this.drag.moved) {
      this.drag.moved = true;
      this.drag.held = svg("g", { class: "held" }, piece(this.board.shown.pieces.get(this.drag.from)));
      this.board.layers.above.append(this.drag.held);
    }
    this.drag.held.setAttribute("transform", `translate(${at.x} ${at.y})`);
  }

  drop(event) {
    const { drag } = this;
    this.drag = null;
    if (!drag?.moved) return;
    drag.held.remove();
    const to = this.board.pointAt(event)?.name;
    const isLegal = this.board.shown.targets.includes(to);
    this.pick(null);
    if (isLegal) this.played(drag.from, to);
    else if (to && to !== drag.from) this.refused(drag.from, to);
  }

  cancelDrag() {
    this.drag?.held?.remove();
    this.drag = null;
    this.pick(null);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isStep = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (isStep && this.board.focusBy === "pointer" && this.hasHistory()) return;
    if (event.key === "Enter" || event.key === " ") {
      this.choose(this.board.focus);
    } else if (event.key === "Escape" && this.board.shown.picked) {
      this.pick(null);
      announce("Piece put back");
    } else if (!this.board.step(event.key)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
