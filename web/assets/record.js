// The record of a line of play: text that every reader of Taflbase accepts, and downloads in other notations.

import { post } from "./api.js";
import { lossList } from "./conversion.js";
import { button, el, fill, save } from "./dom.js";
import { failure } from "./notice.js";
import { capitalize, playedMoves } from "./format.js";

const NOTATIONS = [["opentafl", "OpenTafl"], ["pgn", "PGN"], ["jsonl", "JSON lines"]];

/** Returns rules with the start of a position that was set up, and with the side that moves first there. */
function rulesFrom(layout, { position, side }) {
  const rules = position ? layout.rules.replace(/start:\S+/, `start:${position}`) : layout.rules;
  if (!side || side === layout.first) return rules;
  const plain = rules.replace(/\s*\batkf:\S+/, "");
  return side === "defenders" ? plain.replace(/\s*start:/, " atkf:n start:") : plain;
}

/** Returns the fields of a record in JSON lines that name the rules and the start of a position. */
export function recordHead(layout, pos) {
  const isUsual = !pos.position && (!pos.side || pos.side === layout.first);
  return pos.variant && isUsual ? { variant: pos.variant } : { rules: rulesFrom(layout, pos) };
}

/** Returns the record of the moves of a position. `tags` are pairs of a name and a value, `end` is the result in words. */
export function recordText(layout, pos, tags = [], end = "") {
  const rules = Object.entries(recordHead(layout, pos)).map(([name, value]) => [capitalize(name), value]);
  const lines = [...rules, ...tags].filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`);
  const moves = playedMoves(pos.moves);
  const turns = [];
  for (let at = 0; at < moves.length; at += 2) turns.push(`${at / 2 + 1}. ${moves.slice(at, at + 2).join(" ")}`);
  return `${lines.join("\n")}\n\n${turns.join("\n")}${end ? ` ${end}` : ""}\n`;
}

/** Returns buttons that download a record; `getText` returns it when a button is pressed. */
export function recordDownloads(getText, signal) {
  const notices = el("div", { "aria-live": "polite" });
  const download = async (to) => {
    try {
      const answer = await post("/api/convert", { to }, getText(), signal);
      save(answer.text, `game.${answer.extension ?? to}`);
      fill(notices, lossList(answer));
    } catch (error) {
      if (error.name !== "AbortError") fill(notices, failure(error));
    }
  };
  return el("div", {}, el("p", { class: "downloads" }, "Download as ", NOTATIONS.map(([to, name]) => button(name, () => download(to)))), notices);
}
