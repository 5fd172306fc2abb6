// The home page: an overview of the corpus, and links to the other pages.

import { get, info, rulesOf } from "./api.js";
import { el, fill, link } from "./dom.js";
import { positionHref } from "./position.js";
import { emptyCorpus } from "./emptycorpus.js";
import { fillWith } from "./notice.js";
import { recall, remember } from "./memory.js";
import { gameCard, newestGames } from "./people.js";
import { counted, integer } from "./format.js";
import { rulesTitle, variantTitles } from "./variantname.js";

const MAX_VARIANTS = 12;

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Taflbase";
  const [known, titles] = await Promise.all([info(), variantTitles()]);
  const games = el("section", { "aria-label": "Games" });
  fill(main, el("h1", {}, "Taflbase"), summary(known), sinceLastVisit(known), el("ul", { class: "pagelist" }, PAGES.map(([text, target, description]) =>
    el("li", {}, link(text, target), el("span", { class: "dim" }, description)))), known.corpus?.games ? [variants(known, titles), games, newestGames("", titles, signal)] : emptyCorpus(known.may_write));
  if (known.corpus?.games) {
    fillWith(games, "Loading games", signal, async () => {
      const answer = await get("/api/games", { sort: "notable", limit: 8 }, signal);
      return [el("h2", {}, "Notable games"), el("ul", { class: "cards" }, answer.games.map((game) => gameCard(game, titles)))];
    });
  }
  return { follow() {} };
}

const PAGES = [["Play", "/play", "a game against the engine, or between two people"], ["Puzzles", "/puzzles", "positions with one winning move, a new one every day"], ["Explore", "/explore", "moves played from a position, and their results"], ["Search", "/search", "positions by a drawn pattern, games by conditions"],
  ["Analysis", "/analysis", "the engine’s evaluation of a position"], ["Reports", "/reports", "balance, openings, players, and more"],
  ["Check files", "/upload", "errors in game records; conversion to other notations"]];

function summary({ corpus }) {
  if (!corpus) return null;
  return el("p", {}, `The corpus ${corpus.name} has `, el("strong", {}, counted(corpus.games, "game")), `, ${counted(corpus.plies, "ply", "plies")}, and ${counted(corpus.positions, "position")}.`);
}

/** Returns how many games the corpus has more than at the last visit on another day, and remembers this visit. */
function sinceLastVisit({ corpus }) {
  if (!corpus) return null;
  const today = new Date().toISOString().slice(0, 10);
  const visits = recall("visits")[corpus.name] ?? {};
  const last = visits.day === today ? visits.before : { day: visits.day, games: visits.games };
  remember("visits", corpus.name, { day: today, games: corpus.games, before: last });
  const more = last?.day ? corpus.games - last.games : 0;
  return more > 0 ? el("p", {}, "Since your last visit on ", last.day, ": ", el("strong", {}, `${counted(more, "new game")}.`)) : null;
}

function variants({ variants: list }, titles) {
  const most = Math.max(...list.map(({ games }) => games));
  const row = (one) => {
    const part = el("span", { class: "part attackers" });
    part.style.width = `${(one.games / most) * 100}%`;
    const name = rulesTitle({ variant: one.name, rules: one.rules }, titles);
    return el("li", {}, link(name, positionHref("/explore", rulesOf({ variant: one.name, rules: one.rules })), one.name ? {} : { title: one.rules }), el("span", { class: "dim" }, one.shape),
      el("span", { class: "count", "aria-hidden": "true" }, part), el("span", { class: "number" }, integer(one.games)));
  };
  const others = list.slice(MAX_VARIANTS);
  return el("section", {}, el("h2", {}, "Variants"), el("ul", { class: "counts" }, list.slice(0, MAX_VARIANTS).map(row)),
    others.length ? el("details", {}, el("summary", {}, counted(others.length, "more variant")), el("ul", { class: "counts" }, others.map(row))) : null);
}
