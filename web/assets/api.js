// Requests to the server. Answers are JSON or streams of events; errors are `Failure`s with a message.

import { inBase } from "./base.js";

/** An error answer of the server: its code, its message, and its advice. */
export class Failure extends Error {
  constructor(error, status = 0) {
    super(error.message ?? "the server gave no reason");
    this.code = error.code ?? "internal";
    this.help = error.help ?? null;
    this.parameter = error.parameter ?? null;
    this.span = error.span ?? null;
    this.columns = error.columns ?? null;
    this.status = status;
  }
}

const UNREACHABLE = { code: "gone", message: "The server does not respond.",
  help: "It may have been stopped. Start `tafl serve` again; this page retries automatically." };

const watchers = new Set();

/** Calls `callback` with `false` when the server stops responding, and with `true` at the next answer. */
export function onConnectionChange(callback) {
  watchers.add(callback);
}

function reportConnection(isAlive) {
  for (const callback of watchers) callback(isAlive);
}

/** Returns the address of a request, without empty parameters. */
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

/** Waits for the server; a connection that breaks off is reported as an unreachable server. */
async function connected(work) {
  try {
    return await work;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    reportConnection(false);
    throw new Failure(UNREACHABLE);
  }
}

async function request(url, options) {
  const response = await connected(fetch(inBase(url), { credentials: "same-origin", ...options }));
  reportConnection(true);
  if (response.ok) return response;
  let body = null;
  try {
    body = await response.json();
  } catch {
    // The answer comes from something else, such as a proxy; it has only a status.
  }
  throw new Failure(body?.error ?? { message: `the server answered with status ${response.status}` }, response.status);
}

/** Returns the answer to a GET request. */
export async function get(path, params, signal) {
  const response = await request(address(path, params), { signal });
  return response.json();
}

/** Returns the answer to a POST request. */
export async function post(path, params, body, signal) {
  const response = await request(address(path, params), { method: "POST", body, signal });
  return response.json();
}

/** Calls `callback` with the name and the data of every event of a stream, until it ends or the signal stops it. A `body` is posted. */
export async function stream(path, params, signal, callback, body) {
  const response = await request(address(path, params), { signal, headers: { Accept: "text/event-stream" }, ...(body === undefined ? {} : { method: "POST", body }) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await connected(reader.read());
    if (done) return;
    const parts = (rest + value).split(/\r?\n\r?\n/);
    rest = parts.pop();
    for (const part of parts) dispatch(part, callback);
  }
}

function dispatch(text, callback) {
  let name = "message";
  const data = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  if (data.length === 0) return;
  const value = JSON.parse(data.join("\n"));
  if (name === "problem") throw new Failure(value.error ?? value);
  callback(name, value);
}

const cache = new Map();

/** Returns the answer to a request whose answer doesn't change while the page is open. */
function getCached(path, params) {
  const url = address(path, params);
  if (!cache.has(url)) {
    const answer = get(path, params);
    cache.set(url, answer);
    answer.catch(() => cache.delete(url));
  }
  return cache.get(url);
}

/** Clears the cached answers, because the server may serve another corpus now. */
export function clearCache() {
  cache.clear();
}

/** Returns the description of the server and its corpus, without the codes of findings. */
export const info = () => getCached("/api/info", { brief: true });

/** Returns the codes of findings. */
export const findingCodes = async () => (await getCached("/api/info")).findings;

/** Returns every variant with its number of games. */
export const variants = () => getCached("/api/variants");

/** Returns the layout of a board, for the name of a variant or for a rules string. */
export const board = (rules) => getCached("/api/board", rules);

/** Returns the parameters of a game's rules: the name of the variant, or the rules string if it has no name. */
export function rulesOf(game) {
  return game.variant ? { variant: game.variant } : { rules: game.rules };
}
