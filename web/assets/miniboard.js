// Small boards for lists of positions and games.

import { el } from "./dom.js";
import { board as boardOf } from "./api.js";
import { Board, scene } from "./board.js";
import { read } from "./geometry.js";
import { ends } from "./words.js";

/** Returns a small board of a position record; `marks` are cells that a question found. */
export function miniBoard(rules, record, { move = null, marks = [], label = "Board" } = {}) {
  const host = el("div", { class: "smallhost" });
  draw(host, rules, record, { move, marks, label });
  return host;
}

async function draw(host, rules, record, { move, marks, label }) {
  try {
    const drawing = await boardOf(rules);
    const board = new Board(host, { small: true, label });
    board.setBoard(drawing);
    board.show(scene({ pieces: read(board.geometry, record ?? drawing.start), last: move ? ends(move) : null,
      marks: marks.map((cell) => ({ cell, kind: "wall" })) }));
  } catch {
    host.append(el("p", { class: "dim" }, "No board"));
  }
}
