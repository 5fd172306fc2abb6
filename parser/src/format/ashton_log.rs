//! Logs of the Ashton Tablut competition's server: entries of two lines written by Java's logger, in the
//! language of the machine, with the board after every move.
//!
//! ```text
//! log     = { entry } ;
//! entry   = date , " " , class , " " , method , nl , level , ": " , message , nl ;
//! message = "Players:" tab light tab "vs" tab dark | "Turn: " side " Pawn from " cell " to " cell
//!         | "Stato:" nl { row nl } "-" nl ( "W" | "B" | "WW" | "BW" | "D" )
//!         | "Pedina nera rimossa in: " cell | "Pedina bianca rimossa in: " cell
//!         | "Nero vince con re catturato in: " cell | "Bianco vince con re in " cell
//!         | "Partita terminata in pareggio per numero di stati ripetuti" | remark ;
//! row     = { "O" | "B" | "W" | "K" | "T" } ;                       T: the empty castle
//! ```
//!
//! - **Ranks are reversed.** A log counts rows from the top: its row 1 is the first line of a board. All other notations
//!   count ranks from the bottom, so row `r` of `n` becomes rank `n + 1 - r`, both in moves and in boards: [`rank_of_row`].
//!   A diagram of our position therefore looks like the board in the log.
//! - White (`W`) is the defenders, who move first.
//! - A `Turn:` is written before the server checks the move. The move was made if a different board follows.
//!   Otherwise the server refused it, and a message at another level gives the reason: such a move goes to
//!   [`Record::refused`].
//! - `from null to null` means that a client did not send a move in time.
//! - The server may report a captured man twice; it is listed once.
//! - A captured king stays on the log's last board. It is removed from ours, because replay removes captured kings as well.
//! - `endGame` repeats the last board, sometimes after every move.
//! - A log that stops with a side to move, without any of these, is a loss on time for that side:
//!   the competition's own log reader counts it in this way.

mod events;

use tafl_rules::{Coord, Piece, Reason, Role, Setup, Shape, Side, Span};

use self::events::{BoardCaption, BoardLines, EventKind, LogEvent, LogEvents, caption, is_row};
use super::Format;
use crate::diagnostic::{Diagnostic, Findings, Parsed, PlayFinding, TextFinding};
use crate::record::{
    EndingKind, Letter, Record, RefusedMove, Written, WrittenBoard, WrittenCapture, WrittenEnding,
    WrittenMove, WrittenResult, WrittenStart, WrittenVerdict, tag,
};
use crate::source::Source;

/// Reads one log.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut reader = AshtonLogReader {
        source,
        record: Record::new(Format::AshtonLog),
        diagnostics: Findings::default(),
        n_rows: rows_of_first_board(source),
        board: None,
        caption: None,
        pending: None,
    };
    for event in LogEvents::new(source) {
        reader.event(event);
    }
    reader.finish();
    reader.diagnostics.sort();
    Parsed { value: reader.record, diagnostics: reader.diagnostics.into_vec() }
}

/// Returns our rank for a row of the log; both count from 0. A row that is not on the board keeps its number.
const fn rank_of_row(row: i16, n_rows: i16) -> i16 {
    if row < n_rows { n_rows - 1 - row } else { row }
}

/// Returns the number of rows of the boards in a log, which the cells before the first board need as well.
fn rows_of_first_board(source: &Source<'_>) -> i16 {
    const ASHTON: i16 = 9;
    LogEvents::new(source)
        .find_map(|event| match event.kind {
            EventKind::Board(board) => i16::try_from(board.rows.len()).ok(),
            _ => None,
        })
        .filter(|n_rows| (5..=21).contains(n_rows))
        .unwrap_or(ASHTON)
}

struct AshtonLogReader<'s, 'a> {
    source: &'s Source<'a>,
    record: Record,
    diagnostics: Findings,
    n_rows: i16,
    /// The last board.
    board: Option<Setup>,
    /// The word below the last board, and its span.
    caption: Option<(BoardCaption, Span)>,
    /// The last announced move, if it is not decided yet.
    pending: Option<PendingMove<'a>>,
}

/// The result of an announced move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MoveFate {
    /// A new board followed, so the move was made.
    Made,
    /// No new board followed.
    Dropped,
}

/// A move announced by the server.
struct PendingMove<'a> {
    side: Option<Side>,
    cells: Option<(Coord, Coord)>,
    span: Span,
    /// The level word of the announcement; complaints have a different one.
    level: &'a str,
    captures: Vec<WrittenCapture>,
    /// The server's reason for refusing it.
    complaint: Option<Written>,
}

