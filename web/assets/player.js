// The page of a player: results by side, variant, opponent, and month, and the newest games.

import { get } from "./api.js";
import { el, fill, link } from "./dom.js";
import { quoted } from "./clauses.js";
import { newestGames, openingText, playerLink, table } from "./people.js";
import { variantTitles } from "./variantname.js";
import { playerAliases } from "./writing.js";
import { score } from "./table.js";
import { capitalize, counted, integer, percent, percentText } from "./format.js";

/** Opens the page. */
export async function open(main, { parts: [wanted], signal }) {
  const [answer, titles] = await Promise.all([get("/api/player", { name: wanted }, signal), variantTitles()]);
  // The address may have an alias.
  const { name } = answer;
  document.title = `${name} · Taflbase`;
  const report = `/reports?kind=player&name=${encodeURIComponent(name)}`;
  fill(main, el("h1", {}, name), el("p", {}, summary(answer), " ", link("Openings, departures from known lines, and errors", report)), playerAliases(answer), el("div", { class: "split even" }, sides(answer)), newestGames(`player=${quoted(name)}`, titles, signal, MAX_NEWEST), el("div", { class: "split even" }, el("div", { class: "left" }, variantTable(name, answer.variants, titles), openings(answer.openings ?? [], titles), months(answer.months)),
    el("div", { class: "right" }, errors(answer, titles), opponents(answer))));
  return { follow() {} };
}

function summary({ total, first_date: first, last_date: last, rating }) {
  const dates = first ? (first === last ? ` on ${first}` : ` from ${first} to ${last}`) : "";
  return `${counted(total.games, "game")}${dates}: ${integer(total.won)} won, ${integer(total.drawn)} drawn, ${integer(total.lost)} lost${
    total.unfinished ? `, ${integer(total.unfinished)} unfinished` : ""}.${rating ? ` Last known rating: ${rating}.` : ""}`;
}

/** Returns the results of a row: bar, score, and number of games. */
function results(row) {
  return [resultBar(row), score(row.score), integer(row.games)];
}

/** The number of games above the tables: a row on a wide page, and three on a phone. */
const MAX_NEWEST = 6;

const HEAD = ["", "results", "score", "games"];

function resultBar({ games, won, drawn, lost }) {
  const decided = won + drawn + lost;
  if (decided === 0) return el("span", { class: "dim" }, games ? "unfinished" : "–");
  const words = `won ${integer(won)}, drawn ${integer(drawn)}, lost ${integer(lost)}`;
  const parts = [["won", won], ["draw", drawn], ["lost", lost]].filter(([, games]) => games > 0);
  return el("span", { class: "bar", role: "img", "aria-label": words, title: words }, parts.map(([kind, games]) => {
    const part = el("span", { class: `part ${kind}` }, games / decided > 0.2 ? integer(games) : "");
    part.style.flexGrow = games;
    return part;
  }));
}

function sides(answer) {
  return table("By side", HEAD, answer.sides.map((row) => [capitalize(row.side), ...results(row)]));
}

function variantTable(name, variants, titles) {
  const row = ({ variant, attackers, defenders }) => ["attackers", "defenders"].map((side) => {
    const own = side === "attackers" ? attackers : defenders;
    const query = `${side}:${quoted(name)}`;
    const openingLink = variant ? link(side, `/explore?variant=${encodeURIComponent(variant)}&query=${encodeURIComponent(query)}`, { title: "Openings in the explorer" }) : side;
    return own.games ? [el("span", {}, variant ? titles.get(variant) || variant : "other rules", ", ", openingLink), ...results(own)] : null;
  });
  return table("By variant and side", HEAD, variants.flatMap(row).filter(Boolean));
}

/** Returns the results with each named opening; null without any. */
function openings(list, titles) {
  if (list.length === 0) return null;
  return table("By opening", HEAD, list.map((row) => [el("span", {}, openingText(row), ` ${[titles.get(row.variant) || row.variant, row.side].filter(Boolean).join(", ")}`), ...results(row)]));
}

/** Returns the accuracy and the error rates, or how to get them. */
function errors({ errors: found }, titles) {
  const host = el("section", { class: "errorrates" });
  if (!found) {
    fill(host, el("h2", {}, "Accuracy"), el("p", { class: "dim" }, "No engine has evaluated games of this player yet. “Annotate” on the page of a game evaluates one; in a terminal, ",
      el("code", {}, "tafl annotate CORPUS"), " evaluates all."));
    return host;
  }
  const head = ["", "accuracy", "inaccuracies", "mistakes", "blunders", "plies (games)"];
  const rate = (value, digits = 1) => (value ? el("span", { class: "share", title: "95 % confidence interval over games" }, `${percentText(value.value, digits)} %`, " ",
    el("small", {}, `${percentText(value.low, digits)} to ${percentText(value.high, digits)} %`)) : el("span", { class: "dim" }, "–"));
  const row = (name, one) => [name, rate(one.accuracy), rate(one.inaccuracies), rate(one.mistakes), rate(one.blunders), `${integer(one.plies)} (${integer(one.games)})`];
  const rows = found.sides.filter(({ games }) => games).map((one) => row(capitalize(one.side), one));
  const byVariant = found.variants.map((one) => row(`${one.variant ? titles.get(one.variant) || one.variant : "Other rules"}, ${one.side}`, one));
  fill(host, table(`Accuracy and errors in ${counted(found.games, "evaluated game")}`, head, [...rows, ...(new Set(found.variants.map(({ variant }) => variant)).size > 1 ? byVariant : [])]),
    el("p", { class: "dim" }, "Proportions of plies with 95 % intervals over games. The accuracy needs at least two games."));
  return host;
}

function opponents({ name, opponents: list, opponents_total: total }) {
  const games = (opponent) => `/search?query=${encodeURIComponent(`player=${quoted(name)} player=${quoted(opponent)}`)}`;
  const compare = (other) => link("compare", `/compare?one=${encodeURIComponent(name)}&other=${encodeURIComponent(other)}`, { class: "dim", "aria-label": `Compare with ${other}` });
  const rows = list.map((row) => [row.name ? [playerLink(row.name), " ", compare(row.name)] : "unknown", resultBar(row), score(row.score), row.name ? link(integer(row.games), games(row.name)) : integer(row.games)]);
  const known = list.filter((row) => row.name).length;
  return [table("By opponent", HEAD, rows), total > known ? el("p", { class: "dim" }, `${integer(total - known)} more opponents.`) : null];
}

function months(list) {
  if (list.length < 2) return null;
  const most = Math.max(...list.map(({ games }) => games));
  const item = (row) => {
    const part = el("span", { class: "part attackers" });
    part.style.width = `${(row.games / most) * 100}%`;
    return el("li", {}, row.month, el("span", { class: "number" }, row.score ? percent(row.score.value) : "–"), el("span", { class: "count", "aria-hidden": "true" }, part), el("span", { class: "number" }, integer(row.games)));
  };
  return el("details", {}, el("summary", {}, `By month (${counted(list.length, "month")}: score and number of games)`), el("ul", { class: "counts" }, list.map(item)));
}
