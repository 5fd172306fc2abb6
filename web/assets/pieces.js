// The shapes of pieces, those of `tafl show`. The unit is the width of a cell; the style sheet has the colors.

import { svg } from "./dom.js";

const SIDES = [["attackers", (letter) => letter], ["defenders", (letter) => letter.toUpperCase()]];

function star() {
  const points = [];
  for (let corner = 0; corner < 10; corner += 1) {
    const radius = corner % 2 === 0 ? 0.25 : 0.105;
    const angle = Math.PI * (corner / 5 - 0.5);
    points.push(`${(radius * Math.cos(angle)).toFixed(3)},${(radius * Math.sin(angle)).toFixed(3)}`);
  }
  return points.join(" ");
}

const disc = (r, name) => svg("circle", { r, class: name });
const polygon = (points, name) => svg("polygon", { points, class: name });

const BODIES = {
  t: () => [disc(0.375, "body"), disc(0.23, "ring")],
  k: () => [disc(0.43, "body royal"),
    polygon("-0.215,0.2 -0.27,-0.115 -0.115,0.015 0,-0.19 0.115,0.015 0.27,-0.115 0.215,0.2", "emblem"),
    ...[[-0.275, -0.145], [0, -0.225], [0.275, -0.145]].map(([cx, cy]) => svg("circle", { cx, cy, r: 0.045, class: "emblem" }))],
  c: () => [polygon("0,-0.45 0.45,0 0,0.45 -0.45,0", "body"), polygon(star(), "emblem")],
  n: () => [svg("path", { class: "body",
    d: "M-.34-.37H.34V-.02C.34.22.14.36 0 .44C-.14.36-.34.22-.34-.02Z" }),
    svg("path", { class: "chevron", d: "M-.19.04L0-.2L.19.04" })],
  m: () => [polygon("0,-0.43 0.43,0.33 -0.43,0.33", "body"), svg("circle", { cy: 0.1, r: 0.115, class: "emblem" })],
  g: () => [svg("rect", { x: -0.34, y: -0.34, width: 0.68, height: 0.68, class: "body" }),
    polygon("-0.2,0.22 -0.2,-0.22 -0.12,-0.22 -0.12,-0.1 -0.04,-0.1 -0.04,-0.22 0.04,-0.22 0.04,-0.1 0.12,-0.1 0.12,-0.22 0.2,-0.22 0.2,0.22", "emblem")],
};

function hatching(id, slants) {
  const paths = slants.map((slant) => svg("path", { d: slant > 0 ? "M-.05.3L.3-.05M-.05.05L.05-.05M.2.3L.3.2" : "M-.05-.05L.3.3M.2-.05L.3.05M-.05.2L.05.3" }));
  return svg("pattern", { id, width: 0.25, height: 0.25, patternUnits: "userSpaceOnUse", class: id }, paths);
}

/** Returns the invisible definitions of shapes that the boards of the page use. They must be in the document. */
export function shapes() {
  const defs = svg("defs");
  for (const [side, code] of SIDES) {
    for (const [letter, body] of Object.entries(BODIES)) {
      defs.append(svg("g", { id: `piece-${code(letter)}`, class: `piece-${side}` }, body()));
    }
  }
  defs.append(hatching("hatch-camp", [1]), hatching("hatch-fort", [-1]), hatching("hatch-breach", [1, -1]), hatching("hatch-note", [-1]),
    svg("pattern", { id: "hatch-room", width: 0.2, height: 0.2, patternUnits: "userSpaceOnUse", class: "hatch-room" },
      svg("circle", { cx: 0.1, cy: 0.1, r: 0.03 })));
  return svg("svg", { class: "shapes", width: 0, height: 0, "aria-hidden": "true" }, defs);
}

/** Returns the shape of a piece with its center at (0, 0). */
export function piece(code) {
  return svg("use", { href: `#piece-${code}` });
}

/** Returns the picture of a piece for a text or a button. */
export function icon(code) {
  return svg("svg", { viewBox: "-0.5 -0.5 1 1", class: "icon", "aria-hidden": "true" }, piece(code));
}
