// A tree of moves with comments, marks, and drawings, and its record in Taflbase's JSON lines.

const MARKS = /[!?]+$/;
const CELLS = /\[%csl ([^\]]*)\]\s*/g;
const ARROWS = /\[%cal ([^\]]*)\]\s*/g;
const MAX_UNDO = 100;

function node(move) {
  return { move, children: [], comment: "", mark: "", cells: [], arrows: [], last: null };
}

/** Returns a move without captures and marks, as in addresses. */
export function plainMove(text) {
  return text.replace(MARKS, "").split("x")[0];
}

/** The moves from a position: a main line, which consists of first children, and variations. */
export class MoveTree {
  constructor() {
    this.root = node(null);
    this.past = [];
  }

  /** Returns the node after moves, or null. */
  find(moves) {
    let here = this.root;
    for (const move of moves) {
      here = here.children.find((child) => child.move === move);
      if (!here) return null;
    }
    return here;
  }

  /** Returns the node after moves, and adds those that are missing. */
  visit(moves) {
    let here = this.root;
    moves.forEach((move, at) => {
      const found = here.children.find((child) => child.move === move);
      if (!found) {
        this.save(moves.slice(0, at));
        here.children.push(node(move));
      }
      here.last = move;
      here = found ?? here.children[here.children.length - 1];
    });
    return here;
  }

  /** Returns the moves that follow a node: those that were visited last, otherwise the main line. */
  continuation(moves) {
    const found = [];
    let here = this.find(moves);
    while (here?.children.length) {
      here = here.children.find(({ move }) => move === here.last) ?? here.children[0];
      found.push(here.move);
    }
    return found;
  }

  /** Returns whether the move of a node is the first one at its place. */
  isFirst(moves) {
    return this.find(moves.slice(0, -1))?.children[0]?.move === moves[moves.length - 1];
  }

  /** Makes every move of a line the first one at its place. */
  promote(moves) {
    this.save(moves);
    let here = this.root;
    for (const move of moves) {
      const at = here.children.findIndex((child) => child.move === move);
      here.children.unshift(...here.children.splice(at, 1));
      here = here.children[0];
    }
  }

  /** Removes a node with all moves after it. */
  remove(moves) {
    this.save(moves);
    const above = this.find(moves.slice(0, -1));
    above.children = above.children.filter(({ move }) => move !== moves[moves.length - 1]);
    above.last = null;
  }

  /** Changes what is written at a node. */
  annotate(moves, changes) {
    const here = this.find(moves);
    if (!here) return;
    this.save(moves);
    Object.assign(here, changes);
  }

  /** Stores the state before a change at a node. */
  save(moves) {
    this.past.push({ root: JSON.stringify(this.root), moves });
    this.past.splice(0, this.past.length - MAX_UNDO);
  }

  /** Undoes the last change, and returns the moves to the node that it concerned; null if there is none. */
  undo() {
    const before = this.past.pop();
    if (!before) return null;
    this.root = JSON.parse(before.root);
    return before.moves;
  }

  /** Returns whether the tree has more than the moves of one line. */
  hasNotes() {
    const check = (here) => here.children.length > 1 || here.comment || here.mark || here.cells.length || here.arrows.length || here.children.some(check);
    return Boolean(check(this.root));
  }

  /** Returns the record: `head` has the fields for rules, start, and tags. */
  toRecord(head) {
    const record = { taflbase: 1, ...head, lines: [], comments: [] };
    writeLine(record, this.root, this.root.children[0], 0, {});
    if (record.lines.length === 0) record.lines.push({ moves: "" });
    const start = noteText(this.root);
    if (start) record.comments.unshift({ line: 0, after: 0, text: start });
    return record;
  }

  /** Returns the tree of a record. */
  static fromRecord({ lines = [], comments = [] }) {
    const tree = new MoveTree();
    const written = [];
    for (const { parent, at, moves } of lines) {
      let here = parent === undefined ? tree.root : written[parent]?.[at] ?? tree.root;
      const nodes = [here];
      for (const text of (moves ?? "").split(" ").filter(Boolean)) {
        const move = plainMove(text);
        let next = here.children.find((child) => child.move === move);
        if (!next) here.children.push(next = node(move));
        next.mark ||= MARKS.exec(text)?.[0] ?? "";
        nodes.push(here = next);
      }
      written.push(nodes);
    }
    for (const { line, after, text } of comments) {
      const here = written[line]?.[after];
      if (here) readNote(here, text);
    }
    return tree;
  }
}

/** Writes the line that begins with a child of a node, and the variations of its moves. */
function writeLine(record, above, first, ply, branch) {
  if (!first) return;
  const line = record.lines.length;
  const path = [];
  for (let here = first; here; here = here.children[0]) path.push(here);
  record.lines.push({ ...branch, moves: path.map(({ move, mark }) => move + mark).join(" ") });
  path.forEach((here, at) => {
    const text = noteText(here);
    if (text) record.comments.push({ line, after: at + 1, text });
  });
  path.forEach((here, at) => {
    const siblings = (at === 0 ? above : path[at - 1]).children;
    // The first move of a variation has the siblings of the line above, which writes them.
    if (at === 0 && branch.parent !== undefined) return;
    siblings.slice(1).forEach((sibling, index) => writeLine(record, at === 0 ? above : path[at - 1], sibling, ply + at,
      { parent: line, at, number: index + 1, ...((ply + at) % 2 === 1 ? { opens_with_second: true } : {}) }));
  });
}

/** Returns the comment of a node with its drawings, in the commands that PGN programs share. */
function noteText({ comment, cells, arrows }) {
  const parts = [];
  if (cells.length) parts.push(`[%csl ${cells.map((cell) => `G${cell}`).join(",")}]`);
  if (arrows.length) parts.push(`[%cal ${arrows.map(({ from, to }) => `G${from}${to}`).join(",")}]`);
  if (comment) parts.push(comment);
  return parts.join(" ");
}

function readNote(here, text) {
  for (const [, list] of text.matchAll(CELLS)) here.cells.push(...[...list.matchAll(/[A-Z]([a-z]+\d+)/g)].map(([, cell]) => cell));
  for (const [, list] of text.matchAll(ARROWS)) {
    here.arrows.push(...[...list.matchAll(/[A-Z]([a-z]+\d+)([a-z]+\d+)/g)].map(([, from, to]) => ({ from, to })));
  }
  const comment = text.replace(CELLS, "").replace(ARROWS, "").trim();
  here.comment = [here.comment, comment].filter(Boolean).join(" ");
}
