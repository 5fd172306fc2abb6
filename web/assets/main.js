// The frame of all pages: navigation, theme, and the message while the server doesn't respond.

import { el, fill, link } from "./dom.js";
import { localPath } from "./base.js";
import { clearCache, get, info, onConnectionChange } from "./api.js";
import { counted } from "./format.js";
import { failure, loading } from "./notice.js";
import { show, start } from "./router.js";
import { boardSettings } from "./settings.js";
import { theme } from "./theme.js";
import { shapes } from "./pieces.js";

const main = document.getElementById("main");
const banner = document.getElementById("connection-error");
let isConnected = true;

/** The headings of pages whose subject the corpus doesn't have. */
const HEADINGS = { "unknown-game": "Game not found", "unknown-player": "Player not found", "unknown-event": "Event not found" };

const frame = {
  main,
  open(path) {
    for (const anchor of document.querySelectorAll("nav a")) {
      const here = anchor.pathname === path;
      if (here) anchor.setAttribute("aria-current", "page");
      else anchor.removeAttribute("aria-current");
    }
    main.className = "";
    // The first page may have a picture of its board, which it replaces.
    if (!document.getElementById("firstboard")) fill(main, loading("Loading"));
    setTitle("Taflbase");
  },
  missing() {
    setTitle("Page not found");
    fill(main, el("h1", {}, "Page not found"), el("p", {}, "The address may be mistyped. ",
      link("Explore", "/explore"), " or ", link("search", "/search"), " the corpus instead."));
  },
  failed(error) {
    const heading = HEADINGS[error.code] ?? "This page could not be loaded";
    setTitle(heading);
    fill(main, el("h1", {}, heading),
      failure(error, () => show()), location.search && error.code !== "gone" ? el("p", {}, link("Open the page without its parameters", localPath(location.pathname))) : null);
  },
};

function setTitle(title) {
  document.title = title === "Taflbase" ? title : `${title} · Taflbase`;
}

/** Shows a banner while the server doesn't respond, and retries until it does. */
function showConnection(responds) {
  if (responds === isConnected) return;
  isConnected = responds;
  if (responds) {
    banner.hidden = true;
    banner.replaceChildren();
    clearCache();
    showFooter();
    return;
  }
  fill(banner, el("strong", {}, "The server does not respond. "), "Start ", el("code", {}, "tafl serve"), " again. This page retries every two seconds.");
  banner.hidden = false;
  const timer = setInterval(async () => {
    try {
      await get("/api/info");
      clearInterval(timer);
      show();
    } catch {
      // The timer retries.
    }
  }, 2000);
}

async function showFooter() {
  const footer = document.getElementById("footer");
  if (document.body.classList.contains("frame")) {
    const page = localPath(location.pathname).replace("/embed", "").replace("/position", "/analysis");
    return fill(footer, link("Open in Taflbase", page + location.search + location.hash));
  }
  try {
    const { version, corpus } = await info();
    const size = corpus ? `${corpus.name}: ${counted(corpus.games, "game")}, ${counted(corpus.positions, "position")}.` : "No corpus.";
    return fill(footer, `Taflbase ${version}. ${size} Nothing is sent to other servers.`);
  } catch {
    // The page itself shows the error.
    return null;
  }
}

document.body.append(shapes());
theme(document.getElementById("theme"));
boardSettings(document.getElementById("board-settings"));
onConnectionChange(showConnection);
// The footer needs what is not urgent.
start(frame).then(showFooter);
