//! Faults at one position: a miswritten, missing, doubled, or displaced move, or a wrong list of captures.

use std::cell::OnceCell;

use tafl_rules::{Coord, Move};

use super::candidate::UnreadWord;
use super::edit::{CaptureChange, Edit, MoveCaptures, WritingError};
use super::move_model::{MoveContext, MovePredictor};
use super::prior::{Doubled, Prior};
use super::strict_replay::{Obstacle, ReplayReach, StrictReplay, StrictStep, Tail};
use super::word_distance::word_distance;
use crate::record::WrittenMove;
use crate::replay::Discrepancy;
use crate::source::Source;

/// An edit that lets more of the record be played.
#[derive(Debug, Clone)]
pub(super) struct LocalChange {
    pub(super) edit: Edit,
    /// The cost of the fault; if the edit leads to the end, plus the cost of improbable events on the way.
    pub(super) cost: f64,
    /// The part of the cost for the improbability of the proposed move.
    pub(super) move_cost: f64,
    pub(super) fit: ReplayReach,
}

/// The candidates for the intended move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The moves that one known writing error turns into the written one.
    WritingErrors,
    /// Every legal move at the obstacle.
    AnyMove,
    /// Every legal move near the obstacle, as a last resort.
    AnyMoveNear,
}

/// The number of moves before the obstacle at which every legal move is tried. A choice: the time grows in proportion,
/// and a wrong move that is legal usually leads to an obstacle soon.
const NEAR: usize = 6;

/// The cost of an unreadable word that does not resemble the proposed move. A choice, above that of any single
/// writing error, so that a similar word wins.
const UNLIKE: f64 = 14.0;

/// A legal move, as a record would contain it.
struct LegalMove {
    mv: Move,
    written: WrittenMove,
    right: (Coord, Coord),
}

/// A search for faults at one position.
pub(super) struct LocalSearch<'s, 'd> {
    pub(super) replay: &'s StrictReplay<'d>,
    pub(super) source: &'s Source<'d>,
    pub(super) prior: Prior,
    pub(super) found: &'s mut Vec<LocalChange>,
}

impl LocalSearch<'_, '_> {
    /// Tries edits at the obstacle and at every move before it.
    pub(super) fn search(&mut self, reach: Reach) {
        let Some((obstacle, why)) = self.replay.obstacle else { return };
        if let Obstacle::Unread(word) = why {
            if reach == Reach::WritingErrors {
                self.read_word(word);
            }
            return;
        }
        let n_moves = self.replay.n_moves();
        if reach == Reach::WritingErrors {
            if let Obstacle::Differs(found) = why
                && is_about_captures(found)
            {
                self.captures(obstacle);
                self.all_captures(obstacle);
            }
            self.inserted(obstacle);
            self.swapped(obstacle, 1);
        }
        let first = match reach {
            Reach::WritingErrors => 0,
            Reach::AnyMove => obstacle,
            Reach::AnyMoveNear => obstacle.saturating_sub(NEAR),
        };
        for at in (first..=obstacle).rev().filter(|at| *at < n_moves) {
            self.replaced(at, reach);
            if reach == Reach::WritingErrors {
                self.removed(at, 1);
                self.removed(at, 2);
                self.swapped(at, 2);
            }
        }
    }

    /// Keeps an edit if it lets more of the record be played.
    fn note(&mut self, edit: Edit, cost: f64, fit: ReplayReach) {
        self.note_move(edit, cost, 0.0, fit);
    }

    /// Keeps an edit that proposes a move if it lets more of the record be played.
    fn note_move(&mut self, edit: Edit, cost: f64, move_cost: f64, fit: ReplayReach) {
        if self.leads_further(fit) {
            self.keep(edit, cost, move_cost, fit);
        }
    }

    fn keep(&mut self, edit: Edit, cost: f64, move_cost: f64, fit: ReplayReach) {
        let events = match fit {
            ReplayReach::Broken { .. } => 0.0,
            ReplayReach::Through { cost } => cost,
        };
        self.found.push(LocalChange { edit, cost: cost + move_cost + events, move_cost, fit });
    }

    /// Returns whether more of the record can be played than without an edit.
    fn leads_further(&self, fit: ReplayReach) -> bool {
        let before = self.replay.obstacle.as_ref().map_or(0, |(at, _)| self.replay.n_moves() - at);
        !matches!(fit, ReplayReach::Broken { left } if left >= before)
    }

