// Heat maps of a variant: where pieces are captured, where the king goes, and where moves start.

import { board as boardOf, get } from "./api.js";
import { Board, scene } from "./board.js";
import { el, fill, labeled, select } from "./dom.js";
import { fillWith } from "./notice.js";
import { rulesParams } from "./position.js";
import { counted, integer } from "./format.js";

/** The maximum number of rows of the table of cells. */
const MAX_ROWS = 40;
/** The strengths of the colors in the legend; the proportion grows with their square. */
const LEVELS = [20, 40, 60, 80, 100];

/** Returns a proportion in percent with a decimal, if it is small. */
function precise(proportion) {
  const percent = proportion * 100;
  return percent >= 9.95 ? String(Math.round(percent)) : percent >= 0.05 ? percent.toFixed(1) : "<0.1";
}

/** The heat maps of the games of a page, which are counted when the user opens them. */
export class HeatMapPanel {
  constructor(signal) {
    this.signal = signal;
    this.games = null;
    this.loaded = null;
    this.kind = null;
    this.content = el("div", { class: "found" });
    this.host = el("details", { class: "heatpanel later" }, el("summary", {}, "Heat maps"), this.content);
    this.host.addEventListener("toggle", () => this.load());
  }

  /** Sets the games: the parameters of the position, the query, and whether symmetric cells are kept apart. */
  set(pos, { query, asItStands }) {
    this.games = { rules: rulesParams(pos), params: { ...rulesParams(pos), query, as_it_stands: asItStands } };
    this.load();
  }

  /** Counts the games, unless that was done. */
  load() {
    const key = JSON.stringify(this.games?.params);
    if (!this.host.open || !this.games || key === this.loaded) return;
    this.loaded = key;
    const { rules, params } = this.games;
    fillWith(this.content, "Counting games", this.signal, async () => {
      const [found, layout] = await Promise.all([get("/api/heat-maps", params, this.signal), boardOf(rules)]);
      if (key !== this.loaded) throw new DOMException("outdated", "AbortError");
      return this.draw(found, layout);
    });
  }

  draw(found, layout) {
    if (!found.games) return el("p", { class: "empty" }, "No game of the corpus began from the start of these rules.");
    const host = el("div", { class: "boardhost medium" });
    const board = new Board(host, { label: "Heat map" });
    board.setBoard(layout);
    board.svg.addEventListener("keydown", (event) => {
      if (!board.step(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    const [note, legend, cells] = [el("p", { class: "dim" }), el("div", {}), el("div", {})];
    const show = (kind) => {
      this.kind = kind;
      const map = found.maps.find((one) => one.kind === kind) ?? found.maps[0];
      const most = Math.max(...map.cells.map(({ proportion }) => proportion), 0);
      board.svg.setAttribute("aria-label", `Heat map: ${map.title}`);
      board.show(scene({ heat: map.cells.map(({ cell, proportion }) => ({ cell, level: Math.sqrt(proportion / most), text: precise(proportion), words: `${precise(proportion)} %` })) }));
      fill(note, `n = ${integer(map.total)} ${map.events} in ${counted(found.games, "game")}. The numbers are percentages of them${
        found.symmetries > 1 ? ", averaged over symmetric cells" : ""}.`);
      fill(legend, map.total ? scale(most) : el("p", { class: "dim" }, "There are none in these games."));
      fill(cells, map.total ? cellTable(map, found.symmetries > 1) : null);
    };
    const kinds = found.maps.map(({ kind, title }) => [kind, title]);
    const chosen = kinds.some(([kind]) => kind === this.kind) ? this.kind : kinds[0][0];
    show(chosen);
    return [labeled("Map", select(kinds, chosen, show)), host, legend, note, cells];
  }
}

/** Returns the legend: the colors with their percentages. */
function scale(most) {
  const shares = LEVELS.map((level) => precise(most * (level / 100) ** 2));
  return el("div", { class: "heatlegend", role: "img", "aria-label": `Colors from 0 to ${precise(most)} percent; the strongest one is the greatest percentage` },
    LEVELS.map((level, at) => {
      const swatch = el("span", { class: "swatch" });
      swatch.style.opacity = 0.08 + 0.92 * level / 100;
      return el("span", { class: "step" }, swatch, `${shares[at]} %`);
    }));
}

function cellTable(map, isFolded) {
  const rows = [...map.cells].sort((a, b) => b.proportion - a.proportion || a.cell.localeCompare(b.cell, "en", { numeric: true })).slice(0, MAX_ROWS);
  return el("details", {}, el("summary", {}, "As a table"), el("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": `${map.title}, by cell` }, el("table", { class: "figures" },
    el("caption", { class: "visually-hidden" }, map.title),
    el("thead", {}, el("tr", {}, ["Cell", "Percent", isFolded ? "Number on this and symmetric cells" : "Number"].map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, rows.map(({ cell, proportion, count }) => el("tr", {}, el("th", { scope: "row" }, cell), el("td", {}, precise(proportion)), el("td", {}, integer(count))))))),
  map.cells.length > rows.length ? el("p", { class: "dim" }, `${integer(map.cells.length - rows.length)} more cells with smaller percentages.`) : null);
}
