//! Boundaries between records.

mod game_trees;
mod move_text;
mod table_rows;

use memchr::{memchr, memchr_iter, memchr2, memchr3, memmem};

use crate::format::bracket::{self, Brackets};
use crate::format::csv::TableHeader;
use crate::format::htp::{self, GameBoundary};
use crate::format::{hen, uci};
use crate::record::Cut;
use crate::source::TextEnd;

/// Returns whether a record is a game tree of SGF.
pub(super) fn is_game_tree(record: &[u8]) -> bool {
    game_trees::begins(record, TextEnd::Known) == Some(true)
}

/// The next record in a byte buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CutResult {
    /// A whole record.
    Record {
        /// Its first byte.
        start: usize,
        /// One past its last byte.
        end: usize,
    },
    /// Rows that belong to every record after them: the header of a table.
    Header {
        /// Its first byte.
        start: usize,
        /// One past its last byte.
        end: usize,
    },
    /// Only blanks up to the end of the buffer.
    Nothing,
    /// A record that may continue after the buffer.
    More {
        /// Its first byte.
        start: usize,
    },
}

/// An iterator over the records in a buffer of a stream.
#[derive(Debug)]
pub(super) struct Cutter<'b> {
    cut: Cut,
    bytes: &'b [u8],
    text_end: TextEnd,
    brackets: Brackets<'b>,
    /// The header of the rows of a table.
    header: TableHeader,
}

