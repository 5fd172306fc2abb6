// Pasted texts: a position record, moves, or a record in any notation that the server reads.

import { Failure, post } from "./api.js";
import { fetchPosition, rulesParams } from "./position.js";
import { splitMoves } from "./format.js";

const MOVE = /^(\d+\.+)?[a-z]+\d+[-x][a-z]+\d+\S*$/i;
const NUMBER = /^\d+\.*$/;

/**
 * Returns the parameters of the position that a text describes, and its record in JSON lines and the error in it if it is one. Moves and positions have
 * the rules of `pos`.
 */
export async function pastedPosition(text, pos, signal) {
  const isPosition = /^\/\S+\/$/.test(text.split(/\s+/)[0]);
  const moves = splitMoves(text).filter((part) => !NUMBER.test(part)).join(",");
  const next = isPosition ? { position: text.split(/\s+/)[0], side: pos.side ?? null, moves: null }
    : { position: pos.position ?? null, side: pos.side ?? null, moves };
  try {
    await fetchPosition({ ...rulesParams(pos), ...next }, signal);
    return { next, record: null, problem: null };
  } catch (error) {
    // A list of moves with a mistake is no record of another game.
    const isList = splitMoves(text).every((part) => MOVE.test(part) || NUMBER.test(part));
    if (error.name === "AbortError" || isPosition || isList) throw error;
    const found = await recordPosition(text, signal);
    if (!found) throw error;
    const written = await post("/api/convert", { to: "jsonl", name: "pasted" }, text, signal);
    return { ...found, record: JSON.parse(written.text.split("\n")[0]) };
  }
}

/** Returns the last position of the first game of a record and the first error in it; null if the text is no record. */
async function recordPosition(text, signal) {
  const answer = await post("/api/validate", { name: "pasted" }, text, signal);
  const game = answer.games?.find((one) => one.moves?.length);
  const error = answer.findings.find(({ severity, game: number }) => severity === "error" && (!game || number === game.ordinal));
  if (!game && answer.records > 0 && error) throw new Failure({ code: "bad-record", message: `The record cannot be shown: ${error.message}`, help: error.help });
  if (!game) return null;
  const problem = error ? `The record has an error, so only the moves before it are shown: ${error.message}` : null;
  const moves = game.moves.map((move) => move.split("x")[0]).join(",");
  const next = { variant: game.variant ?? null, rules: game.variant ? null : game.rules, position: null, side: null, moves };
  // A record's own name for its rules isn't in the catalog, and its start may be another one.
  const attempts = [next, { ...next, variant: null, rules: game.rules }, { ...next, variant: null, rules: game.rules, position: game.start, side: game.first }];
  for (const attempt of attempts) {
    try {
      await fetchPosition(attempt, signal);
      return { next: attempt, problem };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return null;
}
