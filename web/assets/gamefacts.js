// What is known of a game besides its moves: facts, findings, copies, downloads.

import { address, info, rulesOf } from "./api.js";
import { button, el, fill, link, say } from "./dom.js";
import { positionHref } from "./position.js";
import { counted, ended } from "./words.js";

/** Returns the facts of a game as a line. */
export function facts(game) {
  const rules = rulesOf(game);
  const parts = [link(game.variant ?? "rules of its own", positionHref("/explore", rules)), game.shape, ended(game.result, game.reason), counted(game.plies, "ply", "plies"),
    game.date, game.event, game.site, game.round ? `round ${game.round}` : null, game.time_control ? `time ${game.time_control}` : null];
  return el("p", { class: "facts dim" }, parts.filter(Boolean).flatMap((part, at) => (at ? [" · ", part] : [part])));
}

/** Returns what was found about the record, each with its place. */
export function findings(game) {
  const list = game.findings ?? [];
  if (list.length === 0) return el("p", { class: "dim" }, game.verdict ? `The record is ${game.verdict}.` : "Nothing is wrong with the record.");
  return el("section", {}, el("h2", {}, "Findings"), el("ul", { class: "findings" }, list.map((one) => el("li", { class: one.severity },
    code(one.code, one.name), " ", one.message, one.ply ? [" ", link(`ply ${one.ply}`, `#${one.ply}`)] : null,
    one.text ? [" ", el("code", {}, one.text)] : null))));
}

/** Returns the code of a finding, with a link to what it means. */
export function code(text, name) {
  return link(text, `/about#${text}`, { class: "code", title: name ?? "" });
}

/** Returns the copies of a game that other files had. */
export function copy(game) {
  if (!game.copies?.length) return null;
  return el("details", {}, el("summary", {}, counted(game.copies.length, "copy", "copies")), el("ul", {}, game.copies.map((one) =>
    el("li", {}, typeof one === "string" ? one : [one.source, one.place ? ` (${one.place})` : null]))));
}

/** Returns downloads, and a button that copies the address. */
export function took(id, answer, signal) {
  const list = el("span", { class: "downloads" });
  info().then(({ formats }) => {
    if (signal.aborted) return;
    fill(list, (formats ?? []).filter(({ writable }) => writable).map(({ name, words }) =>
      link(name, address(`/api/game/${encodeURIComponent(id)}/record`, { to: name }), { download: "", title: words ?? name })));
  }, () => fill(list, "The list of notations could not be read."));
  const share = button("Copy the address", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      share.textContent = "Copied";
      say("The address was copied");
    } catch {
      share.textContent = "The browser does not allow that: copy it from its bar";
    }
    setTimeout(() => { share.textContent = "Copy the address"; }, 3000);
  });
  return el("section", {}, el("h2", {}, "Take it with you"), el("p", { class: "downloads" }, share, " Download as ", list),
    answer.game.source ? el("p", { class: "dim" }, `From ${answer.game.source}${answer.game.place ? `, place ${answer.game.place}` : ""}, read as ${answer.game.format ?? "a record"}.`) : null);
}
