// Numbers, names, and results as text.

const THIN = "\u202f";

/** Returns a number rounded and with thin separators: 28 876. */
export function integer(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** Returns a number and its noun: `1 game`, `28 876 games`. */
export function counted(number, noun, plural = `${noun}s`) {
  return `${integer(number)} ${number === 1 ? noun : plural}`;
}

/** Returns a proportion as a percentage without its unit. One that is not 0 or 1 gets the decimals that show it: 0.4, 99.8. */
export function percentText(proportion, decimals = 0) {
  for (let digits = decimals; digits <= 4; digits += 1) {
    const text = (proportion * 100).toFixed(digits);
    if (Number(text) !== 0 && Number(text) !== 100) return text;
  }
  return (proportion * 100).toFixed(decimals);
}

/** Returns a proportion in percent: 62 %. */
export function percent(proportion) {
  return proportion === null || proportion === undefined ? "–" : `${percentText(proportion)}${THIN}%`;
}

/** Returns a number of bytes in mebibytes: 1.5 MiB. */
export function mebibytes(bytes) {
  return `${Number((bytes / 2 ** 20).toFixed(1))}${THIN}MiB`;
}

/** Returns the interval of an estimated proportion in percent: 54 to 70 %. */
export function interval(estimate) {
  if (!estimate || estimate.low === null || estimate.low === undefined) return "";
  return `${percentText(estimate.low)} to ${percentText(estimate.high)}${THIN}%`;
}

/** Returns a word with a capital letter. */
export function capitalize(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : "";
}

/** Returns the other side. */
export function opponent(side) {
  return side === "attackers" ? "defenders" : "attackers";
}

/** Returns the side of a piece by its code. */
export function pieceSide(code) {
  return code === code.toLowerCase() ? "attackers" : "defenders";
}

/** Returns the result of a game in words: `attackers won (encirclement)`, or `attackers won (resignation, inferred)`. */
export function resultText(result, reason, source) {
  if (!result || result === "unfinished") return "unfinished";
  const words = result === "draw" ? "draw" : `${result} won`;
  return reason && reason !== "unknown" ? `${words} (${reasonText(reason, source)})` : words;
}

/** Returns a reason with a note if it is a conclusion that the record doesn't state. */
export function reasonText(reason, source) {
  return source === "inference" ? `${reason}, inferred` : reason;
}

/** Returns the name of a player, or that of the side if the player is unknown. */
export function playerName(name, side) {
  return name || capitalize(side);
}

/** Returns the names of the players of a game: `Blue – Red`. */
export function playerNames(game) {
  return `${playerName(game.attackers, "attackers")} – ${playerName(game.defenders, "defenders")}`;
}

/** Returns the title of a game: its players, event, and date. */
export function gameTitle(game) {
  const names = game.attackers || game.defenders ? playerNames(game) : `Game ${game.game}`;
  return [names, game.event, game.date].filter(Boolean).join(", ");
}

/** Returns the moves of a text, which are separated by spaces or commas. */
export function splitMoves(text) {
  return (text ?? "").split(/[\s,]+/).filter(Boolean);
}

/** The word in place of a move with which a side declines to continue a chain. */
export const DECLINE = "decline";

/** Returns moves as a parameter. Where a chain was declined before another move, that move shows it. */
export function joinMoves(moves) {
  return moves.filter((move, at) => move !== DECLINE || at === moves.length - 1).join(",");
}

/** Returns the moves of a text that were played on the board. */
export function playedMoves(text) {
  return splitMoves(text).filter((move) => move !== DECLINE);
}

/** Returns the cells of a written move: the first, the last, and all of them, since a chain of jumps has more than two. */
export function moveCells(move) {
  const cells = (move ?? "").split("x")[0].split("-").map((part) => part.trim()).filter(Boolean);
  return { from: cells[0] ?? null, to: cells[cells.length - 1] ?? null, cells };
}

/** Returns the move number of a ply: `3.` for plies of the side that moves first, `3…` for the replies. */
export function moveNumber(ply) {
  return ply % 2 === 1 ? `${(ply + 1) / 2}.` : `${ply / 2}…`;
}

/** Returns a score from the attackers' point of view: `+1.25`, `attackers win in 5`. */
export function scoreText(line) {
  if (line.wins) return `${line.wins} win${line.in === null || line.in === undefined ? "" : ` in ${line.in}`}`;
  if (line.score === null || line.score === undefined) return "–";
  const sign = line.score > 0 ? "+" : line.score < 0 ? "−" : "";
  return `${sign}${Math.abs(line.score).toFixed(2)}`;
}

const ROLES = { t: "man", c: "commander", n: "knight", k: "king", m: "mercenary", g: "guard" };

/** Returns the name of a piece: `attacker`, `defenders' knight`, `king`, or `defenders' king` if both sides have one. */
export function pieceName(code, hasTwoKings = false) {
  const side = pieceSide(code);
  const role = ROLES[code.toLowerCase()] ?? "piece";
  if (role === "man") return side === "attackers" ? "attacker" : "defender";
  if (role === "king" && side === "defenders" && !hasTwoKings) return "king";
  return `${side}' ${role}`;
}

/** Returns the codes of all pieces, attackers first. */
export function pieceCodes() {
  const letters = Object.keys(ROLES);
  return [...letters, ...letters.map((letter) => letter.toUpperCase())];
}
