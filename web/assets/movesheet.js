// The moves of a game with comments, judgments, and variations.

import { button, el } from "./dom.js";
import { moveNumber } from "./format.js";

const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??", best: "", good: "" };

/** Returns the position that an anchor names: a ply, and the number of moves into one of its variations. */
export function parseAnchor(text) {
  const found = /^#?(?:ply)?(\d+)(?:v(\d+)\.(\d+))?$/.exec(text ?? "");
  if (!found) return { ply: 0, variation: null, step: 0 };
  return { ply: Number(found[1]), variation: found[2] === undefined ? null : Number(found[2]), step: Number(found[3] ?? 0) };
}

/** Returns the anchor of a position: `#12`, `#12v0.3`. */
export function anchorOf({ ply, variation, step }) {
  return variation === null || variation === undefined ? `#${ply}` : `#${ply}v${variation}.${step}`;
}

/** Returns the list of moves; `go` is called with the position of a move. */
export function moveSheet(game, evals, go) {
  const judged = new Map((evals?.plies ?? []).map((ply) => [ply.ply, ply]));
  const list = el("div", { class: "sheet", tabindex: 0, role: "group", "aria-label": "Moves of the game" });
  list.append(button("start", () => go({ ply: 0, variation: null, step: 0 }), { class: "ply", "data-place": "#0" }));
  for (const ply of game.plies) {
    const captures = ply.captured?.length ? `x${ply.captured.join("x")}` : "";
    const judgement = judged.get(ply.ply)?.judgement;
    const sign = SIGNS[judgement] ?? "";
    const text = `${(ply.move ?? "").split("x")[0]}${captures}${ply.glyphs?.length ? ply.glyphs.join("") : sign}`;
    const press = button(text, () => go({ ply: ply.ply, variation: null, step: 0 }),
      { class: `ply ${judgement ?? ""}`, "data-place": `#${ply.ply}`, "aria-label": `Ply ${ply.ply}, ${ply.side} ${text}${judgement ? `, ${judgement}` : ""}` });
    // The number stays on the line of its move.
    list.append(el("span", { class: "numbered" }, ply.ply % 2 === 1 ? el("span", { class: "movenumber" }, moveNumber(ply.ply)) : null, press), " ");
    if (ply.comment) list.append(el("p", { class: "comment" }, ply.comment));
    (ply.variations ?? []).forEach((variation, at) => list.append(variationLine(ply, variation, at, go)));
  }
  return list;
}

function variationLine(ply, variation, at, go) {
  const steps = variation.moves.map((move, index) => button(move, () => go({ ply: ply.ply, variation: at, step: index + 1 }),
    { class: "ply", "data-place": `#${ply.ply}v${at}.${index + 1}`, "aria-label": `Variation at ply ${ply.ply}: ${move}` }));
  return el("div", { class: "variation" }, el("span", { class: "dim" }, `instead of ${ply.move}: `), steps,
    variation.comment ? el("span", { class: "comment" }, variation.comment) : null);
}

/** Marks the move of the position that the board shows, and scrolls to it. */
export function markCurrent(list, at) {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const entry = list.querySelector(`[data-place="${anchorOf(at)}"]`);
  if (!entry) return;
  entry.setAttribute("aria-current", "true");
  reveal(list, entry);
}

/** Scrolls a list to one of its entries. */
export function reveal(list, entry) {
  const [outer, inner] = [list.getBoundingClientRect(), entry.getBoundingClientRect()];
  if (list.scrollHeight > list.clientHeight && (inner.top < outer.top || inner.bottom > outer.bottom)) {
    list.scrollTop += inner.top - outer.top - list.clientHeight / 2;
  }
}
