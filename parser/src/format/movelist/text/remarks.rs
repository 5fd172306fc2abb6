//! The text between moves: comments, marks, late captures, and statements of the result.

use std::ops::Range;

use tafl_rules::Span;

use super::super::line::word_length;
use super::super::tags;
use super::super::turn::{self, gap, near, placeholder, separated, turn_number};
use super::TextReader;
use crate::diagnostic::TextFinding;
use crate::format::{bracket, termination};
use crate::record::{EndingKind, MoveMark, WrittenEnding, WrittenResult, WrittenVerdict};
use crate::source::Source;
use crate::token::{self, MoveReader};
use crate::words::{Statement, mentions_end, statement};

/// The next closing bracket of each kind. It is remembered, because a search from each of many opening brackets would
/// take quadratic time.
#[derive(Debug, Default)]
pub(super) struct RemarkBrackets {
    /// For each kind, the part of the text that was searched, and whether the bracket is its last byte.
    searched: [(Range<usize>, bool); 3],
}

impl RemarkBrackets {
    /// Returns the offset, relative to `at`, of the next closing bracket near it.
    fn find(&mut self, text: &str, at: usize, close: char) -> Option<usize> {
        let (searched, is_found) =
            &mut self.searched[usize::from(close == ']') + 2 * usize::from(close == '}')];
        let limit = at + near(&text[at..]).len();
        if !searched.contains(&at) {
            *searched = at..at;
            *is_found = false;
        }
        if !*is_found && searched.end < limit {
            let rest = &text[searched.end..limit];
            let found = rest.find(close);
            let length = found.map_or(rest.len(), |found| found + 1);
            #[cfg(test)]
            turn::tests::count_steps(length);
            *is_found = found.is_some();
            searched.end += length;
        }
        (*is_found && searched.end <= limit).then(|| searched.end - 1 - at)
    }
}

