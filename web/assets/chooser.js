// Choosing a variant: a button that opens a list with a search box over all of them.

import { variants } from "./api.js";
import { button, el, fill, put } from "./dom.js";
import { complete, params } from "./address.js";
import { counted } from "./words.js";

const SHOWN = 60;

/** Returns the variant that most games were played by. */
export async function mostPlayedVariant() {
  const list = await variants();
  return list.reduce((best, one) => (one.games > (best?.games ?? -1) ? one : best), null)?.name ?? null;
}

const named = () => Boolean(params().get("variant") || params().get("rules"));

/** Puts the variant that most games were played by into an address that names no rules; returns whether it did. */
export async function completeVariant(signal) {
  if (named()) return false;
  const variant = await mostPlayedVariant();
  if (signal.aborted || named()) return false;
  complete({ variant });
  return true;
}

/** Returns a chooser; `chosen` is the name shown, `call` gets the new one. `none` is a text for no variant at all. */
export function chooser(chosen, call, { none = null, label = "Variant" } = {}) {
  const list = el("ul", { class: "options" });
  const search = el("input", { type: "search", placeholder: "Search variants", "aria-label": "Search variants", autocomplete: "off" });
  const panel = el("div", { class: "panel", hidden: true }, search, list);
  const opener = button("", () => toggle(panel.hidden), { class: "opener", "aria-expanded": "false" });
  const host = el("div", { class: "chooser" }, el("span", { class: "caption" }, label), opener, panel);
  let all = [];

  function name(text) {
    fill(opener, text ?? none ?? "choose a variant", el("span", { "aria-hidden": "true" }, " ▾"));
    opener.setAttribute("aria-label", `${label}: ${text ?? none ?? "none chosen"}`);
  }

  function outside(event) {
    if (!host.contains(event.target)) toggle(false);
  }

  function toggle(open) {
    panel.hidden = !open;
    // It listens only while it is open: the document outlives the page.
    if (open) document.addEventListener("pointerdown", outside);
    else document.removeEventListener("pointerdown", outside);
    opener.setAttribute("aria-expanded", String(open));
    if (open) {
      search.value = "";
      show();
      search.focus();
    }
  }

  function take(value) {
    toggle(false);
    name(value);
    opener.focus();
    call(value);
  }

  function show() {
    const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const fits = all.filter((one) => words.every((word) => [one.name, one.title, one.shape, ...one.aliases ?? []].join(" ").toLowerCase().includes(word)));
    fill(list, none !== null && words.length === 0 ? el("li", {}, button(none, () => take(null))) : null,
      fits.slice(0, SHOWN).map((one) => el("li", {}, button("", () => take(one.name), { "aria-current": one.name === chosen ? "true" : null }))));
    [...list.querySelectorAll("button")].slice(none !== null && words.length === 0 ? 1 : 0).forEach((entry, index) => {
      const one = fits[index];
      put(entry, el("span", {}, one.name, one.title ? el("small", {}, ` ${one.title}`) : null), el("span", { class: "dim" }, `${one.shape}, ${one.games ? counted(one.games, "game") : "no games"}`));
    });
    if (fits.length === 0) fill(list, el("li", { class: "dim" }, "No variant has such a name."));
    if (fits.length > SHOWN) put(list, el("li", { class: "dim" }, `and ${fits.length - SHOWN} more: type some letters`));
  }

  search.addEventListener("input", show);
  host.addEventListener("keydown", (event) => {
    const entries = [...list.querySelectorAll("button")];
    const at = entries.indexOf(document.activeElement);
    if (event.key === "Escape" && !panel.hidden) {
      toggle(false);
      opener.focus();
    } else if (event.key === "ArrowDown" && !panel.hidden) (entries[at + 1] ?? entries[0])?.focus();
    else if (event.key === "ArrowUp" && !panel.hidden) (at > 0 ? entries[at - 1] : search).focus();
    else if (event.key === "Enter" && event.target === search) entries[0]?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  host.addEventListener("focusout", (event) => {
    if (!host.contains(event.relatedTarget) && event.relatedTarget) toggle(false);
  });
  name(chosen);
  variants().then((found) => {
    all = [...found].sort((a, b) => b.games - a.games || a.name.localeCompare(b.name));
    if (!panel.hidden) show();
  }, () => fill(list, el("li", { class: "dim" }, "The list could not be read.")));
  return { host, set: (value) => { chosen = value; name(value); } };
}
