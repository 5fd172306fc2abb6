// The moves of a game with comments, judgements and variations.

import { button, el } from "./dom.js";
import { turn } from "./words.js";

const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??", best: "", good: "" };

/** Returns where in a game somebody is: a ply, and moves into one of its variations. */
export function place(text) {
  const found = /^#?(?:ply)?(\d+)(?:v(\d+)\.(\d+))?$/.exec(text ?? "");
  if (!found) return { ply: 0, variation: null, step: 0 };
  return { ply: Number(found[1]), variation: found[2] === undefined ? null : Number(found[2]), step: Number(found[3] ?? 0) };
}

/** Returns a place as the end of an address. */
export function mark({ ply, variation, step }) {
  return variation === null || variation === undefined ? `#${ply}` : `#${ply}v${variation}.${step}`;
}

/** Returns the list of moves; `go` is called with a place. */
export function moveSheet(game, evals, go) {
  const judged = new Map((evals?.plies ?? []).map((ply) => [ply.ply, ply]));
  const list = el("div", { class: "sheet", tabindex: 0, role: "group", "aria-label": "Moves of the game" });
  list.append(button("start", () => go({ ply: 0, variation: null, step: 0 }), { class: "ply", "data-place": "#0" }));
  for (const ply of game.plies) {
    const fell = ply.captured?.length ? `x${ply.captured.join("x")}` : "";
    const judgement = judged.get(ply.ply)?.judgement;
    const sign = SIGNS[judgement] ?? "";
    const text = `${(ply.move ?? "").split("x")[0]}${fell}${(ply.glyphs ?? []).join("")}${sign && !(ply.glyphs ?? []).includes(sign) ? sign : ""}`;
    const press = button(text, () => go({ ply: ply.ply, variation: null, step: 0 }),
      { class: `ply ${judgement ?? ""}`, "data-place": `#${ply.ply}`, "aria-label": `Ply ${ply.ply}, ${ply.side} ${text}${judgement ? `, ${judgement}` : ""}` });
    // A number stays beside its move at the end of a line.
    list.append(el("span", { class: "numbered" }, ply.ply % 2 === 1 ? el("span", { class: "turn" }, turn(ply.ply)) : null, press), " ");
    if (ply.comment) list.append(el("p", { class: "comment" }, ply.comment));
    (ply.variations ?? []).forEach((variation, at) => list.append(branch(ply, variation, at, go)));
  }
  return list;
}

function branch(ply, variation, at, go) {
  const steps = variation.moves.map((move, index) => button(move, () => go({ ply: ply.ply, variation: at, step: index + 1 }),
    { class: "ply", "data-place": `#${ply.ply}v${at}.${index + 1}`, "aria-label": `Variation at ply ${ply.ply}: ${move}` }));
  return el("div", { class: "variation" }, el("span", { class: "dim" }, `instead of ${ply.move}: `), steps,
    variation.comment ? el("span", { class: "comment" }, variation.comment) : null);
}

/** Marks the move at which the board is. */
export function current(list, at) {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const now = list.querySelector(`[data-place="${mark(at)}"]`);
  if (!now) return;
  now.setAttribute("aria-current", "true");
  const [box, own] = [list.getBoundingClientRect(), now.getBoundingClientRect()];
  if (list.scrollHeight > list.clientHeight && (own.top < box.top || own.bottom > box.bottom)) {
    list.scrollTop += own.top - box.top - list.clientHeight / 2;
  }
}
