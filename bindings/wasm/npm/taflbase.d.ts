// Types of the package. The answers of requests have the fields of the JSON Schemas in docs/schemas of the repository.

/** The names of the requests. */
export type RequestName =
  | "board" | "convert" | "eval" | "move" | "position" | "repair" | "rules-diff" | "rules-explain" | "rules-list" | "validate";

/** An error of a request. */
export interface RequestError extends Error {
  kind: string;
  help?: string;
  parameter?: string;
  place?: { bytes: [number, number]; columns: [number, number] };
}

/** A viewer of a game: `<tafl-game src variant notation game ply editable theme>`. */
export interface TaflGame extends HTMLElement {
  /** The text with the record. */
  text: string;
  /** The number of plies before the position that is shown. */
  readonly ply: number;
  /** Shows the position after a number of plies. */
  go(ply: number): Promise<void>;
}

/** A board: `<tafl-board variant position side moves playable theme>`. */
export interface TaflBoard extends HTMLElement {
  /** The moves that were played, those of the attribute included. */
  readonly moves: string[];
  /** Plays a move, and returns whether it is legal. */
  play(move: string): Promise<boolean>;
  /** Takes back the last move. */
  takeBack(): Promise<void>;
}

declare global {
  const taflbase: {
    /** Waits for the library. */
    load(): Promise<unknown>;
    /** Loads `taflbase-engine.js`, and waits for it; requests that need it do so, too. */
    loadEngine(): Promise<unknown>;
    /** Runs a request; `text` has the records of `convert`, `repair`, and `validate`. Throws a `RequestError`. */
    request(name: RequestName, parameters?: Record<string, unknown>, text?: string): Promise<any>;
  };
  interface HTMLElementTagNameMap {
    "tafl-game": TaflGame;
    "tafl-board": TaflBoard;
  }
}
