//! The replayed game, as writers need it.

use tafl_rules::{Cell, Coord, Outcome, Piece, Role, Setup, Shape, Side, Span};

use crate::diagnostic::{CaptureFinding, DiagnosticKind, PlayFinding};
use crate::record::{MoveLineId, Record, WrittenMove};
use crate::replay::Replay;

/// The data of a replayed game that writers need.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlayedMoves {
    /// The rules string.
    pub rules: Box<str>,
    /// The legal moves of the game, from the first one: one per step, including reconstructed ones.
    pub plies: Vec<PlayedPly>,
    /// The captured pieces; plies refer to ranges of it.
    pub captures: Vec<(Coord, Piece)>,
    /// The outcome on the board.
    pub outcome: Option<Outcome>,
    /// The index of the first move of the record that was not replayed.
    pub end: u32,
    /// The number of turns that the replay passed, and of captures that it did not make.
    pub n_deviations: u32,
}

/// A legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedPly {
    /// The start cell.
    pub from: Coord,
    /// The destination.
    pub to: Coord,
    /// The piece that moved.
    pub piece: Piece,
    /// Whether it continues the turn of the previous ply.
    pub chained: bool,
    /// The index of the move in the record's main line; `None` for a reconstructed step.
    pub written: Option<u32>,
    /// The index of the first captured piece in [`PlayedMoves::captures`].
    pub first_capture: u32,
    /// The number of captured pieces.
    pub n_captures: u16,
}

/// A record with the moves of its replay.
#[derive(Debug)]
pub(super) struct CompletedRecord {
    pub(super) record: Record,
    /// The number of written moves that are not among the plies.
    pub(super) n_left_out: usize,
    pub(super) n_deviations: usize,
}

impl PlayedMoves {
    /// Returns the legal part of a game with its pieces, for a replay whose rules are written as `rules`. Returns
    /// `None` if the rules are unknown.
    pub fn new(record: &Record, replay: &Replay, rules: Box<str>) -> Option<PlayedMoves> {
        let book = &replay.rules.as_ref()?.book;
        let shape = book.shape();
        let mut board = record.start_on(shape).unwrap_or(&book.rules().start).clone();
        let mut played = PlayedMoves { rules, outcome: replay.outcome, ..PlayedMoves::default() };
        let first_mover = record.first_mover.unwrap_or(book.rules().first_mover);
        played.n_deviations = u32::from(replay.plies.first().is_some_and(|ply| ply.side != first_mover));
        let mut last: Option<(Side, bool)> = None;
        for ply in &replay.plies {
            let Some(piece) = board.piece(ply.mv.from) else { break };
            board.put(ply.mv.from, None);
            board.put(ply.mv.to, Some(piece));
            let first_capture = played.captures.len();
            for cell in ply.captured.iter() {
                played.captures.extend(capture_piece(&mut board, shape, cell));
            }
            let chained = last.is_some_and(|(side, goes_on)| goes_on && side == ply.side)
                && played.plies.last().is_some_and(|before| before.to == shape.coord(ply.mv.from));
            played.n_deviations += u32::from(!chained && last.is_some_and(|(side, _)| side == ply.side));
            last = Some((ply.side, ply.goes_on));
            played.plies.push(PlayedPly {
                from: shape.coord(ply.mv.from),
                to: shape.coord(ply.mv.to),
                piece,
                chained,
                written: ply.written,
                first_capture: first_capture as u32,
                n_captures: (played.captures.len() - first_capture) as u16,
            });
        }
        let moves = &record.main().moves;
        const DOUBLED: DiagnosticKind = DiagnosticKind::Play(PlayFinding::Doubled);
        // The moves of stored games have no spans.
        let is_doubled = |mv: &WrittenMove| {
            let mut found = replay.diagnostics.iter().filter(|found| found.span == mv.span);
            !mv.span.is_empty() && found.any(|found| found.kind == DOUBLED)
        };
        let mut end =
            played.plies.iter().filter_map(|ply| ply.written).max().map_or(0, |last| last as usize + 1);
        // A move that is written twice was replayed, too.
        while moves.get(end).is_some_and(is_doubled) {
            end += 1;
        }
        played.end = end as u32;
        let not_made =
            |kind: &DiagnosticKind| matches!(kind, DiagnosticKind::Capture(CaptureFinding::NotMade { .. }));
        played.n_deviations += replay.diagnostics.iter().filter(|found| not_made(&found.kind)).count() as u32;
        Some(played)
    }

