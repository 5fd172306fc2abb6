//! The kinds of lines in a text with moves. The reader and the cutter use the same division.

use super::tags::{self, LineContext};
use super::turn::{Number, content, gap, goes_on, is_move, label, loose_move, placeholder, turn_number};
use crate::reader::encoding::decode_text;
use crate::words::{PlayerNames, mentions_end, statement};

/// The kind of a line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// Nothing but blanks.
    Blank,
    /// Nothing but signs, such as a table border or a fence.
    Markup,
    /// Moves, perhaps with other words among them.
    Moves,
    /// A resignation or a result.
    End,
    /// A comment that begins with a sign.
    Remark,
    /// A statement about the game: `Event: Spring cup`.
    Tag,
    /// The header of the table that `tafl annotate` prints.
    TableHeader,
    /// Other text without moves.
    Text,
    /// A sentence that mentions moves or the end of a game.
    Mention,
}

/// A line with its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextLine {
    pub(crate) kind: LineKind,
    /// The turn number at its beginning.
    pub(crate) number: Option<u32>,
    /// The offset of its first word.
    pub(crate) at: usize,
}

impl TextLine {
    /// Returns the kind of a line.
    pub(crate) fn of(line: &str, context: LineContext<'_>) -> TextLine {
        let at = content(line);
        let text = line.trim_end();
        let found = |kind| TextLine { kind, number: None, at };
        if text.is_empty() {
            return found(LineKind::Blank);
        }
        if at >= text.len() {
            return found(LineKind::Markup);
        }
        let rest = &text[at..];
        if rest == "*" && context.has_moves {
            return found(LineKind::End);
        }
        let is_remark =
            rest.starts_with(['{', '#', ';', '(']) || rest.starts_with("//") || rest.starts_with("-- ");
        if turn_number(rest).is_none()
            && is_remark
            && (context.has_moves || rest.starts_with(['#', '{', ';']) || rest.starts_with("//"))
        {
            return found(LineKind::Remark);
        }
        if !rest.contains(char::is_alphanumeric) {
            return found(if rest == "---" && context.has_moves { LineKind::End } else { LineKind::Markup });
        }
        if is_table_header(rest) {
            return found(LineKind::TableHeader);
        }
        numbered(text, at, context).unwrap_or_else(|| {
            if tags::is_tag(text, at, context) {
                return found(LineKind::Tag);
            }
            mixed(text, at, context)
        })
    }
}

fn is_table_header(text: &str) -> bool {
    let header = ["ply", "side", "move", "score", "expect", "loss", "remarks"];
    text.split_whitespace().take(header.len() + 1).eq(header)
}

/// Returns a line that begins with a move, a turn number and a move, or a statement.
fn numbered(text: &str, at: usize, context: LineContext<'_>) -> Option<TextLine> {
    let number = turn_number(&text[at..]);
    let mut word = at;
    if let Some(number) = number {
        word += number.length;
        word += gap(text, word);
    }
    let value = number.map(|number| number.value);
    let found = |kind| Some(TextLine { kind, number: value, at });
    let empty = placeholder(&text[word..]);
    if empty > 0 {
        word += empty;
        word += gap(text, word);
    }
    if is_move(text, word) || label(text, word, context.players).is_some() {
        return found(LineKind::Moves);
    }
    if number.is_some() && word >= text.len() && lone_number(text, at, context.has_moves).is_some() {
        return found(LineKind::Moves);
    }
    if context.has_moves && matches!(&text[word..], "R" | "T" | "---") {
        return found(LineKind::End);
    }
    if context.has_moves && statement(&text[word..], context.players).is_some() {
        return found(LineKind::End);
    }
    let is_marked = number.is_some_and(|number| number.is_marked);
    let (n_moves, _) = count(text, word);
    let is_attempt = looks_like_move(&text[word..]) && (context.has_moves || n_moves > 0);
    if is_marked && (n_moves > 0 || is_attempt) {
        return found(LineKind::Moves);
    }
    None
}

/// Returns the turn number that is alone in its line, as in a table of HTML with a line for each cell: `<td>12</td>`, or
/// `12.` in any text. Before the first move, only the number 1 is one.
pub(super) fn lone_number(text: &str, at: usize, has_moves: bool) -> Option<Number> {
    let number = turn_number(&text[at..]).filter(|number| has_moves || number.value == 1)?;
    let end = at + number.length;
    let is_alone = end + gap(text, end) >= text.trim_end().len();
    let is_cell = || text.trim_start().starts_with("<t");
    (is_alone && (text[at..end].ends_with('.') || is_cell())).then_some(number)
}

/// Returns whether the first word begins as a move does.
fn looks_like_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    (1..=2).contains(&letters) && bytes.get(letters).is_some_and(u8::is_ascii_digit)
}

/// Returns the numbers of moves and of other words from an offset on.
fn count(text: &str, at: usize) -> (usize, usize) {
    let (mut n_moves, mut n_words) = (0, 0);
    let mut captures = Vec::new();
    let mut at = at;
    while at < text.len() {
        at += gap(text, at);
        if at >= text.len() {
            break;
        }
        if let Some(read) = loose_move(text, at, &mut captures) {
            n_moves += 1;
            at = read.end;
            continue;
        }
        let number = turn_number(&text[at..]);
        n_words += usize::from(number.is_none());
        at += number.map_or_else(|| word_length(&text[at..]), |number| number.length);
    }
    (n_moves, n_words)
}

