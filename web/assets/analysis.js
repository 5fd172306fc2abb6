// The analysis page: a board to play on, the position editor, the engine, and a tree of moves with notes.

import { change, complete, params } from "./address.js";
import { button, el, fill, labeled, withCode } from "./dom.js";
import { Drawing, toggled } from "./drawing.js";
import { Engine } from "./engine.js";
import { recall, remember } from "./memory.js";
import { MoveTree, plainMove } from "./movetree.js";
import { reveal } from "./movesheet.js";
import { failure } from "./notice.js";
import { pageHelp } from "./pagehelp.js";
import { pastedPosition } from "./paste.js";
import { fetchPosition, positionParams, positionScene, rulesParams } from "./position.js";
import { PositionPage } from "./positionpage.js";
import { recordDownloads, recordHead } from "./record.js";
import { Setup } from "./setup.js";
import { studiesPanel } from "./studies.js";
import { NoteFields, treeSheet } from "./treesheet.js";
import { DECLINE, moveCells, playedMoves } from "./format.js";

/** The topic of the trees that the browser keeps by their start and their number. */
const TREES = "trees";
/** The topic of what the last visit showed: the key of its tree, and its address. */
const LAST = "analysis";

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Analysis · Taflbase";
  // Without a position in the address, as from the menu, the page continues the last visit.
  const { address } = recall(LAST);
  if (address && Object.keys(positionParams(params())).length === 0) complete(address);
  const page = new Analysis(main, signal);
  await page.follow();
  return page;
}

class Analysis extends PositionPage {
  constructor(main, signal) {
    super({ signal, page: "analysis", label: "Analysis board", outside: ".chooser" });
    this.setup = new Setup(this.board, (position, side) => this.setPosition(position, side));
    this.error = el("div", { "aria-live": "polite" });
    this.engine = new Engine({ signal, lines: Number(params().get("lines")) || 1, play: (line) => this.play(line), showArrows: (moves) => this.showArrows(moves) });
    this.tree = new MoveTree();
    this.treeKey = this.start = null;
    this.path = [];
    this.sheetHost = el("div", { class: "sheethost" });
    this.notes = new NoteFields({ change: (moves, changes) => this.changeTree(() => this.tree.annotate(moves, changes)),
      promote: () => this.changeTree(() => this.tree.promote(this.path)), remove: () => this.removeMove(), undo: () => this.undo() });
    const toggle = (name, item) => this.changeTree(() => this.tree.annotate(this.path, { [name]: toggled(this.tree.find(this.path)[name], item) }));
    this.drawing = new Drawing(this.board, { toggleCell: (cell) => toggle("cells", cell), toggleArrow: (arrow) => toggle("arrows", arrow), cancelMove: () => this.input.cancelDrag() });
    this.draws = button("Draw", () => this.toggleDrawing(), { "aria-pressed": "false", title: "Mark cells and draw arrows" });
    this.drawHelp = el("p", { class: "dim center", hidden: true }, "Tap a cell to mark it, and drag for an arrow; with the keyboard, Enter begins and ends an arrow. Draw the same again to remove it.");
    this.edit = button("Set up a position", () => this.toggleSetup(), { "aria-expanded": "false" });
    fill(main, el("h1", {}, "Analysis"), el("div", { class: "split interleaved" },
      el("div", { class: "left" }, this.host, this.controls(this.draws, this.edit, button("New analysis", () => this.clear(), { title: "Begin an empty tree; the browser keeps the trees with variations and notes" })), this.drawHelp, this.setup.host, this.status, this.sheetHost, this.notes.host, this.links),
      el("div", { class: "right" }, this.chooser.host, this.error, this.engine.draw((lines) => change({ lines: lines === 1 ? null : lines }, { replace: true })),
        this.paste(), studiesPanel({ current: () => this.record(), open: (record) => this.openRecord(record) }),
        recordDownloads(() => JSON.stringify(this.record()), signal), this.rules.host)));
  }

  handlesKeys() {
    return !this.setup.isActive;
  }

  paste() {
    const area = el("textarea", { rows: 3, spellcheck: "false", placeholder: "/3t3/3t3/…/, d1-b1 d3-b3 …, or a record" });
    const errorHost = el("div", { "aria-live": "polite" });
    const show = async () => {
      const text = area.value.trim();
      if (!text) {
        fill(errorHost, el("p", {}, "Paste a position, moves, or a record first."));
        return area.focus();
      }
      try {
        const { next, record, problem } = await pastedPosition(text, positionParams(params()), this.signal);
        fill(errorHost, problem ? el("p", { class: "warning" }, withCode(pageHelp(problem))) : null);
        if (record) this.loadTree(record, next);
        this.go(next);
      } catch (error) {
        fill(errorHost, failure(error));
      }
    };
    return el("details", {}, el("summary", {}, "Paste a position, moves, or a record"), labeled("A position record, moves from the start, or a record in any notation", area, { class: "field wide" }), el("p", {}, button("Show", show)), errorHost);
  }

  /** Turns the drawing of marks and arrows on or off. */
  toggleDrawing(isOn = !this.drawing.isActive) {
    if (isOn && this.setup.isActive) this.toggleSetup(false);
    this.drawing.setActive(isOn);
    this.draws.setAttribute("aria-pressed", String(isOn));
    this.drawHelp.hidden = !isOn;
  }

  toggleSetup(open = !this.setup.isActive) {
    this.edit.setAttribute("aria-expanded", String(open));
    this.edit.textContent = open ? "Cancel" : "Set up a position";
    if (!open) {
      this.setup.end();
      if (this.answer) this.board.show(positionScene(this.answer));
      return;
    }
    this.engine.stop();
    this.toggleDrawing(false);
    this.input.moves = {};
    this.setup.start(this.layout, this.answer?.position ?? this.layout.start, this.answer?.to_move ?? this.layout.first ?? "attackers");
  }

