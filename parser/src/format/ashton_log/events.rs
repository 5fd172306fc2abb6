//! A lexer for the lines of logs of the Ashton Tablut competition.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_till};
use nom::character::complete::{space0, space1};
use nom::combinator::{consumed, value};
use tafl_rules::{Coord, Side, Span, coord_prefix};

use crate::source::Source;
use crate::token::ReadStr;

/// A line of a log, or the lines of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LogEvent<'a> {
    /// The level word before the message, in the language of the machine; empty for other lines.
    pub(super) level: &'a str,
    /// The place of the message.
    pub(super) span: Span,
    /// The content of the message.
    pub(super) kind: EventKind<'a>,
}

/// The content of a message. Cells have the log's own rank numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EventKind<'a> {
    /// The first line of an entry: date, class, and method.
    Entry {
        /// The date, in the language of the machine.
        date: &'a str,
        /// The class with its package.
        class: &'a str,
    },
    /// The players: light (the defenders) and dark.
    Players(&'a str, &'a str),
    /// A setting, such as the number of allowed repetitions.
    Setting(&'a str, &'a str),
    /// A move is attempted.
    Turn {
        /// The side; some clients omit it.
        side: Option<Side>,
        /// The start and the destination with their text; `None` if the client sent nothing.
        cells: Option<(Coord, Coord, &'a str)>,
    },
    /// The capture of a man.
    Captured(Coord, &'a str),
    /// A win of the defenders, with the king's cell.
    KingEscaped(&'a str),
    /// A win of the attackers, with the king's cell.
    KingCaptured(Coord, &'a str),
    /// A draw by repetition.
    Drawn,
    /// A board.
    Board(BoardLines<'a>),
    /// Internal messages of the program.
    Chatter,
    /// Any other message.
    Message(&'a str),
    /// A line that is not part of a log.
    Stray,
}

/// The lines of a board, in the order of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BoardLines<'a> {
    /// The rows.
    pub(super) rows: Vec<&'a str>,
    /// The word below: the side to move, or the winner.
    pub(super) turn: &'a str,
}

/// The events of a log, in text order.
pub(super) struct LogEvents<'a> {
    source: Source<'a>,
    /// The byte offset of the next line.
    at: usize,
}

impl<'a> LogEvents<'a> {
    /// Creates the iterator over the events of a log.
    pub(super) fn new(source: &Source<'a>) -> LogEvents<'a> {
        LogEvents { source: *source, at: 0 }
    }

    /// Returns the next line without its line end, and advances past it.
    fn line(&mut self) -> Option<&'a str> {
        let line = self.peek()?;
        let full = self.source.text.as_bytes();
        self.at += line.len();
        self.at = memchr::memchr(b'\n', &full[self.at..]).map_or(full.len(), |end| self.at + end + 1);
        Some(line)
    }

    fn peek(&self) -> Option<&'a str> {
        let rest = self.source.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        Some(rest[..end].trim_end_matches('\r'))
    }

    fn span(&self, part: &str) -> Span {
        self.source.span_of(part).unwrap_or_default()
    }

    /// Reads the rows after the word `Stato:`; the first row may be on the same line.
    fn board(&mut self, first: &'a str) -> BoardLines<'a> {
        let mut rows = Vec::new();
        if !first.is_empty() {
            rows.push(first);
        }
        while let Some(row) = self.peek().map(str::trim).filter(|row| is_row(row)) {
            rows.push(row);
            self.line();
        }
        let mut turn = "";
        if self.peek().is_some_and(|line| line.trim() == "-") {
            self.line();
            if let Some(word) = self.peek().map(str::trim).filter(|word| caption(word).is_some()) {
                turn = word;
                self.line();
            }
        }
        BoardLines { rows, turn }
    }
}

impl<'a> Iterator for LogEvents<'a> {
    type Item = LogEvent<'a>;

    fn next(&mut self) -> Option<LogEvent<'a>> {
        let mut line = self.line()?.trim();
        while line.is_empty() {
            line = self.line()?.trim();
        }
        line = line.trim_start_matches('\u{feff}');
        let Some((level, message)) = leveled(line) else {
            return Some(LogEvent {
                level: "",
                span: self.span(line),
                kind: entry(line).unwrap_or(EventKind::Stray),
            });
        };
        let start = self.span(message);
        let kind = match message.strip_prefix("Stato:") {
            Some(first) => EventKind::Board(self.board(first.trim())),
            None => message_event(message),
        };
        let span = match &kind {
            EventKind::Board(board) => {
                let last = if board.turn.is_empty() { board.rows.last().copied() } else { Some(board.turn) };
                last.map_or(start, |last| start.cover(self.span(last)))
            }
            _ => start,
        };
        Some(LogEvent { level, span, kind })
    }
}

/// The status below a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoardCaption {
    /// This side is to move.
    ToMove(Side),
    /// This side has won.
    Won(Side),
    /// The game is drawn.
    Drawn,
}

/// Returns the status given by the word below a board, if it is one. W is White: the defenders.
pub(super) fn caption(word: &str) -> Option<BoardCaption> {
    match word {
        "W" => Some(BoardCaption::ToMove(Side::Defenders)),
        "B" => Some(BoardCaption::ToMove(Side::Attackers)),
        "WW" => Some(BoardCaption::Won(Side::Defenders)),
        "BW" => Some(BoardCaption::Won(Side::Attackers)),
        "D" => Some(BoardCaption::Drawn),
        _ => None,
    }
}

/// Splits `LEVEL: message`. Levels are words of any language, so only the colon after the first word counts.
fn leveled(line: &str) -> Option<(&str, &str)> {
    let (level, message) = line.split_once(':')?;
    let is_word =
        !level.is_empty() && !level.contains(char::is_whitespace) && !level.contains(['.', '-', '/']);
    (is_word && level.chars().any(char::is_alphabetic)).then(|| (level, message.trim()))
}

/// Splits `date class method`: the class is the second to last word and contains dots.
fn entry(line: &str) -> Option<EventKind<'_>> {
    let (before, _method) = line.rsplit_once(' ')?;
    let (date, class) = before.rsplit_once(' ')?;
    let is_class =
        class.split('.').count() > 1 && class.split('.').all(|part| part.starts_with(char::is_alphabetic));
    is_class.then_some(EventKind::Entry { date: date.trim(), class })
}

