// Studies: trees of moves with notes. A server that may write keeps them in a folder, others leave them to the browser.

import { Failure, get, info, post } from "./api.js";
import { button, el, fill, labeled, select } from "./dom.js";
import { forget, recall, remember } from "./memory.js";
import { failure } from "./notice.js";
import { counted } from "./format.js";
import { rulesTitle, variantTitles } from "./variantname.js";

const TOPIC = "studies";

/** Studies that the browser keeps; each has one game. */
const browserStudies = {
  words: "This browser keeps studies. Download the record to share one or to store it elsewhere.",
  hasGames: false,
  async list() {
    return Object.entries(recall(TOPIC)).reverse().map(([title, record]) => ({ title, games: 1, note: counted(nMoves(record), "move") }));
  },
  async open(title) {
    return { games: [recall(TOPIC)[title]] };
  },
  async save(title, records) {
    if (remember(TOPIC, title, { ...records[0], tags: [["event", title]] })) return {};
    throw new Failure({ code: "storage", message: "The browser did not store the study.", help: "Its storage is full or forbidden. Download the record instead." });
  },
  async remove({ title }) {
    forget(TOPIC, title);
  },
};

/** Studies in the folder of the server. */
const folderStudies = {
  words: "Studies are files in a folder of the server. A study can have several games.",
  hasGames: true,
  async list() {
    const { studies } = await get("/api/studies");
    return studies.map((study) => ({ ...study, note: counted(study.games, "game") }));
  },
  async open(title) {
    const { games, version } = await get("/api/study", { title });
    return { games: games.map((game) => JSON.parse(game)), version };
  },
  save(title, records, version) {
    return post("/api/study/save", { title, version }, records.map((record) => JSON.stringify(record)).join("\n"));
  },
  rename(title, newTitle) {
    return post("/api/study/rename", { title, new_title: newTitle }, "");
  },
  remove({ title, version }) {
    return post("/api/study/delete", { title, version }, "");
  },
};

/** Returns the panel of studies. `current` returns the record to keep, and `open` shows a kept one. */
export function studiesPanel({ current, open }) {
  const panel = new StudiesPanel(current, open);
  info().then(({ may_write: mayWrite }) => panel.start(mayWrite ? folderStudies : browserStudies), () => panel.start(browserStudies));
  return panel.host;
}

class StudiesPanel {
  constructor(current, show) {
    this.current = current;
    this.show = show;
    this.titles = new Map();
    this.name = el("input", { type: "text", maxlength: 80 });
    this.games = el("div", { class: "row" });
    this.list = el("ul", { class: "studies" });
    // Errors, questions, and confirmations.
    this.notices = el("div", { "aria-live": "polite" });
    this.words = el("p", { class: "dim" });
    this.saving = el("div", { class: "row" });
    this.host = el("details", {}, el("summary", {}, "Studies"), this.words, this.saving, this.games, this.notices, this.list);
    this.close();
  }

  start(store) {
    this.store = store;
    fill(this.words, store.words);
    fill(this.saving, labeled("Title", this.name), button("Save", () => this.run(() => this.save())));
    this.run(async () => {
      this.titles = await variantTitles();
      await this.showList();
    });
  }

  /** Forgets the open study. */
  close() {
    this.opened = { title: null, games: [], at: 0, version: null };
    fill(this.games);
  }

  async run(work) {
    try {
      fill(this.notices);
      await work();
    } catch (error) {
      fill(this.notices, failure(error));
    }
  }

  notify(text, ...more) {
    fill(this.notices, el("p", { class: "row" }, text, more));
  }

  async showList() {
    const studies = await this.store.list();
    fill(this.list, studies.map((study) => el("li", {}, button(study.title, () => this.run(() => this.openStudy(study.title)), { class: "linklike" }),
      el("span", { class: "dim" }, study.note),
      this.store.rename ? button("Rename", () => this.run(() => this.rename(study)), { "aria-label": `Rename ${study.title}` }) : null,
      button("Delete", () => this.run(() => this.remove(study)), { "aria-label": `Delete ${study.title}` }))));
  }