    /// Returns the record with the plies of the replay in place of its moves, or `None` if its moves are these
    /// plies.
    pub(super) fn completed(&self, record: &Record) -> Option<CompletedRecord> {
        let moves = &record.main().moves;
        let end = self.end as usize;
        let is_written = |(ply, nth): (&PlayedPly, u32)| {
            let mv = moves.get(nth as usize);
            let is_same = |mv: &WrittenMove| (mv.from, mv.to, mv.chained) == (ply.from, ply.to, ply.chained);
            ply.written == Some(nth) && mv.is_some_and(is_same)
        };
        let is_plain = end == self.plies.len() && self.plies.iter().zip(0..).all(is_written);
        if is_plain && self.n_deviations == 0 || self.plies.is_empty() {
            return None;
        }
        let mut completed = record.clone();
        let plies = self.plies.iter().map(|ply| match ply.written.and_then(|nth| moves.get(nth as usize)) {
            Some(mv) => WrittenMove { from: ply.from, to: ply.to, chained: ply.chained, ..*mv },
            None => {
                WrittenMove { chained: ply.chained, ..WrittenMove::new(ply.from, ply.to, Span::default()) }
            }
        });
        completed.main_mut().moves = plies.chain(moves.get(end..).unwrap_or(&[]).iter().copied()).collect();
        self.places(moves.len()).apply(&mut completed);
        let n_written = self.plies.iter().filter(|ply| ply.written.is_some()).count();
        Some(CompletedRecord {
            record: completed,
            n_left_out: end.saturating_sub(n_written),
            n_deviations: self.n_deviations as usize,
        })
    }

    /// Returns the number of plies that correspond to each number of written moves.
    fn places(&self, n_moves: usize) -> CompletedPlaces {
        let mut places = vec![0u32; n_moves + 1];
        let mut last = 0;
        for (ply, nth) in self.plies.iter().zip(1u32..) {
            let is_step_before_written = || {
                let next =
                    self.plies[nth as usize..].iter().find(|next| next.written.is_some() || !next.chained);
                next.is_some_and(|next| next.written.is_some() && next.chained)
            };
            match ply.written {
                Some(written) => last = (written as usize + 1).min(n_moves),
                None if is_step_before_written() => continue,
                None => {}
            }
            places[last] = nth;
        }
        let end = self.end as usize;
        let mut before = 0;
        for (nth, place) in places.iter_mut().enumerate() {
            before = if nth > end { before + 1 } else { before.max(*place) };
            *place = before;
        }
        CompletedPlaces(places)
    }
}

/// The number of moves of a completed line for each number of written moves.
struct CompletedPlaces(Vec<u32>);

impl CompletedPlaces {
    /// Moves everything that refers to moves of the main line.
    fn apply(&self, record: &mut Record) {
        let last = self.0.len() - 1;
        let to_new = |after: &mut u32| *after = self.0[(*after as usize).min(last)];
        let is_main = |line: MoveLineId| line == MoveLineId::MAIN;
        let comments = record.comments.places_mut();
        let clocks = record.clocks.iter_mut().map(|clock| &mut clock.place);
        comments.chain(clocks).filter(|place| is_main(place.line)).for_each(|place| to_new(&mut place.after));
        record.boards.iter_mut().for_each(|board| to_new(&mut board.after));
        record.refused.iter_mut().for_each(|refused| to_new(&mut refused.after));
        record.move_counts.iter_mut().for_each(|count| to_new(&mut count.after));
        record.ending.iter_mut().for_each(|ending| to_new(&mut ending.after));
        record.variations.for_each_branch(|branch| {
            if is_main(branch.parent) {
                to_new(&mut branch.at);
            }
        });
    }
}

/// Captures a piece on the board, and returns it with its cell.
fn capture_piece(board: &mut Setup, shape: Shape, cell: Cell) -> Option<(Coord, Piece)> {
    let piece = board.piece(cell)?;
    board.put(cell, piece_after_capture(piece));
    Some((shape.coord(cell), piece))
}

/// Returns the piece on a cell after the capture of the piece there: a mercenary stays and changes sides, all others are removed.
pub(super) fn piece_after_capture(piece: Piece) -> Option<Piece> {
    (piece.role == Role::Mercenary).then(|| Piece { side: piece.side.other(), ..piece })
}