/// Returns whether a line is a row of a board.
pub(super) fn is_row(line: &str) -> bool {
    !line.is_empty()
        && line.bytes().all(|byte| matches!(byte, b'O' | b'B' | b'W' | b'K' | b'T'))
        && line.len() > 2
}

fn message_event(message: &str) -> EventKind<'_> {
    /// Internal messages of the program, and messages about captures that the board shows anyway.
    const CHATTER: [&str; 5] = [
        "Inizio partita",
        "Movimento pedina",
        "Capture! Draw cache",
        "Current draw cache size",
        "Equal states found",
    ];
    if let Ok((_, turn)) = turn(message) {
        return turn;
    }
    if let Ok((_, ending)) = capture(message) {
        return ending;
    }
    if message.starts_with("Partita terminata in pareggio") {
        return EventKind::Drawn;
    }
    if CHATTER.iter().any(|remark| message.starts_with(remark)) {
        return EventKind::Chatter;
    }
    let words: Vec<&str> = message.split('\t').map(str::trim).collect();
    match words[..] {
        ["Players:", light, "vs", dark] | ["Players:", "White:", light, "vs", dark] => {
            EventKind::Players(light, dark)
        }
        ["Repeated moves allowed:", allowed, ..] => EventKind::Setting("repeated-moves-allowed", allowed),
        _ => EventKind::Message(message),
    }
}

fn cell(input: &str) -> ReadStr<'_, Coord> {
    match coord_prefix(input.as_bytes()) {
        Some((coord, length)) => Ok((&input[length..], coord)),
        None => Err(nom::Err::Error(())),
    }
}

