// Facts of a game besides its moves: players, findings, copies, and downloads.

import { address, info, rulesOf } from "./api.js";
import { copyLink } from "./copylink.js";
import { el, fill, link, withCode } from "./dom.js";
import { pageHelp } from "./pagehelp.js";
import { eventLink } from "./people.js";
import { positionHref } from "./position.js";
import { counted, resultText } from "./format.js";

/** Texts for records without findings, by their verdict. */
const VERDICTS = { sound: "The record is sound.", explained: "Every deviation of the record from the rules has an explanation." };

/** Returns the facts of a game as a line; `board` is the answer of `/api/board` for its rules. */
export function facts(game, { title, similar }) {
  const rules = rulesOf(game);
  const differing = similar?.differences.length;
  const like = similar ? ` (${differing ? `${counted(differing, "rule")} unlike` : "the rules of"} ${similar.title})` : "";
  const parts = [[link(title || game.variant || "custom rules", positionHref("/explore", rules)), like], game.shape, resultText(game.result, game.reason, game.reason_source), counted(game.plies, "ply", "plies"),
    game.date, eventLink(game.event), game.site, game.round ? `round ${game.round}` : null, game.time_control ? `time control ${game.time_control}` : null];
  return el("p", { class: "facts dim" }, parts.filter(Boolean).flatMap((part, at) => (at ? [" · ", part] : [part])));
}

/** Returns the findings about the record, with links to their plies. */
export function findings(game) {
  const list = game.findings ?? [];
  if (list.length === 0) return el("p", { class: "dim" }, VERDICTS[game.verdict] ?? "The record has no errors.");
  return el("section", {}, el("h2", {}, "Findings"), el("ul", { class: "findings" }, list.map((one) => el("li", { class: one.severity },
    codeLink(one.code, one.name), " ", withCode(pageHelp(one.message)), one.ply ? [" ", link(`ply ${one.ply}`, `#${one.ply}`)] : null,
    one.text ? [" ", el("code", {}, one.text)] : null))));
}

/** Returns the code of a finding, with a link to its explanation. */
export function codeLink(text, name) {
  return link(text, `/about#${text}`, { class: "code", title: name ?? "" });
}

/** Returns the copies of a game in other files, and a link to the game of which it may be a copy. */
export function copies(game) {
  const other = game.duplicate_of ? el("p", { class: "dim" }, link("Another game", `/game/${game.duplicate_of}`), " has the same moves.") : null;
  const list = game.copies ?? [];
  if (!other && !list.length) return null;
  return el("div", {}, other, list.length ? el("details", {}, el("summary", {}, counted(list.length, "copy", "copies")), el("ul", {}, list.map((one) =>
    el("li", {}, one.source, one.place ? ` (${one.place})` : null, one.variant ? `, as ${one.variant}` : null)))) : null);
}

/** Returns links to downloads of the record, and a button that copies the address. */
export function downloads(id, answer, signal) {
  const list = el("span", { class: "downloads" });
  info().then(({ formats }) => {
    if (signal.aborted) return;
    fill(list, (formats ?? []).filter(({ writable }) => writable).map(({ name, words }) =>
      link(name, address(`/api/game/${encodeURIComponent(id)}/record`, { to: name }), { download: "", title: words ?? name })));
  }, () => fill(list, "The list of notations could not be loaded."));
  return el("section", {}, el("h2", {}, "Share and download"), el("p", { class: "downloads" }, copyLink("Copy link", () => location.href), " Download as ", list),
    answer.game.source ? el("p", { class: "dim" }, `Source: ${answer.game.source}${answer.game.place ? `, line ${answer.game.place}` : ""}${answer.game.format ? ` (${answer.game.format})` : ""}.`) : null);
}
