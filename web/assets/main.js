// The frame around all pages: navigation, theme, what is said when the server is gone.

import { el, fill, link } from "./dom.js";
import { forget, get, info, watch } from "./api.js";
import { counted } from "./words.js";
import { failure, loading } from "./notice.js";
import { show, start } from "./router.js";
import { theme } from "./theme.js";
import { shapes } from "./pieces.js";

const main = document.getElementById("main");
const trouble = document.getElementById("trouble");
let alive = true;

const frame = {
  main,
  open(path) {
    for (const anchor of document.querySelectorAll("nav a")) {
      const here = anchor.pathname === path;
      if (here) anchor.setAttribute("aria-current", "page");
      else anchor.removeAttribute("aria-current");
    }
    main.className = "";
    fill(main, loading("Opening the page"));
    named("Taflbase");
  },
  missing() {
    named("No such page");
    fill(main, el("h1", {}, "There is no such page"), el("p", {}, "The address may be mistyped. ",
      link("Explore", "/explore"), " or ", link("search", "/search"), " the corpus instead."));
  },
  failed(error) {
    named("Something went wrong");
    fill(main, el("h1", {}, error.code === "unknown-game" ? "There is no such game" : "This page could not be opened"),
      failure(error, () => show()), location.search ? el("p", {}, link("Open the page without what its address says", location.pathname)) : null);
  },
};

function named(title) {
  document.title = title === "Taflbase" ? title : `${title} · Taflbase`;
}

/** Says that the server is gone, and asks for it until it is back. */
function gone(answers) {
  if (answers === alive) return;
  alive = answers;
  if (answers) {
    trouble.hidden = true;
    trouble.replaceChildren();
    forget();
    foot();
    return;
  }
  fill(trouble, el("strong", {}, "The server does not answer. "),
    "Start `tafl serve` again in its terminal. This page asks again every two seconds.");
  trouble.hidden = false;
  const timer = setInterval(async () => {
    try {
      await get("/api/info");
      clearInterval(timer);
      show();
    } catch {
      // Still gone: the next turn of the timer asks again.
    }
  }, 2000);
}

async function foot() {
  try {
    const { version, corpus } = await info();
    const size = corpus ? `${corpus.name}: ${counted(corpus.games, "game")}, ${counted(corpus.positions, "position")}.` : "No corpus.";
    fill(document.getElementById("foot"), `Taflbase ${version}. ${size} Everything stays on this machine.`);
  } catch {
    // The page itself says what is wrong.
  }
}

document.body.append(shapes());
theme(document.getElementById("theme"));
watch(gone);
start(frame);
foot();