impl<'s> TextReader<'_, 's> {
    /// Returns whether a clause begins after the unreadable words: `if White plays on, Black wins` states nothing.
    pub(super) fn begins_clause(&self) -> bool {
        self.unread.is_none_or(|unread| {
            let words = self.source.at(unread);
            let last = words.rsplit(' ').next().unwrap_or(words);
            last.contains(|symbol: char| symbol.is_ascii_digit()) || last.ends_with(['.', '!', ';', ':'])
        })
    }

    /// Returns the length of a sentence that mentions the end of the game without stating it: `draw offered, declined`. It
    /// ends before the next move or turn number.
    pub(super) fn sentence(&self, line: &str, at: usize) -> Option<usize> {
        let first = &line[at..at + word_length(&line[at..])];
        if self.moves.is_empty() || self.unread.is_some() || !first.chars().all(char::is_alphabetic) {
            return None;
        }
        let limit = at + near(&line[at..]).len();
        let mut end = at;
        while end < limit {
            let next = end + gap(line, end);
            let is_next = turn::is_move(line, next)
                || turn_number(&line[next..]).is_some_and(|number| number.is_marked);
            if next >= limit || next > at && is_next {
                break;
            }
            end = next + word_length(&line[next..]);
        }
        mentions_end(&line[at..end]).then_some(end - at)
    }

    pub(super) fn statement(&self, rest: &str) -> Option<(Statement, usize)> {
        // Before the first move, words are more likely part of a title.
        let is_alone = || self.source.text.trim().len() == rest.len();
        (!self.moves.is_empty() || is_alone()).then(|| statement(rest, &self.players)).flatten()
    }

    /// Reads a comment, a sign for no move, or a mark, and returns its length.
    pub(super) fn remark(&mut self, line: &str, at: usize, is_ended: bool) -> Option<usize> {
        let rest = &line[at..];
        let has_moves = !self.moves.is_empty();
        if rest.starts_with('{') {
            self.end_unread();
            return Some(self.braces(at));
        }
        if let Some(length) = self.bracketed(line, at) {
            return Some(length);
        }
        if let Some(length) = self.after_sign(line, at) {
            return Some(length);
        }
        let empty = placeholder(rest);
        if empty > 0 {
            return Some(empty);
        }
        if has_moves {
            if let Some(word) = turn::mark_word(rest)
                && let Some(mark) = turn::mark(word)
            {
                return Some(self.late_mark(mark, word));
            }
            if token::capture_sign(rest.as_bytes(), "xX").is_some()
                && let Some(length) = self.late_captures(line, at)
            {
                return Some(length);
            }
            if matches!(rest, "R" | "T") {
                let kind = if rest == "R" { EndingKind::Resigned } else { EndingKind::Timeout };
                self.record_statement(Statement::Ending { kind, side: None }, Span::new(at, at + 1));
                return Some(1);
            }
        }
        if let Some(verb) = turn::capture_verb(rest).filter(|_| has_moves)
            && let Some(length) = self.late_captures(line, at + verb)
        {
            return Some(verb + length);
        }
        if is_ended {
            self.comment(rest);
            return Some(rest.len());
        }
        None
    }

    /// Reads a comment or a statement in parentheses or brackets, and returns its length.
    fn bracketed(&mut self, line: &str, at: usize) -> Option<usize> {
        let rest = &line[at..];
        let (_, close) = [('(', ')'), ('[', ']')].into_iter().find(|(open, _)| rest.starts_with(*open))?;
        let length = self.closing.find(line, at, close)?;
        self.end_unread();
        let inside = &rest[1..length];
        match self.statement(inside).filter(|(_, end)| *end == inside.trim_end().len()) {
            Some((found, end)) => self.record_statement(found, Span::new(at + 1, at + 1 + end)),
            None => self.comment(inside),
        }
        Some(length + 1)
    }

    /// Reads a comment after a sign, or a sign between moves, and returns its length.
    fn after_sign(&mut self, line: &str, at: usize) -> Option<usize> {
        // Longer signs first. `---` stands for a missing move.
        const SIGNS: [&str; 9] = ["//", "---", "--", "—", "–", "‒", "-", ";", "#"];
        let rest = &line[at..];
        let sign = *SIGNS.iter().find(|sign| rest.starts_with(**sign)).filter(|sign| **sign != "---")?;
        let inside = &rest[sign.len()..];
        // A dash is also a part of words, and of titles before the first move.
        let begins_comment = ["//", ";", "#"].contains(&sign);
        let is_apart = inside.is_empty() || inside.starts_with(char::is_whitespace);
        if !begins_comment && (!is_apart || self.moves.is_empty()) {
            return None;
        }
        self.end_unread();
        if !["//", "#"].contains(&sign) && self.separates_moves(line, at, sign) {
            return Some(sign.len());
        }
        let span = Span::new(at + sign.len(), at + rest.len());
        if sign != "#" || !tags::read_remark(self.source, span, self.record, self.diagnostics) {
            self.comment(if sign == "#" { inside.trim_start_matches('#') } else { inside });
        }
        Some(rest.len())
    }

    /// Returns whether a `;` or a dash separates moves: only the missing second move of the turn follows it, or the
    /// same sign stands between all moves or all whole turns of the line. Otherwise, it begins a comment.
    fn separates_moves(&self, line: &str, at: usize, sign: &str) -> bool {
        let start = line[..at].rfind('\n').map_or(0, |end| end + 1);
        let first = start + turn::content(&line[start..]);
        let second = at + sign.len();
        let is_second = self.turn.is_some_and(|turn| self.moves.len() == turn.first_move + 1)
            && separated(line, second..line.len(), &self.players).is_some_and(|part| part.is_bare_move());
        is_second || first < at && turn::is_separated_list(line, first, sign, &self.players)
    }

    /// Sets a mark that is a word of its own.
    fn late_mark(&mut self, mark: MoveMark, word: &str) -> usize {
        match self.moves.last_mut() {
            Some(last) if last.mark == MoveMark::None => last.mark = mark,
            Some(_) | None => self.comment(word),
        }
        word.len()
    }

    /// Adds captures that are a word of their own to the last move: `xf2`, `x f2`.
    pub(super) fn late_captures(&mut self, line: &str, at: usize) -> Option<usize> {
        let last = self.moves.last_mut().filter(|last| last.n_captures == 0)?;
        let first = self.captures.len();
        let (rest, end) =
            MoveReader::new(line.len(), &mut self.captures).late_captures(&line.as_bytes()[at..])?;
        last.first_capture = first as u32;
        last.n_captures = (self.captures.len() - first) as u16;
        last.mark = if end == MoveMark::None { last.mark } else { end };
        Some(line.len() - rest.len() - at)
    }

    /// Reads a comment in braces, and returns its length.
    pub(super) fn braces(&mut self, at: usize) -> usize {
        let source: Source<'s> = *self.source;
        let rest = &source.text[at..];
        // A blank line ends a comment that is not closed.
        let close = self.closing.find(source.text, at, '}').filter(|close| !rest[..*close].contains("\n\n"));
        match close {
            Some(close) => {
                self.comment(&rest[1..close]);
                close + 1
            }
            None => {
                let line = rest.find('\n').unwrap_or(rest.len());
                let marked = bracket::marked(source.text, at);
                self.report(Span::new(at, at + marked), TextFinding::Unclosed { bracket: '{' });
                self.comment(&rest[1..line]);
                line
            }
        }
    }

    /// Returns whether words with cells are a remark about the last move, and not attempts at the next one: `d4-g4,
    /// threatening g1 and g7`. A comma is before them, or both players have moved in this turn.
    pub(super) fn is_aside(&self, span: Span) -> bool {
        let Some(last) = self.moves.last() else { return false };
        let between = self.source.text.get(last.span.end as usize..span.start as usize).unwrap_or_default();
        // First the gap, which ends at the first word: texts between a move and a late word are long.
        let is_after_move = gap(between, 0) == between.len() && !between.contains('\n');
        let is_whole_turn = self.turn.is_some_and(|turn| self.moves.len() >= turn.first_move + 2);
        is_after_move && (between.contains(',') || is_whole_turn) && names_cells(self.source.at(span))
    }

    /// Adds a word to the unreadable ones, and returns its length.
    pub(super) fn other(&mut self, line: &str, at: usize) -> usize {
        let rest = &line[at..];
        let length = word_length(rest);
        if !rest[..length].contains(char::is_alphanumeric) && self.unread.is_none() && length <= 2 {
            // A lone sign, such as a period after a move.
            return length;
        }
        let span = Span::new(at, at + length);
        self.unread = Some(self.unread.map_or(span, |unread| unread.cover(span)));
        length
    }

    /// Stores a statement about the end of the game.
    pub(super) fn record_statement(&mut self, found: Statement, span: Span) {
        match found {
            Statement::Ending { kind, side } => match &mut self.record.ending {
                None => {
                    let after = self.moves.len() as u32;
                    self.record.ending = Some(WrittenEnding { kind, side, after, span });
                }
                Some(known)
                    if known.kind == kind
                        && (known.side.is_none() || side.is_none() || known.side == side) =>
                {
                    known.side = known.side.or(side);
                    if known.side.is_none() {
                        self.report(span, TextFinding::Stray);
                    }
                }
                Some(_) => self.report(span, TextFinding::Stray),
            },
            // `*` follows many records, whatever their result.
            Statement::Result { verdict: WrittenVerdict::Ongoing, .. } if self.record.result.is_some() => {}
            Statement::Result { verdict, reason } => {
                termination::set_result(
                    self.record,
                    self.diagnostics,
                    WrittenResult { verdict, reason, span },
                );
            }
            Statement::Ambiguous => self.score = self.score.or(Some(span)),
        }
    }
}

