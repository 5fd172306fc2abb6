// A position and the moves that lead to it: the parameters of the address, the answer of the server, the list of moves.

import { get } from "./api.js";
import { scene } from "./board.js";
import { button, el, link } from "./dom.js";
import { ends, moves, turn } from "./words.js";

const NAMES = ["variant", "rules", "position", "side", "moves"];

/** Returns the parameters that name a position; the others are left out. */
export function positionParams(params) {
  const found = {};
  for (const name of NAMES) if (params.get(name)) found[name] = params.get(name);
  if (found.rules) delete found.variant;
  return found;
}

/** Returns the parameters of rules alone. */
export function rulesParams(pos) {
  return pos.rules ? { rules: pos.rules } : { variant: pos.variant };
}

/** Returns the address of a page that shows a position. */
export function positionHref(page, pos, more = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...pos, ...more })) if (value) query.set(name, value);
  return `${page}?${query.toString().replace(/%2C/g, ",").replace(/%2F/g, "/")}`;
}

/** Returns what the server says of a position. */
export function fetchPosition(pos, signal) {
  return get("/api/position", pos, signal);
}

/** Returns the moves of a position with one more. */
export function withMove(pos, from, to) {
  return [...moves(pos.moves), `${from}-${to}`].join(",");
}

/** Returns what is seen of an answer; `before` are the pieces that stood there, to show what fell. */
export function positionScene(answer, before = new Map()) {
  const pieces = new Map(answer.pieces.map(({ cell, code }) => [cell, code]));
  const step = answer.history?.[answer.history.length - 1] ?? null;
  return scene({
    pieces,
    last: step ? ends(step.move) : null,
    captured: (step?.captured ?? []).map((cell) => ({ cell, code: pieces.has(cell) ? null : before.get(cell) ?? null })),
    marks: (answer.outcome?.cells ?? []).map((cell) => ({ cell, kind: "wall", words: "where the game was decided" })),
  });
}

/** Returns the last move in words. */
export function lastMoveText(answer) {
  const step = answer.history?.[answer.history.length - 1];
  const words = [];
  if (step) {
    words.push(`${step.side ?? ""} ${ends(step.move).cells.join(" to ")}`.trim());
    if (step.captured?.length) words.push(`captured ${step.captured.join(", ")}`);
  }
  words.push(answer.outcome ? outcomeText(answer.outcome) : `${answer.to_move} to move`);
  return words.join("; ");
}

/** Returns the end of a game in words. */
export function outcomeText({ winner, reason, words }) {
  if (!winner) return words ?? reason ?? "Not finished";
  if (winner === "draw") return `Draw${reason ? `: ${reason}` : ""}`;
  return `The ${winner} won${reason ? `: ${reason}` : ""}`;
}

/** Returns the moves so far as a list to click; `go` is called with the number of plies to keep. */
export function moveTrail(history, at, go) {
  const item = (ply, text, words) => el("li", {}, button(text, () => go(ply),
    { class: "ply", "aria-current": ply === at ? "true" : null, "aria-label": words }));
  const items = [item(0, "start", "To the start")];
  history.forEach((step, index) => {
    const ply = index + 1;
    const fell = step.captured?.length ? `x${step.captured.join("x")}` : "";
    const text = `${ply % 2 === 1 ? `${turn(ply)} ` : ""}${step.move.split("x")[0]}${fell}`;
    items.push(item(ply, text, `After ply ${ply}, ${step.move}`));
  });
  return el("ol", { class: "trail", "aria-label": "Moves so far" }, items);
}

/** Returns links from a position to the other pages. */
export function positionLinks(pos, record, here) {
  const rule = rulesParams(pos);
  const question = `${rule.variant ? `variant:${rule.variant} ` : ""}position "${record}"`;
  const links = [
    ["explore", "Explore from here", positionHref("/explore", pos)],
    ["analysis", "Analyse", positionHref("/analysis", pos)],
    ["search", "Find this position", `/search?query=${encodeURIComponent(question)}`],
  ];
  return el("p", { class: "elsewhere" }, links.filter(([name]) => name !== here)
    .map(([, text, target]) => link(text, target)));
}
