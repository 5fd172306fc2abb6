// The opening tree: moves under moves, each with its games.

import { button, el, select, labeled } from "./dom.js";
import { bar } from "./table.js";
import { whole } from "./words.js";

/** Returns a tree of moves; `go` is called with the moves that lead to a node. */
export function tree(found, { depth, depths, deeper, go }) {
  const nodes = found.children ?? [];
  const list = branches(nodes, [], go);
  return [labeled("Plies deep", select(depths.map((value) => [String(value), String(value)]), String(depth), deeper)),
    list ?? el("p", { class: "empty" }, "No move was played often enough from here to make a tree.")];
}

function branches(nodes, path, go) {
  if (!nodes?.length) return null;
  return el("ul", { class: "tree" }, nodes.map((node) => {
    const way = [...path, node.move];
    const below = branches(node.children, way, go);
    return el("li", {}, el("div", { class: "node" }, button(node.move, () => go(way), { class: "move" }),
      el("span", { class: "number" }, whole(node.games)), bar(node)), below);
  }));
}
