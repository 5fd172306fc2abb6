//! The words of a line of moves in any text: gaps, turn numbers, moves in loose forms, and labels of sides.

use tafl_rules::{Side, Span};

use crate::record::{MoveMark, WrittenCapture, WrittenMove};
use crate::token::MoveReader;
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
            '|' | '"' | ',' | '`' | '\u{feff}' | '\u{200b}' | '“' | '”' => symbol.len_utf8(),
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

/// Returns the beginning of a text, in which the end of a word or a tag is searched. Without a limit, a long text of
/// opening brackets would take quadratic time.
pub(super) fn near(text: &str) -> &str {
    &text[..text.floor_char_boundary(4096)]
}

/// Returns the length of a tag or an entity of HTML, or of a tag of a forum, at the start of a text; 0 if there is
/// none.
pub(super) fn markup(text: &str) -> usize {
    const FORUM: [&str; 12] =
        ["b", "i", "u", "code", "quote", "url", "pre", "list", "spoiler", "game", "size", "color"];
    let length = match text.as_bytes() {
        [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!', ..] => near(text).find('>').map(|end| end + 1),
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
            near(text).find(']').map(|end| end + 1).filter(|_| is_known && ends)
        }
        _ => None,
    };
    length.unwrap_or(0)
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
            _ => return at,
        };
        at += lead;
        at += gap(line, at);
    }
}

/// A turn number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) value: u32,
    pub(super) length: usize,
    /// Whether a sign such as `.` shows that it is a turn number.
    pub(super) is_marked: bool,
    /// Whether the dots after it stand for the move of the first player: `1...`.
    pub(super) skips_first: bool,
}

/// Reads a turn number at the start of a text: `12.`, `12)`, `12:`, `(12)`, or `12` before a blank.
pub(super) fn turn_number(text: &str) -> Option<Number> {
    let is_enclosed = text.starts_with('(');
    let digits_at = usize::from(is_enclosed);
    let digits = text[digits_at..].bytes().take_while(u8::is_ascii_digit).count();
    let value = text[digits_at..digits_at + digits].parse().ok()?;
    let rest = &text[digits_at + digits..];
    let number = |signs: usize, is_marked, skips_first| {
        Some(Number { value, length: digits_at + digits + signs, is_marked, skips_first })
    };
    if is_enclosed {
        return if rest.starts_with(')') { number(1, true, false) } else { None };
    }
    let dots = rest.bytes().take_while(|byte| *byte == b'.').count();
    match rest.as_bytes().first() {
        Some(b'.') => number(dots + usize::from(rest[dots..].starts_with(')')), true, dots > 1),
        Some(b')') => number(1, true, false),
        Some(b':') if !rest[1..].starts_with(|next: char| next.is_ascii_digit()) => number(1, true, false),
        _ if rest.starts_with('…') => number('…'.len_utf8(), true, true),
        None => number(0, false, false),
        Some(b' ' | b'\t' | b'|' | b'<' | b'*' | b'&') => number(0, false, false),
        Some(_) if rest.starts_with('\u{a0}') => number(0, false, false),
        Some(_) => None,
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
    let rest = near(&upto[at..]);
    let end = at + rest.find(char::is_whitespace).unwrap_or(rest.len());
    let word = &upto[at..end];
    let bare = word.trim_end_matches(['x', 'X', '×', '✕', '✖']);
    if bare.len() < word.len()
        && let Some(mv) = whole_word(upto, (at, at + bare.len()), captures)
    {
        let mv = WrittenMove { span: Span::new(at, end), ..mv };
        return Some(LooseMove { mv, end, lacks_capture: true });
    }
    let bare = word.trim_end_matches(['+', '!', '?', '#', '=', '-', '.', ':']);
    if bare.len() < word.len()
        && let Some(mv) = whole_word(upto, (at, at + bare.len()), captures)
    {
        let mark = mark(&word[bare.len()..]).unwrap_or_default();
        return read(WrittenMove { mark, span: Span::new(at, end), ..mv }, end);
    }
    None
}

fn whole_word(
    upto: &str,
    (at, end): (usize, usize),
    captures: &mut Vec<WrittenCapture>,
) -> Option<WrittenMove> {
    let input = &upto.as_bytes()[at..end];
    match MoveReader::new(end, captures).step(input) {
        Ok(([], mv)) => Some(mv),
        Ok(_) | Err(_) => None,
    }
}

/// Returns the first mark in a word that consists of marks.
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
    let is_mark = !word.is_empty() && word.bytes().all(|byte| b"+!?#=-.:".contains(&byte));
    MARKS.into_iter().find(|mark| is_mark && word.starts_with(mark.as_str()))
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
        let length = rest.find(|symbol: char| !symbol.is_ascii_alphabetic()).unwrap_or(rest.len());
        Some((side_of(&rest[..length])?, length))
    })?;
    let rest = &rest[length..];
    let sign = rest.trim_start_matches([' ', '\t', ':', '.', ')', '=', '*', '-']);
    let at = upto.len() - sign.len();
    let at = at + gap(upto, at);
    (at > upto.len() - rest.len() && is_move(upto, at)).then_some((side, at))
}

/// Returns the side of a word or an abbreviation before a move.
fn side_of(word: &str) -> Option<Side> {
    let is = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
    match words::side(word) {
        Some(side) => Some(side),
        None if is(&["a", "att", "atk", "b", "blk", "muscovites", "muscovite"]) => Some(Side::Attackers),
        None if is(&["d", "def", "dfd", "w", "wht", "swedes", "swede"]) => Some(Side::Defenders),
        None => None,
    }
}
