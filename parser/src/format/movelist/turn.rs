//! The words of a line of moves in any text: gaps, moves in loose forms, and labels of sides.

use std::ops::Range;

use tafl_rules::{Side, Span};

use super::turn_number::ends_word;
pub(super) use super::turn_number::{Number, turn_number};
use crate::record::{MoveMark, WrittenCapture, WrittenMove};
use crate::token::{self, MoveReader};
use crate::words::{self, PlayerNames};

/// Returns the length of the blanks and markup at an offset of a line: table borders, quotes, commas, tags and
/// entities of HTML, emphasis.
pub(super) fn gap(line: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let rest = &line[end..];
        let before = line[..end].chars().next_back();
        let Some(symbol) = rest.chars().next() else { break };
        end += match symbol {
            '|' | '"' | ',' | '`' | '“' | '”' => symbol.len_utf8(),
            '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => symbol.len_utf8(),
            _ if symbol.is_whitespace() => symbol.len_utf8(),
            // A star between blanks is a result.
            '*' if rest[1..].starts_with(|next: char| !next.is_whitespace())
                || before.is_some_and(|before| !before.is_whitespace()) =>
            {
                1
            }
            '<' | '&' | '[' => match markup(rest) {
                0 => break,
                length => length,
            },
            _ => break,
        };
    }
    end - at
}

/// Returns the beginning of a text, in which the end of a tag, a remark, or a sentence is searched.
pub(super) fn near(text: &str) -> &str {
    &text[..text.floor_char_boundary(4096)]
}

/// Returns the offset of the first of two signs near the start of a text, if it is `close`. The other one opens the next
/// tag: without it, the whole text would be searched from each opening bracket of a long line of them.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let inside = &near(text)[1..];
    let found = inside.find([open, close]);
    #[cfg(test)]
    tests::count_steps(found.unwrap_or(inside.len()));
    found.map(|at| at + 1).filter(|at| text[*at..].starts_with(close))
}

