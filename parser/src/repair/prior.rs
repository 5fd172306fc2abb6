//! Prior probabilities of faults: the costs by which repairs are ranked.
//!
//! A cost is the negative natural logarithm of a probability: that a fault of this kind happens, at this
//! position, with exactly this result. The costs of several faults therefore add up, and less specific faults
//! cost more: a cell can be miswritten in many ways, but start and destination can be exchanged in only one.
//! The weights are estimates, not measurements of real archives; `docs/repair.md` describes how they are
//! used and measures the results. Only large differences matter: two repairs count as ambiguous if their costs
//! differ by less than 2.9 (95 % confidence), so doubling a weight, a change of 0.7, affects near ties only.

use tafl_rules::{Coord, Shape};

use super::edit::{CaptureChange, EditScope, MoveCaptures, WritingError, count_changes};

/// The frequency of each kind of fault among all faults; the sum is about 1.
mod weight {
    pub(super) const CHARACTER: f64 = 0.35;
    pub(super) const EXCHANGED: f64 = 0.05;
    pub(super) const TRANSPOSED: f64 = 0.04;
    pub(super) const LINE: f64 = 0.01;
    pub(super) const OTHER: f64 = 0.0005;
    pub(super) const MISSING: f64 = 0.10;
    pub(super) const DOUBLED: f64 = 0.06;
    pub(super) const SPURIOUS: f64 = 0.002;
    pub(super) const SWAPPED: f64 = 0.06;
    pub(super) const CAPTURE_MISSING: f64 = 0.06;
    pub(super) const CAPTURE_EXTRA: f64 = 0.02;
    pub(super) const CAPTURE_WRONG: f64 = 0.04;
    pub(super) const CAPTURE_HABIT: f64 = 0.01;
    pub(super) const RESULT: f64 = 0.08;
    pub(super) const SIDES: f64 = 0.01;
    pub(super) const COUNTS: f64 = 0.02;
    pub(super) const RELABELED: f64 = 0.06;
    pub(super) const VARIANT: f64 = 0.02;
    pub(super) const START: f64 = 0.005;
    pub(super) const FIRST_MOVER: f64 = 0.0004;
    /// A record that names another first mover than the rules and does not begin with one of its pieces. In all 513 games of
    /// aagenielsen.dk whose statement differs from the rules of the variant, the statement is wrong.
    pub(super) const STATED_FIRST_MOVER: f64 = 0.5;
    pub(super) const UNREAD: f64 = 0.06;
    pub(super) const JUNK: f64 = 0.005;
}

// The following costs are estimates too, on the same scale: 2.5 is one case in 12, 3.5 one in 33, 4 one in 55, and 5
// one in 150.

/// The cost of play after an end that the players missed.
pub(super) const AFTER_END: f64 = 4.0;
/// The cost of a record that stops, with a loss of the side to move.
pub(super) const GIVES_UP: f64 = 3.5;
/// The cost of a record that stops, with a win of the side to move.
pub(super) const ADJUDICATED: f64 = 5.0;
/// The cost of an end on the board without a recorded result.
pub(super) const UNRECORDED_END: f64 = 3.5;
/// The cost of an unknown cause: a repair with this cost is no better than no explanation. In a
/// game of 60 moves on 11x11, two miswritten characters cost 15 to 19 and are a repair, and three cost 23 or more and
/// are not.
pub(super) const ANYTHING: f64 = 21.0;
/// The cost of a variant that is missing in the catalog, if a record names an unknown one.
pub(super) const UNKNOWN_VARIANT: f64 = 5.0;
/// The cost of each immediate win that a player misses.
pub(super) const MISSED_WIN: f64 = 2.5;
/// The cost of each move that captures nothing although another one does.
pub(super) const MISSED_CAPTURE: f64 = 0.7;

// The proportions of the attackers' first moves from each side of the board, and of those to the right or upward along
// it. Measured in half of the games of aagenielsen.dk, 14,411 games: most people begin at the bottom.

/// First moves from the bottom.
pub(super) const BEGIN_BOTTOM: f64 = 0.63;
/// First moves from the right.
pub(super) const BEGIN_RIGHT: f64 = 0.17;
/// First moves from the top.
pub(super) const BEGIN_TOP: f64 = 0.10;
/// First moves from the left.
pub(super) const BEGIN_LEFT: f64 = 0.10;
/// First moves to the right half.
pub(super) const BEGIN_TO_RIGHT: f64 = 0.63;
/// First moves from a lateral side to the upper half. Not more frequent than others.
pub(super) const BEGIN_UP: f64 = 0.5;

/// The minimum number of cells of a habit in lists of captures. Two can be a coincidence.
const MIN_OF_HABIT: usize = 3;
/// The maximum cost of the choice of the captures that a habit affects. A choice: about the cost of the place of a
/// fault, so that one wrong move that explains all captures costs less than a habit.
const MAX_OF_HABIT: f64 = 5.0;
/// The cost of each cell of a habit to list pieces that are not captured: one of three that could be meant.
const EXTRA_OF_HABIT: f64 = 1.1;