/// Returns the length of the word at the start of a text, at least one character.
pub(super) fn word_length(text: &str) -> usize {
    let mut symbols = text.char_indices().skip(1);
    symbols
        .find(|(_, symbol)| symbol.is_whitespace() || ",;[](){}|\"<`".contains(*symbol))
        .map_or(text.len(), |(at, _)| at)
}

/// Returns a line that begins with other words.
fn mixed(text: &str, at: usize, context: LineContext<'_>) -> TextLine {
    let found = |kind, at| TextLine { kind, number: None, at };
    let (n_moves, n_words) = count(text, at);
    if n_moves == 0 {
        return found(if mentions_end(&text[at..]) { LineKind::Mention } else { LineKind::Text }, at);
    }
    // A label such as `Moves:`, or the first turn after a few words.
    let starts = text[at..].match_indices([':', ' ']).map(|(nth, sign)| (at + nth + 1, sign));
    for (start, sign) in starts {
        let word = start + gap(text, start);
        let number = turn_number(&text[word..]).filter(|number| number.is_marked && number.value == 1);
        if !context.has_moves && number.is_some() && goes_on(text, word, context.players) {
            return TextLine { kind: LineKind::Moves, number: Some(1), at: word };
        }
        let is_label = sign == ":" && text[at..start].split_whitespace().take(4).count() < 4;
        if is_label && is_move(text, word) {
            return found(LineKind::Moves, word);
        }
        // `My move: 4. d6-c6` in a message.
        let number = turn_number(&text[word..]).filter(|number| is_label && number.is_marked);
        if let Some(number) = number
            && matches!(count(text, word + number.length), (1..=2, 0))
        {
            return TextLine { kind: LineKind::Moves, number: Some(number.value), at: word };
        }
    }
    let is_game = n_moves >= n_words || looks_like_move(&text[at..]);
    found(if is_game { LineKind::Moves } else { LineKind::Mention }, at)
}

/// The end of a line, and the beginning of the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineEnd {
    pub(super) end: usize,
    pub(super) next: usize,
}

/// Returns where the line at an offset ends: at a line feed, or in HTML at a tag of a paragraph between two texts.
pub(super) fn line_end(text: &[u8], at: usize) -> LineEnd {
    let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length);
    let line = &text[at..end];
    let (mut from, mut has_text) = (0, false);
    while let Some(open) = memchr::memchr(b'<', &line[from..]).map(|length| from + length) {
        has_text |= !line[from..open].trim_ascii().is_empty();
        let Some(tag) = html_tag(&line[open..]) else {
            from = open + 1;
            continue;
        };
        from = open + tag.length;
        if tag.is_block && has_text {
            let is_last = line[from..].trim_ascii().is_empty();
            return if is_last {
                LineEnd { end, next: end + 1 }
            } else {
                LineEnd { end: at + open, next: at + from }
            };
        }
    }
    LineEnd { end, next: end + 1 }
}

/// A tag of HTML.
struct HtmlTag {
    length: usize,
    /// Whether it begins or ends a paragraph.
    is_block: bool,
}

/// Reads a tag of HTML at the start of a text.
fn html_tag(text: &[u8]) -> Option<HtmlTag> {
    // No tag is longer, so that open brackets do not cost a search of the whole line each.
    const LONGEST: usize = 200;
    let name = text.strip_prefix(b"<")?;
    let name = name.strip_prefix(b"/").unwrap_or(name);
    let length = name.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if !name.first().is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let blocks: [&[u8]; 12] =
        [b"p", b"br", b"div", b"li", b"h1", b"h2", b"h3", b"h4", b"h5", b"h6", b"blockquote", b"hr"];
    let is_block = blocks.iter().any(|block| name[..length].eq_ignore_ascii_case(block));
    let end = memchr::memchr(b'>', &text[..text.len().min(LONGEST)])?;
    Some(HtmlTag { length: end + 1, is_block })
}

/// Returns whether a text in no known notation has at least two moves of a game: moves along a file or a rank
/// (or an axis of a hexagonal board) of a board of usual size, in lines of moves. One move is enough in a line with the turn
/// number 1, after a tag with a variant.
pub(crate) fn has_moves(head: &[u8]) -> bool {
    let players = PlayerNames::default();
    let mut n_moves = 0;
    let mut has_variant = false;
    let mut captures = Vec::new();
    let mut start = 0;
    while start < head.len() {
        let LineEnd { end, next } = line_end(head, start);
        let line = decode_text(&head[start..end]);
        start = next;
        let found = TextLine::of(&line, LineContext { has_moves: n_moves > 0, players: &players });
        if found.kind != LineKind::Moves {
            has_variant |= found.kind == LineKind::Tag && tags::names_variant(&line, found.at);
            continue;
        }
        let enough = if has_variant && found.number == Some(1) { 1 } else { 2 };
        let mut at = found.at;
        while at < line.len() {
            at += gap(&line, at);
            if at >= line.len() {
                break;
            }
            match loose_move(&line, at, &mut captures) {
                Some(read) => {
                    n_moves += usize::from(is_plausible(&read.mv));
                    at = read.end;
                }
                None => at += word_length(&line[at..]),
            }
            captures.clear();
        }
        if n_moves >= enough {
            return true;
        }
    }
    false
}

fn is_plausible(mv: &crate::record::WrittenMove) -> bool {
    let (files, ranks) = (mv.to.file - mv.from.file, mv.to.rank - mv.from.rank);
    let is_straight = (files == 0) != (ranks == 0) || (files == ranks && files != 0 && mv.span.len() > 4);
    let is_on_board = |number: i16| (0..19).contains(&number);
    is_straight && [mv.from.file, mv.from.rank, mv.to.file, mv.to.rank].into_iter().all(is_on_board)
}
