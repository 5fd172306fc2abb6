// The board: cells, pieces, and marks, in the style of `tafl show`.

import { fill, svg } from "./dom.js";
import { Geometry } from "./geometry.js";
import { piece } from "./pieces.js";
import { counted, pieceName } from "./format.js";

const LAYERS = ["ground", "below", "pieces", "above", "cells"];
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
// Node, where the npm package has requests but no boards, has no media.
const reducedMotion = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** Returns the content of a board: its pieces and marks. */
export function scene(parts = {}) {
  return { pieces: new Map(), last: null, captured: [], arrows: [], marks: [], targets: [], labels: [], heat: [], picked: null, ...parts };
}

/** A board in an element of a page. */
export class Board {
  /** Creates a board in `host`. Small boards, as in lists, are pictures without interactive cells. */
  constructor(host, { small = false, label = "Board" } = {}) {
    this.host = host;
    this.small = small;
    this.label = label;
    this.turns = 0;
    this.shown = scene();
    this.focus = null;
    this.focusBy = "keys";
    this.isMovingFocus = false;
    this.layers = {};
    this.svg = svg("svg", { class: small ? "board small" : "board", role: small ? "img" : "grid", "aria-label": label });
    for (const name of LAYERS) {
      this.layers[name] = svg("g", { class: name });
      this.svg.append(this.layers[name]);
    }
    host.append(this.svg);
    // Unless a pointer caused it, a focus that comes from outside the board is caused by the keyboard.
    this.svg.addEventListener("focusin", ({ relatedTarget }) => {
      if (!this.isMovingFocus && !this.svg.contains(relatedTarget)) this.focusBy = "keys";
    });
  }

  /** Draws the empty board described by an answer of `/api/board`. */
  setBoard(board) {
    if (this.geometry && this.geometry.board === board) return;
    this.geometry = new Geometry(board, this.turns);
    this.drawGround();
  }

  /** Rotates the board by a number of steps. */
  rotate(steps) {
    this.turns += steps;
    this.geometry = new Geometry(this.geometry.board, this.turns);
    const hadFocus = this.svg.contains(document.activeElement);
    this.drawGround();
    this.show(this.shown);
    if (hadFocus) this.setFocus(this.focus, this.focusBy);
  }

  /** Rotates the board by 180°. */
  flip() {
    this.rotate(this.geometry.steps / 2);
  }

  /** Returns whether the board is rotated by 180°. */
  isFlipped() {
    return this.geometry?.turns * 2 === this.geometry?.steps;
  }

  drawGround() {
    const { geometry, small } = this;
    const { width, height } = geometry.board;
    // The page may show a picture of the board until now.
    this.host.querySelector(".firstboard")?.remove();
    const side = 0.15;
    // Labels of large boards are larger in proportion, so that they stay readable.
    const size = Math.min(0.56, 0.16 + 0.022 * geometry.rows.length);
    const labels = small ? [] : geometry.labels(size);
    const xs = [-0.16, width + 0.16, ...labels.flatMap(({ x }) => [x - 0.4, x + 0.4])];
    const ys = [-0.16, height + 0.16, ...labels.flatMap(({ y }) => [y - 0.34, y + 0.34])];
    const [left, top] = small ? [-side, -side] : [Math.min(...xs), Math.min(...ys)];
    const [right, bottom] = small ? [width + side, height + side] : [Math.max(...xs), Math.max(...ys)];
    this.svg.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
    const names = [...geometry.centers.keys()];
    const outlines = (name) => names.map((cell) => svg("polygon", { points: geometry.outline(cell), class: name }));
    // A hexagonal board draws thick lines around all cells; the part that cells don't cover is the frame.
    const frame = geometry.hex ? outlines(null) : svg("rect", { x: 0, y: 0, width, height });
    fill(this.layers.ground, svg("g", { class: "frame" }, frame), outlines("ground"),
      names.map((cell) => this.zone(cell)), outlines("line"), names.map((cell) => this.ornament(cell)),
      labels.map(({ text, x, y }) => svg("text", { x, y, class: "label", "font-size": size, "aria-hidden": "true" }, text)));
    if (!small) this.drawCells();
  }

  /** Returns the kind of a special cell, or null. */
  zoneKind(cell) {
    const marks = this.geometry.marks.get(cell) ?? [];
    return ["throne", "goal", "corner", "camp", "fort"].find((kind) => marks.includes(kind)) ?? null;
  }

