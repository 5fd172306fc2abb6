// Drawing a pattern: a palette, a board to paint on, and where the pattern may lie.

import { board as boardOf } from "./api.js";
import { Board, scene } from "./board.js";
import { CONTENTS, one, text, words } from "./contents.js";
import { button, check, el, fill, labeled, put, say, select } from "./dom.js";
import { icon } from "./pieces.js";
import { ANCHORS, Grid, read, write } from "./patterngrid.js";
import { read as readRecord } from "./geometry.js";

const PLAIN = ["t", "T", "K", "x", "o", "*", ".", "?"];

/** A pattern that is being drawn; `call` gets its words and rows, or null. */
export class PatternEditor {
  constructor(host, call) {
    this.call = call;
    this.painted = new Map();
    this.choices = { anchor: "anywhere", asIs: false, swapped: false };
    this.tool = "t";
    this.not = false;
    this.more = false;
    this.palette = el("div", { class: "palette", role: "group", "aria-label": "What to put into cells" });
    this.form = el("div", { class: "fields" });
    this.note = el("p", { class: "dim", role: "status" });
    this.boardHost = el("div", { class: "boardhost drawing" });
    this.board = new Board(this.boardHost, { label: "Board to draw a pattern on" });
    this.board.svg.addEventListener("pointerdown", (event) => this.press(event));
    // Fingers that scroll begin on the board, too: they paint when they are lifted where they came down.
    this.board.svg.addEventListener("click", (event) => event.pointerType === "touch" && this.touch(event));
    this.board.svg.addEventListener("pointermove", (event) => this.drag(event));
    this.board.svg.addEventListener("keydown", (event) => this.key(event));
    put(host, this.palette, this.boardHost, this.form, el("p", { class: "row" }, button("Clear", () => this.clear()), button("Flip", () => this.board.flip())), this.note);
  }

  /** Draws on the board of a variant. */
  async on(rules) {
    const drawing = await boardOf(rules);
    this.board.setBoard(drawing);
    this.grid = new Grid(this.board.geometry);
    this.start = readRecord(this.board.geometry, drawing.start);
    for (const cell of this.painted.keys()) if (!this.board.geometry.place(cell)) this.painted.delete(cell);
    this.tools();
    this.draw();
  }

  tools() {
    const own = new Set([...PLAIN, ...this.start.values()]);
    const order = CONTENTS.filter(([letter]) => own.has(letter));
    const tool = ([letter, name]) => button("", () => {
      this.tool = letter;
      this.tools();
    }, { class: "tool", "aria-pressed": String(this.tool === letter), "aria-label": name, title: `${name} (${letter})`, "data-tool": letter });
    fill(this.palette, order.map((content) => {
      const made = tool(content);
      const picture = { x: "t", o: "T" }[content[0]] ?? (/[a-z]/i.test(content[0]) ? content[0] : null);
      return put(made, picture ? icon(picture) : null, el("span", {}, { x: "any", o: "any", "*": "any piece", ".": "empty", "?": "erase" }[content[0]] ?? ""));
    }), check("not", this.not, (on) => { this.not = on; }, "Anything but this"),
    check("or", this.more, (on) => { this.more = on; }, "Add to what the cell may already have"));
    fill(this.form, labeled("Where", select(ANCHORS, this.choices.anchor, (anchor) => this.choose({ anchor }))),
      check("only as drawn, not turned or mirrored", this.choices.asIs, (asIs) => this.choose({ asIs })),
      check("also with sides swapped", this.choices.swapped, (swapped) => this.choose({ swapped })));
  }

  choose(some) {
    this.choices = { ...this.choices, ...some };
    this.tell();
  }

  clear() {
    this.painted.clear();
    this.draw();
    this.tell();
  }

  paint(cell, again = false) {
    const old = this.painted.get(cell);
    if (this.tool === "?") this.painted.delete(cell);
    else if (this.more && old && !old.letters.includes(this.tool)) this.painted.set(cell, { not: old.not, letters: [...old.letters, this.tool] });
    else if (!again && !this.more && old && text(old) === text({ not: this.not, letters: [this.tool] })) this.painted.delete(cell);
    else this.painted.set(cell, { ...one(this.tool), not: this.not });
    this.draw();
    this.tell();
    say(`${cell}: ${this.painted.has(cell) ? words(this.painted.get(cell)) : "anything"}`);
  }

  under(event) {
    return this.board.under(event)?.name ?? null;
  }

  touch(event) {
    const cell = this.under(event);
    if (cell) this.paint(cell);
  }

  press(event) {
    if (event.button !== 0 || event.pointerType === "touch") return;
    const cell = this.under(event);
    if (!cell) return;
    event.preventDefault();
    this.board.setFocus(cell, "pointer");
    this.last = cell;
    this.paint(cell);
  }

  drag(event) {
    if (event.buttons !== 1 || event.pointerType === "touch") return;
    const cell = this.under(event);
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
      this.tell();
    } else if (CONTENTS.some(([letter]) => letter === event.key)) {
      this.tool = event.key;
      this.tools();
      this.paint(this.board.focus);
    } else if (!this.board.step(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  draw() {
    const pieces = new Map();
    const labels = [];
    for (const [cell, content] of this.painted) {
      const letter = content.letters[0];
      const plain = content.letters.length === 1 && !content.not;
      const code = { x: "t", o: "T" }[letter] ?? (/[a-z]/i.test(letter) ? letter : null);
      if (content.letters.length === 1 && code) pieces.set(cell, code);
      if (!plain || !code || letter === "x" || letter === "o") {
        labels.push({ cell, text: plain ? { x: "any", o: "any", ".": "empty", "*": "any" }[letter] ?? letter : `${content.not ? "not " : ""}${content.letters.join("")}` });
      }
    }
    this.board.show(scene({ pieces, labels, marks: [...this.painted].map(([cell, content]) => ({ cell, kind: "wall", words: words(content) })) }));
  }

  tell() {
    fill(this.note);
    this.written = write(this.grid, this.painted, this.choices);
    this.call(this.written);
  }

  /** Draws a pattern that was written; returns whether that can be done. */
  show(pattern) {
    if (pattern && this.written && pattern.rows === this.written.rows && pattern.words.join(" ") === this.written.words.join(" ")) return true;
    if (!pattern && this.painted.size === 0) return true;
    const found = pattern ? read(this.grid, pattern) : { painted: new Map(), choices: this.choices };
    fill(this.note, found ? "" : "This pattern cannot be drawn on this board; the text is searched for as it stands.");
    if (!found) return false;
    this.painted = found.painted;
    this.choices = found.choices;
    this.written = pattern;
    this.tools();
    this.draw();
    return true;
  }
}