impl<'b> Cutter<'b> {
    /// Creates a cutter for a buffer.
    pub(super) fn new(cut: Cut, bytes: &'b [u8], text_end: TextEnd) -> Cutter<'b> {
        Cutter { cut, bytes, text_end, brackets: Brackets::new(bytes), header: TableHeader::default() }
    }

    /// Sets the header of the rows of a table.
    pub(super) fn set_header(&mut self, text: &str) {
        self.header = TableHeader::of(text);
    }

    /// Returns the next record from an offset on; its positions are relative to that offset.
    pub(super) fn next(&self, at: usize) -> CutResult {
        let bytes = &self.bytes[at..];
        if self.cut == Cut::TableRows {
            return table_rows::next(&self.header, bytes, self.text_end);
        }
        let start = match self.cut {
            Cut::Lines => lines_start(bytes, self.text_end),
            Cut::JsonValues => {
                bytes.iter().position(|byte| !byte.is_ascii_whitespace() && !b",[]".contains(byte))
            }
            Cut::TagBlocks
            | Cut::BlankLines
            | Cut::Whole
            | Cut::MoveText
            | Cut::TableRows
            | Cut::GameTrees
            | Cut::EngineSession
            | Cut::BoardLines
            | Cut::Transcript => bytes.iter().position(|byte| !byte.is_ascii_whitespace()),
        };
        let Some(start) = start else { return CutResult::Nothing };
        let record = &bytes[start..];
        let end = match self.cut {
            Cut::Lines => memchr(b'\n', record),
            Cut::BlankLines if record[0] != b'[' => blank_line(record),
            Cut::BlankLines | Cut::TagBlocks => self.tag_block(at + start),
            Cut::JsonValues => json_value(record, self.text_end),
            Cut::EngineSession => uci::next_game(record, self.text_end),
            Cut::BoardLines => hen::next_game(record, self.text_end),
            Cut::GameTrees => game_trees::end(record, self.text_end),
            Cut::Transcript => transcript(record),
            Cut::MoveText => move_text::end(record, self.text_end),
            Cut::Whole | Cut::TableRows => None,
        };
        match end {
            Some(end) => CutResult::Record { start, end: start + record[..end].trim_ascii_end().len() },
            None if self.text_end.is_known() => {
                CutResult::Record { start, end: start + record.trim_ascii_end().len() }
            }
            None => CutResult::More { start },
        }
    }

    /// Returns the offset after `start` where the tags of the next record begin.
    ///
    /// Brackets are skipped as a whole, because comments span lines and may contain text that looks like
    /// tags. Tags begin a new record after moves, after a blank line or a closed comment, and after a rules
    /// tag and a blank line; and, for records without moves, where the first tag of the record comes again
    /// after a blank line.
    fn tag_block(&self, start: usize) -> Option<usize> {
        let record = &self.bytes[start..];
        let mut at = 0;
        let (mut moves, mut rules, mut gap) = (false, false, false);
        // A comment of an OpenTafl record may look like a PGN tag.
        let first = bracket::tag_name(record);
        let first_of_pgn = bracket::pgn_tag_name(record);
        // Brackets before this offset are known not to begin a header.
        let mut comments_end = 0;
        loop {
            let rest = &record[at..];
            let line_end = memchr(b'\n', rest)?;
            let line = rest[..line_end].trim_ascii();
            if line.is_empty() {
                gap = true;
            } else if at > 0 && game_trees::begins(rest, self.text_end)? {
                return Some(at);
            } else if rest[0] == b'[' {
                if let Some(tag) = bracket::known_tag(rest) {
                    if gap && (moves || rules || is_same(Some(tag.as_bytes()), first)) {
                        return Some(at);
                    }
                    rules |= tag == "rules";
                } else if first.is_some() && gap && (moves || rules) && at >= comments_end {
                    let (begins_header, end) = self.header(start + at)?;
                    if begins_header {
                        return Some(at);
                    }
                    comments_end = end - start;
                }
                if first.is_none() && bracket::is_pgn_tag(line) {
                    if moves || gap && is_same(bracket::pgn_tag_name(line), first_of_pgn) {
                        return Some(at);
                    }
                } else {
                    let close = self.close(start + at)? - start;
                    gap = moves;
                    at = close + memchr(b'\n', &record[close..])? + 1;
                    continue;
                }
                gap = false;
            } else {
                // A rules string or a position without brackets is not a move.
                moves |= !line.starts_with(b"dim:") && !line.starts_with(b"/");
                gap = false;
            }
            at += line_end + 1;
        }
    }

    /// Returns whether the bracket at an offset begins the header of a record although its name is unknown:
    /// it has the form of a tag, and other tags follow it up to a known one, or the first turn follows. Also
    /// returns the end of the examined text, up to which the answer is the same for all brackets. `None` if
    /// more bytes are needed.
    fn header(&self, at: usize) -> Option<(bool, usize)> {
        let mut end = at;
        loop {
            let rest = &self.bytes[end..];
            let is_complete_line =
                self.text_end.is_known() || memchr(b'\n', rest.trim_ascii_start()).is_some();
            if !is_complete_line {
                return None;
            }
            let blanks = rest.len() - rest.trim_ascii_start().len();
            let is_gap = memchr_iter(b'\n', &rest[..blanks]).count() > 1;
            let line = &rest[blanks..];
            let line = &line[..memchr(b'\n', line).unwrap_or(line.len())];
            if end > at && is_gap || line.first() != Some(&b'[') {
                return Some((end > at && begins_game(line), end));
            }
            if bracket::known_tag(line).is_some() {
                return Some((true, end));
            }
            if bracket::tag_name(line).is_none() {
                return Some((false, end + blanks + 1));
            }
            end = self.close(end + blanks)?.min(self.bytes.len() - 1) + 1;
        }
    }

    /// Returns the offset of the bracket that closes the one at an offset, or of the end of its line if it is
    /// never closed; `None` if more bytes are needed to decide.
    fn close(&self, at: usize) -> Option<usize> {
        let closing = self.brackets.closing(at);
        let line = || memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |line| at + line);
        match closing.proper {
            Some(close) if self.text_end.is_known() || !is_blank(&self.bytes[close + 1..]) => Some(close),
            Some(_) => None,
            // A tag on the next line ended the search, so no later byte can close the bracket.
            None if self.text_end.is_known() || closing.is_cut_off => {
                Some(closing.first.unwrap_or_else(line))
            }
            None => None,
        }
    }
}

/// Returns whether both names are given and equal, ignoring case.
fn is_same(one: Option<&[u8]>, other: Option<&[u8]>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
}

