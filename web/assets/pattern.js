// The pattern editor: a palette, a board to paint on, and where the pattern may match.

import { board as boardOf } from "./api.js";
import { Board, scene } from "./board.js";
import { CONTENTS, single, text, words } from "./contents.js";
import { announce, button, check, el, fill, labeled, put, select } from "./dom.js";
import { icon } from "./pieces.js";
import { ANCHORS, Grid, parsePattern, writePattern } from "./patterngrid.js";
import { parsePosition } from "./geometry.js";

/** The contents in the palette of every variant; those of its own pieces are added. */
const BASIC_CONTENTS = ["t", "T", "K", "x", "o", "*", ".", "?"];

/** The options of a pattern that matches anywhere. */
const NO_OPTIONS = { anchor: "anywhere", asIs: false, swapped: false };

/** An editor of a pattern; `onChange` gets its keywords and rows, or null. */
export class PatternEditor {
  constructor(host, onChange) {
    this.onChange = onChange;
    this.painted = new Map();
    this.options = NO_OPTIONS;
    this.tool = "t";
    this.not = false;
    this.more = false;
    this.palette = el("div", { class: "palette", role: "group", "aria-label": "Contents to paint" });
    this.form = el("div", { class: "fields" });
    this.note = el("p", { class: "dim", role: "status" });
    this.boardHost = el("div", { class: "boardhost drawing" });
    this.board = new Board(this.boardHost, { label: "Board to draw a pattern on" });
    this.board.svg.addEventListener("pointerdown", (event) => this.press(event));
    // A finger on the board may scroll the page, so it paints only when it is lifted in the same cell.
    this.board.svg.addEventListener("click", (event) => event.pointerType === "touch" && this.tap(event));
    this.board.svg.addEventListener("pointermove", (event) => this.drag(event));
    this.board.svg.addEventListener("keydown", (event) => this.key(event));
    put(host, this.palette, this.boardHost, this.form, el("p", { class: "row" }, button("Clear", () => this.clear()), button("Flip", () => this.board.flip())), this.note);
  }

  /** Loads the board of a variant. */
  async setRules(rules) {
    const layout = await boardOf(rules);
    this.board.setBoard(layout);
    this.grid = new Grid(this.board.geometry);
    this.start = parsePosition(this.board.geometry, layout.start);
    for (const cell of this.painted.keys()) if (!this.board.geometry.center(cell)) this.painted.delete(cell);
    this.drawPalette();
    this.draw();
  }

  drawPalette() {
    const letters = new Set([...BASIC_CONTENTS, ...this.start.values()]);
    const contents = CONTENTS.filter(([letter]) => letters.has(letter));
    const tool = ([letter, name]) => button("", () => {
      this.tool = letter;
      this.drawPalette();
    }, { class: "tool", "aria-pressed": String(this.tool === letter), "aria-label": { ".": `empty: ${name}`, "?": `erase: ${name}` }[letter] ?? name, title: `${name} (${letter})`, "data-tool": letter });
    fill(this.palette, contents.map((content) => {
      const entry = tool(content);
      const picture = { x: "t", o: "T" }[content[0]] ?? (/[a-z]/i.test(content[0]) ? content[0] : null);
      return put(entry, picture ? icon(picture) : null, el("span", {}, { x: "any", o: "any", "*": "any piece", ".": "empty", "?": "erase" }[content[0]] ?? ""));
    }), check("not", this.not, (on) => { this.not = on; }, "Match anything but this"),
    check("or", this.more, (on) => { this.more = on; }, "Add to the contents of the cell"));
    fill(this.form, labeled("Where", select(ANCHORS, this.options.anchor, (anchor) => this.setOption({ anchor }))),
      check("only as drawn, not rotated or mirrored", this.options.asIs, (asIs) => this.setOption({ asIs })),
      check("also with the sides swapped", this.options.swapped, (swapped) => this.setOption({ swapped })));
  }

  setOption(option) {
    this.options = { ...this.options, ...option };
    this.reportChange();
  }

