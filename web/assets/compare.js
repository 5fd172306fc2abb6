// The page that compares two players: their results side by side, and their games against each other.

import { change, params } from "./address.js";
import { get } from "./api.js";
import { el, fill, labeled, link } from "./dom.js";
import { failure } from "./notice.js";
import { quoted } from "./clauses.js";
import { newestGames, playerLink, table } from "./people.js";
import { variantTitles } from "./variantname.js";
import { counted, integer, interval, percent } from "./format.js";

const NAMES = ["one", "other"];

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Compare players · Taflbase";
  const titles = await variantTitles();
  const page = {
    async follow() {
      const names = NAMES.map((name) => params().get(name) ?? "");
      const draw = (...content) => fill(main, el("h1", {}, "Compare players"), form(names), content);
      draw();
      if (!names.every(Boolean)) return draw(el("p", { class: "dim" }, "Enter two names, as they are in the records."));
      let answers = null;
      try {
        answers = await Promise.all(names.map((name) => get("/api/player", { name }, signal)));
      } catch (error) {
        // A name may be mistyped: the form stays.
        if (error.code !== "unknown-player") throw error;
        return draw(failure(error));
      }
      const [one, other] = answers;
      document.title = `${names.join(" and ")} · Taflbase`;
      return draw(comparison(one, other, titles), headToHead(one, other),
        newestGames(names.map((name) => `player=${quoted(name)}`).join(" "), titles, signal));
    },
  };
  await page.follow();
  return page;
}

function form(names) {
  const field = (name, at) => {
    const input = el("input", { value: names[at], autocomplete: "off" });
    return [name, input, labeled(at === 0 ? "First player" : "Second player", input)];
  };
  const fields = NAMES.map(field);
  const submit = (event) => {
    event.preventDefault();
    change(Object.fromEntries(fields.map(([name, input]) => [name, input.value.trim()])));
  };
  return el("form", { class: "row", submit }, fields.map(([, , host]) => host), el("button", { type: "submit" }, "Compare"));
}

/** Returns the score of a row with its interval and the number of games. */
function score(row) {
  if (!row?.games) return "–";
  if (!row.score) return counted(row.games, "game");
  return el("span", { title: `95 % confidence interval: ${interval(row.score)}` }, percent(row.score.value), el("small", {}, ` ${interval(row.score)}, n = ${integer(row.games)}`));
}

function comparison(one, other, titles) {
  const both = [one, other];
  const side = (name) => (answer) => answer.sides.find((row) => row.side === name);
  const rows = [["All games", both.map(({ total }) => score(total))], ["As attackers", both.map(side("attackers")).map(score)], ["As defenders", both.map(side("defenders")).map(score)],
    ["Last known rating", both.map(({ rating }) => (rating ? integer(rating) : "–"))], ["First and last date", both.map(({ first_date: first, last_date: last }) => (first ? `${first} – ${last}` : "–"))]];
  const shared = one.variants.filter(({ variant }) => variant && other.variants.some((row) => row.variant === variant));
  for (const { variant } of shared) {
    for (const name of ["attackers", "defenders"]) {
      rows.push([`${titles.get(variant) || variant}, ${name}`, both.map(({ variants }) => score(variants.find((row) => row.variant === variant)[name]))]);
    }
  }
  return table("Score (a win is 100 %, a draw 50 %)", ["", ...both.map(({ name }) => playerLink(name))], rows.map(([name, cells]) => [name, ...cells]));
}

function headToHead(one, other) {
  const row = one.opponents.find(({ name }) => name === other.name);
  if (!row) return el("p", { class: "dim" }, `${one.name} and ${other.name} have not met, or are not among each other’s 50 most frequent opponents.`);
  return el("p", {}, link(counted(row.games, "game"), `/search?query=${encodeURIComponent(NAMES.map((_, at) => `player=${quoted([one, other][at].name)}`).join(" "))}`),
    ` against each other: ${one.name} won ${integer(row.won)}, ${other.name} won ${integer(row.lost)}, ${integer(row.drawn)} drawn.`);
}