/// Returns whether a line is the first turn of a game, and not the second half of one that is divided by a
/// comment.
fn begins_game(line: &[u8]) -> bool {
    let turn = line.strip_prefix(b"1.").map(|turn| turn.trim_ascii_start());
    turn.is_some_and(|turn| !turn.starts_with(b".")) || line.starts_with(b"dim:")
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

/// Returns the first line that is neither blank nor a comment, or a comment that continues after the buffer.
fn lines_start(bytes: &[u8], text_end: TextEnd) -> Option<usize> {
    let mut at = 0;
    loop {
        at += bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        if bytes[at] != b'#' {
            return Some(at);
        }
        match memchr(b'\n', &bytes[at..]) {
            Some(end) => at += end,
            None if text_end.is_known() => return None,
            None => return Some(at),
        }
    }
}

/// Returns the offset of the first line that starts another game after a play.
fn transcript(record: &[u8]) -> Option<usize> {
    let (mut at, mut has_plays) = (0, false);
    loop {
        // The meaning of a line is known when it is complete.
        let end = at + memchr(b'\n', &record[at..])?;
        match htp::boundary(&record[at..end]) {
            Some(GameBoundary::Play) => has_plays = true,
            Some(GameBoundary::Restart) if has_plays => return Some(at),
            Some(GameBoundary::Restart) | None => {}
        }
        at = end + 1;
    }
}

/// Returns the end of a record before a blank line.
fn blank_line(record: &[u8]) -> Option<usize> {
    memchr_iter(b'\n', record).find(|at| {
        let line = record[at + 1..].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        line == Some(&b'\n')
    })
}

/// Returns the end of a JSON value, or of a broken value where the next one begins inside it.
///
/// Later bytes never change this position: otherwise it would depend on how the stream is split into buffers.
fn json_value(record: &[u8], text_end: TextEnd) -> Option<usize> {
    let line_from = |at: usize| match memchr(b'\n', &record[at..]) {
        Some(line) => Some(at + line),
        None => text_end.is_known().then_some(record.len()),
    };
    if record[0] != b'{' {
        return line_from(0);
    }
    let end = balanced(record)?;
    let is_gap = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    let gap = record[end..].iter().take_while(is_gap).count();
    match record[end..].get(gap) {
        Some(b'\n' | b',' | b']' | b'{') => Some(end),
        // The rest of the line is not a value of its own: a brace was lost, or there is one too many.
        Some(_) => line_from(end),
        None => text_end.is_known().then_some(end),
    }
}

/// Returns the end of the object at the start.
fn balanced(record: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0, 0u32);
    loop {
        let rest = &record[at..];
        let next = memchr3(b'{', b'}', b'"', rest)?;
        at += next + 1;
        match rest[next] {
            b'{' if depth > 0 && begins_anew(&record[..at]) => return Some(at - 1),
            b'{' => depth += 1,
            b'}' if depth <= 1 => return Some(at),
            b'}' => depth -= 1,
            _ => {
                let length = string_length(&record[at..])?;
                at += length;
                if record[at - 1] == b'\n' {
                    return Some(at - 1);
                }
            }
        }
    }
}

/// Returns whether a brace at the end of `before` begins another value although the previous one is not
/// closed: it is on a later line than a preceding `}`, or the first byte of a line, and the text before it
/// does not expect a value.
fn begins_anew(before: &[u8]) -> bool {
    let before = &before[..before.len() - 1];
    let value = before.trim_ascii_end();
    match value.last() {
        // JSON never has `}` before `{` without a comma between them.
        Some(b'}') => before[value.len()..].contains(&b'\n'),
        Some(b',' | b'[' | b':') | None => false,
        Some(_) => before.ends_with(b"\n"),
    }
}

/// Returns the length of the rest of a string including its closing quote; a line feed ends a broken string.
fn string_length(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let next = memchr2(b'"', b'\\', &rest[at..]);
        let end = next.map_or(rest.len(), |next| at + next);
        if let Some(broken) = memchr(b'\n', &rest[at..end]) {
            return Some(at + broken + 1);
        }
        match rest.get(end)? {
            b'\\' => at = (end + 2).min(rest.len()),
            _ => return Some(end + 1),
        }
    }
}

/// The maximum length of the markers that [`resume`] searches for, in bytes.
pub(super) const LONGEST_SIGN: usize = 32;

/// Returns the offset where reading can resume after a record that is too large; `None` if no marker of
/// another record was found.
pub(super) fn resume(cut: Cut, bytes: &[u8]) -> Option<usize> {
    let after = |sign: &[u8], skip: usize| memmem::find(bytes, sign).map(|at| at + skip);
    match cut {
        Cut::Lines | Cut::TableRows => after(b"\n", 1),
        Cut::BlankLines | Cut::MoveText => after(b"\n\n", 2).or_else(|| after(b"\r\n\r\n", 4)),
        Cut::TagBlocks => memmem::find_iter(bytes, b"\n[").map(|at| at + 1).find(|at| {
            let line = &bytes[*at..];
            bracket::known_tag(line).is_some() || line.starts_with(b"[Event ")
        }),
        Cut::JsonValues => after(b"\n{", 1),
        Cut::EngineSession => after(b"\nucinewgame", 1),
        Cut::GameTrees => game_trees::resume(bytes),
        Cut::Whole | Cut::BoardLines | Cut::Transcript => None,
    }
}