  clear() {
    this.painted.clear();
    this.options = NO_OPTIONS;
    this.drawPalette();
    this.draw();
    this.reportChange();
  }

  /** Paints a cell with the tool. Painting the same content again clears the cell, unless the pointer is dragged. */
  paint(cell, isDrag = false) {
    const old = this.painted.get(cell);
    if (this.tool === "?") this.painted.delete(cell);
    else if (this.more && old && !old.letters.includes(this.tool)) this.painted.set(cell, { not: old.not, letters: [...old.letters, this.tool] });
    else if (!isDrag && !this.more && old && text(old) === text({ not: this.not, letters: [this.tool] })) this.painted.delete(cell);
    else this.painted.set(cell, { ...single(this.tool), not: this.not });
    this.draw();
    this.reportChange();
    announce(`${cell}: ${this.painted.has(cell) ? words(this.painted.get(cell)) : "anything"}`);
  }

  cellAt(event) {
    return this.board.pointAt(event)?.name ?? null;
  }

  tap(event) {
    const cell = this.cellAt(event);
    if (cell) this.paint(cell);
  }

  press(event) {
    if (event.button !== 0 || event.pointerType === "touch") return;
    const cell = this.cellAt(event);
    if (!cell) return;
    event.preventDefault();
    this.board.setFocus(cell, "pointer");
    this.last = cell;
    this.paint(cell);
  }

  drag(event) {
    if (event.buttons !== 1 || event.pointerType === "touch") return;
    const cell = this.cellAt(event);
    if (!cell || cell === this.last) return;
    this.last = cell;
    this.paint(cell, true);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.paint(this.board.focus);
    else if (event.key === "Delete" || event.key === "Backspace") {
      this.painted.delete(this.board.focus);
      this.draw();
      this.reportChange();
    } else if (CONTENTS.some(([letter]) => letter === event.key)) {
      this.tool = event.key;
      this.drawPalette();
      this.paint(this.board.focus);
    } else if (!this.board.step(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  draw() {
    const pieces = new Map();
    const labels = [];
    // A whole position is clearer without a mark on every cell.
    const isPosition = this.options.anchor === "board" && [...this.painted.values()].every(({ not, letters }) => !not && letters.length === 1 && !"xo*?".includes(letters[0]));
    for (const [cell, content] of this.painted) {
      const letter = content.letters[0];
      const isSingle = content.letters.length === 1 && !content.not;
      const code = { x: "t", o: "T" }[letter] ?? (/[a-z]/i.test(letter) ? letter : null);
      if (content.letters.length === 1 && code) pieces.set(cell, code);
      if (isPosition) continue;
      if (!isSingle || !code || letter === "x" || letter === "o") {
        labels.push({ cell, text: isSingle ? { x: "any", o: "any", ".": "empty", "*": "any" }[letter] ?? letter : `${content.not ? "not " : ""}${content.letters.join("")}` });
      }
    }
    this.board.show(scene({ pieces, labels, marks: isPosition ? [] : [...this.painted].map(([cell, content]) => ({ cell, kind: "wall", words: words(content), isContent: true })) }));
  }

  reportChange() {
    fill(this.note);
    this.written = writePattern(this.grid, this.painted, this.options);
    this.onChange(this.written);
  }

  /** Shows a pattern of a query; returns whether it can be drawn. */
  show(pattern) {
    if (pattern && this.written && pattern.rows === this.written.rows && pattern.words.join(" ") === this.written.words.join(" ")) return true;
    if (!pattern && this.painted.size === 0) return true;
    const found = pattern ? parsePattern(this.grid, pattern) : { painted: new Map(), options: this.options };
    fill(this.note, found ? "" : "The pattern of the query cannot be drawn on this board. The search uses it as it is written.");
    if (!found) return false;
    this.painted = found.painted;
    this.options = found.options;
    this.written = pattern;
    this.drawPalette();
    this.draw();
    return true;
  }
}
