// The chooser of variants: a button that opens a list with a search box.

import { variants } from "./api.js";
import { button, el, fill, put } from "./dom.js";
import { complete, params } from "./address.js";
import { counted } from "./format.js";

const MAX_SHOWN = 60;

/** Returns the name of the variant with the most games. */
export async function mostPlayedVariant() {
  // The server named it when it sent the page.
  const named = document.getElementById("firstboard")?.dataset.variant;
  if (named) return named;
  const list = await variants();
  return list.reduce((best, one) => (one.games > (best?.games ?? -1) ? one : best), null)?.name ?? null;
}

const hasRules = () => Boolean(params().get("variant") || params().get("rules"));

/** Adds the variant with the most games to an address without rules; returns whether it was added. */
export async function completeVariant(signal) {
  if (hasRules()) return false;
  const variant = await mostPlayedVariant();
  if (signal.aborted || hasRules()) return false;
  complete({ variant });
  return true;
}

/** Returns a chooser; `chosen` is the name of the variant, `onChoose` gets the new one. `none` is the text for no variant. */
export function chooser(chosen, onChoose, { none = null, label = "Variant" } = {}) {
  const list = el("ul", { class: "options" });
  const search = el("input", { type: "search", placeholder: "Search variants", "aria-label": "Search variants", autocomplete: "off" });
  const panel = el("div", { class: "panel", hidden: true }, search, list);
  const opener = button("", () => toggle(panel.hidden), { class: "opener", "aria-expanded": "false" });
  const host = el("div", { class: "chooser" }, el("span", { class: "caption" }, label), opener, panel);
  let all = [];

  function setName(name) {
    const text = all.find((one) => one.name === name)?.title || name;
    fill(opener, text ?? none ?? "choose a variant", el("span", { "aria-hidden": "true" }, " ▾"));
    opener.setAttribute("aria-label", `${label}: ${text ?? none ?? "none chosen"}`);
  }

  function closeOutside(event) {
    if (!host.contains(event.target)) toggle(false);
  }

  function toggle(open) {
    panel.hidden = !open;
    // The listener exists only while the list is open, because the document outlives the page.
    if (open) document.addEventListener("pointerdown", closeOutside);
    else document.removeEventListener("pointerdown", closeOutside);
    opener.setAttribute("aria-expanded", String(open));
    if (open) {
      search.value = "";
      show();
      search.focus();
    }
  }

  function choose(value) {
    toggle(false);
    chosen = value;
    setName(value);
    opener.focus();
    onChoose(value);
  }

  function show() {
    const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const matches = all.filter((one) => words.every((word) => [one.name, one.title, one.shape, ...one.aliases ?? []].join(" ").toLowerCase().includes(word)));
    const entry = (one) => el("li", {}, put(button("", () => choose(one.name), { "aria-current": one.name === chosen ? "true" : null }),
      el("span", {}, one.title || one.name, one.title ? el("small", {}, ` ${one.name}`) : null), el("span", { class: "dim" }, `${one.shape}, ${one.games ? counted(one.games, "game") : "no games"}`)));
    fill(list, none !== null && words.length === 0 ? el("li", {}, button(none, () => choose(null))) : null, matches.slice(0, MAX_SHOWN).map(entry));
    if (matches.length === 0) fill(list, el("li", { class: "dim" }, "No variant matches."));
    if (matches.length > MAX_SHOWN) put(list, el("li", { class: "dim" }, `${matches.length - MAX_SHOWN} more: type a part of the name`));
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
  setName(chosen);
  variants().then((found) => {
    all = [...found].sort((a, b) => b.games - a.games || a.name.localeCompare(b.name));
    setName(chosen);
    if (!panel.hidden) show();
  }, () => fill(list, el("li", { class: "dim" }, "The list of variants could not be loaded.")));
  return { host, set: (value) => { chosen = value; setName(value); } };
}
