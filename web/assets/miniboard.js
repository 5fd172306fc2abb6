// Small boards for lists of positions and games.

import { el } from "./dom.js";
import { board as boardOf } from "./api.js";
import { Board, scene } from "./board.js";
import { parsePosition } from "./geometry.js";
import { moveCells } from "./format.js";

/** Returns a small board of a position record; `marks` are the cells that a query matched. */
export function miniBoard(rules, record, { move = null, marks = [], label = "Board" } = {}) {
  const host = el("div", { class: "smallhost" });
  draw(host, rules, record, { move, marks, label });
  return host;
}

async function draw(host, rules, record, { move, marks, label }) {
  try {
    const layout = await boardOf(rules);
    const board = new Board(host, { small: true, label });
    board.setBoard(layout);
    // Marks on all cells would say nothing.
    const relevant = marks.length < board.geometry.centers.size ? marks : [];
    board.show(scene({ pieces: parsePosition(board.geometry, record ?? layout.start), last: move ? moveCells(move) : null,
      marks: relevant.map((cell) => ({ cell, kind: "wall" })) }));
  } catch {
    host.append(el("p", { class: "dim" }, "No board available"));
  }
}