  zone(cell) {
    const kind = this.zoneKind(cell);
    if (!kind) return null;
    const points = this.geometry.outline(cell);
    const ground = svg("polygon", { points, class: kind === "camp" || kind === "fort" ? kind : "special" });
    return kind === "camp" || kind === "fort" ? [ground, svg("polygon", { points, fill: `url(#hatch-${kind})` })] : ground;
  }

  ornament(cell) {
    const { x, y } = this.geometry.center(cell);
    const square = (r) => `M${x - r} ${y}L${x} ${y - r}L${x + r} ${y}L${x} ${y + r}Z`;
    const cross = (r) => `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`;
    const d = { throne: () => square(0.33) + square(0.17), goal: () => cross(0.24) + square(0.2), corner: () => cross(0.22) }[this.zoneKind(cell)];
    return d ? svg("path", { d: d(), class: "ornament" }) : null;
  }

  drawCells() {
    this.cells = new Map();
    const rows = this.geometry.rows.map((row) => svg("g", { role: "row" }, row.map((name) => {
      const cell = svg("polygon", { points: this.geometry.outline(name), class: "cell", role: "gridcell", tabindex: -1, "data-cell": name });
      this.cells.set(name, cell);
      return cell;
    })));
    fill(this.layers.cells, rows);
    if (!this.cells.has(this.focus)) this.focus = this.geometry.rows[0][0];
    this.cells.get(this.focus).setAttribute("tabindex", 0);
  }

  /** Moves the focus to a cell. The focus ring is drawn for the keyboard only; a pointer shows where it is. */
  setFocus(name, by = "keys") {
    if (!this.cells?.has(name)) return;
    this.cells.get(this.focus)?.setAttribute("tabindex", -1);
    this.focus = name;
    const cell = this.cells.get(name);
    cell.setAttribute("tabindex", 0);
    this.focusBy = by;
    this.isMovingFocus = true;
    cell.focus({ preventScroll: true, focusVisible: by === "keys" });
    this.isMovingFocus = false;
  }

  /** Moves the focus to the next cell in the direction of an arrow key; returns whether the key is one. */
  step(key) {
    if (!(key in ARROWS)) return false;
    const next = this.geometry.neighbor(this.focus, ...ARROWS[key]);
    if (next) this.setFocus(next);
    return true;
  }

