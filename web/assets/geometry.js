// The geometry of a board: the centers of its cells, rotated as the user chose.

/** The geometry of a rotated board. The unit is the width of a cell. */
export class Geometry {
  /** Creates the geometry of an answer of `/api/board`, rotated by `turns` steps of 90°, or 60° for hexagonal boards. */
  constructor(board, turns = 0) {
    this.board = board;
    this.hex = board.shape.kind === "hex";
    this.steps = this.hex ? 6 : 4;
    this.turns = ((turns % this.steps) + this.steps) % this.steps;
    this.centers = new Map();
    this.marks = new Map();
    const middle = { x: board.width / 2, y: board.height / 2 };
    const angle = (2 * Math.PI * this.turns) / this.steps;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    for (const { name, x, y, marks } of board.cells) {
      const [dx, dy] = [x - middle.x, y - middle.y];
      this.centers.set(name, { x: middle.x + dx * cos - dy * sin, y: middle.y + dx * sin + dy * cos });
      this.marks.set(name, marks ?? []);
    }
    this.polygon = board.polygon ?? [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    this.rows = rows(board.cells.map((cell) => cell.name));
  }

  /** Returns the center of a cell, or null if the board has no such cell. */
  center(name) {
    return this.centers.get(name) ?? null;
  }

  /** Returns the corners of a cell as the value of `points`, scaled about its center. */
  outline(name, scale = 1) {
    const { x, y } = this.center(name);
    return this.polygon.map(([dx, dy]) => `${round(x + dx * scale)},${round(y + dy * scale)}`).join(" ");
  }

  /** Returns the cell nearest to a point, or null if none is near. */
  nearest(x, y) {
    let found = null;
    let best = 0.75;
    for (const [name, place] of this.centers) {
      const distance = Math.hypot(place.x - x, place.y - y);
      if (distance < best) [found, best] = [name, distance];
    }
    return found;
  }

  /** Returns the neighbor of a cell in a direction on the screen: `dx` and `dy` are -1, 0, or 1. */
  neighbor(name, dx, dy) {
    const from = this.center(name);
    let found = null;
    let best = Infinity;
    for (const [other, place] of this.centers) {
      const [x, y] = [place.x - from.x, place.y - from.y];
      const along = x * dx + y * dy;
      const across = Math.abs(x * dy - y * dx);
      if (along < 0.4 || across > along * 0.6 + 0.01) continue;
      const cost = along + across * 2;
      if (cost < best) [found, best] = [other, cost];
    }
    return found;
  }

  /** Returns the labels of files and ranks with their points; each is drawn before the first cell of its line. */
  labels(size) {
    const lines = new Map();
    for (const name of this.centers.keys()) {
      for (const label of split(name)) {
        if (!lines.has(label)) lines.set(label, []);
        lines.get(label).push(name);
      }
    }
    const labels = [];
    for (const [text, names] of lines) {
      const number = /^\d/.test(text);
      const key = (name) => (number ? fileNumber(name) : rankNumber(name));
      const line = names.sort((a, b) => key(a) - key(b));
      const [first, second] = [this.center(line[0]), this.center(line[1] ?? line[0])];
      const length = Math.hypot(second.x - first.x, second.y - first.y) || 1;
      const away = 0.66 + size * (number ? 0.2 + 0.3 * text.length : 0.55);
      labels.push({ text, x: first.x - ((second.x - first.x) / length) * away, y: first.y - ((second.y - first.y) / length) * away });
    }
    return labels;
  }
}

function round(number) {
  return Math.round(number * 1000) / 1000;
}

function split(name) {
  const [, file, rank] = /^([a-z]+)(\d+)$/i.exec(name);
  return [file, rank];
}

/** Returns the number of a cell's file, from 1. */
export function fileNumber(name) {
  return [...split(name)[0].toLowerCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0);
}

/** Returns the number of a cell's rank, from 1. */
export function rankNumber(name) {
  return Number(split(name)[1]);
}

/** Returns the ranks of a board as lists of cells, rank 1 first, file a first. */
function rows(names) {
  const found = new Map();
  for (const name of names) {
    const rank = rankNumber(name);
    if (!found.has(rank)) found.set(rank, []);
    found.get(rank).push(name);
  }
  return [...found.entries()].sort((a, b) => a[0] - b[0])
    .map(([, row]) => row.sort((a, b) => fileNumber(a) - fileNumber(b)));
}

/** Returns the pieces of a position record as a map from cells to codes. Pieces outside the board are ignored. */
export function parsePosition(geometry, record) {
  const pieces = new Map();
  const ranks = (record ?? "").replace(/^\/|\/$/g, "").split("/");
  ranks.forEach((text, rank) => {
    const row = geometry.rows[rank] ?? [];
    let file = 0;
    for (const part of text.match(/\d+|./g) ?? []) {
      if (/^\d/.test(part)) file += Number(part);
      else {
        if (row[file]) pieces.set(row[file], part);
        file += 1;
      }
    }
  });
  return pieces;
}

/** Returns the position record of pieces. */
export function writePosition(geometry, pieces) {
  const ranks = geometry.rows.map((row) => {
    let text = "";
    let empty = 0;
    for (const cell of row) {
      const code = pieces.get(cell);
      if (!code) {
        empty += 1;
        continue;
      }
      if (empty) text += empty;
      text += code;
      empty = 0;
    }
    return text + (empty || "");
  });
  return `/${ranks.join("/")}/`;
}
