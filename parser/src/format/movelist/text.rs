//! Moves in any text: numbered turns, messages, pages of forums, tables, and prose around them.

mod headings;
mod remarks;

use tafl_rules::{Side, Span};

use super::blocks::{BlockKind, CellTrace};
use super::line::{LineEnd, LineKind, TextLine, line_end, lone_number};
use super::tags;
use super::tags::LineContext;
use super::turn::{self, LooseMove, Number, gap, goes_on, label, loose_move, placeholder, turn_number};
use crate::diagnostic::{Diagnostic, EndFinding, Findings, TextFinding};
use crate::record::{Comment, MovePlace, Record, WrittenCapture, WrittenMove, tag};
use crate::source::Source;
use crate::token::MoveReader;
use crate::words::{PlayerNames, mentions_end};
use remarks::{RemarkBrackets, are_captures_without_target, are_remark};

/// Reads the moves and statements of a text into a record.
pub(crate) fn read(source: &Source<'_>, record: &mut Record, diagnostics: &mut Findings) {
    let first = diagnostics.len();
    let mut reader = TextReader {
        source,
        moves: std::mem::take(&mut record.main_mut().moves),
        captures: std::mem::take(&mut record.captures),
        record,
        diagnostics,
        players: PlayerNames::default(),
        skipped: None,
        unread: None,
        score: None,
        turn: None,
        blocks: Blocks::default(),
        table: None,
        headings: Headings::default(),
        closing: RemarkBrackets::default(),
    };
    reader.lines();
    reader.finish();
    diagnostics[first..].sort_by_key(|found| found.span.start);
}

/// The last turn number.
#[derive(Debug, Clone, Copy)]
struct LastTurn {
    number: u32,
    /// The number of moves before it.
    first_move: usize,
}

/// The blocks of moves without numbers.
#[derive(Debug, Default)]
struct Blocks {
    trace: CellTrace,
    /// The number of moves in `trace`; the others are of the current block.
    n_traced: usize,
    /// Whether a blank line follows the last move.
    is_after_blank: bool,
    /// Whether the current block begins after a blank line.
    is_separate: bool,
    /// Whether a turn number was read.
    is_numbered: bool,
}

/// Lines without moves of the game.
#[derive(Debug, Clone, Copy)]
struct SkippedText {
    span: Span,
    /// Whether one of them mentions moves.
    has_mention: bool,
}

/// The skipped lines before the first move.
#[derive(Debug, Default)]
struct Headings {
    n_lines: usize,
    /// The variants that they name.
    variants: Vec<(&'static str, Span)>,
}

struct TextReader<'r, 's> {
    source: &'r Source<'s>,
    record: &'r mut Record,
    diagnostics: &'r mut Findings,
    moves: Vec<WrittenMove>,
    captures: Vec<WrittenCapture>,
    players: PlayerNames,
    /// The current block of skipped lines.
    skipped: Option<SkippedText>,
    /// The current unreadable words.
    unread: Option<Span>,
    /// The first `1-0` or `0-1`.
    score: Option<Span>,
    turn: Option<LastTurn>,
    blocks: Blocks,
    headings: Headings,
    /// In the table of `tafl annotate`: the line before its header.
    table: Option<Span>,
    closing: RemarkBrackets,
}

impl<'s> TextReader<'_, 's> {
    fn lines(&mut self) {
        let text = self.source.text;
        let mut at = 0;
        let mut before = Span::default();
        while at < text.len() {
            let LineEnd { end, mut next } = line_end(text.as_bytes(), at);
            let line = &text[at..end];
            let context = LineContext { has_moves: !self.moves.is_empty(), players: &self.players };
            let found = TextLine::of(line, context);
            let trimmed = Span::new(at + found.at.min(line.trim_end().len()), at + line.trim_end().len());
            match found.kind {
                LineKind::Blank => {
                    self.end_unread();
                    self.blocks.is_after_blank |= !self.moves.is_empty();
                }
                LineKind::Markup => {}
                LineKind::Text if self.read_players(trimmed) => {
                    self.end_unread();
                    self.end_skipped();
                }
                LineKind::Text => {
                    self.read_variant(trimmed);
                    self.skip(trimmed, false);
                }
                LineKind::TableHeader => self.begin_table(before, trimmed),
                // The accuracies below the table of `tafl annotate` count missed wins.
                LineKind::Mention if self.table.is_some() => self.skip(trimmed, false),
                LineKind::Mention if !self.moves.is_empty() && mentions_end(self.source.at(trimmed)) => {
                    self.end_unread();
                    self.end_skipped();
                    self.comment(self.source.at(trimmed));
                    let kind =
                        EndFinding::BadResult { expected: "a sentence that states who won, and no more" };
                    self.diagnostics.push(Diagnostic::new(trimmed, kind));
                }
                LineKind::Mention => self.skip(trimmed, true),
                LineKind::Tag => {
                    self.end_unread();
                    self.end_skipped();
                    let n_tags = self.record.tags.len();
                    tags::read(self.source, trimmed, self.record, self.diagnostics);
                    // A long text may have very many tags, and the players are found among all of them.
                    let mut new =
                        (n_tags..self.record.tags.len()).filter_map(|nth| self.record.tags.get(nth));
                    if new.any(|tag| [tag::ATTACKERS, tag::DEFENDERS].contains(&tag.name)) {
                        self.players = PlayerNames::of(self.record);
                    }
                }
                LineKind::Moves | LineKind::End | LineKind::Remark => {
                    self.before_moves(Span::new(at, at + found.at));
                    self.end_skipped();
                    next = self.words(at + found.at, end).max(next);
                }
            }
            before = trimmed;
            at = next;
        }
        self.end_skipped();
    }

