// Links to the pages of players and events, and lists of their games.

import { get, rulesOf } from "./api.js";
import { button, el, link, put } from "./dom.js";
import { miniBoard } from "./miniboard.js";
import { fillWith } from "./notice.js";
import { counted, playerNames, resultText } from "./format.js";
import { rulesTitle } from "./variantname.js";

const MAX_GAMES = 12;
/** The number of rows of a table that are shown at first. */
const MAX_ROWS = 10;
/** A query that every game matches. */
const ALL_GAMES = "plies>=0";

/** Returns a link to the page of a player; null without a name. */
export function playerLink(name) {
  return name ? link(name, `/player/${encodeURIComponent(name)}`, { class: "name" }) : null;
}

/** Returns a link to the page of an event; null without a name. */
export function eventLink(name) {
  return name ? link(name, `/event/${encodeURIComponent(name)}`, { class: "name" }) : null;
}

/** Returns the name of an opening with its source, which may be an address. */
export function openingText({ name, source }) {
  return [el("strong", {}, name), " ", el("small", { class: "dim" }, /^https?:\/\//.test(source) ? link("source", source, { rel: "noreferrer" }) : source)];
}

/** Returns a game as a card: its last position, and links to the game and its players. */
export function gameCard(game, titles) {
  const names = playerNames(game);
  return el("li", { class: "card" }, el("a", { href: `/game/${game.game}`, class: "cardboard", tabindex: -1, "aria-hidden": "true" }, miniBoard(rulesOf(game), game.final ?? null, { label: names })),
    el("div", { class: "cardtext" }, link(names, `/game/${game.game}`), el("span", { class: "dim" }, [rulesTitle(game, titles), resultText(game.result, game.reason, game.reason_source), game.date].filter(Boolean).join(", "))));
}

/** Returns a section with the newest games that match a query, at most `limit`. */
export function newestGames(query, titles, signal, limit = MAX_GAMES) {
  const host = el("section", { "aria-label": "Newest games" });
  fillWith(host, "Loading games", signal, async () => {
    // Records without a date are last.
    const answer = await get("/api/games", { query: query || null, sort: "date", limit }, signal);
    return [el("h2", {}, "Newest games"), el("ul", { class: "cards" }, answer.games.map((game) => gameCard(game, titles))),
      answer.total > answer.games.length ? el("p", {}, link(`All ${counted(answer.total, "game")}`, `/search?query=${encodeURIComponent(query || ALL_GAMES)}&sort=date`)) : null];
  });
  return host;
}

/** Returns a table whose first column names things; `rows` are lists of cells. Only the first `limit` are shown until a button is pressed. */
export function table(caption, head, rows, limit = MAX_ROWS) {
  const line = ([name, ...cells]) => el("tr", {}, el("th", { scope: "row" }, name), cells.map((cell, at) => el("td", { "data-label": head[at + 1] || null }, cell)));
  const body = el("tbody", {}, rows.slice(0, limit).map(line));
  const host = el("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": caption }, el("table", { class: "figures" }, el("caption", {}, caption), el("thead", {}, el("tr", {}, head.map((text) => (text ? el("th", { scope: "col" }, text) : el("td", {}))))), body));
  if (rows.length <= limit) return host;
  const more = button(`All ${rows.length} rows`, () => {
    put(body, rows.slice(limit).map(line));
    more.remove();
    host.focus();
  });
  return el("div", {}, host, el("p", {}, more));
}
