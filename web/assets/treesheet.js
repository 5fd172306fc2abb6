// The moves of a tree as nested lists, and the fields for what is written at a move.

import { button, debounce, el, labeled, put, select } from "./dom.js";
import { moveNumber } from "./format.js";

const MARKS = [["", "none"], ["!", "! good"], ["?", "? mistake"], ["!!", "!! brilliant"], ["??", "?? blunder"], ["!?", "!? interesting"], ["?!", "?! dubious"]];

/** Returns the moves of a tree; `go` is called with the moves that lead to a node. */
export function treeSheet(tree, current, go) {
  const here = current.join();
  const entry = (moves, text, label) => button(text, () => go(moves), { class: "ply", "aria-current": moves.join() === here ? "true" : null, "aria-label": label });
  const sheet = el("div", { class: "sheet tree", tabindex: 0, role: "group", "aria-label": "Moves" }, entry([], "start", "start: first position"), comment(tree.root));
  return put(sheet, line(tree.root, [], entry));
}

/** Returns the elements of the line of first children after a node, with its variations. */
function line(above, moves, entry) {
  const parts = [];
  let here = above;
  let path = moves;
  while (here.children.length) {
    const [first, ...others] = here.children;
    parts.push(...item(first, path, entry, parts.length === 0));
    for (const other of others) parts.push(variation(other, path, entry));
    path = [...path, first.move];
    here = first;
  }
  return parts;
}

function variation(first, moves, entry) {
  return el("div", { class: "variation" }, item(first, moves, entry, true), line(first, [...moves, first.move], entry));
}

function item(here, above, entry, isOpening) {
  const moves = [...above, here.move];
  const text = here.move + here.mark;
  const number = moves.length % 2 === 1 || isOpening ? el("span", { class: "movenumber" }, moveNumber(moves.length)) : null;
  // The number stays on the line of its move.
  return [el("span", { class: "numbered" }, number, entry(moves, text, `Ply ${moves.length}, ${text}`)), " ", comment(here)];
}

function comment(here) {
  return here.comment ? el("span", { class: "comment" }, here.comment, " ") : null;
}

/** The fields for the comment and the mark of a move, and the buttons that change the tree. */
export class NoteFields {
  /** `change` is called with the moves to a node and its changed fields, `promote`, `remove`, and `undo` without parameters. */
  constructor({ change, promote, remove, undo }) {
    this.moves = [];
    const write = debounce((moves, comment) => change(moves, { comment }), 400);
    this.comment = el("textarea", { rows: 2, input: () => write(this.moves, this.comment.value.trim()) });
    this.mark = select(MARKS, "", (mark) => change(this.moves, { mark }));
    this.promote = button("Make main line", promote);
    this.remove = button("Delete from here", remove);
    this.undo = button("Undo", undo);
    this.host = el("div", { class: "notes" }, labeled("Comment on the position", this.comment, { class: "field wide" }),
      el("div", { class: "controls" }, labeled("Mark of the move", this.mark), this.promote, this.remove, this.undo));
  }

  /** Shows what is written at a node. */
  show(tree, moves) {
    const here = tree.find(moves);
    const isSame = moves.join() === this.moves.join();
    this.moves = moves;
    // What the user is typing isn't replaced.
    if (!isSame || document.activeElement !== this.comment) this.comment.value = here.comment;
    this.mark.value = here.mark;
    const isStart = moves.length === 0;
    this.mark.disabled = this.remove.disabled = isStart;
    this.promote.disabled = moves.every((_, at) => tree.isFirst(moves.slice(0, at + 1)));
    this.undo.disabled = tree.past.length === 0;
  }
}