    /// Skips words before the first move of a line.
    fn before_moves(&mut self, span: Span) {
        let text = self.source.at(span);
        let is_turn_word = turn::turn_word(self.source.text[span.start as usize..].trim_start()) > 0;
        if text.contains(char::is_alphabetic) && !is_turn_word && turn::content(text) < text.trim_end().len()
        {
            let start = span.start as usize + turn::content(text);
            self.skip(Span::new(start, span.start as usize + text.trim_end().len()), false);
        }
    }

    fn report(&mut self, span: Span, kind: TextFinding) {
        self.diagnostics.push(Diagnostic::new(span, kind));
    }

    /// Adds a line to the skipped ones.
    fn skip(&mut self, span: Span, has_mention: bool) {
        self.end_unread();
        let line = SkippedText { span, has_mention };
        self.skipped = Some(self.skipped.map_or(line, |skipped| SkippedText {
            span: skipped.span.cover(span),
            has_mention: has_mention || skipped.has_mention,
        }));
    }

    fn end_skipped(&mut self) {
        if let Some(SkippedText { span, has_mention }) = self.skipped.take() {
            self.report(span, if has_mention { TextFinding::Stray } else { TextFinding::SkippedText });
        }
    }

    fn end_unread(&mut self) {
        if let Some(span) = self.unread.take() {
            let kind = if are_captures_without_target(self.source.at(span)) {
                TextFinding::NoTarget
            } else if are_remark(self.source.at(span)) || self.is_aside(span) {
                TextFinding::SkippedText
            } else {
                TextFinding::BadMove
            };
            self.report(span, kind);
        }
    }

    fn place(&self) -> MovePlace {
        MovePlace::in_main(self.moves.len())
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim();
        if let (false, Some(span)) = (text.is_empty(), self.source.span_of(text)) {
            self.record.comments.push(Comment { place: self.place(), text, span });
        }
    }

    /// Reads the words of a line up to `end`, and returns the offset after the last one, which a comment may move
    /// beyond the line.
    fn words(&mut self, start: usize, end: usize) -> usize {
        let source: Source<'s> = *self.source;
        let line = source.text[..end].trim_end();
        let mut at = start;
        let mut is_ended = false;
        let mut side = None;
        while at < line.len() {
            at += gap(line, at);
            if at >= line.len() {
                break;
            }
            let rest = &line[at..];
            if let Some(read) = loose_move(line, at, &mut self.captures) {
                at = self.mv(read, line, side.take());
                if self.table.is_some() {
                    self.comment(&line[at..]);
                    return end;
                }
                is_ended = false;
            } else if let Some((found, length)) = self.statement(rest).filter(|_| self.begins_clause()) {
                self.end_unread();
                self.record_statement(found, Span::new(at, at + length));
                at += length;
                at += line[at..].len()
                    - line[at..].trim_start_matches(['.', ',', '!', ';', ')', ' ', '\t']).len();
                is_ended = true;
            } else if let Some(number) = turn_number(rest).filter(|number| self.is_turn(line, at, *number)) {
                self.end_unread();
                at += number.length;
                self.number(number, Span::new(at - number.length, at), line);
            } else if let Some((by, next)) = label(line, at, &self.players) {
                self.end_unread();
                side = Some(by);
                at = next;
            } else if let Some(length) = self.remark(line, at, is_ended) {
                at += length;
                if at > end {
                    return at;
                }
            } else if let Some(length) = self.sentence(line, at) {
                self.comment(&line[at..at + length]);
                at += length;
            } else {
                at += self.other(line, at);
            }
        }
        end
    }

