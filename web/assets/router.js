// The router: the page of each address. Pages don't know the router; they read and change the address.

import { go, onChange } from "./address.js";
import { get } from "./api.js";
import { localPath } from "./base.js";
import { recallInTab, rememberInTab } from "./memory.js";

const routes = [
  [/^\/$/, () => import("./home.js")],
  [/^\/explore$/, () => import("./explorer.js")],
  [/^\/game\/([^/]+)$/, () => import("./game.js")],
  [/^\/player\/([^/]+)$/, () => import("./player.js")],
  [/^\/event\/([^/]+)$/, () => import("./event.js")],
  [/^\/compare$/, () => import("./compare.js")],
  [/^\/search$/, () => import("./search.js")],
  [/^\/analysis$/, () => import("./analysis.js")],
  [/^\/play$/, () => import("./play.js")],
  [/^\/review$/, () => import("./game.js")],
  [/^\/puzzles$/, () => import("./puzzles.js")],
  [/^\/reports$/, () => import("./reports.js")],
  [/^\/upload$/, () => import("./upload.js")],
  [/^\/about$/, () => import("./about.js")],
  [/^\/embed\/game\/([^/]+)$/, () => import("./game.js")],
  [/^\/embed\/position$/, () => import("./frame.js")],
];

let current = null;
let frame = null;

/** Returns the decoded parts of a path, or null if their bytes are not UTF-8. */
function decodeParts(parts) {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return null;
  }
}

function target(path) {
  for (const [pattern, load] of routes) {
    const found = pattern.exec(path);
    const parts = found && decodeParts(found.slice(1));
    if (parts) return { load, name: pattern.source, parts };
  }
  return null;
}

/** The entry of the tab's memory with the address that was loaded again. */
const RELOADED = "reloaded";

/** Returns the module of a page. */
async function loadModule({ load }) {
  try {
    const module = await load();
    rememberInTab(RELOADED, null);
    return module;
  } catch (error) {
    // If the server doesn't respond, this fails too, and the banner appears. When it responds again, the browser still has the
    // failure of the module, until the whole page is loaded again; once, because the module may have another problem. A tab that
    // remembers nothing would load it forever.
    await get("/api/info", { brief: true });
    if (recallInTab(RELOADED) === location.href || !rememberInTab(RELOADED, location.href)) throw error;
    location.reload();
    throw new DOMException("the page is loaded again", "AbortError");
  }
}

/** Opens the page of the address. If that page is open already and `reopen` is false, it only follows the address. */
export async function show(reopen = true) {
  const wanted = target(localPath(location.pathname));
  const isOpen = current && wanted && current.name === wanted.name && current.parts.join() === wanted.parts.join();
  if (isOpen && !reopen && current.page?.follow) return current.page.follow();
  current?.stop.abort();
  const stop = new AbortController();
  const opened = { name: wanted?.name ?? "", parts: wanted?.parts ?? [], stop, page: null };
  current = opened;
  frame.open(location.pathname);
  try {
    if (!wanted) return frame.missing();
    const module = await loadModule(wanted);
    if (stop.signal.aborted) return;
    opened.page = await module.open(frame.main, { parts: opened.parts, signal: stop.signal }) ?? null;
  } catch (error) {
    if (error.name !== "AbortError" && !stop.signal.aborted) frame.failed(error);
  }
}

/** Returns whether a link leads to another of these pages, which replaces this one. In a frame, links open windows. */
function isInternal(anchor) {
  return !document.body.classList.contains("frame") && anchor.origin === location.origin && !anchor.hasAttribute("download") && !anchor.target
    && target(localPath(anchor.pathname)) !== null;
}

/** Starts the router, and waits for the first page; `pageFrame` has the functions `open`, `missing`, and `failed`. */
export function start(pageFrame) {
  frame = pageFrame;
  onChange(() => show(false));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const anchor = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!anchor || !isInternal(anchor) || anchor.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    const isOtherPage = anchor.pathname !== location.pathname;
    go(anchor.href);
    if (isOtherPage) {
      scrollTo(0, 0);
      frame.main.focus({ preventScroll: true });
    }
  });
  addEventListener("popstate", () => show(false));
  return show();
}