    /// Returns a predictor of the move that is played instead of the written moves from `at` up to `next`.
    fn predictor(&self, at: usize, next: usize) -> MovePredictor {
        let moves = self.moves();
        let shape = self.replay.shape;
        let written = |nth: Option<usize>| {
            let mv = moves.get(nth?)?;
            Some(Move::new(shape.cell(mv.from)?, shape.cell(mv.to)?))
        };
        // Sides alternate, except for the steps of a turn, which are rare.
        let context = MoveContext {
            own_before: written(at.checked_sub(2)),
            other_before: written(at.checked_sub(1)),
            other_after: written(Some(next)),
        };
        MovePredictor::new(self.replay.states[at].game(), context)
    }

    fn moves(&self) -> &[WrittenMove] {
        &self.replay.candidate.record.main().moves
    }

    /// Tries the legal moves that a writing error may have turned into the written one.
    fn replaced(&mut self, at: usize, reach: Reach) {
        let written = self.moves()[at];
        let shape = self.replay.shape;
        let mut game = self.replay.states[at].game().clone();
        game.clear_outcome();
        let predictor = OnceCell::new();
        for mv in game.moves() {
            let right = (shape.coord(mv.from), shape.coord(mv.to));
            let pair = (written.from, written.to);
            let error = match writing_error(pair, right) {
                Some(error) if reach == Reach::WritingErrors => error,
                None if reach != Reach::WritingErrors && pair != right => WritingError::Other,
                Some(_) | None => continue,
            };
            let meant = WrittenMove { from: right.0, to: right.1, ..written };
            let step = StrictStep { mv: meant, ..self.replay.step(at) };
            let fit = self.replay.run(at, &[step], self.replay.tail(at + 1));
            if !self.leads_further(fit) {
                continue;
            }
            let move_cost = predictor.get_or_init(|| self.predictor(at, at + 1)).cost(mv);
            let cost = self.prior.writing_error(error, pair, right);
            self.note_move(Edit::Replace { at, written: pair, right, error }, cost, move_cost, fit);
        }
    }

    /// Tries inserting every legal move before the written one.
    fn inserted(&mut self, at: usize) {
        // After the end of the game no move is missing.
        if self.replay.states[at].game().outcome().is_some() {
            return;
        }
        let moves = self.legal(at);
        let tail = Tail { skips_board: true, ..self.replay.tail(at) };
        let predictor = OnceCell::new();
        for LegalMove { mv, written, right } in &moves {
            let step = StrictStep { mv: *written, captures: None };
            let fit = self.replay.run(at, &[step], tail);
            if matches!(fit, ReplayReach::Broken { left } if left >= tail.moves.len() - at) {
                continue;
            }
            let captures = self.replay.listed_captures(at, right.0, right.1, &[]).unwrap_or_default().into();
            let move_cost = predictor.get_or_init(|| self.predictor(at, at)).cost(*mv);
            let cost = self.prior.missing(moves.len());
            self.note_move(Edit::Insert { at, right: *right, captures }, cost, move_cost, fit);
        }
    }

    fn legal(&self, at: usize) -> Vec<LegalMove> {
        let shape = self.replay.shape;
        let mut game = self.replay.states[at].game().clone();
        game.clear_outcome();
        let named = |mv: Move| (shape.coord(mv.from), shape.coord(mv.to));
        let nowhere = tafl_rules::Span::at(0);
        let legal = |mv: Move| {
            let right = named(mv);
            LegalMove { mv, written: WrittenMove::new(right.0, right.1, nowhere), right }
        };
        game.moves().into_iter().map(legal).collect()
    }

    /// Tries removing moves.
    fn removed(&mut self, at: usize, n: usize) {
        let moves = self.moves();
        if at + n > moves.len() {
            return;
        }
        let same = |one: &WrittenMove, other: &WrittenMove| (one.from, one.to) == (other.from, other.to);
        let is_doubled = at >= n && (0..n).all(|nth| same(&moves[at - n + nth], &moves[at + nth]));
        let doubled = match (n, is_doubled) {
            (1, true) => Doubled::Move,
            (_, true) => Doubled::Turn,
            (1, false) => Doubled::No,
            (_, false) => return,
        };
        let fit = self.replay.run(at, &[], self.replay.tail(at + n));
        self.note(Edit::Remove { at, n, doubled: is_doubled }, self.prior.removed(doubled), fit);
    }

