// Conversion between painted cells of a board and the rows of a pattern.

import { parseRows, single, text } from "./contents.js";
import { fileNumber, rankNumber } from "./geometry.js";

/** The anchors of patterns: the keyword, and the label. */
export const ANCHORS = [
  ["anywhere", "anywhere on the board"], ["corner", "in a corner"], ["edge", "along an edge"], ["throne", "around the throne"],
  ["king", "around the king"], ["at", "exactly here"], ["board", "the whole board"],
];

function coords(name) {
  return { file: fileNumber(name) - 1, rank: rankNumber(name) - 1 };
}

/** Returns the name of a cell. Boards of patterns have at most 26 files. */
function cellName(file, rank) {
  return `${String.fromCharCode(97 + file)}${rank + 1}`;
}

/** The cells of a board by file and rank. */
export class Grid {
  constructor(geometry) {
    this.hex = geometry.hex;
    this.cells = new Map([...geometry.centers.keys()].map((cell) => [cell, coords(cell)]));
    this.size = 1 + Math.max(...[...this.cells.values()].map(({ file, rank }) => Math.max(file, rank)));
    const throne = [...geometry.marks].filter(([, marks]) => marks.includes("throne")).map(([cell]) => coords(cell));
    const middle = (this.size - 1) / 2;
    this.middle = throne.length === 1 ? throne[0] : { file: Math.floor(middle), rank: Math.floor(middle) };
    this.geometry = geometry;
  }

  has(file, rank) {
    return this.cells.has(cellName(file, rank));
  }
}

/** Rotates or mirrors painted cells to the corner a1 or the edge of rank 1. Hexagonal boards stay as they are. */
function normalized(grid, cells, anchor, asIs) {
  if (asIs || grid.hex || (anchor !== "corner" && anchor !== "edge")) return cells;
  const last = grid.size - 1;
  const mean = (key) => cells.reduce((sum, cell) => sum + cell[key], 0) / cells.length;
  const far = { file: mean("file") > last / 2, rank: mean("rank") > last / 2 };
  const mirrored = (cell, file, rank) => ({ ...cell, file: file ? last - cell.file : cell.file, rank: rank ? last - cell.rank : cell.rank });
  if (anchor === "corner") return cells.map((cell) => mirrored(cell, far.file, far.rank));
  const distance = (key, high) => Math.min(...cells.map((cell) => (high ? last - cell[key] : cell[key])));
  const sides = [["rank", false], ["rank", true], ["file", false], ["file", true]].sort((a, b) => distance(...a) - distance(...b));
  const [key, high] = sides[0];
  const moved = cells.map((cell) => mirrored(cell, key === "file" && high, key === "rank" && high));
  return key === "rank" ? moved : moved.map((cell) => ({ ...cell, file: cell.rank, rank: cell.file }));
}

/** Returns the rectangle of a pattern: first and last file, first and last rank. */
function boundingBox(grid, cells, anchor) {
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

/** Returns the keywords and rows of painted cells (a map from names to contents), or null if nothing is painted. */
export function writePattern(grid, painted, { anchor, asIs, swapped }) {
  if (painted.size === 0) return null;
  const words = [asIs || anchor === "at" ? "as_is" : null, swapped ? "swapped" : null];
  if (anchor === "board") {
    const ranks = grid.geometry.rows.map((row) => row.map((cell) => text(painted.get(cell) ?? single("?"))).join(""));
    return { words: [...words, "board"].filter(Boolean), rows: ranks.join("/") };
  }
  const cells = normalized(grid, [...painted].map(([cell, content]) => ({ ...coords(cell), content })), anchor, asIs);
  const [left, right, low, high] = boundingBox(grid, cells, anchor);
  const at = new Map(cells.map(({ file, rank, content }) => [`${file},${rank}`, content]));
  const ranks = [];
  for (let rank = low; rank <= high; rank += 1) {
    let row = "";
    for (let file = left; file <= right; file += 1) row += text(at.get(`${file},${rank}`) ?? single("?"));
    ranks.push(row);
  }
  const where = anchor === "anywhere" ? null : anchor === "at" ? `at ${cellName(left, low)}` : anchor;
  return { words: [...words, where].filter(Boolean), rows: ranks.join("/") };
}

/** Returns the painted cells and the options of a pattern, or null if it cannot be drawn on this board. */
export function parsePattern(grid, pattern) {
  const rows = parseRows(pattern.rows);
  if (!rows || rows.length === 0) return null;
  const keywords = pattern.words.map((word) => word.toLowerCase());
  const anchor = ANCHORS.map(([keyword]) => keyword).find((keyword) => keywords.includes(keyword)) ?? "anywhere";
  const options = { anchor, asIs: keywords.includes("as_is"), swapped: keywords.includes("swapped") };
  const painted = new Map();
  if (anchor === "board") {
    if (rows.length !== grid.geometry.rows.length) return null;
    grid.geometry.rows.forEach((row, rank) => row.forEach((cell, file) => paint(painted, cell, rows[rank][file])));
    return { painted, options };
  }
  const [wide, tall] = [Math.max(...rows.map((row) => row.length)), rows.length];
  const centered = { file: grid.middle.file - Math.floor((wide - 1) / 2), rank: grid.middle.rank - Math.floor((tall - 1) / 2) };
  const first = anchor === "corner" ? { file: 0, rank: 0 } : anchor === "edge" ? { ...centered, rank: 0 }
    : anchor === "at" ? coords(keywords[keywords.indexOf("at") + 1] ?? "a1") : centered;
  for (let rank = 0; rank < tall; rank += 1) {
    for (let file = 0; file < rows[rank].length; file += 1) {
      const content = rows[rank][file];
      if (grid.has(first.file + file, first.rank + rank)) paint(painted, cellName(first.file + file, first.rank + rank), content);
      else if (text(content) !== "?") return null;
    }
  }
  return { painted, options };
}

function paint(painted, cell, content) {
  if (content && text(content) !== "?") painted.set(cell, content);
}
