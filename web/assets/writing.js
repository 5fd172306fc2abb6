// Changes of the corpus, on a server that may write: adding games, tags of a game, and aliases of a player.

import { address, clearCache, get, info, post } from "./api.js";
import { go } from "./address.js";
import { localPath } from "./base.js";
import { quoted } from "./clauses.js";
import { announce, button, el, fill, labeled, link } from "./dom.js";
import { counted } from "./format.js";
import { failure } from "./notice.js";
import { show } from "./router.js";

/** Calls `draw` with the host if the server may write. */
function ifWritable(draw) {
  const host = el("div", {});
  info().then(({ may_write: mayWrite }) => mayWrite && draw(host), () => {});
  return host;
}

/** Returns the address of a change with repeated parameters. */
function repeated(path, name, values, params = {}) {
  const more = values.map((value) => `${name}=${encodeURIComponent(value)}`).join("&");
  const url = address(path, params);
  return more ? `${url}${url.includes("?") ? "&" : "?"}${more}` : url;
}

/** Runs a change, forgets what was known of the corpus, and shows an error in `errors`; `remedy` returns a button for it. */
async function change(url, errors, done, remedy = () => null) {
  try {
    const answer = await post(url, {}, "");
    clearCache();
    fill(errors);
    await done(answer);
  } catch (error) {
    fill(errors, failure(error), remedy(error));
  }
}

/** Returns a button that adds checked records to the corpus. */
export function addGames({ body, params, signal }) {
  return ifWritable((host) => {
    const result = el("div", { "aria-live": "polite" });
    const add = button("Add to the corpus", async () => {
      add.disabled = true;
      try {
        const answer = await post("/api/import", params, body, signal);
        clearCache();
        fill(result, importResult(answer));
      } catch (error) {
        add.disabled = false;
        if (error.name !== "AbortError") fill(result, failure(error));
      }
    });
    fill(host, el("p", { class: "row" }, add), result);
  });
}

function importResult({ added, replaced, doubled, rejected, possible_copies: possible, games, problems, corpus_games: total }) {
  const parts = [`${counted(added, "game")} added`];
  if (doubled) parts.push(`${counted(doubled, "copy", "copies")} of stored games${replaced ? `, ${replaced} of them better than the stored ones` : ""}`);
  if (possible) parts.push(`${counted(possible, "possible copy", "possible copies")} kept and marked`);
  if (rejected) parts.push(`${counted(rejected, "record")} rejected`);
  const text = `${parts.join("; ")}. The corpus has ${counted(total, "game")}.`;
  announce(text);
  return [el("p", { class: "sums" }, el("strong", {}, text)),
    games.length ? el("p", {}, "Open ", games.slice(0, 12).flatMap((id, at) => [at ? ", " : "", link(games.length === 1 ? "the game" : `game ${at + 1}`, `/game/${id}`)]), ".") : null,
    problems.length ? el("ul", { class: "findings" }, problems.map((problem) => el("li", { class: "warning" }, problem))) : null];
}

/** The game whose tags were changed last: its form stays open when the page shows the change. */
let changed = null;
/** The form whose change draws the page again: `tags` or `names`; null without a change. */
let changedForm = null;

/** Returns the tags of a game, which can be changed if the server may write. */
export function gameTags(game) {
  const tags = [game.tags?.tag ?? []].flat();
  const shown = el("p", { class: "facts" }, tags.length ? ["Tags: ", tags.flatMap((tag, at) => [at ? ", " : "", link(tag, `/search?query=${encodeURIComponent(`tag:${quoted(tag)}`)}`)])] : null);
  const host = ifWritable((place) => {
    const url = (name, tag) => repeated(`/api/game/${encodeURIComponent(game.game)}/tags`, name, [tag]);
    const errors = el("div", { "aria-live": "polite" });
    const field = el("input", { type: "text", maxlength: 80 });
    const again = () => {
      changed = game.game;
      changedForm = "tags";
      show();
    };
    const add = () => (field.value.trim() ? change(url("add", field.value), errors, again) : askFor(field, errors, "Enter a tag first."));
    field.addEventListener("keydown", (event) => event.key === "Enter" && add());
    fill(place, el("details", { open: changed === game.game }, el("summary", {}, "Change tags"),
      tags.length ? el("ul", {}, tags.map((tag) => el("li", {}, tag, " ", button("Remove", () => change(url("remove", tag), errors, again), { "aria-label": `Remove the tag ${tag}` })))) : null,
      el("div", { class: "controls" }, labeled("New tag", field), button("Add", add)), errors));
    returnTo(field, "tags");
  });
  return el("div", {}, tags.length ? shown : null, host);
}

/** Returns the aliases of a player, which can be changed if the server may write. */
export function playerAliases({ name, aliases }) {
  const shown = aliases.length ? el("p", { class: "dim" }, `Also recorded as ${aliases.join(", ")}.`) : null;
  const host = ifWritable((place) => {
    const errors = el("div", { "aria-live": "polite" });
    const field = el("input", { type: "text", maxlength: 300 });
    const open = (other) => {
      changedForm = "names";
      const url = `/player/${encodeURIComponent(other)}`;
      // An alias is an address of the player too, so that the address may stay.
      if (localPath(location.pathname) === url) show();
      else go(url);
    };
    const merge = (other, force) => {
      const anyway = (error) => (error.code === "conflict" ? button("Merge anyway", () => merge(other, true)) : null);
      return change(repeated("/api/player/merge", "alias", [name], { name: other, force }), errors, () => open(other), anyway);
    };
    const check = async () => {
      const other = field.value.trim();
      if (!other) return askFor(field, errors, "Enter the other name first.");
      if (other === name) return askFor(field, errors, `The games show the name ${name} already. Enter another name of the player.`);
      try {
        if (await hasGames(other)) return await merge(other, false);
        return fill(errors, el("p", { class: "row" }, `No game has the name “${other}”; it may be mistyped. `, button("Use this new name", () => merge(other, false))));
      } catch (error) {
        return fill(errors, failure(error));
      }
    };
    // The name may have been given by the merge, so that no record has it.
    const split = (alias) => change(repeated("/api/player/split", "alias", [alias]), errors, async () => open(await hasGames(name) ? name : alias));
    field.addEventListener("keydown", (event) => event.key === "Enter" && check());
    fill(place, el("details", { open: changedForm === "names" }, el("summary", {}, "Merge with another name"),
      aliases.length ? el("ul", {}, aliases.map((alias) => el("li", {}, alias, " ", button("Split", () => split(alias), { "aria-label": `Split ${alias}` })))) : null,
      el("div", { class: "controls" }, labeled(`The name that games of ${name} will show`, field), button("Merge", check)),
      el("p", { class: "dim" }, "Records keep the name that they have, and the merge can be undone."), errors));
    returnTo(field, "names");
  });
  return el("div", {}, shown, host);
}

/** Returns whether a game shows a name of a player. */
async function hasGames(name) {
  const { total } = await get("/api/games", { query: `player=${quoted(name)}`, limit: 1 });
  return total > 0;
}

/** States what is missing in a field, and moves the focus there. */
function askFor(field, errors, text) {
  fill(errors, el("p", {}, text));
  field.focus();
}

/** Moves the focus back to the field of the form whose change drew the page again. */
function returnTo(field, form) {
  if (changedForm !== form) return;
  changedForm = null;
  field.focus();
}
