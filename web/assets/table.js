// Results of games as bars and percentages.

import { el } from "./dom.js";
import { integer, interval, percent } from "./format.js";

const SHORT = { attackers: "A ", draw: "= ", defenders: "D " };

/** Returns a bar of results with percentages; the tooltip has the numbers. */
export function bar(line) {
  const decided = line.attackers + line.draw + line.defenders;
  if (decided === 0) return el("span", { class: "dim" }, "unfinished");
  const parts = [["attackers", line.attackers], ["draw", line.draw], ["defenders", line.defenders]];
  const words = parts.map(([name, games]) => `${name === "draw" ? "draws" : `${name} won`} ${integer(games)} (${percent(games / decided)})`).join(", ");
  const drawn = parts.filter(([, games]) => games > 0).map(([name, games]) => {
    const part = el("span", { class: `part ${name}` }, games / decided > 0.24 ? el("span", { class: "barlabel" }, `${SHORT[name]}${percent(games / decided)}`) : "");
    part.style.flexGrow = games;
    return part;
  });
  return el("span", { class: "bar", role: "img", "aria-label": words, title: words }, drawn);
}

/** Returns an estimated score with its interval: `62 % 54 to 70 %`; a dash without one. */
export function score(estimate) {
  if (!estimate) return el("span", { class: "dim" }, "–");
  return el("span", { class: "share", title: `95 % confidence interval: ${interval(estimate)}` }, percent(estimate.value), " ", el("small", {}, interval(estimate)));
}
