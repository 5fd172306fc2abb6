// The page of an event: its standings and its games.

import { Failure, get } from "./api.js";
import { el, fill, link } from "./dom.js";
import { quoted } from "./clauses.js";
import { newestGames, playerLink, table } from "./people.js";
import { variantTitles } from "./variantname.js";
import { counted, integer } from "./format.js";

/** The maximum number of games whose dates are read. */
const MAX_GAMES = 200;
/** The maximum number of players in the standings. */
const MAX_PLAYERS = 200;

/** Opens the page. */
export async function open(main, { parts: [name], signal }) {
  document.title = `${name} · Taflbase`;
  const query = `event=${quoted(name)}`;
  const [{ games, total }, report, titles] = await Promise.all([get("/api/games", { query, limit: MAX_GAMES }, signal),
    get("/api/report", { kind: "crosstable", query, format: "json" }, signal), variantTitles()]);
  if (total === 0) throw new Failure({ code: "unknown-event", message: `no game has the event ${name}`, help: "The address may be mistyped. Search for part of the name with event:\"…\"." });
  const dates = games.map(({ date }) => date).filter(Boolean).sort();
  const period = dates.length === 0 ? "" : dates[0] === dates[dates.length - 1] ? ` on ${dates[0]}` : ` from ${dates[0]} to ${dates[dates.length - 1]}`;
  const crosstable = `/reports?kind=crosstable&query=${encodeURIComponent(query)}`;
  fill(main, el("h1", {}, name), el("p", {}, `${counted(total, "game")}${period}. `, link("Crosstable", crosstable)), standings(report), newestGames(query, titles, signal));
  return { follow() {} };
}

/** Returns the standings of a report of the kind `crosstable`, without the columns of opponents; null without players. */
function standings(report) {
  const section = report.sections.crosstable;
  if (!section) return null;
  const { columns, rows, note } = section.tables.crosstable;
  const keys = Object.keys(columns).filter((key) => key !== "number" && !key.startsWith("against_"));
  const warnings = section.text.map(({ warning }) => warning).filter(Boolean);
  // JavaScript moves keys that are numbers to the front.
  const ranked = Object.values(rows).sort((one, other) => one.cells.place - other.cells.place);
  const lines = ranked.map(({ label, cells }) => [playerLink(label), ...keys.map((key) => cellText(cells[key]))]);
  // The last sentence of the note explains the columns of opponents.
  return el("section", {}, table("Standings", ["", ...keys.map((key) => columns[key])], lines, MAX_PLAYERS), [...warnings, note.replace(/ 1\.5\/2:.*$/, "")].map((text) => el("p", { class: "dim" }, text)));
}

/** Returns a cell as text: a dash for a tie-break that was not applied. */
function cellText(cell) {
  if (cell === null || cell === undefined) return "–";
  if (typeof cell !== "number") return cell.missing ?? String(cell);
  const whole = Math.floor(cell);
  return { 0: integer(whole), 0.25: `${integer(whole)}¼`, 0.5: `${integer(whole)}½`, 0.75: `${integer(whole)}¾` }[cell - whole] ?? String(cell);
}
