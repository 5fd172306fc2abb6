// The path below which a proxy serves these pages. Everywhere else, addresses are written without it.

const base = globalThis.document?.documentElement?.dataset.taflbase ?? "";

/** Returns the address for the browser of an address of these pages. */
export function inBase(url) {
  return base && url.startsWith("/") ? base + url : url;
}

/** Returns a path of the browser without the base path; empty if it is outside. */
export function localPath(path) {
  if (path === base) return "/";
  return path.startsWith(`${base}/`) ? path.slice(base.length) : "";
}
