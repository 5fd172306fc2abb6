// Drawings on a board: a right click marks a cell, and a drag with the right button draws an arrow.

/** Calls `toggleCell` and `toggleArrow` for drawings on a board. */
export function drawing(board, { toggleCell, toggleArrow }) {
  let from = null;
  board.svg.addEventListener("contextmenu", (event) => event.preventDefault());
  board.svg.addEventListener("pointerdown", (event) => {
    if (event.button === 2) from = board.pointAt(event)?.name ?? null;
  });
  board.svg.addEventListener("pointerup", (event) => {
    if (event.button !== 2 || !from) return;
    const to = board.pointAt(event)?.name;
    if (to === from) toggleCell(from);
    else if (to) toggleArrow({ from, to });
    from = null;
  });
}

/** Returns a list with an item, or without it if it is there. */
export function toggled(list, item) {
  const text = JSON.stringify(item);
  const others = list.filter((one) => JSON.stringify(one) !== text);
  return others.length === list.length ? [...list, item] : others;
}