  async setPosition(position, side) {
    try {
      await fetchPosition({ ...rulesParams(positionParams(params())), position, side }, this.signal);
      this.toggleSetup(false);
      fill(this.error);
      this.go({ position, side, moves: null });
    } catch (error) {
      fill(this.error, failure(error));
    }
  }

  showArrows(moves) {
    const arrows = moves.map((move, at) => ({ ...moveCells(move), kind: at === 0 ? "best" : "alike" }));
    const shown = arrows.filter(({ from }) => from !== DECLINE);
    this.board.show({ ...this.board.shown, arrows: [...shown, ...this.drawnArrows()] });
  }

  drawings() {
    const { arrows = [], cells = [] } = this.tree.find(this.path) ?? {};
    return { arrows: arrows.map(({ from, to }) => `${from}-${to}`).join(","), cells: cells.join(",") };
  }

  drawnArrows() {
    return (this.tree.find(this.path)?.arrows ?? []).map((arrow) => ({ ...arrow, kind: "drawn" }));
  }

  /** Shows the cells and arrows that were drawn at the current move. */
  showDrawings() {
    const isDrawn = ({ kind }) => kind === "drawn";
    const { marks, arrows } = this.board.shown;
    const cells = (this.tree.find(this.path)?.cells ?? []).map((cell) => ({ cell, kind: "drawn", words: "marked" }));
    this.board.show({ ...this.board.shown, marks: [...marks.filter((mark) => !isDrawn(mark)), ...cells],
      arrows: [...arrows.filter((arrow) => !isDrawn(arrow)), ...this.drawnArrows()] });
  }

  /** Changes the tree, and shows and keeps it. */
  changeTree(work) {
    work();
    this.showTree();
    this.keepTree();
  }

  showTree() {
    const sheet = treeSheet(this.tree, this.path, (moves) => this.go({ moves: moves.join(",") }));
    fill(this.sheetHost, sheet);
    reveal(sheet, sheet.querySelector("[aria-current]"));
    this.notes.show(this.tree, this.path);
    this.history.future = this.tree.continuation(this.path);
    this.forth.disabled = this.history.future.length === 0;
    this.showDrawings();
  }

  /** Deletes the current move and those after it. */
  removeMove() {
    this.tree.remove(this.path);
    this.keepTree();
    this.go({ moves: this.path.slice(0, -1).join(",") });
  }

  undo() {
    const moves = this.tree.undo();
    if (!moves) return;
    this.keepTree();
    if (moves.join() === this.path.join()) this.showTree();
    else this.go({ moves: moves.join(",") });
  }

  /** Returns the record of the tree. */
  record() {
    return this.tree.toRecord(recordHead(this.layout, this.searchedPosition));
  }

  keepTree() {
    // A kept tree is also written when its last note was deleted.
    if (this.tree.hasNotes() || this.treeKey in recall(TREES)) remember(TREES, this.treeKey, this.record());
  }

  /** Takes the tree of a record, whose start is that of a position. */
  loadTree(record, { variant = null, rules = null, position = null, side = null }) {
    const pos = positionParams(params());
    const named = variant || rules ? { variant, rules } : rulesParams(pos);
    this.setTree(startOf({ ...named, position, side }), null, MoveTree.fromRecord(record));
  }

  /** Begins an empty tree at the first position. */
  clear() {
    this.setTree(this.start, null, new MoveTree());
    this.go({ moves: null });
  }

  /** Sets the tree and its key; null for a new one. */
  setTree(start, key, tree) {
    this.start = start;
    this.treeKey = key ?? JSON.stringify([...start, Date.now()]);
    this.tree = tree;
  }

  /** Takes the kept tree that has a line: that of the last visit, or the newest one. A line that none has begins its own tree. */
  findTree(start, path) {
    const kept = recall(TREES);
    const ofStart = (key) => JSON.stringify(JSON.parse(key).slice(0, start.length)) === JSON.stringify(start);
    const { key: last } = recall(LAST);
    for (const key of [last, ...Object.keys(kept).reverse()].filter((one) => one && ofStart(one))) {
      const tree = kept[key] ? MoveTree.fromRecord(kept[key]) : new MoveTree();
      if (tree.find(path)) return this.setTree(start, key, tree);
    }
    return this.setTree(start, null, new MoveTree());
  }

  /** Shows the first position of a kept record. */
  openRecord(record) {
    const start = { variant: record.variant ?? null, rules: record.rules ?? null, position: null, side: null, moves: null };
    this.loadTree(record, start);
    this.go(start);
  }

  prepare() {
    if (this.setup.isActive) this.toggleSetup(false);
  }

  report(error) {
    fill(this.error, this.problem(error));
  }

  update(pos, answer) {
    document.title = `Analysis of ${this.variantTitle()} · Taflbase`;
    fill(this.error);
    this.searchedPosition = pos;
    // The tree has no entry for a declined chain: the next move shows it.
    this.path = playedMoves(pos.moves).map(plainMove);
    const start = startOf(pos);
    if (String(start) !== String(this.start)) this.findTree(start, this.path);
    this.tree.visit(this.path);
    this.showTree();
    this.keepTree();
    remember(LAST, "key", this.treeKey);
    remember(LAST, "address", pos);
    const key = JSON.stringify(pos);
    if (key !== this.searched) this.engine.setPosition(pos, answer);
    this.searched = key;
  }
}

/** Returns what is equal for positions with the same rules and start. */
function startOf({ variant, rules, position, side }) {
  return [rules || variant || null, position || null, side || null];
}
