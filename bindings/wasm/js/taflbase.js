// The library: compiled once per page, when it is needed first.

import { glue, wasm } from "./library.js";
import { decompress } from "./lzma.js";

/** The requests of the library in this file. The file with the engine has the others, too. */
const VIEWER = ["board", "move", "position", "rules-list", "validate"];

/** The notations that this file can read; others are read with the file with the engine. */
const NOTATIONS = ["opentafl", "cyngesheall", "movelist", "aagenielsen", "pgn", "jsonl", "fen"];

let viewer = null;
let engine = null;

async function compile({ glue, wasm }) {
  const packed = Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0));
  await glue({ module_or_path: decompress(packed) });
  return new glue.Taflbase();
}

/** Waits for the library. */
export function load() {
  viewer ??= compile({ glue, wasm });
  return viewer;
}

/** Loads the file with the engine, which is beside this one, and waits for it. */
export function loadEngine() {
  engine ??= import("./taflbase-engine.js").then(compile).catch((error) => {
    engine = null;
    throw error;
  });
  return engine;
}

/** An error of a request: its kind, its message, and its advice. */
export class RequestError extends Error {
  constructor({ kind, message, help, parameter, place }) {
    super(message);
    Object.assign(this, { name: "RequestError", kind, help, parameter, place });
  }
}

/** Runs a request (`board`, `position`, `move`, `validate`, `eval`, ...), and returns its answer; `text` has records. */
export async function request(name, parameters = {}, text = "") {
  const known = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const run = (taflbase) => {
    try {
      return JSON.parse(taflbase.request(name, JSON.stringify(Object.fromEntries(known)), new TextEncoder().encode(text)));
    } catch (error) {
      throw typeof error === "string" ? new RequestError(JSON.parse(error)) : error;
    }
  };
  if (!VIEWER.includes(name)) return run(await loadEngine());
  const answer = run(await load());
  const isUnread = name === "validate" && answer.format && !NOTATIONS.includes(answer.format);
  return isUnread ? run(await loadEngine()) : answer;
}
