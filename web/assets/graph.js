// The graph of a game: the attackers' expected score after each ply. Errors are marked and can be clicked.

import { el, fill, svg } from "./dom.js";
import { counted, percent } from "./format.js";

const [WIDTH, HEIGHT, LEFT] = [600, 150, 34];
const MARKS = { inaccuracy: "M0-5L5 4L-5 4Z", mistake: "M-4.5-4.5H4.5V4.5H-4.5Z", blunder: "M0-6L6 0L0 6L-6 0Z" };

/** Returns the attackers' expected score after each ply, or null for a ply without evaluation. */
function curve(evals, last) {
  const values = new Array(last + 1).fill(null);
  for (const { ply, expected } of evals.positions) if (ply <= last) values[ply] = expected;
  return values;
}

/** A graph in an element of the page; `go` is called with a ply. */
export class Graph {
  constructor(host, go) {
    this.host = host;
    this.go = go;
  }

  /** Draws the evaluations of a game with `last` plies. */
  draw(evals, last) {
    const x = (ply) => LEFT + (ply / Math.max(1, last)) * (WIDTH - LEFT - 8);
    const y = (expected) => 8 + (1 - expected) * (HEIGHT - 16);
    this.x = x;
    const known = curve(evals, last).map((expected, ply) => ({ expected, ply })).filter(({ expected }) => expected !== null);
    const points = known.map(({ expected, ply }) => `${x(ply).toFixed(1)},${y(expected).toFixed(1)}`);
    const area = points.length ? `M${x(known[0].ply)} ${y(0)}L${points.join("L")}L${x(known[known.length - 1].ply)} ${y(0)}Z` : "";
    const label = (text, expected) => svg("text", { x: LEFT - 4, y: y(expected) + 4, class: "axis" }, text);
    const marks = (evals.plies ?? []).filter(({ judgement }) => judgement in MARKS).map((ply) => this.mark(ply, known, x, y));
    this.cursor = svg("line", { y1: 4, y2: HEIGHT - 4, class: "cursor" });
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "group", "aria-label": `The attackers’ expected score after each ply, with ${counted(marks.length, "error")} marked` },
      svg("rect", { x: LEFT, y: 8, width: WIDTH - LEFT - 8, height: HEIGHT - 16, class: "field" }),
      svg("path", { d: area, class: "area" }), svg("polyline", { points: points.join(" "), class: "curve" }),
      svg("line", { x1: LEFT, x2: WIDTH - 8, y1: y(0.5), y2: y(0.5), class: "even" }),
      label("100", 1), label("50", 0.5), label("0", 0), this.cursor, marks);
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * WIDTH;
      this.go(Math.max(0, Math.min(last, Math.round(((at - LEFT) / (WIDTH - LEFT - 8)) * last))));
    });
    fill(this.host, el("figure", {}, picture, el("figcaption", {}, "The attackers’ expected score in percent. ▲ inaccuracy, ■ mistake, ◆ blunder: click one to go there.")));
  }

  mark({ ply, judgement, loss }, known, x, y) {
    const expected = known.find((one) => one.ply === ply)?.expected ?? 0.5;
    const label = `Ply ${ply}: ${judgement}${loss ? `, ${percent(loss)} lost` : ""}`;
    const open = (event) => {
      event.stopPropagation();
      this.go(ply);
    };
    return svg("path", { d: MARKS[judgement], class: `mark ${judgement}`, transform: `translate(${x(ply)} ${y(expected)})`, tabindex: 0, role: "button",
      "aria-label": label, click: open, keydown: (event) => (event.key === "Enter" ? open(event) : null) }, svg("title", {}, label));
  }

  /** Marks the ply that the board shows. */
  setPly(ply) {
    if (!this.cursor) return;
    this.cursor.setAttribute("x1", this.x(ply));
    this.cursor.setAttribute("x2", this.x(ply));
  }
}
