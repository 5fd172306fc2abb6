// Forms that write conditions: the text of the question is shown, and can be edited by itself.

import { get } from "./api.js";
import { EVENTS, compose, parse } from "./clauses.js";
import { el, fill, labeled, select, settled } from "./dom.js";
import { pointed } from "./notice.js";

const RESULTS = [["", "any result"], ["attackers", "attackers won"], ["defenders", "defenders won"], ["draw", "draw"], ["unfinished", "not finished"]];
const REASONS = [["", "any way"], ...["king captured", "king reached goal", "exit fort", "encirclement", "no legal move",
  "all captured", "repetition", "resignation", "timeout", "agreement"].map((word) => [word, word])];

const FIELDS = {
  player: { text: "Player", kind: "text", hint: "part of a name" },
  won: { text: "Winner", kind: "text", hint: "part of a name" },
  result: { text: "Result", kind: "list", options: RESULTS },
  reason: { text: "How it ended", kind: "list", options: REASONS },
  year: { text: "Years", kind: "range" },
  rating: { text: "Ratings", kind: "range" },
  plies: { text: "Plies", kind: "range" },
  event: { text: "What happens", kind: "list", options: [["", "anything"], ...EVENTS] },
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

/** Returns a form for these fields over a question; `call` gets the text whenever it has changed and is sound. */
export function filters(names, text, call, { label = "Question", rows = 1 } = {}) {
  const form = el("div", { class: "fields" });
  const trouble = el("div", { "aria-live": "polite" });
  const area = el("textarea", { rows, spellcheck: "false", autocapitalize: "off", autocomplete: "off", placeholder: "every game" });
  area.value = text;
  let said = parse(text);
  let sent = text;

  function draw() {
    fill(form, names.map((name) => control(FIELDS[name], said[name], (value) => {
      said = { ...said, [name]: value };
      area.value = compose(said);
      send();
    })));
  }

  async function send() {
    const asked = area.value.trim();
    if (asked === sent) return fill(trouble);
    try {
      if (asked) await get("/api/query", { query: asked });
      // Whoever has gone to another page in the meantime has its address before him.
      if (area.value.trim() !== asked || !area.isConnected) return;
      fill(trouble);
      area.removeAttribute("aria-invalid");
      sent = asked;
      call(asked);
    } catch (error) {
      if (area.value.trim() !== asked) return;
      area.setAttribute("aria-invalid", "true");
      fill(trouble, pointed(area.value.trim(), error));
    }
  }

  const later = settled(() => {
    said = parse(area.value);
    draw();
    send();
  }, 500);
  area.addEventListener("input", later);
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    said = parse(area.value);
    draw();
    send();
  });
  draw();
  return {
    host: el("div", { class: "filters" }, form, labeled(label, area, { class: "field wide" }), trouble),
    text: () => area.value.trim(),
    /** Writes a text that comes from elsewhere, such as the address or a drawing. */
    set(next) {
      if (next === area.value.trim()) return;
      area.value = next;
      said = parse(next);
      draw();
      sent = next;
      fill(trouble);
      area.removeAttribute("aria-invalid");
    },
  };
}