/// Returns whether words without a digit are a remark rather than attempts at moves: at least two, or a long one.
pub(super) fn are_remark(words: &str) -> bool {
    let n_letters = words.chars().filter(|symbol| symbol.is_alphabetic()).count();
    let n_words = words.split_whitespace().count();
    !words.contains(|symbol: char| symbol.is_ascii_digit()) && n_letters > 3 && (n_words > 1 || n_letters > 4)
}

/// Returns whether words begin with a long one and name cells, and all of them are words or cells.
fn names_cells(words: &str) -> bool {
    let is_cell_or_word = |word: &str| {
        let word = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        is_cell(word) || word.chars().all(|letter| letter.is_alphabetic() || "'’-".contains(letter))
    };
    let first = words.split_whitespace().next().unwrap_or_default();
    first.len() > 3
        && words.contains(|symbol: char| symbol.is_ascii_digit())
        && first.chars().all(char::is_alphabetic)
        && words.split_whitespace().all(is_cell_or_word)
}

/// Returns whether every word is a cell, an `x`, and a cell: a capture without the cell to which the piece moves.
pub(super) fn are_captures_without_target(words: &str) -> bool {
    words.split_whitespace().all(is_capture_without_target)
}

fn is_capture_without_target(word: &str) -> bool {
    let Some((piece, captured)) = word.split_once(['x', 'X', '×']) else { return false };
    is_cell(piece) && is_cell(captured.trim_end_matches(['!', '?', '+', '.']))
}

fn is_cell(word: &str) -> bool {
    let cell = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let letters = word.len() - cell.len();
    (1..=2).contains(&letters)
        && (1..=2).contains(&cell.len())
        && cell.bytes().all(|byte| byte.is_ascii_digit())
}
