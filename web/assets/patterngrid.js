// Where a pattern lies: from painted cells of a board to rows of a pattern, and back.

import { one, rows, text } from "./contents.js";
import { fileNumber, rankNumber } from "./geometry.js";

/** Where patterns may lie, with words. */
export const ANCHORS = [
  ["anywhere", "anywhere on the board"], ["corner", "in a corner"], ["edge", "along an edge"], ["throne", "around the throne"],
  ["king", "around the king"], ["at", "exactly here"], ["board", "the whole board"],
];

function coords(name) {
  return { file: fileNumber(name) - 1, rank: rankNumber(name) - 1 };
}

/** Returns the name of a cell of small boards: files are single letters up to z. */
function name(file, rank) {
  return `${String.fromCharCode(97 + file)}${rank + 1}`;
}

/** The cells of a board by file and rank. */
export class Grid {
  constructor(geometry) {
    this.hex = geometry.hex;
    this.cells = new Map([...geometry.places.keys()].map((cell) => [cell, coords(cell)]));
    this.size = 1 + Math.max(...[...this.cells.values()].map(({ file, rank }) => Math.max(file, rank)));
    const throne = [...geometry.marks].filter(([, marks]) => marks.includes("throne")).map(([cell]) => coords(cell));
    const middle = (this.size - 1) / 2;
    this.middle = throne.length === 1 ? throne[0] : { file: Math.floor(middle), rank: Math.floor(middle) };
    this.geometry = geometry;
  }

  has(file, rank) {
    return this.cells.has(name(file, rank));
  }
}

/** Turns painted cells so that they lie at a1, or on rank 1; hexagonal boards stay as they are. */
function turned(grid, cells, anchor, asIs) {
  if (asIs || grid.hex || (anchor !== "corner" && anchor !== "edge")) return cells;
  const last = grid.size - 1;
  const mean = (key) => cells.reduce((sum, cell) => sum + cell[key], 0) / cells.length;
  const far = { file: mean("file") > last / 2, rank: mean("rank") > last / 2 };
  const mirrored = (cell, file, rank) => ({ ...cell, file: file ? last - cell.file : cell.file, rank: rank ? last - cell.rank : cell.rank });
  if (anchor === "corner") return cells.map((cell) => mirrored(cell, far.file, far.rank));
  const away = (key, high) => Math.min(...cells.map((cell) => (high ? last - cell[key] : cell[key])));
  const sides = [["rank", false], ["rank", true], ["file", false], ["file", true]].sort((a, b) => away(...a) - away(...b));
  const [key, high] = sides[0];
  const moved = cells.map((cell) => mirrored(cell, key === "file" && high, key === "rank" && high));
  return key === "rank" ? moved : moved.map((cell) => ({ ...cell, file: cell.rank, rank: cell.file }));
}

function box(grid, cells, anchor) {
  const files = cells.map(({ file }) => file);
  const ranks = cells.map(({ rank }) => rank);
  const [left, right, low, high] = [Math.min(...files), Math.max(...files), Math.min(...ranks), Math.max(...ranks)];
  if (anchor === "corner") return [0, right, 0, high];
  if (anchor === "edge") return [left, right, 0, high];
  if (anchor === "throne" || anchor === "king") {
    const king = anchor === "king" ? cells.find(({ content }) => !content.not && content.letters.join() === "K") : null;
    const { file, rank } = king ?? grid.middle;
    const [wide, tall] = [Math.max(right - file, file - left), Math.max(high - rank, rank - low)];
    return [file - wide, file + wide, rank - tall, rank + tall];
  }
  return [left, right, low, high];
}

/** Returns the words and rows of painted cells (cell names to contents), or null where nothing is painted. */
export function write(grid, painted, { anchor, asIs, swapped }) {
  if (painted.size === 0) return null;
  const words = [asIs || anchor === "at" ? "as_is" : null, swapped ? "swapped" : null];
  if (anchor === "board") {
    const ranks = grid.geometry.rows.map((row) => row.map((cell) => text(painted.get(cell) ?? one("?"))).join(""));
    return { words: [...words, "board"].filter(Boolean), rows: ranks.join("/") };
  }
  const cells = turned(grid, [...painted].map(([cell, content]) => ({ ...coords(cell), content })), anchor, asIs);
  const [left, right, low, high] = box(grid, cells, anchor);
  const at = new Map(cells.map(({ file, rank, content }) => [`${file},${rank}`, content]));
  const ranks = [];
  for (let rank = low; rank <= high; rank += 1) {
    let row = "";
    for (let file = left; file <= right; file += 1) row += text(at.get(`${file},${rank}`) ?? one("?"));
    ranks.push(row);
  }
  const where = anchor === "anywhere" ? null : anchor === "at" ? `at ${name(left, low)}` : anchor;
  return { words: [...words, where].filter(Boolean), rows: ranks.join("/") };
}

/** Returns painted cells and choices of a pattern, or null where it cannot be drawn on this board. */
export function read(grid, pattern) {
  const found = rows(pattern.rows);
  if (!found || found.length === 0) return null;
  const said = pattern.words.map((word) => word.toLowerCase());
  const anchor = ANCHORS.map(([word]) => word).find((word) => said.includes(word)) ?? "anywhere";
  const choices = { anchor, asIs: said.includes("as_is"), swapped: said.includes("swapped") };
  const painted = new Map();
  if (anchor === "board") {
    if (found.length !== grid.geometry.rows.length) return null;
    grid.geometry.rows.forEach((row, rank) => row.forEach((cell, file) => paint(painted, cell, found[rank][file])));
    return { painted, choices };
  }
  const [wide, tall] = [Math.max(...found.map((row) => row.length)), found.length];
  const centered = { file: grid.middle.file - Math.floor((wide - 1) / 2), rank: grid.middle.rank - Math.floor((tall - 1) / 2) };
  const first = anchor === "corner" ? { file: 0, rank: 0 } : anchor === "edge" ? { ...centered, rank: 0 }
    : anchor === "at" ? coords(said[said.indexOf("at") + 1] ?? "a1") : centered;
  for (let rank = 0; rank < tall; rank += 1) {
    for (let file = 0; file < found[rank].length; file += 1) {
      const content = found[rank][file];
      if (grid.has(first.file + file, first.rank + rank)) paint(painted, name(first.file + file, first.rank + rank), content);
      else if (text(content) !== "?") return null;
    }
  }
  return { painted, choices };
}

function paint(painted, cell, content) {
  if (content && text(content) !== "?") painted.set(cell, content);
}