    /// Tries exchanging a move with the one `distance` later.
    fn swapped(&mut self, at: usize, distance: usize) {
        let with = at + distance;
        if with >= self.moves().len() {
            return;
        }
        let steps: Vec<StrictStep<'_>> = (at..=with).map(|nth| self.replay.step(nth)).collect();
        let mut order = steps.clone();
        order.swap(0, distance);
        if (order[0].mv.from, order[0].mv.to) == (steps[0].mv.from, steps[0].mv.to) {
            return;
        }
        let fit = self.replay.run(at, &order, self.replay.tail(with + 1));
        self.note(Edit::Swap { at, with }, self.prior.swapped(distance), fit);
    }

    /// Tries the actual captures instead of the written ones.
    fn captures(&mut self, at: usize) {
        let mv = self.moves()[at];
        let marked = self.replay.candidate.record.captures_of(&mv);
        let Some(right) = self.replay.listed_captures(at, mv.from, mv.to, marked) else { return };
        let written: Vec<Coord> = marked.iter().map(|capture| capture.cell).collect();
        let changes = changes(&written, &right);
        if changes.is_empty() {
            return;
        }
        let fit = self.replay.run(at, &[StrictStep { mv, captures: None }], self.replay.tail(at + 1));
        let cost = self.prior.captures(&changes);
        self.note(Edit::Captures { at, right: right.into(), changes: changes.into() }, cost, fit);
    }

    /// Tries the actual captures in this move and all later ones, if the lists differ in at least two moves.
    fn all_captures(&mut self, at: usize) {
        let record = &self.replay.candidate.record;
        let mut moves = Vec::new();
        let mut n_real: usize = record.main().moves[..at].iter().map(|mv| usize::from(mv.n_captures)).sum();
        let fit = self.replay.run_with_captures(at, |at, written, right| {
            n_real += right.len();
            let written: Vec<Coord> = written.iter().map(|capture| capture.cell).collect();
            let changes = changes(&written, &right);
            if !changes.is_empty() {
                moves.push(MoveCaptures { at, right: right.into(), changes: changes.into() });
            }
        });
        if moves.len() > 1 {
            let cost = self.prior.all_captures(&moves, n_real);
            self.note(Edit::AllCaptures { moves: moves.into() }, cost, fit);
        }
    }

    /// Tries reading a word as each of the legal moves, or removing it: all of these resolve the word.
    fn read_word(&mut self, word: UnreadWord) {
        let at = word.after;
        let written = self.source.at(word.span);
        let tail = self.replay.tail(at);
        let tail = Tail { word: tail.word + 1, skips_board: true, ..tail };
        let predictor = self.predictor(at, at);
        for LegalMove { mv, written: step, right } in self.legal(at) {
            let Some(captures) = self.replay.listed_captures(at, right.0, right.1, &[]) else { continue };
            let distance = distance_to_move(written, right.0, right.1, &captures).unwrap_or(UNLIKE);
            let fit = self.replay.run(at, &[StrictStep { mv: step, captures: None }], tail);
            let captures = captures.into();
            let edit = Edit::Read { at, word: word.span, right, captures };
            self.keep(edit, self.prior.unread(distance), predictor.cost(mv), fit);
        }
        let fit = self.replay.run(at, &[], tail);
        self.keep(Edit::Ignore { at, word: word.span }, self.prior.junk(written), 0.0, fit);
    }
}

/// Returns whether the captures in the record differ from those by the rules.
fn is_about_captures(found: Discrepancy) -> bool {
    matches!(
        found,
        Discrepancy::MissingCapture { .. }
            | Discrepancy::UnrealCapture { .. }
            | Discrepancy::CaptureOffBoard { .. }
            | Discrepancy::CaptureLetter { .. }
    )
}

