//! Transcripts of hnefatafl.org's text protocol (dcampbell24/hnefatafl): commands, and the replies to them.
//!
//! ```text
//! command = "board_size" size | "first_move" role | "time_settings" ( "un-timed" | "fischer" minutes seconds )
//!         | "play" role cell cell | "play" role "resigns" | "play_undo" | "generate_move" | "final_status"
//!         | "show_board" | "show_board_open_tafl" | ...
//! reply   = "=" text | "?" error
//! role    = "attacker" | "defender" | "a" | "d"
//! cell    = letter number       on 11x11; on 7x7 with a leading zero, on 13x13 in capitals
//! ```
//!
//! - The reply to `play` lists the captured cells. With `?`, the play was refused.
//! - Plays that were taken back with `play_undo` become variations.
//! - `board_size`, `first_move`, `time_settings`, and `new_game` of the server begin a game.

mod board;
mod line;
mod reply;
mod settings;

use std::collections::HashMap;

use tafl_rules::{Side, Span};

use self::board::{BoardPart, BoardRows};
use self::line::HtpLine;
pub(crate) use self::line::{GameBoundary, boundary};
use super::Format;
use crate::diagnostic::{Diagnostic, DiagnosticKind, Findings, Parsed, TextFinding};
use crate::record::{
    CaptureStyle, Comment, EndingKind, LineBranch, MoveLineId, MovePlace, Record, RefusedMove, Written,
    WrittenBoard, WrittenEnding, WrittenMove,
};
use crate::source::Source;
use crate::words;

/// Reads one game.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut reader = HtpReader {
        source,
        record: Record::new(Format::Htp),
        diagnostics: Findings::default(),
        pending: PendingCommand::Nothing,
        n_answered: 0,
        undone: Vec::new(),
        n_variations: HashMap::new(),
        rows: BoardRows::default(),
        size: None,
        is_reply: false,
        listed: None,
    };
    for line in source.text.trim_start_matches('\u{feff}').split('\n') {
        reader.line(line);
    }
    reader.finish()
}

/// The last command, whose reply is awaited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PendingCommand {
    Nothing,
    /// A play, the last move.
    Play,
    /// A play that cannot be read.
    BadPlay(Span),
    /// A resignation, with the ending before it.
    Resignation,
    /// Taking back a play; the span is that of the command.
    Undo(Span),
    GenerateMove,
    FinalStatus,
    Position,
    /// The name of the program or its version, for a tag.
    Name(&'static str),
    /// The size of the board before the command.
    BoardSize(Option<(u8, Span)>),
    Other,
}

struct HtpReader<'s> {
    source: &'s Source<'s>,
    record: Record,
    diagnostics: Findings,
    pending: PendingCommand,
    /// The number of plays whose captures are known from a reply.
    n_answered: usize,
    /// The plays that were taken back since the last play, the last one first.
    undone: Vec<WrittenMove>,
    /// The number of variations that replace each move, by its index.
    n_variations: HashMap<u32, u32>,
    rows: BoardRows,
    /// The size of the board, with the text that states it.
    size: Option<(u8, Span)>,
    /// Whether the last lines are a reply, which may have several lines.
    is_reply: bool,
    /// The last entry of the list of commands, while such a list is read.
    listed: Option<String>,
}