    /// Returns whether a number is that of a turn.
    fn is_turn(&self, line: &str, at: usize, number: Number) -> bool {
        let next = at + number.length;
        let next = next + gap(line, next);
        let is_next = || {
            let word = next + placeholder(&line[next..]);
            goes_on(line, word, &self.players) || self.statement(&line[next..]).is_some()
        };
        let is_alone = || {
            let start = line[..at].rfind('\n').map_or(0, |end| end + 1);
            #[cfg(test)]
            turn::tests::count_steps(at - start);
            lone_number(&line[start..], at - start, !self.moves.is_empty()).is_some()
        };
        // Only the last word of a line can be alone in it. Without this, each number of a long line would cost a search of the
        // line.
        number.is_marked || is_next() || next >= line.len() && is_alone()
    }

    fn number(&mut self, number: Number, span: Span, line: &str) {
        self.blocks.is_numbered = true;
        let at = span.end as usize + gap(line, span.end as usize);
        let is_second = number.skips_first || placeholder(&line[at..]) > 0;
        let n_moves = self.moves.len();
        let expected = self.turn.map_or(1, |turn| turn.number.saturating_add(1));
        let goes_on =
            self.turn.is_some_and(|turn| turn.number == number.value && n_moves < turn.first_move + 2);
        let is_labelled = || label(line, at, &self.players).is_some();
        if number.value != expected && !(goes_on && (is_second || is_labelled())) {
            self.report(
                Span::new(span.start as usize, span.start as usize + digits(self.source.at(span))),
                TextFinding::MoveNumber { expected },
            );
        }
        if is_second && n_moves == 0 {
            self.record.main_mut().opens_with_second = true;
        }
        self.turn = Some(LastTurn { number: number.value, first_move: n_moves });
    }

    /// Adds a move, and returns the offset after it and after the further steps of its turn.
    fn mv(&mut self, read: LooseMove, line: &str, side: Option<Side>) -> usize {
        self.end_unread();
        self.new_block();
        if read.lacks_capture {
            self.report(read.mv.span, TextFinding::MissingCapturedCell);
        }
        self.moves.push(WrittenMove { side, ..read.mv });
        let mut rest = &line.as_bytes()[read.end..];
        while rest.first() == Some(&b'-') {
            let from = self.moves.last().map_or(read.mv.to, |last| last.to);
            let mut reader = MoveReader::new(line.len(), &mut self.captures);
            let Ok((after, mv)) = reader.next_step(rest, from) else { break };
            self.moves.push(WrittenMove { side, ..mv });
            rest = after;
        }
        line.len() - rest.len()
    }

    /// Notes a doubtful beginning of a block of moves.
    fn new_block(&mut self) {
        if std::mem::take(&mut self.blocks.is_after_blank) && !self.moves.is_empty() {
            self.end_block();
            self.blocks.is_separate = true;
            self.blocks.n_traced = self.moves.len();
        }
    }

    fn end_block(&mut self) {
        let block = &self.moves[self.blocks.n_traced..];
        if self.blocks.is_separate
            && !self.blocks.is_numbered
            && self.blocks.trace.kind_of(block) == BlockKind::Doubtful
        {
            let span = block.first().map(|mv| mv.span).unwrap_or_default();
            self.diagnostics.push(Diagnostic::new(span, TextFinding::DoubtfulGame));
        }
        for mv in block {
            self.blocks.trace.push(mv);
        }
    }

    fn finish(mut self) {
        self.end_unread();
        self.end_block();
        self.take_heading();
        let is_decided =
            self.record.result.is_some() || self.record.ending.is_some_and(|ending| ending.side.is_some());
        if let Some(score) = self.score.filter(|_| !is_decided && self.record.tag("result").is_none()) {
            let expected = "a tag or words that name the side";
            self.diagnostics.push(Diagnostic::new(score, EndFinding::BadResult { expected }));
            self.record.push_tag("result", self.source.at(score), score);
        }
        // A text that holds nothing of a game is unreadable, not text around a game.
        let record = &self.record;
        let has_game = !self.moves.is_empty()
            || record.ending.is_some()
            || record.result.is_some()
            || record.variant.is_some()
            || !record.tags.is_empty();
        if !has_game {
            let skipped =
                self.diagnostics.iter_mut().filter(|found| found.kind == TextFinding::SkippedText.into());
            skipped.for_each(|found| found.kind = TextFinding::BadMove.into());
        }
        // A tag states the end before or after the moves.
        if let Some(ending) = &mut self.record.ending {
            ending.after = ending.after.min(self.moves.len() as u32);
        }
        self.record.captures = self.captures;
        self.record.main_mut().moves = self.moves;
    }
}

/// Returns the number of digits in a turn number, with its parenthesis.
fn digits(number: &str) -> usize {
    number.trim_end_matches(|sign: char| !sign.is_numeric()).len()
}
