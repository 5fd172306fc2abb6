// The opening tree: a nested list of moves with their numbers of games.

import { button, el, select, labeled } from "./dom.js";
import { bar } from "./table.js";
import { integer } from "./format.js";

/** Returns a tree of moves; `go` is called with the moves that lead to a node. */
export function tree(found, { depth, depths, deeper, go }) {
  const nodes = found.children ?? [];
  const list = branches(nodes, [], go);
  return [labeled("Depth in plies", select(depths.map((value) => [String(value), String(value)]), String(depth), deeper)),
    list ? el("p", { class: "dim" }, "Each move has all games that reach its position, by any order of moves. So a move can have more games than the one before it.") : null,
    list ?? el("p", { class: "empty" }, "No move was played often enough from here for a tree.")];
}

function branches(nodes, path, go) {
  if (!nodes?.length) return null;
  return el("ul", { class: "tree" }, nodes.map((node) => {
    const moves = [...path, node.move];
    const below = branches(node.children, moves, go);
    return el("li", {}, el("div", { class: "node" }, button(node.move, () => go(moves), { class: "move" }),
      el("span", { class: "number" }, integer(node.games)), bar(node)), below);
  }));
}
