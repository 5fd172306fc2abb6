//! The replies of the program, and the messages of a server.

use super::{HtpReader, PendingCommand, board, line};
use crate::diagnostic::TextFinding;
use crate::record::{EndingKind, Letter, WrittenCapture, WrittenEnding, WrittenResult};
use crate::words;

impl HtpReader<'_> {
    /// Reads the text of a reply to the last command.
    pub(super) fn reply(&mut self, text: &str) {
        if text.starts_with("game_over ") || text == "draw accept" {
            return self.announcement(text);
        }
        match std::mem::replace(&mut self.pending, PendingCommand::Nothing) {
            PendingCommand::Play => self.captures(text),
            PendingCommand::BadPlay(span) => self.report(span, TextFinding::BadMove),
            PendingCommand::Undo(span) => self.undo(span),
            PendingCommand::GenerateMove => {
                if let Some(rest) = text.strip_prefix("play ")
                    && let PendingCommand::BadPlay(span) = self.play(rest)
                {
                    self.report(span, TextFinding::BadMove);
                }
            }
            PendingCommand::FinalStatus => self.status(text),
            PendingCommand::Position => match board::position(text) {
                Some(setup) => self.board(setup, self.span(text)),
                None => self.report(self.span(text), TextFinding::Stray),
            },
            PendingCommand::Name(name) => self.set_tag(name, text.to_owned(), self.span(text)),
            PendingCommand::Nothing => self.announcement(text),
            PendingCommand::Resignation | PendingCommand::BoardSize(_) | PendingCommand::Other => {}
        }
    }

    /// Reads a message that no command asked for: a play of a program that plays on its own, or the end of a
    /// game on a server.
    fn announcement(&mut self, text: &str) {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "play" => {
                if let PendingCommand::BadPlay(span) = self.play(rest) {
                    self.report(span, TextFinding::BadMove);
                }
            }
            "game_over" => self.status(rest.split_whitespace().next_back().unwrap_or("")),
            "draw" if rest == "accept" => {
                let (kind, span) = (EndingKind::Agreed, self.span(text));
                let ending = WrittenEnding { kind, side: None, after: self.n_moves(), span };
                self.record.ending = Some(ending);
            }
            _ => {}
        }
    }

    fn captures(&mut self, text: &str) {
        let first = self.record.captures.len();
        for word in text.split_whitespace() {
            let span = self.span(word);
            match line::vertex(word) {
                Some(vertex) => {
                    let capture = WrittenCapture { cell: vertex.coord, letter: Letter::NONE, span };
                    self.record.captures.push(capture);
                }
                None => self.report(span, TextFinding::Stray),
            }
        }
        self.n_answered += 1;
        let n_captures = u16::try_from(self.record.captures.len() - first).unwrap_or(u16::MAX);
        if let Some(mv) = self.record.main_mut().moves.last_mut()
            && n_captures > 0
        {
            (mv.first_capture, mv.n_captures) = (first as u32, n_captures);
        }
    }

    fn status(&mut self, text: &str) {
        let span = self.span(text);
        match words::verdict(text).filter(|_| !text.is_empty()) {
            Some(verdict) => self.record.result = Some(WrittenResult { verdict, reason: None, span }),
            None => self.report(span, TextFinding::Stray),
        }
    }
}
