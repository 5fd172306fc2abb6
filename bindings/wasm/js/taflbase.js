// The library: compiled once per page, when it is needed first.

import { glue, wasm } from "./library.js";

let library = null;

async function compile() {
  const packed = Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0));
  const bytes = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  await glue({ module_or_path: bytes });
  return new glue.Taflbase();
}

/** Waits for the library. */
export function load() {
  library ??= compile();
  return library;
}

/** An error of a request: its kind, its message, and its advice. */
export class RequestError extends Error {
  constructor({ kind, message, help, parameter, place }) {
    super(message);
    Object.assign(this, { name: "RequestError", kind, help, parameter, place });
  }
}

/** Runs a request (`board`, `position`, `move`, `validate`, ...), and returns its answer; `text` has records. */
export async function request(name, parameters = {}, text = "") {
  const known = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const taflbase = await load();
  let answer;
  try {
    answer = taflbase.request(name, JSON.stringify(Object.fromEntries(known)), new TextEncoder().encode(text));
  } catch (error) {
    throw typeof error === "string" ? new RequestError(JSON.parse(error)) : error;
  }
  return JSON.parse(answer);
}
