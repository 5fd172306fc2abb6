// The address of the page. It contains the whole state, so that pages can be shared and the Back button works.

import { inBase } from "./base.js";

/** The function that is called after a change of the address; the router sets it. */
let listener = () => {};

/** Sets the function that is called after a change of the address. */
export function onChange(callback) {
  listener = callback;
}

/** Goes to an address of these pages, without the base path or whole; `replace` replaces the entry of the browser's history. */
export function go(url, { replace = false } = {}) {
  const next = new URL(inBase(url), location.href);
  if (next.href !== location.href) history[replace ? "replaceState" : "pushState"](null, "", next);
  return listener();
}

/** Returns the parameters of the address. */
export function params() {
  return new URLSearchParams(location.search);
}

/** Returns the query in the address, which older addresses name `where`. */
export function queryParam() {
  return params().get("query") ?? params().get("where");
}

/** Changes parameters of the address and stays on the page; `null` or an empty text removes a parameter. */
export function change(values, options = {}) {
  return go(withParams(values), options);
}

/** Adds parameters to the address of a page that is being opened. The listener isn't called, or the page would open twice. */
export function complete(values) {
  history.replaceState(null, "", withParams(values));
}

/** Returns the address with changed parameters; `null` or an empty text removes a parameter. */
function withParams(values) {
  const next = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === "" || value === false) next.searchParams.delete(name);
    else next.searchParams.set(name, value === true ? "1" : value);
  }
  return readable(next);
}

/** Returns an address with readable parameters: commas, colons, and slashes aren't escaped. */
function readable(url) {
  const text = url.searchParams.toString().replace(/%2C/g, ",").replace(/%2F/g, "/").replace(/%3A/g, ":");
  return url.origin + url.pathname + (text ? `?${text}` : "") + url.hash;
}
