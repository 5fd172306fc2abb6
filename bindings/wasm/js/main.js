// The file that pages load: it defines the elements, and `taflbase` for scripts.

import { load, loadEngine, request } from "./taflbase.js";
import { TaflBoard } from "./taflboard.js";
import { TaflGame } from "./taflgame.js";

for (const [name, type] of [["tafl-board", TaflBoard], ["tafl-game", TaflGame]]) {
  if (!customElements.get(name)) customElements.define(name, type);
}
globalThis.taflbase ??= { load, loadEngine, request };
