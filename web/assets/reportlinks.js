// Links from the tables of a report: players to their pages, openings to the explorer.

import { el } from "./dom.js";
import { playerLink } from "./people.js";

/** The tables whose rows are players, and those whose rows are moves from the start. */
const PLAYER_TABLES = ["players", "crosstable", "opponents", "by_opponent"];
const LINE_TABLES = ["first_moves", "openings"];
/** The tables of the openings of a player; the variant is in their names. */
const OF_PLAYER = /^openings (\S+) (?:attackers|defenders)$/;

/** Makes links of the first cells of rows. The report in the frame has its figures as JSON. */
export function linkRows(frame, variants) {
  const page = frame.contentDocument;
  const data = page?.getElementById("taflbase-report")?.textContent;
  if (!data) return;
  const captions = [...page.querySelectorAll("caption")];
  for (const [key, section] of Object.entries(JSON.parse(data).sections ?? {})) {
    for (const [name, table] of Object.entries(section.tables ?? {})) {
      const isPlayers = PLAYER_TABLES.includes(name);
      const variant = LINE_TABLES.includes(name) ? key : OF_PLAYER.exec(name)?.[1];
      if (!isPlayers && !variants.some((one) => one.name === variant)) continue;
      const caption = captions.find((one) => one.textContent === table.title && (isPlayers || isIn(one, section.title)));
      for (const head of caption?.parentElement.querySelectorAll("tbody th") ?? []) linkCell(head, isPlayers ? playerLink(head.textContent) : lineLink(variant, head.textContent));
    }
  }
}

/** Returns whether a caption is in the section with a title. */
function isIn(caption, title) {
  return caption.closest("section")?.querySelector("h2")?.textContent === title;
}

function lineLink(variant, moves) {
  const query = new URLSearchParams({ variant, moves: moves.replaceAll(" ", ",") });
  return el("a", { href: `/explore?${query.toString().replaceAll("%2C", ",")}` }, moves);
}

function linkCell(head, anchor) {
  if (!anchor || head.querySelector("a")) return;
  // The frame has no scripts; a click leaves the whole page.
  anchor.target = "_top";
  head.replaceChildren(head.ownerDocument.adoptNode(anchor));
}