/// Returns the logarithm of the number of ways to choose `k` of `n`.
fn ln_binomial(n: usize, k: usize) -> f64 {
    (1..=k.min(n)).map(|nth| ((n - nth + 1) as f64 / nth as f64).ln()).sum()
}

/// Returns the cost of a probability.
fn cost(probability: f64) -> f64 {
    -probability.max(1e-30).ln()
}

/// The parameters of the costs: the board and the length of the game.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prior {
    pub(super) shape: Shape,
    pub(super) n_moves: usize,
    /// Whether an earlier edit already assumes that the writer lists captures differently.
    pub(super) has_capture_habit: bool,
}

impl Prior {
    fn place(self) -> f64 {
        ((self.n_moves + 1) as f64).ln()
    }

    /// Returns the probability that a miswritten file or rank became this particular one.
    fn line(self, one: i16, other: i16) -> f64 {
        let lines = f64::from(self.shape.n_ranks());
        // Half of the errors go to a neighboring line or key, half to any other.
        match one.abs_diff(other) {
            1 => 0.25 + 0.5 / lines,
            _ => 0.5 / lines,
        }
    }

    /// Returns the cost of a writing error in a move.
    pub(super) fn writing_error(
        self,
        error: WritingError,
        written: (Coord, Coord),
        right: (Coord, Coord),
    ) -> f64 {
        let lines = f64::from(self.shape.n_ranks());
        self.place()
            + match error {
                WritingError::Character => {
                    let pairs = [
                        (written.0.file, right.0.file),
                        (written.0.rank, right.0.rank),
                        (written.1.file, right.1.file),
                        (written.1.rank, right.1.rank),
                    ];
                    let (one, other) = pairs.into_iter().find(|(one, other)| one != other).unwrap_or((0, 0));
                    cost(weight::CHARACTER * 0.25 * self.line(one, other))
                }
                WritingError::Exchanged => cost(weight::EXCHANGED),
                WritingError::Transposed => cost(weight::TRANSPOSED * 0.7),
                WritingError::TransposedCell => cost(weight::TRANSPOSED * 0.15),
                WritingError::Line => cost(weight::LINE / lines),
                WritingError::Other => cost(weight::OTHER / (lines * lines)),
            }
    }

    /// Returns the cost of an unreadable word in place of a move; `distance` measures how different they
    /// look.
    pub(super) fn unread(self, distance: f64) -> f64 {
        self.place() + cost(weight::UNREAD) + distance
    }

    /// Returns the cost of a word to be removed; it is high if the word looks like a move.
    pub(super) fn junk(self, word: &str) -> f64 {
        let is_like = word.bytes().any(|byte| byte.is_ascii_digit());
        self.place() + cost(weight::JUNK * if is_like { 1e-4 } else { 1.0 })
    }

    /// Returns the cost of a missing move, given the number of legal ones.
    pub(super) fn missing(self, n_legal: usize) -> f64 {
        self.place() + cost(weight::MISSING / (n_legal.max(1) as f64))
    }

    /// Returns the cost of written moves that were not played.
    pub(super) fn removed(self, is_doubled: Doubled) -> f64 {
        self.place()
            + match is_doubled {
                Doubled::Move => cost(weight::DOUBLED * 0.7),
                Doubled::Turn => cost(weight::DOUBLED * 0.3),
                Doubled::No => cost(weight::SPURIOUS),
            }
    }

    /// Returns the cost of two exchanged moves with this distance.
    pub(super) fn swapped(self, distance: usize) -> f64 {
        self.place() + cost(weight::SWAPPED * if distance == 1 { 0.7 } else { 0.3 })
    }

    /// Returns the cost of these errors in a list of captures.
    pub(super) fn captures(self, changes: &[CaptureChange]) -> f64 {
        let cells = self.shape.n_cells() as f64;
        let each = |change: &CaptureChange| match change {
            CaptureChange::Missing(_) => cost(weight::CAPTURE_MISSING),
            CaptureChange::Extra(_) => cost(weight::CAPTURE_EXTRA / cells),
            CaptureChange::Wrong { written, right } => {
                let is_one_character = (written.file == right.file) != (written.rank == right.rank);
                let differs = if written.file == right.file {
                    self.line(written.rank, right.rank)
                } else {
                    self.line(written.file, right.file)
                };
                cost(weight::CAPTURE_WRONG * if is_one_character { 0.4 * differs } else { 0.2 / cells })
            }
        };
        self.place() + changes.iter().map(each).sum::<f64>()
    }

    /// Returns the cost of lists of captures that all differ from the rules; `n_real` is the number of captures up to
    /// the last of the moves.
    ///
    /// Either the differences are independent, or the writer has a habit: not to list, or to list, captures of some
    /// sort. Every proportion of affected captures is equally probable, and so are all sets of affected captures, up to
    /// a limit: a habit determines its captures, even if its reason is not known.
    pub(super) fn all_captures(self, moves: &[MoveCaptures], n_real: usize) -> f64 {
        let independent: f64 = moves.iter().map(|mv| self.captures(&mv.changes)).sum();
        let [missing, extra, wrong] = count_changes(moves);
        let affected = match (missing, extra, wrong) {
            (n, 0, 0) => Some((n, n_real)),
            // A writer can list a piece in any move.
            (0, n, 0) => Some((n, self.n_moves)),
            _ => None,
        };
        let Some((n, all)) = affected.filter(|(n, _)| *n >= MIN_OF_HABIT) else { return independent };
        let habit = if self.has_capture_habit { 0.0 } else { cost(weight::CAPTURE_HABIT) };
        let which = ln_binomial(all.max(n), n).min(MAX_OF_HABIT);
        // A piece is listed without reason mostly where the moved piece attacks it.
        let cells = extra as f64 * EXTRA_OF_HABIT;
        independent.min(habit + ((all.max(n) + 1) as f64).ln() + which + cells)
    }

