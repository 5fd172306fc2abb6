// The position editor: a palette of pieces, and the side to move.

import { button, el, fill, labeled, select } from "./dom.js";
import { parsePosition, writePosition } from "./geometry.js";
import { icon } from "./pieces.js";
import { scene } from "./board.js";
import { pieceName } from "./format.js";

/** An editor of positions on a board; `done` gets a position record and the side to move. */
export class Setup {
  constructor(board, done) {
    this.board = board;
    this.done = done;
    this.isActive = false;
    this.tool = "t";
    this.host = el("div", { class: "setup" });
    board.svg.addEventListener("pointerdown", (event) => this.press(event), true);
    board.svg.addEventListener("keydown", (event) => this.key(event), true);
  }

  /** Starts with a position. */
  start(layout, record, side) {
    this.isActive = true;
    this.side = side;
    this.pieces = parsePosition(this.board.geometry, record);
    const start = parsePosition(this.board.geometry, layout.start);
    this.codes = [...new Set([...start.values(), ...this.pieces.values()])].sort((a, b) => (a < b ? 1 : -1));
    this.layout = layout;
    this.draw();
  }

  /** Closes the editor without a change. */
  end() {
    this.isActive = false;
    fill(this.host);
  }

  draw() {
    const tool = (code, name) => button("", () => {
      this.tool = code;
      this.draw();
    }, { class: "tool", "aria-pressed": String(this.tool === code), "aria-label": name, title: name, "data-tool": code });
    const hasTwoKings = this.codes.includes("k") && this.codes.includes("K");
    const tools = this.codes.map((code) => {
      const entry = tool(code, pieceName(code, hasTwoKings));
      entry.append(icon(code));
      return entry;
    });
    const erase = tool("", "erase");
    erase.append("erase");
    const load = (record) => {
      this.pieces = parsePosition(this.board.geometry, record);
      this.draw();
    };
    fill(this.host, el("div", { class: "palette", role: "group", "aria-label": "Pieces" }, tools, erase),
      el("p", { class: "row" }, labeled("To move", select(["attackers", "defenders"], this.side, (side) => { this.side = side; })),
        button("Empty board", () => load("")), button("First position", () => load(this.layout.start)),
        button("Use this position", () => this.done(writePosition(this.board.geometry, this.pieces), this.side), { class: "main" })),
      el("p", { class: "dim" }, "Click a cell to place the selected piece; click the same piece again to remove it."));
    this.board.show(scene({ pieces: this.pieces }));
  }

  put(cell) {
    if (!this.tool || this.pieces.get(cell) === this.tool) this.pieces.delete(cell);
    else this.pieces.set(cell, this.tool);
    this.board.show(scene({ pieces: this.pieces }));
  }

  press(event) {
    if (!this.isActive) return;
    event.stopImmediatePropagation();
    const cell = event.target instanceof Element ? event.target.closest("[data-cell]")?.dataset.cell : null;
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    this.board.setFocus(cell, "pointer");
    this.put(cell);
  }

  key(event) {
    if (!this.isActive || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.put(this.board.focus);
  }
}
