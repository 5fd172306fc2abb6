// Addresses and pages. All that a page shows is in its address, so that it can be shared and Back works.

const routes = [
  [/^\/$/, () => import("./home.js")],
  [/^\/explore$/, () => import("./explorer.js")],
  [/^\/game\/([^/]+)$/, () => import("./game.js")],
  [/^\/search$/, () => import("./search.js")],
  [/^\/analysis$/, () => import("./analysis.js")],
  [/^\/reports$/, () => import("./reports.js")],
  [/^\/upload$/, () => import("./upload.js")],
  [/^\/about$/, () => import("./about.js")],
];

let current = null;
let frame = null;

/** Returns parts of a path as texts, or null where they are none: bytes may stand there that are no UTF-8. */
function decoded(parts) {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}

function target(path) {
  for (const [pattern, load] of routes) {
    const found = pattern.exec(path);
    const parts = found && decoded(found.slice(1));
    if (parts) return { load, name: pattern.source, parts };
  }
  return null;
}

/** Goes to an address of these pages; `replace` leaves no step to go back to. */
function go(url, { replace = false } = {}) {
  const next = new URL(url, location.href);
  if (next.href === location.href) return show(false);
  history[replace ? "replaceState" : "pushState"](null, "", next);
  return show(false);
}

/** Returns the address with other parameters; `null` and empty texts take one away. */
function changed(params) {
  const next = new URL(location.href);
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === undefined || value === "" || value === false) next.searchParams.delete(name);
    else next.searchParams.set(name, value === true ? "1" : value);
  }
  return readable(next);
}

/** Changes parameters of the address and leaves the page as it is; `null` and empty texts take one away. */
export function change(params, options = {}) {
  return go(changed(params), options);
}

/** Writes parameters into the address of a page that is being opened. Nothing follows them: the page would be opened twice. */
export function complete(params) {
  history.replaceState(null, "", changed(params));
}

/** Returns an address whose parameters can be read: commas, colons and slashes stand as they are. */
function readable(url) {
  const text = url.searchParams.toString().replace(/%2C/g, ",").replace(/%2F/g, "/").replace(/%3A/g, ":");
  return url.pathname + (text ? `?${text}` : "") + url.hash;
}

/** Returns the parameters of the address. */
export function params() {
  return new URLSearchParams(location.search);
}

/** Opens the page of the address, or lets the page that is open follow it. */
export async function show(again = true) {
  const wanted = target(location.pathname);
  const same = current && wanted && current.name === wanted.name && current.parts.join() === wanted.parts.join();
  if (same && !again && current.page?.follow) return current.page.follow();
  current?.stop.abort();
  const stop = new AbortController();
  const opened = { name: wanted?.name ?? "", parts: wanted?.parts ?? [], stop, page: null };
  current = opened;
  frame.open(location.pathname);
  try {
    if (!wanted) return frame.missing();
    const module = await wanted.load();
    if (stop.signal.aborted) return;
    opened.page = await module.open(frame.main, { parts: opened.parts, signal: stop.signal }) ?? null;
  } catch (error) {
    if (error.name !== "AbortError" && !stop.signal.aborted) frame.failed(error);
  }
}

function inside(anchor) {
  return anchor.origin === location.origin && !anchor.hasAttribute("download") && !anchor.target
    && target(anchor.pathname) !== null;
}

/** Starts the router: `frame` says what to do when a page opens, is missing, or fails. */
export function start(parts) {
  frame = parts;
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const anchor = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!anchor || !inside(anchor) || anchor.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    const leaves = anchor.pathname !== location.pathname;
    go(anchor.href);
    if (leaves) {
      scrollTo(0, 0);
      frame.main.focus({ preventScroll: true });
    }
  });
  addEventListener("popstate", () => show(false));
  show();
}
