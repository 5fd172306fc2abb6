// The page of an event: its standings and its games.

import { get } from "./api.js";
import { el, fill, link } from "./dom.js";
import { newestGames, playerLink, quoted, table, variantTitles } from "./people.js";
import { counted, integer } from "./format.js";

/** The maximum number of games in the standings. */
const MAX_GAMES = 200;

/** Opens the page. */
export async function open(main, { parts: [name], signal }) {
  document.title = `${name} · Taflbase`;
  const query = `event=${quoted(name)}`;
  const [{ games, total }, titles] = await Promise.all([get("/api/games", { query, limit: MAX_GAMES }, signal), variantTitles()]);
  const dates = games.map(({ date }) => date).filter(Boolean).sort();
  const period = dates.length === 0 ? "" : dates[0] === dates[dates.length - 1] ? ` on ${dates[0]}` : ` from ${dates[0]} to ${dates[dates.length - 1]}`;
  const rows = standings(games).map(({ name: player, points, won, drawn, lost, played }) => [playerLink(player), points, won, drawn, lost, played].map((cell) => (typeof cell === "number" ? pointsText(cell) : cell)));
  const crosstable = `/reports?kind=crosstable&query=${encodeURIComponent(query)}`;
  fill(main, el("h1", {}, name), el("p", {}, `${counted(total, "game")}${period}. `, link("Crosstable with tie-breaks", crosstable)),
    rows.length ? table("Standings", ["", "points", "won", "drawn", "lost", "games"], rows) : null,
    total > games.length ? el("p", { class: "dim" }, `The standings count the first ${integer(games.length)} games.`) : null, newestGames(query, titles, signal));
  return { follow() {} };
}

function pointsText(number) {
  return Number.isInteger(number) ? integer(number) : `${integer(Math.floor(number))}½`;
}

/** Returns the players with their points in finished games, the best first. */
function standings(games) {
  const players = new Map();
  const count = (name, result) => {
    const row = players.get(name) ?? { name, points: 0, won: 0, drawn: 0, lost: 0, played: 0 };
    players.set(name, row);
    row.played += 1;
    row[result] += 1;
    row.points += { won: 1, drawn: 0.5, lost: 0 }[result];
  };
  for (const { attackers, defenders, result } of games) {
    if (result === "unfinished") continue;
    const ends = result === "draw" ? ["drawn", "drawn"] : result === "attackers" ? ["won", "lost"] : ["lost", "won"];
    [attackers, defenders].forEach((name, at) => name && count(name, ends[at]));
  }
  return [...players.values()].sort((one, other) => other.points - one.points || one.played - other.played || (one.name < other.name ? -1 : 1));
}
