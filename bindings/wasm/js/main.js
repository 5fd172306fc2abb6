// The file that pages load: it defines the elements, and `taflbase` for scripts. Node gets only the latter.

import { HAS_ELEMENTS } from "./element.js";
import { load, loadEngine, request } from "./taflbase.js";
import { TaflBoard } from "./taflboard.js";
import { TaflGame } from "./taflgame.js";

for (const [name, type] of HAS_ELEMENTS ? [["tafl-board", TaflBoard], ["tafl-game", TaflGame]] : []) {
  if (!customElements.get(name)) customElements.define(name, type);
}
globalThis.taflbase ??= { load, loadEngine, request };
