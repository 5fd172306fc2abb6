// The first page: what the corpus has, and where to go.

import { get, info, rulesOf } from "./api.js";
import { el, fill, link } from "./dom.js";
import { positionHref } from "./position.js";
import { empty, fillWith } from "./notice.js";
import { miniBoard } from "./miniboard.js";
import { counted, ended, player, whole } from "./words.js";

const SHOWN = 12;

/** Opens the page. */
export async function open(main, { signal }) {
  document.title = "Taflbase";
  const known = await info();
  const latest = el("section", { "aria-label": "Games" });
  fill(main, el("h1", {}, "Taflbase"), summary(known), el("ul", { class: "doors" }, doors().map(([text, target, words]) =>
    el("li", {}, link(text, target), el("span", { class: "dim" }, words)))), known.corpus?.games ? [variants(known), latest] : nothing());
  if (known.corpus?.games) {
    fillWith(latest, "Reading games", signal, async () => {
      const { games } = await get("/api/games", { limit: 8 }, signal);
      return [el("h2", {}, "Some games"), el("ul", { class: "cards" }, games.map(card))];
    });
  }
  return { follow() {} };
}

function doors() {
  return [["Explore", "/explore", "what was played from a position, and how it ended"], ["Search", "/search", "positions drawn on a board, games by condition"],
    ["Analysis", "/analysis", "what the engine thinks of a position"], ["Reports", "/reports", "who wins, how surely, and why"],
    ["Check files", "/upload", "what is wrong with records; other notations"]];
}

function summary({ corpus }) {
  if (!corpus) return null;
  return el("p", {}, `The corpus ${corpus.name} has `, el("strong", {}, counted(corpus.games, "game")), `, ${counted(corpus.plies, "ply", "plies")} and ${counted(corpus.positions, "position")}.`);
}

function nothing() {
  return empty(el("p", {}, "The corpus has no games yet."), el("p", { class: "dim" }, "Take some in: "), el("pre", {}, "tafl import games/ CORPUS"),
    el("p", { class: "dim" }, "These pages notice when games have come. Analysis and checking files work without any."));
}

function variants({ variants: list }) {
  const most = Math.max(...list.map(({ games }) => games));
  const rows = list.slice(0, SHOWN).map((one) => {
    const part = el("span", { class: "part attackers" });
    part.style.width = `${(one.games / most) * 100}%`;
    return el("li", {}, link(one.name ?? one.rules, positionHref("/explore", rulesOf({ variant: one.name, rules: one.rules }))), el("span", { class: "dim" }, one.shape),
      el("span", { class: "count", "aria-hidden": "true" }, part), el("span", { class: "number" }, whole(one.games)));
  });
  return el("section", {}, el("h2", {}, "Variants"), el("ul", { class: "counts" }, rows), list.length > SHOWN ? el("p", { class: "dim" }, `and ${list.length - SHOWN} more: Explore lists all`) : null);
}

function card(game) {
  const names = `${player(game.attackers, "attackers")} – ${player(game.defenders, "defenders")}`;
  return el("li", { class: "card" }, el("a", { href: `/game/${game.game}`, class: "cardboard", tabindex: -1, "aria-hidden": "true" }, miniBoard(rulesOf(game), game.final ?? null, { label: names })),
    el("div", { class: "cardtext" }, link(names, `/game/${game.game}`), el("span", { class: "dim" }, [game.variant, ended(game.result, game.reason), game.date].filter(Boolean).join(", "))));
}
