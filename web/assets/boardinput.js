// Moving pieces: by click or tap, by dragging, and with the keyboard.

import { say, svg } from "./dom.js";
import { piece } from "./pieces.js";

/** Lets somebody play on a board. */
export class BoardInput {
  /** `played` is called with the cells of a move. Set `moves` to what is legal: cells to lists of cells. */
  constructor(board, played) {
    this.board = board;
    this.played = played;
    this.moves = {};
    this.drag = null;
    const root = board.svg;
    root.addEventListener("pointerdown", (event) => this.press(event));
    root.addEventListener("pointermove", (event) => this.pull(event));
    root.addEventListener("pointerup", (event) => this.drop(event));
    root.addEventListener("pointercancel", () => this.letGo());
    root.addEventListener("keydown", (event) => this.key(event));
  }

  /** Picks up the piece of a cell, or puts down what is held. */
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
      say("Put down");
    } else if (this.pick(name)) {
      say(`${name} picked up, ${this.moves[name].length} cells to go to`);
    } else if (this.board.shown.pieces.has(name)) {
      say(`${name} cannot be moved now`);
    }
  }

  press(event) {
    if (event.button !== 0) return;
    const at = this.board.under(event);
    if (!at?.name) return;
    this.board.setFocus(at.name, "pointer");
    const was = this.board.shown.picked;
    if (this.board.shown.targets.includes(at.name)) return this.choose(at.name);
    if (was === at.name) return this.choose(at.name);
    if (!this.pick(at.name)) return;
    this.drag = { from: at.name, id: event.pointerId, moved: false };
    this.board.svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  pull(event) {
    if (!this.drag) return;
    const at = this.board.under(event);
    if (!at) return;
    const from = this.board.geometry.place(this.drag.from);
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
    const to = this.board.under(event)?.name;
    const fits = this.board.shown.targets.includes(to);
    this.pick(null);
    if (fits) this.played(drag.from, to);
  }

  letGo() {
    this.drag?.held?.remove();
    this.drag = null;
    this.pick(null);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      this.choose(this.board.focus);
    } else if (event.key === "Escape" && this.board.shown.picked) {
      this.pick(null);
      say("Put down");
    } else if (!this.board.step(event.key)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
