// A position and its moves: the parameters of the address, the answer of the server, and the list of moves.

import { get } from "./api.js";
import { scene } from "./board.js";
import { button, el, link } from "./dom.js";
import { joinMoves, moveCells, moveNumber, reasonText, splitMoves } from "./format.js";

const NAMES = ["variant", "rules", "position", "side", "moves"];

/** Returns the parameters that name a position. */
export function positionParams(params) {
  const found = {};
  for (const name of NAMES) if (params.get(name)) found[name] = params.get(name);
  if (found.rules) delete found.variant;
  return found;
}

/** Returns the parameters that name the rules. */
export function rulesParams(pos) {
  return pos.rules ? { rules: pos.rules } : { variant: pos.variant };
}

/** Returns the address of a page that shows a position. */
export function positionHref(page, pos, more = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...pos, ...more })) if (value) query.set(name, value);
  return `${page}?${query.toString().replace(/%2C/g, ",").replace(/%2F/g, "/")}`;
}

/** Returns the parameters of the start of a game, as far as it differs from that of its rules, which `layout` describes. */
export function startParams({ start, first }, layout) {
  const position = start && start !== layout.start ? start : null;
  return { ...(position ? { position } : {}), ...(first && (position || first !== layout.first) ? { side: first } : {}) };
}

/** Returns the server's answer about a position. */
export function fetchPosition(pos, signal) {
  return get("/api/position", pos, signal);
}

/** Returns the moves of a position with one more. */
export function withMove(pos, from, to) {
  return joinMoves([...splitMoves(pos.moves), `${from}-${to}`]);
}

/** Returns the legal moves of a side. If a side may decline to continue its chain, those of the other side are legal, too. */
export function movesOf(answer, side) {
  const own = new Set(answer.pieces.filter((piece) => piece.side === side).map(({ cell }) => cell));
  return Object.fromEntries(Object.entries(answer.moves).filter(([from]) => own.has(from)));
}

/** Returns the scene of an answer; `before` are the pieces of the previous position, to show those captured. */
export function positionScene(answer, before = new Map()) {
  const pieces = new Map(answer.pieces.map(({ cell, code }) => [cell, code]));
  const step = answer.history?.[answer.history.length - 1] ?? null;
  return scene({
    pieces,
    last: step ? moveCells(step.move) : null,
    captured: (step?.captured ?? []).map((cell) => ({ cell, code: pieces.has(cell) ? null : before.get(cell) ?? null })),
    marks: (answer.outcome?.cells ?? []).map((cell) => ({ cell, kind: "wall", words: "decided the game" })),
  });
}

/** Returns the last move in words. */
export function lastMoveText(answer) {
  const step = answer.history?.[answer.history.length - 1];
  const words = [];
  if (step) {
    words.push(`${step.side ?? ""} ${moveCells(step.move).cells.join(" to ")}`.trim());
    if (step.captured?.length) words.push(`captured ${step.captured.join(", ")}`);
  }
  words.push(answer.outcome ? outcomeText(answer.outcome) : `${answer.to_move} to move`);
  return words.join("; ");
}

/** Returns the outcome of a game in words. */
export function outcomeText({ winner, reason, reason_source: source, words }) {
  if (!winner) return words ?? reason ?? "Unfinished";
  const why = reason ? `: ${reasonText(reason, source)}` : "";
  return winner === "draw" ? `Draw${why}` : `The ${winner} won${why}`;
}

/** Returns the moves so far as a list of buttons; `go` is called with the number of plies to keep. */
export function moveTrail(history, at, go) {
  const item = (ply, text, label) => el("li", {}, button(text, () => go(ply),
    { class: "ply", "aria-current": ply === at ? "true" : null, "aria-label": label }));
  const items = [item(0, "start", "start: first position")];
  history.forEach((step, index) => {
    const ply = index + 1;
    const captures = step.captured?.length ? `x${step.captured.join("x")}` : "";
    const text = `${ply % 2 === 1 ? `${moveNumber(ply)} ` : ""}${step.move.split("x")[0]}${captures}`;
    items.push(item(ply, text, `${text} (ply ${ply})`));
  });
  return el("ol", { class: "trail", "aria-label": "Moves so far" }, items);
}

/** Returns links from a position to the other pages. */
export function positionLinks(pos, record, here) {
  const { variant } = rulesParams(pos);
  const query = `${variant ? `variant:${variant} ` : ""}position "${record}"`;
  const links = [
    ["explore", "Explore from here", positionHref("/explore", pos)],
    ["analysis", "Analyze", positionHref("/analysis", pos)],
    ["play", "Play from here", positionHref("/play", pos)],
    ["search", "Find this position", `/search?query=${encodeURIComponent(query)}`],
  ];
  return el("p", { class: "pagelinks" }, links.filter(([name]) => name !== here)
    .map(([, text, target]) => link(text, target)));
}
