// Asking the server. Every answer is JSON or a stream of events; every failure is a `Failure` in words.

/** Why the server gave no answer: a code, words, and what to do, as the server says it. */
export class Failure extends Error {
  constructor(error, status = 0) {
    super(error.message ?? "The server gave no reason.");
    this.code = error.code ?? "internal";
    this.help = error.help ?? null;
    this.parameter = error.parameter ?? null;
    this.span = error.span ?? null;
    this.columns = error.columns ?? null;
    this.status = status;
  }
}

const gone = { code: "gone", message: "The server does not answer.",
  help: "It may have been stopped. Start `tafl serve` again in its terminal; this page tries again by itself." };

const watchers = new Set();

/** Calls back with `false` when the server stops answering, and with `true` at the next answer. */
export function watch(call) {
  watchers.add(call);
}

function report(alive) {
  for (const call of watchers) call(alive);
}

/** Returns the address of a question; empty parameters are left out. */
export function address(path, params = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    // The pages keep a rules string apart from a name; the server takes both as the variant.
    const parameter = name === "rules" ? "variant" : name;
    if (value !== null && value !== undefined && value !== "" && value !== false) query.set(parameter, value === true ? "1" : value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** Waits for the server; what breaks off unasked is told as a server that is gone. */
async function reached(work) {
  try {
    return await work;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    report(false);
    throw new Failure(gone);
  }
}

async function ask(url, options) {
  const response = await reached(fetch(url, { credentials: "same-origin", ...options }));
  report(true);
  if (response.ok) return response;
  let body = null;
  try {
    body = await response.json();
  } catch {
    // Not an answer of ours, such as that of a proxy: the status has to do.
  }
  throw new Failure(body?.error ?? { message: `The server answered ${response.status}.` }, response.status);
}

/** Returns the answer to a question. */
export async function get(path, params, signal) {
  const response = await ask(address(path, params), { signal });
  return response.json();
}

/** Returns the answer to a text that is sent. */
export async function post(path, params, body, signal) {
  const response = await ask(address(path, params), { method: "POST", body, signal });
  return response.json();
}

/** Calls back with the name and the data of every event of a stream, until it ends or the signal stops it. */
export async function stream(path, params, signal, call) {
  const response = await ask(address(path, params), { signal, headers: { Accept: "text/event-stream" } });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reached(reader.read());
    if (done) return;
    const parts = (rest + value).split(/\r?\n\r?\n/);
    rest = parts.pop();
    for (const part of parts) event(part, call);
  }
}

function event(text, call) {
  let name = "message";
  const data = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  if (data.length === 0) return;
  const value = JSON.parse(data.join("\n"));
  if (name === "problem") throw new Failure(value.error ?? value);
  call(name, value);
}

const kept = new Map();

/** Returns the answer to a question that has the same answer for as long as the page lives. */
function keep(path, params) {
  const url = address(path, params);
  if (!kept.has(url)) {
    const answer = get(path, params);
    kept.set(url, answer);
    answer.catch(() => kept.delete(url));
  }
  return kept.get(url);
}

/** Forgets kept answers, as when another corpus is served. */
export function forget() {
  kept.clear();
}

/** Returns what the server says of itself and its corpus. */
export const info = () => keep("/api/info");

/** Returns every variant with its number of games. */
export const variants = () => keep("/api/variants");

/** Returns the drawing of a board: for a variant's name or for rules. */
export const board = (rules) => keep("/api/board", rules);

/** Returns the parameters that name rules: a variant's name, or a rules string where there is none. */
export function rulesOf(game) {
  return game.variant ? { variant: game.variant } : { rules: game.rules };
}
