// Setting up a position: pieces from a palette, the side to move.

import { button, el, fill, labeled, select } from "./dom.js";
import { read, write } from "./geometry.js";
import { icon } from "./pieces.js";
import { scene } from "./board.js";
import { piece as words } from "./words.js";

/** An editor of positions over a board; `done` gets a position record and the side to move. */
export class Setup {
  constructor(board, done) {
    this.board = board;
    this.done = done;
    this.on = false;
    this.tool = "t";
    this.host = el("div", { class: "setup" });
    board.svg.addEventListener("pointerdown", (event) => this.press(event), true);
    board.svg.addEventListener("keydown", (event) => this.key(event), true);
  }

  /** Begins with what stands on the board. */
  begin(drawing, record, side) {
    this.on = true;
    this.side = side;
    this.pieces = read(this.board.geometry, record);
    const start = read(this.board.geometry, drawing.start);
    this.codes = [...new Set([...start.values(), ...this.pieces.values()])].sort((a, b) => (a < b ? 1 : -1));
    this.drawing = drawing;
    this.draw();
  }

  /** Ends without a change. */
  end() {
    this.on = false;
    fill(this.host);
  }

  draw() {
    const tool = (code, name) => button("", () => {
      this.tool = code;
      this.draw();
    }, { class: "tool", "aria-pressed": String(this.tool === code), "aria-label": name, title: name, "data-tool": code });
    const tools = this.codes.map((code) => {
      const made = tool(code, words(code));
      made.append(icon(code));
      return made;
    });
    const erase = tool("", "take away");
    erase.append("erase");
    const take = (record) => {
      this.pieces = read(this.board.geometry, record);
      this.draw();
    };
    fill(this.host, el("div", { class: "palette", role: "group", "aria-label": "Pieces" }, tools, erase),
      el("p", { class: "row" }, labeled("To move", select(["attackers", "defenders"], this.side, (side) => { this.side = side; })),
        button("Empty board", () => take("")), button("Start", () => take(this.drawing.start)),
        button("Use this position", () => this.done(write(this.board.geometry, this.pieces), this.side), { class: "main" })),
      el("p", { class: "dim" }, "Click cells to put pieces there; click the same piece again to take it away."));
    this.board.show(scene({ pieces: this.pieces }));
  }

  put(cell) {
    if (!this.tool || this.pieces.get(cell) === this.tool) this.pieces.delete(cell);
    else this.pieces.set(cell, this.tool);
    this.board.show(scene({ pieces: this.pieces }));
  }

  press(event) {
    if (!this.on) return;
    event.stopImmediatePropagation();
    const cell = event.target instanceof Element ? event.target.closest("[data-cell]")?.dataset.cell : null;
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    this.board.setFocus(cell, "pointer");
    this.put(cell);
  }

  key(event) {
    if (!this.on || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.put(this.board.focus);
  }
}
