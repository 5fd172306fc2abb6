//! Boundaries between games in any text with moves.
//!
//! A game ends where turn numbers begin again at 1, or where a block of moves without numbers is another game. The
//! text between two games belongs to the second one from the first blank line on, or from its first tag.

use memchr::memchr;

use crate::format::movelist::{BlockKind, CellTrace, LineContext, LineKind, TextLine, begins_game, parse};
use crate::reader::encoding::decode_text;
use crate::record::WrittenMove;
use crate::source::{Source, TextEnd};
use crate::words::PlayerNames;

/// Returns the end of the game at the start of a text, or `None` if it may continue after the text.
///
/// The decision about a line depends on complete lines and complete blocks only, so later bytes never change it.
pub(super) fn end(record: &[u8], text_end: TextEnd) -> Option<usize> {
    let mut state = GameText::default();
    let mut at = 0;
    while at < record.len() {
        let length = match memchr(b'\n', &record[at..]) {
            Some(length) => length,
            None if text_end.is_known() => record.len() - at,
            None => return None,
        };
        if let Some(end) = state.line(&record[at..at + length], at) {
            return Some(end);
        }
        at += length + 1;
    }
    text_end.is_known().then(|| state.end_block()).flatten()
}

/// The text of a game up to a line.
#[derive(Default)]
struct GameText {
    n_moves: usize,
    /// The last turn number.
    number: Option<u32>,
    is_numbered: bool,
    trace: CellTrace,
    /// The offset after the last line of the game.
    game_end: usize,
    /// The first line after a blank line after the game.
    after_blank: Option<usize>,
    is_blank: bool,
    /// The first tag after the game.
    tag: Option<usize>,
    /// A block of moves without numbers that may be another game: its moves, and the boundary before it.
    block: Option<(Vec<WrittenMove>, usize)>,
    /// Whether a comment in braces is open.
    is_comment: bool,
    players: PlayerNames,
}

impl GameText {
    /// Adds a line, and returns the end of the game if it ends before.
    fn line(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let line = decode_text(bytes);
        let has_moves = self.n_moves > 0 || self.block.is_some();
        let found = TextLine::of(&line, LineContext { has_moves, players: &self.players });
        if self.is_comment && found.kind != LineKind::Blank {
            self.is_comment = !line.contains('}');
            return None;
        }
        self.is_comment = false;
        if found.kind == LineKind::Blank {
            self.is_blank = true;
            return self.end_block();
        }
        if self.is_blank && has_moves && self.after_blank.is_none() {
            self.after_blank = Some(at);
        }
        if has_moves && self.tag.is_none() && begins_game(&line, found.at) {
            self.tag = Some(at);
        }
        match found.kind {
            LineKind::Moves => {}
            LineKind::End => {
                self.close(at + bytes.len() + 1);
                return None;
            }
            _ => return None,
        }
        if let Some(restart) = self.restart_inside(&line, found) {
            // Offsets in a decoded line differ from those in its bytes, unless the line before is plain.
            let is_plain = bytes.get(..restart).is_some_and(|before| before.is_ascii());
            if is_plain {
                return Some(at + restart);
            }
        }
        // The players' names are not needed to find moves.
        let moves = parse(&Source::new(&line[found.at..])).value.main().moves.clone();
        let opened = line.rfind('{').is_some_and(|open| !line[open..].contains('}'));
        let boundary = self.after_blank.into_iter().chain(self.tag).min().unwrap_or(self.game_end);
        // Two quotations of one game repeat its first move.
        let is_repeated =
            self.n_moves == 1 && moves.len() > 1 && self.trace.kind_of(&moves[..1]) == BlockKind::NewGame;
        let starts_again = found.number == Some(1)
            && (self.number.is_some_and(|last| last > 1) || self.n_moves > 1 || is_repeated);
        if let Some((block, before)) = &mut self.block {
            if found.number.is_none() {
                block.extend(moves);
                self.is_comment = opened;
                return None;
            }
            let before = *before;
            return if starts_again {
                Some(before)
            } else {
                self.end_block().or_else(|| self.line(bytes, at))
            };
        }
        if self.n_moves > 0 {
            let is_titled =
                self.tag.is_some() && self.is_blank && found.number.is_none_or(|number| number == 1);
            if starts_again && !is_second_half(&line, found) || is_titled {
                return Some(boundary);
            }
            if found.number.is_none() && self.is_blank && !self.is_numbered {
                self.block = Some((moves, boundary));
                self.is_comment = opened;
                return None;
            }
        }
        self.is_numbered |= found.number.is_some();
        self.number = found.number.or(self.number);
        self.n_moves += moves.len();
        moves.iter().for_each(|mv| self.trace.push(mv));
        self.is_comment = opened;
        self.close(at + bytes.len() + 1);
        None
    }

    /// Returns the offset in a line where another game begins: after a turn with a higher number, the number 1 and a
    /// move, outside of comments.
    fn restart_inside(&self, line: &str, found: TextLine) -> Option<usize> {
        let mut last = found.number.filter(|number| *number > 1);
        let mut depth = 0u32;
        // The first symbol may be a digit of the number of this turn, whose other digits are not a number.
        let mut before = line[found.at..].chars().next().unwrap_or(' ');
        for (at, symbol) in line.char_indices().skip_while(|(at, _)| *at <= found.at) {
            match symbol {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                ';' | '#' => return None,
                '/' if line[at..].starts_with("//") => return None,
                '0'..='9' if depth == 0 && before.is_whitespace() => {
                    let digits = line[at..].bytes().take_while(u8::is_ascii_digit).count();
                    let rest = &line[at + digits..];
                    let number = line[at..at + digits].parse::<u32>().ok();
                    let is_turn = rest.starts_with('.') && !rest.starts_with("..");
                    if is_turn && number == Some(1) && last.is_some() {
                        return begins_turn(&line[at..]).then_some(at);
                    }
                    last = number.filter(|number| is_turn && *number > 1).or(last);
                }
                _ => {}
            }
            before = symbol;
        }
        None
    }

    /// Notes the end of a line of the game.
    fn close(&mut self, end: usize) {
        self.game_end = end;
        self.after_blank = None;
        self.is_blank = false;
        self.tag = None;
    }

    /// Decides about the current block, and returns the end of the game if the block is another one.
    fn end_block(&mut self) -> Option<usize> {
        let (block, before) = self.block.take()?;
        if self.trace.kind_of(&block) == BlockKind::NewGame {
            return Some(before);
        }
        self.n_moves += block.len();
        block.iter().for_each(|mv| self.trace.push(mv));
        // The blank line that ended the block is the first one after it.
        self.after_blank = None;
        self.tag = None;
        None
    }
}

/// Returns whether a text begins with a turn number and a move.
fn begins_turn(text: &str) -> bool {
    let players = PlayerNames::default();
    let found = TextLine::of(text, LineContext { has_moves: false, players: &players });
    found.kind == LineKind::Moves && found.number == Some(1)
}

/// Returns whether a numbered line continues a turn: `1... d3-d2`.
fn is_second_half(line: &str, found: TextLine) -> bool {
    let rest = line[found.at..].trim_start_matches(|sign: char| sign.is_ascii_digit());
    rest.starts_with("..") || rest.starts_with('…')
}
