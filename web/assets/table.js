// How games ended, as bars with numbers: attackers, draws, defenders.

import { el } from "./dom.js";
import { capital, interval, percent, whole } from "./words.js";

const SHORT = { attackers: "A ", draw: "= ", defenders: "D " };

/** Returns the ends of games as a bar; the numbers stand in it and in its tooltip. */
export function bar(line) {
  const decided = line.attackers + line.draw + line.defenders;
  if (decided === 0) return el("span", { class: "dim" }, "none finished");
  const parts = [["attackers", line.attackers], ["draw", line.draw], ["defenders", line.defenders]];
  const words = parts.map(([name, games]) => `${name === "draw" ? "draws" : `${name} won`} ${whole(games)} (${percent(games / decided)})`).join(", ");
  const drawn = parts.filter(([, games]) => games > 0).map(([name, games]) => {
    const part = el("span", { class: `part ${name}` }, games / decided > 0.17 ? `${SHORT[name]}${percent(games / decided)}` : "");
    part.style.flexGrow = games;
    return part;
  });
  return el("span", { class: "bar", role: "img", "aria-label": words, title: words }, drawn);
}

/** Returns the share of the side to move with its interval: `62 % (54 to 70 %)`. */
export function share(line, side) {
  const value = line[`${side}_share`];
  if (!value) return el("span", { class: "dim" }, "–");
  const words = `${capital(side)} score ${percent(value.value)}; with 95 % confidence between ${interval(value)}`;
  return el("span", { class: "share", title: words }, percent(value.value), el("small", {}, interval(value)));
}
