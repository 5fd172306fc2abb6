// Forms for the conditions of a query. The text of the query is shown and can be edited too.

import { get } from "./api.js";
import { EVENTS, compose, parse } from "./clauses.js";
import { debounce, el, fill, labeled, select } from "./dom.js";
import { excerpt } from "./notice.js";

const RESULTS = [["", "any result"], ["attackers", "attackers won"], ["defenders", "defenders won"], ["draw", "draw"], ["unfinished", "unfinished"]];
const REASONS = [["", "any reason"], ...["king captured", "king reached goal", "exit fort", "encirclement", "no legal move",
  "all captured", "repetition", "resignation", "timeout", "agreement"].map((word) => [word, word])];

const FIELDS = {
  player: { text: "Player", kind: "text", hint: "part of a name" },
  won: { text: "Winner", kind: "text", hint: "part of a name" },
  result: { text: "Result", kind: "list", options: RESULTS },
  reason: { text: "Reason", kind: "list", options: REASONS },
  year: { text: "Years", kind: "range" },
  rating: { text: "Ratings", kind: "range" },
  plies: { text: "Plies", kind: "range" },
  tournament: { text: "Event", kind: "text", hint: "part of a name" },
  event: { text: "In the game", kind: "list", options: [["", "anything"], ...EVENTS] },
};

function control(field, value, change) {
  if (field.kind === "list") return labeled(field.text, select(field.options, value ?? "", change));
  if (field.kind === "text") {
    const input = el("input", { type: "text", placeholder: field.hint, change: () => change(input.value.trim()) });
    input.value = value ?? "";
    return labeled(field.text, input);
  }
  const [low, high] = [0, 1].map((at) => {
    const input = el("input", { type: "number", min: 0, max: 9999, inputmode: "numeric", placeholder: at ? "to" : "from",
      "aria-label": `${field.text} ${at ? "to" : "from"}`, change: () => change(low.value || high.value ? [low.value, high.value] : null) });
    input.value = value?.[at] ?? "";
    return input;
  });
  return el("fieldset", { class: "field range" }, el("legend", {}, field.text), el("span", {}, low, "–", high));
}

/** Returns a form for these fields of a query; `onChange` gets the text whenever it has changed and is valid. */
export function filters(names, text, onChange, { label = "Query", rows = 1 } = {}) {
  const form = el("div", { class: "fields" });
  const errorHost = el("div", { "aria-live": "polite" });
  const area = el("textarea", { rows, spellcheck: "false", autocapitalize: "off", autocomplete: "off", placeholder: "all games" });
  area.value = text;
  let clauses = parse(text);
  let sent = text;

  function draw() {
    fill(form, names.map((name) => control(FIELDS[name], clauses[name], (value) => {
      clauses = { ...clauses, [name]: value };
      area.value = compose(clauses);
      send();
    })));
  }

  async function send() {
    const query = area.value.trim();
    if (query === sent) return fill(errorHost);
    try {
      if (query) await get("/api/query", { query });
      // The user may have opened another page in the meantime; its address must not change.
      if (area.value.trim() !== query || !area.isConnected) return;
      fill(errorHost);
      area.removeAttribute("aria-invalid");
      sent = query;
      onChange(query);
    } catch (error) {
      if (area.value.trim() !== query) return;
      area.setAttribute("aria-invalid", "true");
      fill(errorHost, excerpt(area.value.trim(), error));
    }
  }

  const later = debounce(() => {
    clauses = parse(area.value);
    draw();
    send();
  }, 500);
  area.addEventListener("input", later);
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    clauses = parse(area.value);
    draw();
    send();
  });
  draw();
  return {
    host: el("div", { class: "filters" }, form, labeled(label, area, { class: "field wide" }), errorHost),
    text: () => area.value.trim(),
    /** Sets a text that comes from elsewhere, such as the address or a drawn pattern. */
    set(next) {
      const entered = area.value.trim();
      // What the user has entered since the last query is not replaced by that query.
      if (next === entered || (next === sent && entered !== sent)) return;
      area.value = next;
      clauses = parse(next);
      draw();
      sent = next;
      fill(errorHost);
      area.removeAttribute("aria-invalid");
    },
  };
}
