// Drawings on a board: marked cells and arrows. The right button of a mouse always draws; in the drawing mode, so do other
// pointers and the keyboard. A long press of a finger marks a cell.

import { announce } from "./dom.js";

/** The duration of a long press, in milliseconds: the usual time after which a context menu opens. */
const LONG_PRESS = 500;
/** The movement that ends a long press, in cells. */
const MAX_MOVEMENT = 0.5;

/** Turns input on a board into drawings. */
export class Drawing {
  /** `toggleCell` is called with a cell, `toggleArrow` with an arrow, and `cancelMove` when a press is a drawing. */
  constructor(board, { toggleCell, toggleArrow, cancelMove }) {
    Object.assign(this, { board, toggleCell, toggleArrow, cancelMove });
    this.isActive = false;
    /** The cell where the drawing begins: of a pointer, and of the keyboard. */
    this.pressed = null;
    this.picked = null;
    this.timer = 0;
    const root = board.svg;
    root.addEventListener("contextmenu", (event) => event.preventDefault());
    // Captured, so that drawings are handled before moves.
    root.addEventListener("pointerdown", (event) => this.press(event), true);
    root.addEventListener("pointermove", (event) => this.movePointer(event), true);
    root.addEventListener("pointerup", (event) => this.release(event), true);
    root.addEventListener("pointercancel", () => this.cancel(), true);
    root.addEventListener("keydown", (event) => this.key(event), true);
  }

  /** Turns the drawing mode on or off. */
  setActive(isActive) {
    this.isActive = isActive;
    this.cancel();
    this.pick(null);
    if (isActive) this.cancelMove();
    // A finger must draw instead of scrolling the page.
    this.board.svg.classList.toggle("drawable", isActive);
  }

  press(event) {
    this.cancel();
    const at = this.board.pointAt(event);
    if (!at?.name) return;
    const draws = event.button === 2 || (this.isActive && event.button === 0);
    if (!draws && event.pointerType !== "touch") return;
    this.pressed = { ...at, draws };
    if (draws) event.stopPropagation();
    else this.timer = setTimeout(() => this.pressLong(), LONG_PRESS);
  }

  pressLong() {
    const cell = this.pressed?.name;
    this.cancel();
    if (!cell) return;
    this.cancelMove();
    this.toggleCell(cell);
  }

  movePointer(event) {
    if (!this.pressed || this.pressed.draws) return;
    const at = this.board.pointAt(event);
    if (!at || Math.hypot(at.x - this.pressed.x, at.y - this.pressed.y) > MAX_MOVEMENT) this.cancel();
  }

  release(event) {
    const { pressed } = this;
    this.cancel();
    if (!pressed?.draws) return;
    event.stopPropagation();
    const to = this.board.pointAt(event)?.name;
    if (to) this.draw(pressed.name, to);
  }

  cancel() {
    clearTimeout(this.timer);
    this.pressed = null;
  }

  /** Marks the cell where the keyboard begins an arrow. */
  pick(cell) {
    if (!cell && !this.picked) return;
    this.picked = cell;
    this.board.show({ ...this.board.shown, picked: cell });
  }

  draw(from, to) {
    if (from === to) this.toggleCell(from);
    else this.toggleArrow({ from, to });
  }

  key(event) {
    if (!this.isActive || event.ctrlKey || event.metaKey || event.altKey) return;
    const { picked, board } = this;
    if (event.key === "Escape" && picked) this.pick(null);
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (picked) {
      this.pick(null);
      this.draw(picked, board.focus);
    } else {
      this.pick(board.focus);
      announce(`An arrow begins on ${board.focus}. Press Enter on another cell to end it, or here to mark the cell.`);
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Returns a list with an item, or without it if it is there. */
export function toggled(list, item) {
  const text = JSON.stringify(item);
  const others = list.filter((one) => JSON.stringify(one) !== text);
  return others.length === list.length ? [...list, item] : others;
}
