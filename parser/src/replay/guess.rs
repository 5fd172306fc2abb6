//! The guess of the rules of a record that names none: the published variant that fits best.

use std::cmp::Reverse;

use tafl_rules::{
    Shape, Span,
    catalog::{self, NamedRules},
};

use super::{Replay, Replayer};
use crate::diagnostic::{ClosestVariants, Diagnostic, HeaderFinding, Severity};
use crate::record::Record;

impl Replayer {
    /// Replays a record without rules under every published variant whose board it fits, and returns the replay with
    /// the best [`Fit`]; among equals, that of the first variant in [`by_popularity`]. Boards with many more files and
    /// ranks than the record mentions follow if no variant fits without errors: a record may stop after the opening.
    ///
    /// There is no guess for records without moves, and if even the best fit may be chance.
    pub(super) fn guess(&mut self, record: &Record) -> VariantGuess {
        if record.rules.is_some() || record.variant.is_some() || record.main().moves.is_empty() {
            return VariantGuess::None { closest: None };
        }
        let wanted = match &record.start {
            Some(start) => BoardEvidence::Shape(start.setup.shape()),
            None => BoardEvidence::AtLeast(
                record
                    .main()
                    .moves
                    .iter()
                    .flat_map(|mv| [mv.from, mv.to])
                    .fold(0, |side, cell| side.max(cell.file + 1).max(cell.rank + 1)),
            ),
        };
        let n_moves = record.main().moves.len();
        let mut best: Option<(Fit, Replay)> = None;
        let mut closest = ClosestSearch::default();
        // Only the board can decide about the end if the record says nothing.
        let is_open = record.result.is_none() && record.ending.is_none();
        let mut other = None;
        let by_size = [SizeMatch::Near, SizeMatch::Larger];
        for (size, variant) in by_size.into_iter().flat_map(|size| by_popularity().map(move |it| (size, it)))
        {
            let Some(chosen) =
                self.by_name(variant.name).filter(|chosen| wanted.fits(chosen.book.shape(), size))
            else {
                continue;
            };
            if let Some((Fit { n_errors: 0, .. }, best)) = &best {
                if !is_open || size == SizeMatch::Larger {
                    break;
                }
                let replay = self.replay_by(record, &chosen, Vec::new());
                if Fit::of(&replay, n_moves).n_errors == 0 && replay.outcome != best.outcome {
                    other = Some(variant.name);
                    break;
                }
                continue;
            }
            let mut replay = self.replay_by(record, &chosen, Vec::new());
            let fit = Fit::of(&replay, n_moves);
            closest.add(variant.name, fit.n_played);
            if best.as_ref().is_none_or(|(other, _)| fit.is_better_than(*other)) {
                let span = record.main().moves.first().map_or(Span::at(0), |mv| mv.span);
                let note = Diagnostic::new(span, HeaderFinding::Guessed { variant: variant.name });
                replay.diagnostics.insert(0, note);
                best = Some((fit, replay));
            }
        }
        let none = |closest: ClosestSearch| VariantGuess::None { closest: closest.finish(record) };
        let Some((fit, mut replay)) = best else { return none(closest) };
        let variant = replay.rules.as_ref().and_then(|rules| rules.variant);
        if let (Some(variant), Some(other)) = (variant, other) {
            let span = record.main().moves.last().map_or(Span::at(0), |mv| mv.span);
            replay
                .diagnostics
                .push(Diagnostic::new(span, HeaderFinding::AmbiguousVariant { variant, other }));
        }
        if fit.is_evidence(record) { VariantGuess::Fits(Box::new(replay)) } else { none(closest) }
    }
}

/// The guessed variant of a record that names none.
pub(super) enum VariantGuess {
    /// The replay by a variant that fits.
    Fits(Box<Replay>),
    /// No variant fits.
    None {
        /// Those that fit best.
        closest: Option<ClosestVariants>,
    },
}

/// A search for the variants by which most moves of a record can be played.
#[derive(Default)]
struct ClosestSearch {
    names: Vec<&'static str>,
    n_played: usize,
}

impl ClosestSearch {
    /// The maximum number of variants that are named.
    const MAX_NAMED: usize = 3;

    fn add(&mut self, variant: &'static str, n_played: usize) {
        if n_played > self.n_played {
            *self = ClosestSearch { names: Vec::new(), n_played };
        }
        if n_played == self.n_played && self.names.len() < ClosestSearch::MAX_NAMED {
            self.names.push(variant);
        }
    }

    /// Returns the variants; `None` if no move can be played by any of them.
    fn finish(self, record: &Record) -> Option<ClosestVariants> {
        (self.n_played > 0).then(|| ClosestVariants {
            names: self.names.into(),
            n_played: self.n_played as u32,
            n_moves: record.main().moves.len() as u32,
        })
    }
}

/// The minimum number of moves that show the variant of a record with errors: one or two moves are often legal from the start
/// of some variant by chance.
const MIN_MOVES: usize = 3;

/// The fit of a variant to a record that names none.
#[derive(Debug, Clone, Copy)]
struct Fit {
    /// The number of written moves that can be played.
    n_played: usize,
    /// The number of errors, with that of the move at which replay stops.
    n_errors: usize,
    /// Whether replay stops before the last written move.
    is_stopped: bool,
}

impl Fit {
    fn of(replay: &Replay, n_moves: usize) -> Fit {
        let n_played = replay.plies.iter().filter(|ply| !ply.is_unwritten()).count();
        // Not the number of plies, because moves that were taken back have none.
        let last = replay.plies.iter().filter_map(|ply| ply.written).max();
        Fit {
            n_played,
            n_errors: replay.diagnostics.iter().filter(|found| found.severity() == Severity::Error).count(),
            is_stopped: last.map_or(0, |last| last as usize + 1) < n_moves,
        }
    }