impl HtpReader<'_> {
    fn span(&self, text: &str) -> Span {
        self.source.span_of(text).unwrap_or_default()
    }

    fn report(&mut self, span: Span, kind: impl Into<DiagnosticKind>) {
        self.diagnostics.push(Diagnostic::new(span, kind));
    }

    fn n_moves(&self) -> u32 {
        self.record.main().moves.len() as u32
    }

    fn line(&mut self, text: &str) {
        let (line, comment) = line::split(text);
        if !matches!(line, HtpLine::Row(_))
            && let Some(span) = self.rows.interrupted()
        {
            self.report(span, TextFinding::Incomplete { missing: "rows of a board" });
        }
        match line {
            HtpLine::Blank => self.listed = None,
            HtpLine::Display => {}
            HtpLine::Command(word, "") if self.is_listed(word) => {}
            HtpLine::Command(word, rest) => {
                self.settle();
                self.is_reply = false;
                self.listed = (word == "list_commands").then(String::new);
                self.pending = self.command(word, rest);
            }
            HtpLine::Reply(text) => {
                self.is_reply = true;
                self.reply(text);
                self.pending = PendingCommand::Nothing;
            }
            HtpLine::Failure(text) => {
                self.is_reply = true;
                self.failure(text);
                self.pending = PendingCommand::Nothing;
            }
            HtpLine::Row(text) => self.row(text),
            // Replies such as the list of commands have several lines.
            HtpLine::Other(_) if self.is_reply => {}
            HtpLine::Other(text) => self.report(self.span(text), TextFinding::Stray),
        }
        // The comment on a play is after it, so the command comes first.
        if let Some(comment) = comment {
            let (place, span) = (MovePlace::in_main(self.n_moves() as usize), self.span(comment));
            self.record.comments.push(Comment { place, text: comment, span });
        }
    }

    /// Returns whether a line is an entry of the list of commands, which is sorted, and not a command.
    fn is_listed(&mut self, word: &str) -> bool {
        let is_next = self.is_reply && self.listed.as_ref().is_some_and(|last| &**last < word);
        if is_next {
            self.listed = Some(word.to_owned());
        }
        is_next
    }

    /// Executes what the last command asked for, if no reply tells whether it succeeded.
    fn settle(&mut self) {
        match std::mem::replace(&mut self.pending, PendingCommand::Nothing) {
            PendingCommand::Undo(span) => self.undo(span),
            PendingCommand::BadPlay(span) => self.report(span, TextFinding::BadMove),
            _ => {}
        }
    }

    fn command(&mut self, word: &str, rest: &str) -> PendingCommand {
        match word {
            "play" => return self.play(rest),
            "play_undo" | "undo" => return PendingCommand::Undo(self.span(word)),
            "generate_move" => return PendingCommand::GenerateMove,
            "final_status" => return PendingCommand::FinalStatus,
            "show_board_open_tafl" => return PendingCommand::Position,
            "name" => return PendingCommand::Name("program"),
            "version" => return PendingCommand::Name("version"),
            "board_size" => {
                let before = self.size;
                let span = self.span(rest);
                match rest.parse() {
                    Ok(size) => self.size = Some((size, span)),
                    Err(_) => {
                        let kind = TextFinding::BadValue { field: "board_size", expected: "7, 11 or 13" };
                        self.report(span, kind);
                    }
                }
                return PendingCommand::BoardSize(before);
            }
            "first_move" => match words::short_side(rest) {
                Some(side) => self.record.first_mover = Some(side),
                None => {
                    let kind =
                        TextFinding::BadValue { field: "first_move", expected: "attacker or defender" };
                    self.report(self.span(rest), kind);
                }
            },
            "time_settings" => self.time_settings(rest),
            "new_game" => self.new_game(rest),
            _ => {}
        }
        PendingCommand::Other
    }

    fn play(&mut self, rest: &str) -> PendingCommand {
        let mut words = rest.split_whitespace();
        let span = self.span(rest);
        let (Some(role), Some(from)) = (words.next(), words.next()) else {
            return PendingCommand::BadPlay(span);
        };
        let Some(side) = words::short_side(role) else { return PendingCommand::BadPlay(span) };
        if words::ending(from) == Some(EndingKind::Resigned) {
            return self.resignation(side, span);
        }
        let to = words.next();
        let (from, to, place) = match (to, from.split_once('-')) {
            (Some(to), None) => (from, to, self.span(from).cover(self.span(to))),
            (None, Some((one, two))) => (one, two, self.span(from)),
            _ => return PendingCommand::BadPlay(span),
        };
        let (Some(start), Some(end)) = (line::vertex(from), line::vertex(to.trim_end_matches(','))) else {
            return PendingCommand::BadPlay(span);
        };
        if start.size != 11 && self.size.is_none() {
            self.size = Some((start.size, self.span(from)));
        }
        self.keep_undone();
        let mv = WrittenMove { side: Some(side), ..WrittenMove::new(start.coord, end.coord, place) };
        self.record.main_mut().moves.push(mv);
        PendingCommand::Play
    }

    fn resignation(&mut self, side: Side, span: Span) -> PendingCommand {
        let ending =
            WrittenEnding { kind: EndingKind::Resigned, side: Some(side), after: self.n_moves(), span };
        if let Some(earlier) = self.record.ending.replace(ending) {
            self.report(earlier.span, TextFinding::Stray);
        }
        PendingCommand::Resignation
    }

    /// Takes back what the program refused.
    fn failure(&mut self, reason: &str) {
        match std::mem::replace(&mut self.pending, PendingCommand::Nothing) {
            PendingCommand::Play => {
                let Some(mv) = self.record.main_mut().moves.pop() else { return };
                let text = Written { text: reason.into(), span: self.span(reason) };
                let reason = Some(text).filter(|text| !text.text.is_empty());
                self.record.refused.push(RefusedMove { mv, after: self.n_moves(), reason });
                self.clamp();
            }
            PendingCommand::BadPlay(span) => self.report(span, TextFinding::BadMoveAside),
            PendingCommand::Resignation => self.record.ending = None,
            PendingCommand::BoardSize(before) => self.size = before,
            _ => {}
        }
    }

    fn undo(&mut self, command: Span) {
        match self.record.main_mut().moves.pop() {
            Some(mv) => {
                self.undone.push(mv);
                self.n_answered = self.n_answered.min(self.record.main().moves.len());
                self.clamp();
            }
            None => self.report(command, TextFinding::Stray),
        }
    }

    /// Moves what belongs to plays that are no longer part of the game to the last one that is.
    fn clamp(&mut self) {
        let last = self.n_moves();
        let record = &mut self.record;
        // What was read later is never before what was read earlier, so only the ends of the lists change.
        while record.boards.pop_if(|board| board.after > last).is_some() {}
        let refused = record.refused.iter_mut().rev().take_while(|refused| refused.after > last);
        refused.for_each(|refused| refused.after = last);
        let places = record.comments.places_mut().rev().take_while(|place| place.after > last);
        places.for_each(|place| place.after = last);
        if let Some(ending) = &mut record.ending {
            ending.after = ending.after.min(last);
        }
    }

    /// Keeps the plays that were taken back as a variation.
    fn keep_undone(&mut self) {
        if self.undone.is_empty() {
            return;
        }
        let at = self.n_moves();
        let number = self.n_variations.entry(at).or_default();
        *number += 1;
        let branch = LineBranch { parent: MoveLineId::MAIN, at, number: *number };
        let line = self.record.variations.open(Some(branch), at % 2 == 1);
        for mv in self.undone.drain(..).rev() {
            self.record.push_to(line, mv);
        }
    }

    fn row(&mut self, text: &str) {
        let span = self.span(text);
        match self.rows.push(text, span) {
            BoardPart::Incomplete => {}
            BoardPart::Complete(setup, span) => self.board(setup, span),
            BoardPart::Bad => self.report(span, TextFinding::Stray),
        }
    }

    fn board(&mut self, setup: tafl_rules::Setup, span: Span) {
        if self.size.is_none() && setup.shape().side() != 11 {
            self.size = Some((setup.shape().side(), span));
        }
        let after = self.n_moves();
        self.record.boards.push(WrittenBoard { after, setup, to_move: None, span });
    }

    fn finish(mut self) -> Parsed<Record> {
        self.settle();
        self.keep_undone();
        if let Some(span) = self.rows.interrupted() {
            self.report(span, TextFinding::Incomplete { missing: "rows of a board" });
        }
        self.record.variant =
            self.size.map(|(size, span)| Written { text: format!("hnefatafl-org-{size}").into(), span });
        // Without replies, nothing is known about captures.
        if self.n_answered < self.record.main().moves.len() {
            self.record.capture_style = CaptureStyle::NotWritten;
        }
        self.diagnostics.sort();
        Parsed { value: self.record, diagnostics: self.diagnostics.into_vec() }
    }
}

#[cfg(test)]
mod tests;