/// Returns the distance between a word and a move, with or without its captures.
fn distance_to_move(word: &str, from: Coord, to: Coord, captures: &[Coord]) -> Option<f64> {
    let marks: String = captures.iter().map(|cell| format!("x{cell}")).collect();
    let plain = [format!("{from}-{to}{marks}"), format!("{from}-{to}"), format!("{from}{to}")];
    let costs = plain.iter().filter_map(|text| word_distance(word, text));
    costs.min_by(f64::total_cmp)
}

/// Returns the single writing error that turns a move into the written one, if there is one.
fn writing_error(written: (Coord, Coord), right: (Coord, Coord)) -> Option<WritingError> {
    let turned = |coord: Coord| Coord::new(coord.rank, coord.file);
    if written == right {
        return None;
    }
    if written == (right.1, right.0) {
        return Some(WritingError::Exchanged);
    }
    if written == (turned(right.0), turned(right.1)) {
        return Some(WritingError::Transposed);
    }
    let lines = |(from, to): (Coord, Coord)| [from.file, from.rank, to.file, to.rank];
    let (one, other) = (lines(written), lines(right));
    let differ: Vec<usize> = (0..4).filter(|nth| one[*nth] != other[*nth]).collect();
    match differ[..] {
        [_] => Some(WritingError::Character),
        _ if written == (turned(right.0), right.1) || written == (right.0, turned(right.1)) => {
            Some(WritingError::TransposedCell)
        }
        // The same wrong file or the same wrong rank in both cells.
        [a, b] if b == a + 2 && one[a] == one[b] && other[a] == other[b] => Some(WritingError::Line),
        _ => None,
    }
}

/// Returns the changes between two lists of captures: first cells paired with each other, then the remaining
/// ones.
fn changes(written: &[Coord], right: &[Coord]) -> Vec<CaptureChange> {
    let extra: Vec<Coord> = written.iter().filter(|cell| !right.contains(cell)).copied().collect();
    let missing: Vec<Coord> = right.iter().filter(|cell| !written.contains(cell)).copied().collect();
    let pairs = extra.iter().zip(&missing);
    let mut changes: Vec<CaptureChange> =
        pairs.map(|(written, right)| CaptureChange::Wrong { written: *written, right: *right }).collect();
    let n_pairs = changes.len();
    changes.extend(extra[n_pairs..].iter().map(|cell| CaptureChange::Extra(*cell)));
    changes.extend(missing[n_pairs..].iter().map(|cell| CaptureChange::Missing(*cell)));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> (Coord, Coord) {
        let (from, to) = text.split_once('-').unwrap();
        (from.parse().unwrap(), to.parse().unwrap())
    }

    #[test]
    fn writing_errors_have_their_names() {
        let check = |written, right| writing_error(mv(written), mv(right));
        assert_eq!(check("d1-d3", "d1-d4"), Some(WritingError::Character));
        assert_eq!(check("d3-d1", "d1-d3"), Some(WritingError::Exchanged));
        assert_eq!(check("a4-c4", "d1-d3"), Some(WritingError::Transposed));
        assert_eq!(check("a4-d3", "d1-d3"), Some(WritingError::TransposedCell));
        assert_eq!(check("e1-e3", "d1-d3"), Some(WritingError::Line));
        assert_eq!(check("e1-e3", "d1-d4"), None);
        assert_eq!(check("d1-d3", "d1-d3"), None);
    }

    #[test]
    fn a_wrong_captured_cell_is_one_change() {
        let cells = |text: &str| text.split(' ').map(|cell| cell.parse().unwrap()).collect::<Vec<Coord>>();
        let found = changes(&cells("d3 e5"), &cells("d3 e4"));
        let [written, right] = [cells("e5")[0], cells("e4")[0]];
        assert_eq!(found, [CaptureChange::Wrong { written, right }]);
        assert_eq!(changes(&cells("d3 e5"), &cells("d3")), [CaptureChange::Extra(written)]);
        assert!(changes(&cells("d3 e5 e5"), &cells("e5 d3")).is_empty());
    }

    #[test]
    fn a_word_may_leave_its_captures_out() {
        let capture = ["d4".parse().unwrap()];
        let (from, to) = mv("d1-d3");
        let distance = |word| distance_to_move(word, from, to, &capture);
        assert_eq!(distance("d1-d3"), Some(0.0));
        assert!(distance("dl-d3xd4").is_some_and(|cost| cost > 0.0));
        assert_eq!(distance("king"), None);
    }
}