/// Returns the length of a tag or an entity of HTML, or of a tag of a forum, at the start of a text; 0 if there is
/// none.
pub(super) fn markup(text: &str) -> usize {
    const FORUM: [&str; 12] =
        ["b", "i", "u", "code", "quote", "url", "pre", "list", "spoiler", "game", "size", "color"];
    let length = match text.as_bytes() {
        [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!', ..] => closing(text, '<', '>').map(|end| end + 1),
        [b'&', ..] => {
            let name =
                text[1..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
            (name > 1 && text[1 + name..].starts_with(';')).then_some(name + 2)
        }
        [b'[', ..] => {
            let name = text[1..].trim_start_matches('/');
            let word = name.bytes().take_while(u8::is_ascii_alphabetic).count();
            let is_known = FORUM.iter().any(|known| name[..word].eq_ignore_ascii_case(known));
            let ends = name[word..].starts_with([']', '=']);
            if is_known && ends { closing(text, '[', ']').map(|end| end + 1) } else { None }
        }
        _ => None,
    };
    length.unwrap_or(0)
}

/// Returns the length of a word before a turn number: `Turn 1:`, `Move 1.`; 0 without such a word.
pub(super) fn turn_word(text: &str) -> usize {
    let length = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let is_known = ["turn", "move", "round"].iter().any(|word| text[..length].eq_ignore_ascii_case(word));
    let next = length + text[length..].len() - text[length..].trim_start_matches([' ', '\t']).len();
    let is_numbered = next > length && turn_number(&text[next..]).is_some_and(|number| number.is_marked);
    if is_known && is_numbered { next } else { 0 }
}

/// Returns the length of the time in brackets that chat programs write before a line, and of the name after it: `[12:01]
/// <ann> `; 0 without one.
fn time_stamp(text: &str) -> usize {
    let Some(inside) = text.strip_prefix('[') else { return 0 };
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut at = digits(inside);
    let mut n_parts = usize::from((1..=2).contains(&at));
    while n_parts > 0 && n_parts < 3 && inside[at..].starts_with(':') && digits(&inside[at + 1..]) == 2 {
        at += 3;
        n_parts += 1;
    }
    if n_parts > 1 && inside[at..].starts_with(']') { at + 2 } else { 0 }
}

/// Returns the offset of the first word of a line, after quotation marks of messages, bullets, and markup.
pub(super) fn content(line: &str) -> usize {
    let mut at = gap(line, 0);
    loop {
        let rest = &line[at..];
        let is_bullet =
            ["- ", "+ ", "* ", "• ", "· ", "◦ ", "▪ ", "‣ "].iter().any(|bullet| rest.starts_with(bullet));
        let lead = match rest.chars().next() {
            Some(lead @ ('>' | '•')) => lead.len_utf8(),
            Some(lead) if is_bullet => lead.len_utf8(),
            Some('[') if time_stamp(rest) > 0 => time_stamp(rest),
            _ => return at + turn_word(rest),
        };
        at += lead;
        at += gap(line, at);
    }
}

/// A move in a loose form.
#[derive(Debug, Clone, Copy)]
pub(super) struct LooseMove {
    pub(super) mv: WrittenMove,
    /// One past its last byte.
    pub(super) end: usize,
    /// Whether it ends with an `x` without the cell of the captured piece.
    pub(super) lacks_capture: bool,
}

/// Reads a move at an offset of a line that ends the text `upto`, and appends its captures.
pub(super) fn loose_move(upto: &str, at: usize, captures: &mut Vec<WrittenCapture>) -> Option<LooseMove> {
    let input = &upto.as_bytes()[at..];
    let read = |mv, end| Some(LooseMove { mv, end, lacks_capture: false });
    if let Ok((rest, mv)) = MoveReader::new(upto.len(), captures).step(input) {
        return read(mv, upto.len() - rest.len());
    }
    // No other form begins with anything but one or two letters and a digit.
    let letters = input.iter().take(3).take_while(|byte| byte.is_ascii_alphabetic()).count();
    if !(1..=2).contains(&letters) || !input.get(letters).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    if let Ok((rest, mv)) = MoveReader::new(upto.len(), captures).apart(input) {
        return read(mv, upto.len() - rest.len());
    }
    if let Ok((rest, mv)) = MoveReader::new(upto.len(), captures).other_link(input) {
        return read(mv, upto.len() - rest.len());
    }
    with_loose_end(upto, at, captures)
}

/// Reads a move that ends with other signs before a blank: an `x` without a cell, or several marks.
///
/// Only the signs after the move are examined, not the rest of the word: a line may be one long word.
fn with_loose_end(upto: &str, at: usize, captures: &mut Vec<WrittenCapture>) -> Option<LooseMove> {
    let first = captures.len();
    let (rest, mv) = MoveReader::new(upto.len(), captures).beginning(&upto.as_bytes()[at..]).ok()?;
    let signs = &upto[upto.len() - rest.len()..];
    let until = |end: usize, mark, lacks_capture| {
        let mv = WrittenMove { mark, span: Span::new(at, end), ..mv };
        LooseMove { mv, end, lacks_capture }
    };
    let found = if let Some(word) = mark_word(signs) {
        let end = upto.len() - signs.len() + word.len();
        Some(until(end, mark(word).unwrap_or_default(), false))
    } else {
        let (signs, mark) = token::mark(rest).ok()?;
        let signs = &upto[upto.len() - signs.len()..];
        let mut rest = signs;
        while let Some(after) = token::capture_sign(rest.as_bytes(), "xX") {
            rest = &rest[rest.len() - after.len()..];
        }
        let is_end = rest.len() < signs.len() && ends_word(rest);
        is_end.then(|| until(upto.len() - rest.len(), mark, true))
    };
    if found.is_none() {
        captures.truncate(first);
    }
    found
}

/// Returns the length of a word for a capture and the blanks after it: `takes e3`, `capturing e3`. A sign of a capture
/// may follow.
pub(super) fn capture_verb(text: &str) -> Option<usize> {
    const VERBS: [&str; 6] = ["takes", "taking", "captures", "capturing", "capture", "captured"];
    let length = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let blanks = text[length..].len() - text[length..].trim_start_matches([' ', '\t']).len();
    let is_verb = VERBS.iter().any(|verb| text[..length].eq_ignore_ascii_case(verb));
    (is_verb && blanks > 0).then_some(length + blanks)
}

/// Returns the signs of marks that make up the word at the start of a text.
pub(super) fn mark_word(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(['+', '!', '?', '#', '=', '-', '.', ':']);
    (rest.len() < text.len() && ends_word(rest)).then(|| &text[..text.len() - rest.len()])
}

/// Returns the first mark of a word of marks.
pub(super) fn mark(word: &str) -> Option<MoveMark> {
    const MARKS: [MoveMark; 10] = [
        MoveMark::BangBang,
        MoveMark::BangQuestion,
        MoveMark::QuestionBang,
        MoveMark::QuestionQuestion,
        MoveMark::PlusPlus,
        MoveMark::Bang,
        MoveMark::Question,
        MoveMark::Hash,
        MoveMark::Plus,
        MoveMark::Equal,
    ];
    MARKS.into_iter().find(|mark| word.starts_with(mark.as_str()))
}

/// Returns whether a move begins at an offset.
pub(super) fn is_move(upto: &str, at: usize) -> bool {
    loose_move(upto, at, &mut Vec::new()).is_some()
}

/// Returns whether the game goes on at an offset: with a move, or with a turn number and something other than
/// words.
pub(super) fn goes_on(upto: &str, at: usize, players: &PlayerNames) -> bool {
    let mut at = at + gap(upto, at);
    if let Some(number) = turn_number(&upto[at..]) {
        at += number.length;
        at += gap(upto, at);
        at += placeholder(&upto[at..]);
        at += gap(upto, at);
    }
    is_move(upto, at) || label(upto, at, players).is_some()
}

/// A part of a line that holds nothing but moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeparatedMoves {
    is_numbered: bool,
    n_moves: usize,
}

impl SeparatedMoves {
    /// Returns whether the part is a move without a turn number.
    pub(super) const fn is_bare_move(self) -> bool {
        !self.is_numbered && self.n_moves == 1
    }
}

/// Reads a part of a line that holds one or two moves, after an optional turn number, and nothing else.
pub(super) fn separated(upto: &str, part: Range<usize>, players: &PlayerNames) -> Option<SeparatedMoves> {
    let start = part.start;
    let part = upto[..part.end].trim_end();
    let mut at = start.min(part.len());
    at += gap(part, at);
    let number = turn_number(&part[at..]);
    at += number.map_or(0, |number| number.length);
    let mut n_moves = 0;
    while n_moves < 3 {
        at += gap(part, at);
        if at >= part.len() {
            break;
        }
        at = label(part, at, players).map_or(at, |(_, next)| next);
        at = loose_move(part, at, &mut Vec::new())?.end;
        n_moves += 1;
    }
    (1..=2).contains(&n_moves).then_some(SeparatedMoves { is_numbered: number.is_some(), n_moves })
}

/// Returns whether a sign stands between all moves of a line, or between all its turns, which have numbers and two
/// moves; only the last one may have a single move if there are more than two.
pub(super) fn is_separated_list(line: &str, start: usize, sign: &str, players: &PlayerNames) -> bool {
    // A long line is a text, and reading all of it at each sign would take quadratic time.
    if line.len() - start > 4096 {
        return false;
    }
    let mut parts = Vec::new();
    let mut at = start;
    loop {
        // A hyphen inside a move is not a separator.
        let sign_at = line[at..].match_indices(sign).map(|(nth, _)| at + nth).find(|nth| {
            sign == ";"
                || line[..*nth].ends_with(char::is_whitespace) && !line[nth + sign.len()..].starts_with('-')
        });
        let Some(part) = separated(line, at..sign_at.unwrap_or(line.len()), players) else { return false };
        parts.push(part);
        let Some(next) =
            sign_at.map(|next| next + sign.len()).filter(|next| !line[*next..].trim().is_empty())
        else {
            break;
        };
        at = next;
    }
    let Some((last, others)) = parts.split_last() else { return false };
    let are_moves = parts.iter().all(|part| part.is_bare_move());
    let is_turn = |part: &SeparatedMoves| part.is_numbered && part.n_moves == 2;
    let are_turns = others.iter().all(is_turn) && (is_turn(last) || others.len() > 1 && last.is_numbered);
    are_moves || are_turns
}

/// Returns the length of a word that stands for no move, such as `____` and `...`; 0 for other words.
pub(super) fn placeholder(text: &str) -> usize {
    let Some(sign) = text.chars().next().filter(|sign| "_.…-–—".contains(*sign)) else { return 0 };
    let length = text.len() - text.trim_start_matches(sign).len();
    let ends = text[length..].chars().next().is_none_or(|next| next.is_whitespace() || next == '|');
    // `---` is a resignation.
    if ends && length > 1 && !(sign == '-' && length == 3) { length } else { 0 }
}

/// Reads the name of a side or of a player before a move: `Att:`, `W`. Returns the side and the offset of the move.
pub(super) fn label(upto: &str, at: usize, players: &PlayerNames) -> Option<(Side, usize)> {
    let rest = &upto[at..];
    let (side, length) = players.read(rest).or_else(|| {
        let length = rest.find(|symbol: char| !symbol.is_alphabetic()).unwrap_or(rest.len());
        let word = &rest[..length];
        // Words of other languages are also words of prose, unlike `Schwarz: d1-f1`.
        let in_other_language = || {
            let is_label = rest[length..].starts_with(':');
            is_label.then(|| words::side_in_any_language(&word.to_lowercase())).flatten()
        };
        Some((words::short_side(word).or_else(in_other_language)?, length))
    })?;
    let rest = &rest[length..];
    let sign = rest.trim_start_matches([' ', '\t', ':', '.', ')', '=', '*', '-']);
    let at = upto.len() - sign.len();
    let at = at + gap(upto, at);
    (at > upto.len() - rest.len() && is_move(upto, at)).then_some((side, at))
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;

    use super::super::parse;
    use crate::source::Source;

    thread_local! {
        /// The number of characters that were searched for the end of a word or a bracket, or for the start of a line.
        static STEPS: Cell<usize> = const { Cell::new(0) };
    }

    pub(in super::super) fn count_steps(n: usize) {
        STEPS.set(STEPS.get() + n);
    }

    #[test]
    fn long_words_open_brackets_and_long_lines_are_searched_in_linear_time() {
        for part in [
            "x,", "a1x,", "a1-a2x,", "a1:a2,", "a1-a2:x,", "!,", "<a", "[b=", "(a ", "[z ", "{a\n", "{",
            "7 x, ",
        ] {
            let steps = |n: usize| {
                STEPS.set(0);
                parse(&Source::new(&format!("1. d2-f2 {}", part.repeat(n))));
                STEPS.get()
            };
            let (one, two) = (steps(4_000), steps(8_000));
            assert!(two <= 2 * one + 10_000, "{part:?}: {one} steps, then {two}");
            assert!(two <= 8 * 8_000 * part.len(), "{part:?}: {two} steps");
        }
    }
}