    /// Returns the number of moves that can be played, less one for each error in them.
    ///
    /// The number of errors is not a measure, because replay stops at the first illegal move: on a wrong board it has one error
    /// and no moves. Neither is the number of moves, because wrong captures do not stop replay.
    const fn n_right(self) -> usize {
        let n_errors = self.n_errors.saturating_sub(self.is_stopped as usize);
        self.n_played.saturating_sub(n_errors)
    }

    /// Returns whether the fit is more than chance: without errors, or with at least half of the moves right, and without a
    /// start in the record at least [`MIN_MOVES`].
    fn is_evidence(self, record: &Record) -> bool {
        let min_moves = if record.start.is_some() { 0 } else { MIN_MOVES };
        let n_right = self.n_right();
        self.n_errors == 0 || (n_right >= min_moves && n_right * 2 >= record.main().moves.len())
    }

    fn is_better_than(self, other: Fit) -> bool {
        let rank = |fit: Fit| (fit.n_right(), Reverse(fit.n_errors));
        rank(self) > rank(other)
    }
}

/// The variants that are tried first, because they are played most on the boards that they share with others. The
/// play site aagenielsen.dk has 12,275 games of Copenhagen, 1,998 of Fetlar, 1,753 of Tawlbwrdd, and 283 of sea
/// battle on 11x11, 3,304 of Saami tablut and 319 of sea battle on 9x9, 1,960 of Brandubh, 337 of Ard Ri and 108 of
/// Magpie on 7x7, and 397 of sea battle on 13x13. The other variants follow in the order of the catalog.
const POPULAR: [&str; 10] = [
    "copenhagen11",
    "fetlar11",
    "tawlbwrdd11",
    "seabattle11",
    "tablut9_wtf",
    "seabattle9",
    "brandubh7",
    "ardri7",
    "magpie7",
    "seabattle13",
];

/// Returns the published variants, those that are played most first.
pub(crate) fn by_popularity() -> impl Iterator<Item = &'static NamedRules> {
    let popular =
        POPULAR.iter().filter_map(|name| catalog::published().find(|variant| variant.name == *name));
    popular.chain(catalog::published().filter(|variant| !POPULAR.contains(&variant.name)))
}

/// Evidence for the board of a record.
enum BoardEvidence {
    /// The board.
    Shape(Shape),
    /// The largest file or rank among its moves, counted from 1.
    AtLeast(i16),
}

/// The size of a board, compared with the cells of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SizeMatch {
    /// At most two more ranks than the record mentions: games use nearly all files and ranks of their board.
    Near,
    /// More than two more ranks.
    Larger,
}

impl BoardEvidence {
    fn fits(&self, shape: Shape, size: SizeMatch) -> bool {
        match self {
            BoardEvidence::Shape(wanted) => *wanted == shape && size == SizeMatch::Near,
            BoardEvidence::AtLeast(side) => match size {
                SizeMatch::Near => (*side..=side + 2).contains(&shape.n_ranks()),
                SizeMatch::Larger => shape.n_ranks() > side + 2,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReplayOptions, Source};

    /// A game of Brandubh with captures on `g4` and `g2`.
    const GAME: &str =
        "d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1";

    /// Returns the guessed variant of a record, the number of its plies, and the codes of its findings except notes.
    fn guess(text: &str) -> (Option<&'static str>, usize, Vec<&'static str>) {
        let record = Format::MoveList.parse(&Source::new(text)).value;
        let replay = Replayer::new(ReplayOptions::default()).replay(&record);
        let serious = replay.diagnostics.iter().filter(|found| found.severity() > Severity::Note);
        let codes = serious.map(|found| found.code().as_str()).collect();
        (replay.rules.and_then(|rules| rules.variant), replay.plies.len(), codes)
    }

    #[test]
    fn one_error_does_not_make_the_rules_unknown() {
        assert_eq!(guess(GAME), (Some("brandubh7"), 14, vec![]));
        assert_eq!(guess(&GAME.replace("xg4", "")), (Some("brandubh7"), 14, vec!["C001"]));
        // Replay stops at a move that cannot be played.
        assert_eq!(guess(&GAME.replace("d2-g2", "d2-g3")), (Some("brandubh7"), 10, vec!["L001"]));
        assert_eq!(guess(&GAME.replace("d1-e1", "d1-e2")).2, ["P003"]);
    }

    #[test]
    fn moves_that_fit_by_chance_are_no_evidence() {
        assert_eq!(guess("d6-c6 d6-c6 e4-e6"), (None, 0, vec!["P003"]));
        assert_eq!(guess("a1-a2 b1-b2"), (None, 0, vec!["P003"]));
        assert_eq!(guess(&GAME.replace("d5-g5", "d5-g6")), (None, 0, vec!["P003"]));
    }

    #[test]
    fn errors_of_captures_count_as_moves_that_do_not_fit() {
        let played = |n_errors| Fit { n_played: 14, n_errors, is_stopped: false };
        let stopped = |n_played| Fit { n_played, n_errors: 1, is_stopped: true };
        assert!(played(1).is_better_than(stopped(0)) && stopped(11).is_better_than(played(8)));
        assert!(played(0).is_better_than(played(1)) && !played(1).is_better_than(played(1)));
        assert_eq!((played(1).n_right(), stopped(11).n_right()), (13, 11));
    }
}