impl<'a> AshtonLogReader<'_, 'a> {
    fn event(&mut self, event: LogEvent<'a>) {
        let LogEvent { level, span, kind } = event;
        match kind {
            EventKind::Entry { date, class } => self.entry(date, class),
            EventKind::Players(light, dark) => {
                self.record.push_tag(tag::DEFENDERS, light, self.span(light));
                self.record.push_tag(tag::ATTACKERS, dark, self.span(dark));
            }
            EventKind::Setting(name, value) => self.record.push_tag(name, value, self.span(value)),
            EventKind::Turn { side, cells } => {
                self.decide(MoveFate::Dropped);
                let span = cells.map_or(span, |(_, _, words)| self.span(words));
                let cells = cells.map(|(from, to, _)| (self.turned(from), self.turned(to)));
                self.pending =
                    Some(PendingMove { side, cells, span, level, captures: Vec::new(), complaint: None });
            }
            EventKind::Captured(cell, words) => self.capture(cell, words, Letter::NONE, span),
            EventKind::KingCaptured(cell, words) => {
                self.capture(cell, words, Letter::new(b'K'), span);
                self.result(WrittenVerdict::Win(Side::Attackers), Some(Reason::KingCaptured), span);
            }
            EventKind::KingEscaped(_) => {
                self.result(WrittenVerdict::Win(Side::Defenders), Some(Reason::KingReachedGoal), span);
            }
            EventKind::Drawn => self.result(WrittenVerdict::Draw, Some(Reason::Repetition), span),
            EventKind::Board(lines) => self.board(&lines, span),
            EventKind::Chatter => {}
            EventKind::Message(message) => self.message(level, message, span),
            EventKind::Stray => self.diagnostics.push(Diagnostic::new(span, TextFinding::Stray)),
        }
    }

    fn entry(&mut self, date: &str, class: &str) {
        if self.record.tag(tag::DATE).is_none() {
            self.record.push_tag(tag::DATE, date, self.span(date));
        }
        let name = class.rsplit('.').next().unwrap_or(class);
        if self.record.tag("game").is_none() {
            self.record.push_tag("game", name, self.span(name));
            // The notation itself implies Ashton Tablut; the server has classes for a few other games.
            if name != "GameAshtonTablut" {
                self.record.variant = Some(Written { text: name.into(), span: self.span(name) });
            }
        }
    }

    fn span(&self, part: &str) -> Span {
        self.source.span_of(part).unwrap_or_default()
    }

    fn turned(&self, cell: Coord) -> Coord {
        Coord::new(cell.file, rank_of_row(cell.rank, self.n_rows))
    }

    fn capture(&mut self, cell: Coord, words: &str, letter: Letter, span: Span) {
        let capture = WrittenCapture { cell: self.turned(cell), letter, span: self.span(words) };
        match &mut self.pending {
            // Next to the castle, two of the server's checks report the same man.
            Some(pending) if pending.captures.iter().any(|known| known.cell == capture.cell) => {}
            Some(pending) => pending.captures.push(capture),
            None => self.diagnostics.push(Diagnostic::new(span, TextFinding::Stray)),
        }
    }

    fn result(&mut self, verdict: WrittenVerdict, reason: Option<Reason>, span: Span) {
        self.record.result = Some(WrittenResult { verdict, reason, span });
    }

    /// Treats a message at another level than the preceding move as the server's complaint about the move.
    fn message(&mut self, level: &str, message: &str, span: Span) {
        match &mut self.pending {
            Some(pending) if pending.level != level && pending.complaint.is_none() => {
                pending.complaint = Some(Written { text: message.into(), span });
            }
            _ => self.diagnostics.push(Diagnostic::new(span, TextFinding::Stray)),
        }
    }

    fn board(&mut self, lines: &BoardLines<'_>, span: Span) {
        let caption = caption(lines.turn);
        if caption.is_none() {
            self.diagnostics.push(Diagnostic::new(
                span,
                TextFinding::Incomplete { missing: "the line with the side to move" },
            ));
        }
        let Some(setup) = self.setup(lines, span) else {
            // An unreadable board is still a board: the server accepted the move.
            return self.decide(MoveFate::Made);
        };
        let differs = self.board.as_ref() != Some(&setup);
        if differs {
            self.new_board(setup, caption, span);
        } else {
            self.decide(MoveFate::Dropped);
        }
        let turn_span = if lines.turn.is_empty() { span } else { self.span(lines.turn) };
        if let Some(caption) = caption {
            self.caption = Some((caption, turn_span));
            self.read_caption(caption, turn_span);
        }
    }

    fn new_board(&mut self, setup: Setup, caption: Option<BoardCaption>, span: Span) {
        let is_first = self.board.is_none() && self.record.main().moves.is_empty() && self.pending.is_none();
        let had_move = self.pending.as_ref().is_some_and(|pending| pending.cells.is_some());
        if !had_move && !is_first {
            self.diagnostics.push(Diagnostic::new(
                span,
                TextFinding::Incomplete { missing: "the move before the board" },
            ));
        }
        self.decide(MoveFate::Made);
        let to_move = match caption {
            Some(BoardCaption::ToMove(side)) => Some(side),
            Some(BoardCaption::Won(_) | BoardCaption::Drawn) | None => None,
        };
        if is_first {
            self.record.start = Some(WrittenStart { setup: setup.clone(), span });
            self.record.first_mover = to_move;
        }
        let after = self.record.main().moves.len() as u32;
        let setup_after = self.without_captured_king(setup.clone());
        self.record.boards.push(WrittenBoard { after, setup: setup_after, to_move, span });
        self.board = Some(setup);
    }

    /// Removes the king that was captured by the last move according to the log.
    fn without_captured_king(&self, mut setup: Setup) -> Setup {
        let last = self.record.main().moves.last();
        let captured = last.map_or(&[][..], |mv| self.record.captures_of(mv));
        for king in captured.iter().filter(|capture| capture.letter.role() == Some(Role::King)) {
            if let Some(cell) = setup.shape().cell(king.cell) {
                setup.put(cell, None);
            }
        }
        setup
    }

    /// Stores the result given by the word below a board, unless a message already gave it with its reason.
    fn read_caption(&mut self, caption: BoardCaption, span: Span) {
        let verdict = match caption {
            BoardCaption::ToMove(_) => return,
            BoardCaption::Won(side) => WrittenVerdict::Win(side),
            BoardCaption::Drawn => WrittenVerdict::Draw,
        };
        if self.record.result.is_none_or(|result| result.verdict != verdict) {
            let timed_out = self.record.ending.is_some_and(|ending| ending.kind == EndingKind::Timeout);
            self.result(verdict, timed_out.then_some(Reason::Timeout), span);
        }
    }

    /// Decides the pending announced move.
    fn decide(&mut self, fate: MoveFate) {
        let Some(pending) = self.pending.take() else { return };
        let after = self.record.main().moves.len() as u32;
        let Some((from, to)) = pending.cells else {
            let (kind, side, span) = (EndingKind::Timeout, pending.side, pending.span);
            self.record.ending = Some(WrittenEnding { kind, side, after, span });
            return;
        };
        let mv = WrittenMove { side: pending.side, ..WrittenMove::new(from, to, pending.span) };
        if fate == MoveFate::Made {
            let first_capture = self.record.captures.len();
            self.record.captures.extend(pending.captures);
            self.record.push_move(mv, first_capture);
            return;
        }
        let reason = pending.complaint.as_ref().map(|complaint| complaint.text.clone());
        self.diagnostics.push(Diagnostic::new(pending.span, PlayFinding::Refused { reason }));
        self.record.refused.push(RefusedMove { mv, after, reason: pending.complaint });
    }

    fn setup(&mut self, lines: &BoardLines<'_>, span: Span) -> Option<Setup> {
        let n_rows = lines.rows.len();
        let shape = u8::try_from(n_rows).ok().and_then(Shape::square);
        // The text beside the word `Stato:` need not be a row.
        let is_square = lines.rows.iter().all(|row| row.len() == n_rows && is_row(row));
        let (Some(shape), true, true) = (shape, is_square, n_rows as i16 == self.n_rows) else {
            self.diagnostics
                .push(Diagnostic::new(span, TextFinding::Incomplete { missing: "a part of the board" }));
            return None;
        };
        let mut setup = Setup::empty(shape);
        for (row, line) in (0..).zip(&lines.rows) {
            for (file, letter) in (0..).zip(line.bytes()) {
                let piece = match letter {
                    b'B' => Some(Piece::new(Side::Attackers, Role::Soldier)),
                    b'W' => Some(Piece::new(Side::Defenders, Role::Soldier)),
                    b'K' => Some(Piece::new(Side::Defenders, Role::King)),
                    // A row has no other letters than `O` and `T`, both empty.
                    _ => None,
                };
                let coord = Coord::new(file, rank_of_row(row, self.n_rows));
                setup.put(shape.cell(coord).expect("the rows were counted"), piece);
            }
        }
        Some(setup)
    }

    fn finish(&mut self) {
        self.decide(MoveFate::Dropped);
        let is_open =
            self.record.ending.is_none() && self.record.result.is_none() && self.record.refused.is_empty();
        if let (true, Some((BoardCaption::ToMove(side), span))) = (is_open, self.caption) {
            let after = self.record.main().moves.len() as u32;
            self.record.ending =
                Some(WrittenEnding { kind: EndingKind::Timeout, side: Some(side), after, span });
        }
        if self.record.boards.is_empty() && self.record.main().moves.is_empty() {
            self.diagnostics.push(Diagnostic::new(Span::at(0), TextFinding::NoMoves));
        }
    }
}

#[cfg(test)]
mod tests;