    /// Returns the cost of a wrong result.
    pub(super) fn result(self) -> f64 {
        cost(weight::RESULT / 2.0)
    }

    /// Returns the cost of exchanged sides in result and counts.
    pub(super) fn sides(self) -> f64 {
        cost(weight::SIDES)
    }

    /// Returns the cost of wrong numbers of captures, one or both.
    pub(super) fn counts(self, n_wrong: usize) -> f64 {
        cost(weight::COUNTS / 5.0) * n_wrong.max(1) as f64
    }

    /// Returns the cost of renamed cells, given the number of possible renamings.
    pub(super) fn relabeled(self, scope: EditScope, n_maps: usize) -> f64 {
        let share = match scope {
            EditScope::Whole => 0.5,
            EditScope::From(_) => 0.3 / (self.n_moves.max(1) as f64),
            EditScope::Moves(_) => 0.1,
        };
        cost(weight::RELABELED * share / n_maps.max(1) as f64)
    }

    /// Returns the cost of wrong rules, given the number of alternatives. `popularity` is the proportion of
    /// the right variant in the recorded games of variants with the same board.
    pub(super) fn variant(
        self,
        named: RulesOrigin,
        source: VariantOrigin,
        n_variants: usize,
        popularity: f64,
    ) -> f64 {
        let weight = match named {
            RulesOrigin::Record | RulesOrigin::User => weight::VARIANT,
            // A guess is often wrong.
            RulesOrigin::Guess => 10.0 * weight::VARIANT,
        };
        // Published rules are played in more places than the rules of a single site.
        let share = match source {
            VariantOrigin::Published => 1.0,
            VariantOrigin::PlaySite => 0.5,
        };
        // Half of the probability is that of the recorded games.
        cost(weight * 0.5 * (share / n_variants.max(1) as f64 + popularity))
    }

    /// Returns the cost of a misspelled variant name; `nth` is the number of closer names. A different number
    /// in a name means a different game.
    pub(super) fn misspelled(self, nth: usize, written: &str, right: &str) -> f64 {
        let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
        let is_other = !digits(written).is_empty() && digits(written) != digits(right);
        cost(0.3) + 1.5 * nth as f64 + if is_other { 10.0 } else { 0.0 }
    }

    /// Returns the cost of another start than that of the record or the rules, given the number of
    /// alternatives.
    pub(super) fn start(self, basis: StartBasis, n_starts: usize) -> f64 {
        let share = match basis {
            StartBasis::ByRecord => 1.0,
            // Players who start from another setup than that of the rules usually record it.
            StartBasis::ByRules => 0.01,
        };
        cost(share * weight::START / n_starts.max(1) as f64)
    }

    /// Returns the cost of the other side moving first than the record or the rules state.
    pub(super) fn first_mover(self, basis: StartBasis) -> f64 {
        match basis {
            StartBasis::ByRecord => cost(weight::STATED_FIRST_MOVER),
            StartBasis::ByRules => cost(weight::FIRST_MOVER),
        }
    }
}

/// The source of the start or the first mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StartBasis {
    /// The record, which differs from the rules.
    ByRecord,
    /// The rules.
    ByRules,
}

/// Whether the removed moves are duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubled {
    /// One move is written twice.
    Move,
    /// Two moves are written twice.
    Turn,
    /// The moves are not duplicates.
    No,
}

/// The origin of the rules of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum VariantOrigin {
    /// A publication.
    Published,
    /// A play site.
    PlaySite,
}

/// The way in which the rules of a record were chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RulesOrigin {
    /// They were named by the record or its file.
    Record,
    /// The user requires them, so that no other rules are a repair.
    User,
    /// They were guessed.
    Guess,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prior() -> Prior {
        Prior { shape: Shape::square(11).unwrap(), n_moves: 50, has_capture_habit: false }
    }

    fn coords(from: &str, to: &str) -> (Coord, Coord) {
        (from.parse().unwrap(), to.parse().unwrap())
    }

    #[test]
    fn a_unique_error_costs_less_than_one_of_many() {
        let written = coords("d1", "d5");
        let near = prior().writing_error(WritingError::Character, written, coords("d1", "d6"));
        let far = prior().writing_error(WritingError::Character, written, coords("d1", "d9"));
        let exchanged = prior().writing_error(WritingError::Exchanged, written, coords("d5", "d1"));
        assert!(exchanged < near && near < far);
        assert!(prior().missing(100) > prior().removed(Doubled::Move));
    }
}