  async openStudy(title) {
    const { games, version = null } = await this.store.open(title);
    this.opened = { title, games, at: 0, version };
    this.name.value = title;
    this.showGame(0);
  }

  /** Shows a game of the open study; the number after the last one is a new game. */
  showGame(at) {
    const { games } = this.opened;
    if (games[at]) this.show(games[at]);
    this.listGames(at);
  }

  /** Lists the games of the open study, and selects one. */
  listGames(at) {
    const { games } = this.opened;
    this.opened.at = at;
    if (!this.store.hasGames) return;
    const names = games.map((game, nth) => [String(nth), `${nth + 1}. ${nameOf(game, this.titles)}`]);
    fill(this.games, labeled("Game", select([...names, [String(games.length), "new game"]], String(at), (value) => this.showGame(Number(value)))),
      at < games.length && games.length > 1 ? button("Remove this game", () => this.run(() => this.removeGame(at))) : null);
  }

  async save(replaces = false) {
    const title = this.name.value.trim();
    if (!title) {
      this.name.focus();
      return this.notify("Enter a title first.");
    }
    const isOpen = title === this.opened.title;
    const other = isOpen ? null : (await this.store.list()).find((study) => study.title === title);
    if (other && !replaces) return this.notify(`A study with the title “${title}” exists. `, button("Replace it", () => this.run(() => this.save(true))));
    const { games, at, version } = isOpen ? this.opened : { games: [], at: 0, version: other?.version ?? null };
    const kept = this.store.hasGames ? { ...this.current(), ...tagsOf(games[at]) } : this.current();
    await this.write(title, [...games.slice(0, at), kept, ...games.slice(at + 1)], at, version);
    return this.notify(`Saved “${title}”.`);
  }

  async removeGame(nth) {
    const { title, games, version } = this.opened;
    await this.write(title, games.filter((_, at) => at !== nth), 0, version);
    this.showGame(0);
  }

  /** Stores the games of a study. The board keeps its position. */
  async write(title, games, at, version) {
    const saved = await this.store.save(title, games, version);
    this.opened = { title, games, at, version: saved.version ?? null };
    this.listGames(at);
    await this.showList();
  }

  async rename({ title }) {
    const wanted = this.name.value.trim();
    if (!wanted || wanted === title) {
      this.name.focus();
      return this.notify("Enter the new title in the “Title” field, then press “Rename” again.");
    }
    const { version } = await this.store.rename(title, wanted);
    if (this.opened.title === title) Object.assign(this.opened, { title: wanted, version });
    return this.showList();
  }

  async remove(study) {
    const { title } = study;
    const { games } = await this.store.open(title);
    await this.store.remove(study);
    if (this.opened.title === title) this.close();
    await this.showList();
    const restore = async () => {
      await this.store.save(title, games, null);
      await this.showList();
      this.notify(`Restored “${title}”.`);
    };
    this.notify(`Deleted “${title}”. `, button("Undo", () => this.run(restore)));
  }
}

function nameOf({ tags = [], variant, rules, lines }, titles) {
  const tag = (wanted) => tags.find(([name]) => name === wanted)?.[1];
  const players = [tag("attackers"), tag("defenders")].filter(Boolean).join(" – ");
  return `${players || tag("event") || (variant || rules ? rulesTitle({ variant, rules }, titles) : "game")}, ${counted(nMoves({ lines }), "move")}`;
}

/** Returns the tags of a record, which the tree doesn't have. */
function tagsOf(record) {
  return record?.tags ? { tags: record.tags } : {};
}

function nMoves({ lines }) {
  return lines.reduce((sum, { moves }) => sum + moves.split(" ").filter(Boolean).length, 0);
}