  /** Returns the point of a pointer event on the board and the name of the cell there, or null while the board is hidden. */
  pointAt(event) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x, y, name: this.geometry.nearest(x, y) };
  }

  /** Draws pieces and marks; `glide` animates the last move, and sends the event `tafl-move`. */
  show(shown, { glide = false } = {}) {
    this.shown = shown;
    const { geometry, layers } = this;
    fill(layers.below, this.marksBelow());
    const drawn = [];
    for (const [cell, code] of shown.pieces) {
      const center = geometry.center(cell);
      if (!center) continue;
      const group = svg("g", { transform: `translate(${center.x} ${center.y})`, "data-at": cell }, piece(code));
      if (shown.picked === cell) group.setAttribute("class", "picked");
      if (glide && shown.last?.to === cell) this.animateMove(group, shown.last);
      drawn.push(group);
    }
    fill(layers.pieces, drawn);
    fill(layers.above, this.marksAbove());
    this.describe();
    if (glide && shown.last) this.svg.dispatchEvent(new CustomEvent("tafl-move", { bubbles: true, detail: { isCapture: shown.captured.length > 0 } }));
  }

  animateMove(group, last) {
    const [from, to] = [this.geometry.center(last.from), this.geometry.center(last.to)];
    if (!from || !to || reducedMotion.matches) return;
    group.firstChild.animate([{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "none" }],
      { duration: 140, easing: "ease-out" });
  }

  /** Returns the marks below the pieces. */
  marksBelow() {
    const { geometry, shown } = this;
    const on = (cell) => geometry.center(cell) !== null;
    const items = [];
    for (const { cell, level } of shown.heat) {
      if (on(cell)) items.push(svg("polygon", { points: geometry.outline(cell, 0.94), class: "heat", "fill-opacity": (0.08 + 0.92 * level).toFixed(2) }));
    }
    const last = shown.last;
    if (last && on(last.from) && on(last.to)) {
      for (const cell of [last.from, last.to]) items.push(svg("polygon", { points: geometry.outline(cell, 0.94), class: "trace" }));
    }
    if (shown.picked && on(shown.picked)) items.push(svg("polygon", { points: geometry.outline(shown.picked, 0.94), class: "pick" }));
    for (const { cell, kind } of shown.marks) {
      if (!on(cell)) continue;
      const points = geometry.outline(cell, 0.94);
      items.push(svg("polygon", { points, class: `tint ${kind}` }));
      if (kind === "wall") items.push(svg("polygon", { points: geometry.outline(cell, 0.84), class: "wallline" }));
      else items.push(svg("polygon", { points, fill: `url(#hatch-${kind})` }));
    }
    return items;
  }

  /** Returns the marks above the pieces. */
  marksAbove() {
    const { geometry, shown } = this;
    const on = (cell) => geometry.center(cell) !== null;
    const items = [];
    for (const { cell, code } of shown.captured) {
      if (!on(cell)) continue;
      const { x, y } = geometry.center(cell);
      const d = "M-.24-.24L.24.24M-.24.24L.24-.24";
      items.push(svg("g", { transform: `translate(${x} ${y})`, class: "captured" }, code ? svg("g", { class: "ghost" }, piece(code)) : null,
        svg("path", { d, class: "crossrim" }), svg("path", { d, class: "cross" })));
    }
    for (const arrow of shown.arrows) if (on(arrow.from) && on(arrow.to)) items.push(this.arrow(arrow));
    for (const cell of shown.targets) {
      if (!on(cell)) continue;
      const { x, y } = geometry.center(cell);
      items.push(svg("circle", { cx: x, cy: y, r: 0.14, class: "target" }));
    }
    for (const { cell, text, level } of shown.heat) {
      if (!on(cell)) continue;
      const { x, y } = geometry.center(cell);
      items.push(svg("text", { x, y, class: level > 0.55 ? "heatlabel strong" : "heatlabel", "font-size": 0.34, "aria-hidden": "true" }, text));
    }
    for (const { cell, text } of shown.labels) if (on(cell)) items.push(this.badge(cell, text));
    return items;
  }

  badge(cell, text) {
    const { x, y } = this.geometry.center(cell);
    const size = Math.min(0.26, 1.25 / Math.max(3, text.length));
    const width = Math.min(0.96, text.length * size * 0.62 + 0.16);
    const low = this.shown.pieces.has(cell) ? y + 0.3 : y;
    return svg("g", { class: "badge" }, svg("rect", { x: x - width / 2, y: low - 0.18, width, height: 0.36, rx: 0.1 }),
      svg("text", { x, y: low, "font-size": size }, text));
  }

  arrow({ from, to, kind = "played" }) {
    const [a, b] = [this.geometry.center(from), this.geometry.center(to)];
    const distance = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [dx, dy] = [(b.x - a.x) / distance, (b.y - a.y) / distance];
    const [tip, start] = [distance - 0.18, Math.min(0.16, distance * 0.3)];
    const neck = tip - 0.26;
    const at = (along, across) => `${(a.x + dx * along - dy * across).toFixed(3)} ${(a.y + dy * along + dx * across).toFixed(3)}`;
    return svg("path", { class: `arrow ${kind}`,
      d: `M${at(start, 0.05)}L${at(neck, 0.05)}L${at(neck, 0.16)}L${at(tip, 0)}L${at(neck, -0.16)}L${at(neck, -0.05)}L${at(start, -0.05)}Z` });
  }

  /** Labels every cell with its content, for screen readers. */
  describe() {
    const { shown } = this;
    if (this.small) {
      const count = (test) => [...shown.pieces.values()].filter(test).length;
      this.svg.setAttribute("aria-label", `${this.label}: ${counted(count((code) => code === code.toLowerCase()), "attacker")}, ${counted(count((code) => code !== code.toLowerCase()), "defender")}`);
      return;
    }
    const marks = new Map([...shown.marks, ...shown.heat].map((mark) => [mark.cell, mark]));
    const codes = new Set(shown.pieces.values());
    const hasTwoKings = codes.has("k") && codes.has("K");
    for (const [name, cell] of this.cells) {
      const code = shown.pieces.get(name);
      const mark = marks.get(name);
      const words = [name, mark?.isContent ? null : code ? pieceName(code, hasTwoKings) : "empty", this.zoneKind(name),
        shown.picked === name ? "picked up" : null, shown.targets.includes(name) ? "legal target" : null,
        shown.captured.some(({ cell: captured }) => captured === name) ? "captured here" : null, mark ? mark.words ?? "marked" : null];
      cell.setAttribute("aria-label", words.filter(Boolean).join(", "));
      cell.setAttribute("aria-selected", shown.picked === name ? "true" : "false");
    }
  }
}
