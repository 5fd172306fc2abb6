// Studies: trees of moves with notes, which the browser keeps.

import { button, el, fill, labeled } from "./dom.js";
import { forget, recall, remember } from "./memory.js";
import { counted } from "./format.js";

const TOPIC = "studies";

/** Returns the panel of studies. `current` returns the record to keep, and `open` shows a kept one. */
export function studiesPanel({ current, open }) {
  const name = el("input", { type: "text", maxlength: 80 });
  const list = el("ul", { class: "studies" });
  const show = () => {
    const studies = Object.entries(recall(TOPIC)).reverse();
    fill(list, studies.map(([title, record]) => el("li", {}, button(title, () => {
      name.value = title;
      open(record);
    }, { class: "linklike" }), el("span", { class: "dim" }, counted(nMoves(record), "move")),
    button("Delete", () => {
      forget(TOPIC, title);
      show();
    }, { "aria-label": `Delete ${title}` }))));
  };
  const keep = () => {
    const title = name.value.trim();
    if (!title) return name.focus();
    remember(TOPIC, title, { ...current(), tags: [["event", title]] });
    show();
  };
  show();
  return el("details", {}, el("summary", {}, "Studies"), el("p", { class: "dim" }, "This browser keeps studies. Download the record to share one or to store it elsewhere."),
    el("div", { class: "controls" }, labeled("Name", name), button("Save", keep)), list);
}

function nMoves({ lines }) {
  return lines.reduce((sum, { moves }) => sum + moves.split(" ").filter(Boolean).length, 0);
}
