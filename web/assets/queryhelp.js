// The help of the query language: conditions by subject, each with an example that runs.

import { el, link } from "./dom.js";

const SUBJECTS = [
  ["Games", [
    ["player:\"NAME\", won:\"NAME\"", "words of a name; * stands for the rest of a word, and ~1 allows a wrong letter", "player:a*"],
    ["event:\"NAME\", site:\"NAME\"", "words of the name of an event, such as a tournament, or of a place", "event:samples"],
    ["result:defenders, result:draw, result:unfinished", "the result", "result:attackers"],
    ["reason:resignation", "how the game ended", "reason:encirclement"],
    ["plies<=40, rating>=1800, year:2015..2020", "numbers and ranges", "plies<=20 result:defenders"],
    ["comment:\"exit fort\"", "words of comments", "comment:fort"],
  ]],
  ["Events of a ply", [
    ["capture, many_captured, shieldwall, linnaean", "captures", "shieldwall"],
    ["king_can_escape, king_danger, king_open_line", "the king’s safety", "king_can_escape to_move:attackers"],
    ["exit_fort, encirclement, repetition", "endings", "exit_fort"],
    ["walled>=3, custodial>=2", "numbers of pieces captured in one way", "custodial>=2"],
  ]],
  ["Positions", [
    ["pattern corner \"??t/?t?/t??\"", "pieces on some cells, anywhere or at a place: t attacker, T defender, K king, x any attacker, o any defender, . empty, ? anything", "pattern corner \"??t/?t?/t??\""],
    ["attackers_lost>=4, piece:king, to:corner", "pieces and moves", "attackers_lost>=4 piece:king"],
  ]],
  ["Combining", [
    ["A B, A and B, A or B, not A", "all, one, or none of the conditions; parentheses group them", "shieldwall or exit_fort"],
    ["A then B within 3, A before B", "order in a game", "capture then capture within 1"],
    ["first(A), last(A), ever(A), never(A), count(A) >= 2", "where, or how often, it holds in a game", "never(capture) plies>=10"],
  ]],
];

/** Returns the help as a box that is closed at first. */
export function queryHelp() {
  const example = (query) => link(el("code", {}, query), `/search?query=${encodeURIComponent(query)}`, { title: "Run this query" });
  const row = ([form, words, query]) => el("tr", {}, el("th", { scope: "row" }, el("code", {}, form)), el("td", {}, words, el("br"), example(query)));
  return el("details", { class: "queryhelp" }, el("summary", {}, "Help with queries"), el("div", { class: "scroller" }, SUBJECTS.map(([title, rows]) =>
    el("table", { class: "figures" }, el("caption", {}, title), el("thead", {}, el("tr", {}, ["condition", "meaning and example"].map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, rows.map(row))))));
}
