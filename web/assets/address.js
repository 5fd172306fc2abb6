// The address: all that a page shows is in it, so that it can be shared and Back works.

/** Called when the address has changed; the router sets it. */
let changed = () => {};

/** Sets the function that follows changes of the address. */
export function onChange(follow) {
  changed = follow;
}

/** Goes to an address of these pages; `replace` leaves no step to go back to. */
export function go(url, { replace = false } = {}) {
  const next = new URL(url, location.href);
  if (next.href !== location.href) history[replace ? "replaceState" : "pushState"](null, "", next);
  return changed();
}

/** Returns the parameters of the address. */
export function params() {
  return new URLSearchParams(location.search);
}

/** Returns the query in the address, which older addresses name `where`. */
export function queryParam() {
  return params().get("query") ?? params().get("where");
}

/** Changes parameters of the address and stays on the page; `null` and empty texts remove one. */
export function change(values, options = {}) {
  return go(withParams(values), options);
}

/** Writes parameters into the address of a page that is being opened. Nothing follows them: the page would be opened twice. */
export function complete(values) {
  history.replaceState(null, "", withParams(values));
}

/** Returns the address with other parameters; `null` and empty texts remove one. */
function withParams(values) {
  const next = new URL(location.href);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === "" || value === false) next.searchParams.delete(name);
    else next.searchParams.set(name, value === true ? "1" : value);
  }
  return readable(next);
}

/** Returns an address whose parameters can be read: commas, colons and slashes are not escaped. */
function readable(url) {
  const text = url.searchParams.toString().replace(/%2C/g, ",").replace(/%2F/g, "/").replace(/%3A/g, ":");
  return url.pathname + (text ? `?${text}` : "") + url.hash;
}
