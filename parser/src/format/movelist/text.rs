//! Moves in any text: numbered turns, messages, pages of forums, tables, and prose around them.

use tafl_rules::{Side, Span};

use super::blocks::{BlockKind, CellTrace};
use super::heading;
use super::line::{LineKind, TextLine, lone_number, word_length};
use super::tags;
use super::tags::LineContext;
use super::turn::{
    self, LooseMove, Number, gap, goes_on, label, loose_move, near, placeholder, separated, turn_number,
};
use crate::diagnostic::{Diagnostic, EndFinding, TextFinding};
use crate::format::{bracket, termination};
use crate::record::{
    Comment, EndingKind, MoveMark, MovePlace, Record, Written, WrittenCapture, WrittenEnding, WrittenMove,
    WrittenResult, WrittenVerdict, tag,
};
use crate::source::Source;
use crate::token::MoveReader;
use crate::words::{PlayerNames, Statement, mentions_end, statement};

/// Reads the moves and statements of a text into a record.
pub(crate) fn read(source: &Source<'_>, record: &mut Record, diagnostics: &mut Vec<Diagnostic>) {
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
    diagnostics: &'r mut Vec<Diagnostic>,
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
}

impl<'s> TextReader<'_, 's> {
    fn lines(&mut self) {
        let text = self.source.text;
        let mut at = 0;
        let mut before = Span::default();
        while at < text.len() {
            let end = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |length| at + length);
            let line = &text[at..end];
            let context = LineContext { has_moves: !self.moves.is_empty(), players: &self.players };
            let found = TextLine::of(line, context);
            let trimmed = Span::new(at + found.at.min(line.trim_end().len()), at + line.trim_end().len());
            let mut next = end + 1;
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
                    let range = (trimmed.start as usize, trimmed.end as usize);
                    tags::read(self.source, range, self.record, self.diagnostics);
                    self.players = PlayerNames::of(self.record);
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

    /// Looks for a variant in a line before the first move.
    fn read_variant(&mut self, span: Span) {
        // A heading is near the beginning; each search compares the words with all names of the catalog.
        const MOST_LINES: usize = 20;
        if !self.moves.is_empty() || self.headings.n_lines >= MOST_LINES {
            return;
        }
        self.headings.n_lines += 1;
        let source: Source<'s> = *self.source;
        if let Some((variant, words)) = tags::heading_variant(source.at(span)) {
            self.headings.variants.push((variant, source.span_of(words).unwrap_or(span)));
        }
    }

    /// Takes the variant from the headings if they name only one, and the record has neither a variant nor rules.
    fn take_heading(&mut self) {
        let Some((variant, span)) = self.headings.variants.first().copied() else { return };
        let is_only = self.headings.variants.iter().all(|(other, _)| *other == variant);
        let has_rules = self.record.variant.is_some() || self.record.rules.is_some();
        if is_only && !has_rules && !self.moves.is_empty() {
            self.record.variant = Some(Written { text: variant.into(), span });
            self.report(span, TextFinding::HeadingVariant { variant });
        }
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
            self.report(span, if has_mention { TextFinding::Stray } else { TextFinding::Skipped });
        }
    }

    fn end_unread(&mut self) {
        if let Some(span) = self.unread.take() {
            let kind = if are_captures_without_target(self.source.at(span)) {
                TextFinding::NoTarget
            } else if are_remark(self.source.at(span)) {
                TextFinding::Skipped
            } else {
                TextFinding::BadMove
            };
            self.report(span, kind);
        }
    }

    /// Reads the line before the table of `tafl annotate`: the record's name, its variant, its players, its result.
    fn begin_table(&mut self, title: Span, header: Span) {
        let parts: Vec<&str> = self.source.at(title).split("  ").map(str::trim).collect();
        if let [_, variant, players, _] = parts[..]
            && let Some((attackers, defenders)) = players.split_once(" - ")
            && self.moves.is_empty()
        {
            let span = |part: &str| self.source.span_of(part).unwrap_or_default();
            if self.record.variant.is_none() && tafl_rules::catalog::find(variant).is_some() {
                self.record.variant = Some(Written { text: variant.into(), span: span(variant) });
            }
            for (name, player) in [(tag::ATTACKERS, attackers), (tag::DEFENDERS, defenders)] {
                if player != "?" {
                    self.record.push_tag(name, player, span(player));
                }
            }
        }
        // The title ends with the result, which the moves repeat.
        if let Some(skipped) = self.skipped.as_mut().filter(|skipped| skipped.span == title) {
            skipped.has_mention = false;
        }
        self.skip(header, false);
        self.table = Some(header);
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
                self.state(found, Span::new(at, at + length));
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

    /// Returns whether a clause begins after the unreadable words: `if White plays on, Black wins` is no statement.
    fn begins_clause(&self) -> bool {
        self.unread.is_none_or(|unread| {
            let words = self.source.at(unread);
            let last = words.rsplit(' ').next().unwrap_or(words);
            last.contains(|symbol: char| symbol.is_ascii_digit()) || last.ends_with(['.', '!', ';', ':'])
        })
    }

    /// Returns the length of a sentence that mentions the end of the game without stating it: `draw offered, declined`. It
    /// ends before the next move or turn number.
    fn sentence(&self, line: &str, at: usize) -> Option<usize> {
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

    /// Reads the players from a line such as `Ann (Black) - Bob (White)`, and returns whether it is one.
    fn read_players(&mut self, line: Span) -> bool {
        let source: Source<'s> = *self.source;
        let is_named = [tag::ATTACKERS, tag::DEFENDERS].iter().any(|name| self.record.tag(name).is_some());
        let Some(players) = heading::players(source.at(line)).filter(|_| self.moves.is_empty() && !is_named)
        else {
            return false;
        };
        for (side, name) in players {
            let tag = if side == Side::Attackers { tag::ATTACKERS } else { tag::DEFENDERS };
            self.record.push_tag(tag, name, source.span_of(name).unwrap_or(line));
        }
        self.players = PlayerNames::of(self.record);
        true
    }

    fn statement(&self, rest: &str) -> Option<(Statement, usize)> {
        // Before the first move, words are more likely part of a title.
        let is_alone = || self.source.text.trim().len() == rest.len();
        (!self.moves.is_empty() || is_alone()).then(|| statement(rest, &self.players)).flatten()
    }

    /// Returns whether a number is that of a turn.
    fn is_turn(&self, line: &str, at: usize, number: Number) -> bool {
        let next = at + number.length;
        let next = next + gap(line, next);
        let is_next = || {
            let word = next + placeholder(&line[next..]);
            goes_on(line, word, &self.players) || self.statement(&line[next..]).is_some()
        };
        let start = line[..at].rfind('\n').map_or(0, |end| end + 1);
        number.is_marked
            || is_next()
            || lone_number(&line[start..], at - start, !self.moves.is_empty()).is_some()
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
            self.report(read.mv.span, TextFinding::MissingCapture);
        }
        self.moves.push(WrittenMove { side, ..read.mv });
        let mut rest = &line.as_bytes()[read.end..];
        while rest.first() == Some(&b'-') {
            let from = self.moves.last().map_or(read.mv.to, |last| last.to);
            let mut reader = MoveReader::new(line.len(), &mut self.captures);
            let Ok((behind, mv)) = reader.next_step(rest, from) else { break };
            self.moves.push(WrittenMove { side, ..mv });
            rest = behind;
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

    /// Reads a comment, a sign for no move, or a mark, and returns its length.
    fn remark(&mut self, line: &str, at: usize, is_ended: bool) -> Option<usize> {
        let rest = &line[at..];
        let has_moves = !self.moves.is_empty();
        if rest.starts_with('{') {
            self.end_unread();
            return Some(self.braces(at));
        }
        for (open, close) in [('(', ')'), ('[', ']')] {
            if rest.starts_with(open)
                && let Some(length) = near(rest).find(close)
            {
                self.end_unread();
                let inside = &rest[1..length];
                match self.statement(inside).filter(|(_, end)| *end == inside.trim_end().len()) {
                    Some((found, end)) => self.state(found, Span::new(at + 1, at + 1 + end)),
                    None => self.comment(inside),
                }
                return Some(length + 1);
            }
        }
        let signs = ["//", "---", "--", "—", "–", "‒", "-", ";", "#"];
        if let Some(sign) = signs.iter().find(|sign| rest.starts_with(**sign)).filter(|sign| **sign != "---")
        {
            let inside = &rest[sign.len()..];
            let is_apart = inside.is_empty()
                || inside.starts_with(char::is_whitespace)
                || ["//", ";", "#"].contains(sign);
            if is_apart && (has_moves || ["//", "#", ";"].contains(sign)) {
                self.end_unread();
                if !["//", "#"].contains(sign) && self.separates_moves(line, at, sign) {
                    return Some(sign.len());
                }
                self.comment(if *sign == "#" { inside.trim_start_matches('#') } else { inside });
                return Some(rest.len());
            }
        }
        let empty = placeholder(rest);
        if empty > 0 {
            return Some(empty);
        }
        if has_moves && rest.starts_with(|first: char| !first.is_alphanumeric() || "xXRT".contains(first)) {
            let word = &near(rest)[..near(rest).find(char::is_whitespace).unwrap_or(near(rest).len())];
            if let Some(mark) = turn::mark(word) {
                return Some(self.late_mark(mark, word));
            }
            if word.starts_with(['x', 'X', '×', '✕', '✖'])
                && let Some(length) = self.late_captures(line, at)
            {
                return Some(length);
            }
            if word.len() == rest.len() && matches!(word, "R" | "T") {
                let kind = if word == "R" { EndingKind::Resigned } else { EndingKind::Timeout };
                self.state(Statement::Ending { kind, side: None }, Span::new(at, at + 1));
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

    /// Returns whether a `;` or a dash separates moves: only the missing second move of the turn follows it, or the
    /// same sign stands between all moves or all whole turns of the line. Otherwise, it begins a comment.
    fn separates_moves(&self, line: &str, at: usize, sign: &str) -> bool {
        let start = line[..at].rfind('\n').map_or(0, |end| end + 1);
        let first = start + turn::content(&line[start..]);
        let second = at + sign.len();
        let is_second = self.turn.is_some_and(|turn| self.moves.len() == turn.first_move + 1)
            && separated(line, (second, line.len()), &self.players).is_some_and(|part| part.is_bare_move());
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
    fn late_captures(&mut self, line: &str, at: usize) -> Option<usize> {
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
    fn braces(&mut self, at: usize) -> usize {
        let source: Source<'s> = *self.source;
        let rest = &source.text[at..];
        // A blank line ends a comment that is not closed.
        let limit = near(rest).find("\n\n").unwrap_or(near(rest).len());
        match rest[..limit].find('}') {
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

    /// Adds a word to the unreadable ones, and returns its length.
    fn other(&mut self, line: &str, at: usize) -> usize {
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
    fn state(&mut self, found: Statement, span: Span) {
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
            Statement::Result { verdict, reason } => match &mut self.record.result {
                None => {
                    let reason = reason.or_else(|| termination::before_result(self.record));
                    self.record.result = Some(WrittenResult { verdict, reason, span });
                }
                Some(known) if known.verdict == verdict => known.reason = known.reason.or(reason),
                // `*` follows many records, whatever their result.
                Some(_) if verdict == WrittenVerdict::Ongoing => {}
                Some(_) => self.report(span, TextFinding::Stray),
            },
            Statement::Ambiguous => self.score = self.score.or(Some(span)),
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
                self.diagnostics.iter_mut().filter(|found| found.kind == TextFinding::Skipped.into());
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
    number.trim_end_matches(|sign: char| !sign.is_ascii_digit()).len()
}

/// Returns whether words without a digit are a remark rather than attempts at moves: at least two, or a long one.
fn are_remark(words: &str) -> bool {
    let n_letters = words.chars().filter(|symbol| symbol.is_alphabetic()).count();
    let n_words = words.split_whitespace().count();
    !words.contains(|symbol: char| symbol.is_ascii_digit()) && n_letters > 3 && (n_words > 1 || n_letters > 4)
}

/// Returns whether every word is a cell, an `x`, and a cell: a capture without the cell to which the piece moves.
fn are_captures_without_target(words: &str) -> bool {
    words.split_whitespace().all(is_capture_without_target)
}

fn is_capture_without_target(word: &str) -> bool {
    let Some((piece, captured)) = word.split_once(['x', 'X', '×']) else { return false };
    let is_cell = |word: &str| {
        let cell = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let letters = word.len() - cell.len();
        (1..=2).contains(&letters)
            && (1..=2).contains(&cell.len())
            && cell.bytes().all(|byte| byte.is_ascii_digit())
    };
    is_cell(piece) && is_cell(captured.trim_end_matches(['!', '?', '+', '.']))
}
