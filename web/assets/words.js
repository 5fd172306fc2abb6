// Numbers, names and results as people read them.

const THIN = "\u202f";

/** Returns a whole number with thin separators: 28 876. */
export function whole(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** Returns a number and its noun: `1 game`, `28 876 games`. */
export function counted(number, noun, plural = `${noun}s`) {
  return `${whole(number)} ${number === 1 ? noun : plural}`;
}

/** Returns a share in percent: 62 %. */
export function percent(share) {
  return share === null || share === undefined ? "–" : `${Math.round(share * 100)}${THIN}%`;
}

/** Returns an interval of shares in words: 54 to 70 %. */
export function interval(share) {
  if (!share || share.low === null || share.low === undefined) return "";
  return `${Math.round(share.low * 100)} to ${Math.round(share.high * 100)}${THIN}%`;
}

/** Returns a word with a capital letter. */
export function capital(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : "";
}

/** Returns the other side. */
export function other(side) {
  return side === "attackers" ? "defenders" : "attackers";
}

/** Returns how a game ended, in words: `attackers won (encirclement)`. */
export function ended(result, reason) {
  if (!result || result === "unfinished") return "not finished";
  const words = result === "draw" ? "draw" : `${result} won`;
  return reason && reason !== "unknown" ? `${words} (${reason})` : words;
}

/** Returns the name of a player, or a word where none is known. */
export function player(name, side) {
  return name || capital(side);
}

/** Returns the title of a game: `Blue – Red`, with what is known of event and date. */
export function title(game) {
  const names = game.attackers || game.defenders
    ? `${player(game.attackers, "attackers")} – ${player(game.defenders, "defenders")}`
    : `Game ${game.game}`;
  return [names, game.event, game.date].filter(Boolean).join(", ");
}

/** Returns the parts of a list of moves: they stand apart by blanks or commas. */
export function moves(text) {
  return (text ?? "").split(/[\s,]+/).filter(Boolean);
}

/** Returns the cells of a written move; a chain has more than two. */
export function ends(move) {
  const cells = (move ?? "").split("x")[0].split("-").map((part) => part.trim()).filter(Boolean);
  return { from: cells[0] ?? null, to: cells[cells.length - 1] ?? null, cells };
}

/** Returns the number before a ply: `3.` for attackers' plies where they begin, `3…` for the answers. */
export function turn(ply) {
  return ply % 2 === 1 ? `${(ply + 1) / 2}.` : `${ply / 2}…`;
}

/** Returns a score as it is shown, from the attackers' view: `+1.25`, `attackers win in 5`. */
export function score(line) {
  if (line.wins) return `${line.wins} win${line.in === null || line.in === undefined ? "" : ` in ${line.in}`}`;
  if (line.score === null || line.score === undefined) return "–";
  const sign = line.score > 0 ? "+" : line.score < 0 ? "−" : "";
  return `${sign}${Math.abs(line.score).toFixed(2)}`;
}

const ROLES = { t: "man", c: "commander", n: "knight", k: "king", m: "mercenary", g: "guard" };

/** Returns the piece of a code in words: `attacker`, `defenders' king`. */
export function piece(code) {
  const side = code === code.toLowerCase() ? "attackers" : "defenders";
  const role = ROLES[code.toLowerCase()] ?? "piece";
  if (role === "man") return side === "attackers" ? "attacker" : "defender";
  if (role === "king" && side === "defenders") return "king";
  return `${side}' ${role}`;
}

/** Returns the codes of pieces with their words, attackers first. */
export function codes() {
  const letters = Object.keys(ROLES);
  return [...letters, ...letters.map((letter) => letter.toUpperCase())];
}
