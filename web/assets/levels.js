// The engine's levels: the number of positions that it searches, and how it chooses among good moves.

/**
 * The levels. `lines` is the number of lines among which `chooseLine` chooses, so that games differ. The other numbers are
 * those of the library, which a test compares; `elo` is relative to random moves, and `margin` is half of the 95 % interval of
 * the measured strength, around the mean of the league that measured it.
 */
export const LEVELS = [
  { level: 1, elo: 460, nodes: 10, margin: 117, lines: 3 },
  { level: 2, elo: 619, nodes: 30, margin: 110, lines: 3 },
  { level: 3, elo: 926, nodes: 300, margin: 92, lines: 3 },
  { level: 4, elo: 1196, nodes: 1_000, margin: 83, lines: 3 },
  { level: 5, elo: 1376, nodes: 3_000, margin: 91, lines: 3 },
  { level: 6, elo: 1478, nodes: 10_000, margin: 110, lines: 2 },
  { level: 7, elo: 1632, nodes: 100_000, margin: 119, lines: 1 },
];

/** The expectation that a move may be worse than the best one, and still be chosen. */
const TOLERANCE = 0.02;

/** Returns the name of a level: `level 3 of 7`. */
export function levelName(level) {
  return `level ${level} of ${LEVELS.length}`;
}

/** Returns the name of a level with its strength: `level 3 of 7, about 930 ± 90 Elo`. */
export function levelStrength({ level, elo, margin }) {
  const rounded = (number) => Math.round(number / 10) * 10;
  return `${levelName(level)}, about ${rounded(elo)} ± ${rounded(margin)} Elo`;
}

/** Returns the line that the engine plays: the best one, or by chance another one that is nearly as good. */
export function chooseLine(lines, side, random = Math.random) {
  const value = (line) => (side === "attackers" ? line.expected : 1 - line.expected);
  const good = (lines ?? []).filter((line) => value(line) >= value(lines[0]) - TOLERANCE && line.wins === lines[0].wins);
  return good[Math.floor(random() * good.length)] ?? null;
}