/// Reads `Turn: W Pawn from b9 to a9`; a client that sent nothing causes `from null to null`.
fn turn(input: &str) -> ReadStr<'_, EventKind<'_>> {
    let side = alt((
        value(Some(Side::Defenders), tag_no_case("W")),
        value(Some(Side::Attackers), tag_no_case("B")),
        value(None, take_till(char::is_whitespace)),
    ));
    let (rest, (_, _, side, _, _, _, _, _)) =
        (tag("Turn:"), space0, side, space1, tag("Pawn"), space1, tag("from"), space1).parse(input)?;
    let between = (space1, tag("to"), space1);
    let null = (tag("null"), between, tag("null")).map(|_| None);
    let between = (space1, tag("to"), space1);
    let cells = consumed((cell, between, cell)).map(|(words, (from, _, to))| Some((from, to, words)));
    let (rest, cells) = alt((null, cells)).parse(rest)?;
    Ok((rest, EventKind::Turn { side, cells }))
}

/// Reads the messages about captures and the king's escape, which all end with a cell.
fn capture(input: &str) -> ReadStr<'_, EventKind<'_>> {
    let man =
        (alt((tag("Pedina nera rimossa in:"), tag("Pedina bianca rimossa in:"))), space0, consumed(cell))
            .map(|(_, _, (words, cell))| EventKind::Captured(cell, words));
    let king = (tag("Nero vince con re catturato in:"), space0, consumed(cell))
        .map(|(_, _, (words, cell))| EventKind::KingCaptured(cell, words));
    let escape = (tag("Bianco vince con re in"), space0, consumed(cell))
        .map(|(_, _, (words, _))| EventKind::KingEscaped(words));
    alt((man, king, escape)).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<EventKind<'_>> {
        LogEvents::new(&Source::new(text)).map(|event| event.kind).collect()
    }

    #[test]
    fn level_words_of_any_language_are_levels() {
        for line in
            ["FINE: Inizio partita", "BUONO: Inizio partita", "FEIN: Inizio partita", "详细: Inizio partita"]
        {
            assert_eq!(kinds(line), [EventKind::Chatter], "{line}");
        }
    }

    #[test]
    fn dates_of_any_language_are_dates() {
        for date in ["mag 16, 2022 5:14:16 PM", "16-mag-2022 17.14.16", "2022-05-16 17:14:16"] {
            let line = format!("{date} it.unibo.tablut.domain.GameAshtonTablut checkMove");
            let class = "it.unibo.tablut.domain.GameAshtonTablut";
            assert_eq!(kinds(&line), [EventKind::Entry { date, class }]);
        }
    }

    #[test]
    fn a_turn_has_cells_in_either_case_or_none() {
        let cells = |text| match kinds(text)[..] {
            [EventKind::Turn { side, cells }] => {
                (side, cells.map(|(from, to, words)| format!("{from} {to} {words}")))
            }
            _ => panic!("{text} is not a turn"),
        };
        assert_eq!(
            cells("FINE: Turn: W Pawn from E3 to d3"),
            (Some(Side::Defenders), Some("e3 d3 E3 to d3".into()))
        );
        assert_eq!(cells("FINE: Turn: null Pawn from e4 to f4"), (None, Some("e4 f4 e4 to f4".into())));
        assert_eq!(cells("FINE: Turn: B Pawn from null to null"), (Some(Side::Attackers), None));
    }

    #[test]
    fn the_first_row_may_stand_on_the_line_of_the_word() {
        let board = |text| match &kinds(text)[..] {
            [EventKind::Board(board)] => (board.rows.len(), board.turn.to_owned()),
            _ => panic!("{text} is not a board"),
        };
        assert_eq!(board("FINE: Stato:\nOOO\nOKO\nOOO\n-\nBW"), (3, "BW".into()));
        assert_eq!(board("FINE: Stato: OOO\r\nOKO\r\nOOO\r\n-\r\nW\r\n"), (3, "W".into()));
        assert_eq!(board("FINE: Stato:\nOOO\nOKO\n"), (2, String::new()));
    }
}
