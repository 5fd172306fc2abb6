//! Brackets of OpenTafl records: tags and comments, whose text cannot escape a bracket.

mod table;

use memchr::memchr2_iter;

use crate::record::tag;

pub(crate) use table::Brackets;

/// The tags of OpenTafl records; only these begin a new record after another one.
const TAGS: [&str; 20] = [
    tag::EVENT,
    tag::SITE,
    tag::DATE,
    tag::ROUND,
    tag::ATTACKERS,
    tag::DEFENDERS,
    "result",
    tag::ANNOTATOR,
    tag::COMPILER,
    tag::TIME_CONTROL,
    tag::TIME_REMAINING,
    tag::TERMINATION,
    "variant",
    tag::START_COMMENT,
    tag::PUZZLE_MODE,
    tag::PUZZLE_PRESTART,
    tag::PUZZLE_START,
    "position",
    "rules",
    tag::ID,
];

/// The length of the longest tag.
const LONGEST_TAG: usize = tag::PUZZLE_PRESTART.len();

/// Returns the known tag that begins at the start of `line`, if any.
pub(crate) fn known_tag(line: &[u8]) -> Option<&'static str> {
    let inside = line.strip_prefix(b"[")?;
    // Most brackets that are not tags have no colon this close.
    let length = inside.iter().take(LONGEST_TAG + 1).position(|byte| *byte == b':')?;
    let is_it = |tag: &&&str| inside[..length].eq_ignore_ascii_case(tag.as_bytes());
    TAGS.iter().find(is_it).copied()
}

/// Returns the name of the tag that begins at the start of `line`, known or not: `game` of `[game: x]`.
pub(crate) fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let inside = line.strip_prefix(b"[")?;
    let length = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    let is_name = inside.first().is_some_and(u8::is_ascii_alphabetic) && inside.get(length) == Some(&b':');
    is_name.then(|| &inside[..length])
}

/// Returns whether a line is a PGN tag: `[Event "..."]`.
pub(crate) fn is_pgn_tag(line: &[u8]) -> bool {
    pgn_tag_name(line).is_some()
}

/// Returns the name of the PGN tag at the start of a line: `Event` of `[Event "..."]`.
pub(crate) fn pgn_tag_name(line: &[u8]) -> Option<&[u8]> {
    let inside = line.strip_prefix(b"[")?;
    let length = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let is_tag = length > 0 && inside[length..].trim_ascii_start().starts_with(b"\"");
    is_tag.then(|| &inside[..length])
}

/// The possible ends of a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ClosingBrackets {
    /// The properly closing bracket.
    pub(crate) proper: Option<usize>,
    /// The first closing bracket, as a fallback if there is no proper one.
    pub(crate) first: Option<usize>,
    /// Whether a known tag ended the search, so that no later text can close the bracket.
    pub(crate) is_cut_off: bool,
}

/// Returns the positions of the brackets that may close the one at the start of `input`.
///
/// Comments contain brackets of their own, such as `[see 12b]`, and unbalanced ones. A bracket therefore
/// closes properly if it is balanced and a line end, another bracket, or a turn follows it. A known tag at
/// the start of a line ends the search.
pub(crate) fn closing(input: &[u8]) -> ClosingBrackets {
    closing_among(input, usize::MAX).unwrap_or_default()
}

/// Like [`closing`], but returns `None` if more than `most` brackets would have to be examined.
fn closing_among(input: &[u8], most: usize) -> Option<ClosingBrackets> {
    let mut depth = 0u32;
    let mut found = ClosingBrackets::default();
    for (nth, at) in memchr2_iter(b'[', b']', input).skip(1).enumerate() {
        if nth >= most {
            return None;
        }
        if input[at] == b'[' {
            if begins_tag(input, at) {
                found.is_cut_off = true;
                break;
            }
            depth += 1;
            continue;
        }
        found.first = found.first.or(Some(at));
        if depth > 0 {
            depth -= 1;
        } else if ends_part(&input[at + 1..]) {
            found.proper = Some(at);
            break;
        }
    }
    Some(found)
}

/// Returns whether a bracket begins a known tag at the start of a later line.
fn begins_tag(text: &[u8], at: usize) -> bool {
    at > 0 && text[at - 1] == b'\n' && known_tag(&text[at..]).is_some()
}

/// Returns the position of the bracket that closes the one at the start of `input`, if any.
pub(crate) fn close(input: &[u8]) -> Option<usize> {
    let closing = closing(input);
    closing.proper.or(closing.first)
}

/// Returns whether a bracket before these bytes can close a tag or a comment.
fn ends_part(rest: &[u8]) -> bool {
    match rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) {
        None => true,
        Some(byte) => matches!(byte, b'\n' | b'[') || byte.is_ascii_digit(),
    }
}

/// Splits the content of a tag at its colon; `None` if there is no name before a colon.
pub(crate) fn split_tag(inside: &str) -> Option<(&str, &str)> {
    let (name, value) = inside.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_name.then_some((name, value))
}

/// Returns the value of a tag without the blanks and control characters around it.
pub(crate) fn trimmed(value: &str) -> &str {
    value.trim_matches(|symbol: char| symbol.is_whitespace() || symbol.is_control())
}

/// Returns the number of bytes marked by a diagnostic about an open bracket: at most 40, in whole characters.
pub(crate) fn marked(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at + 40) - at
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::table::BracketTable;
    use super::{Brackets, close, closing};

    /// Brackets and the text between them.
    const PARTS: [&str; 8] = ["[", "]", "[", "]", " a", "1. ", "\n", "\n[event:"];

    #[test]
    fn the_bracket_table_equals_single_searches() {
        let mut rng = Rng::new(7);
        for round in 0..3000 {
            let mut text = String::new();
            for _ in 0..round % 40 {
                text.push_str(PARTS[rng.below(PARTS.len())]);
            }
            let bytes = text.as_bytes();
            let table = BracketTable::of(bytes);
            for (at, _) in text.match_indices('[') {
                let searched = closing(&bytes[at..]);
                let place = |found: Option<usize>| found.map(|found| found + at);
                let (proper, first) = (place(searched.proper), place(searched.first));
                let found = table.closing(at);
                assert_eq!((found.proper, found.first), (proper, first), "{text:?} at {at}");
                // A successful search does not check whether a tag follows.
                assert!(proper.is_some() || found.is_cut_off == searched.is_cut_off, "{text:?} at {at}");
                assert_eq!(Brackets::new(bytes).closing(at).proper, proper);
            }
        }
    }

    #[test]
    fn many_open_brackets_take_no_longer_than_their_number() {
        let text = "[a:b][".repeat(200_000);
        let brackets = Brackets::new(text.as_bytes());
        let n_open = text.match_indices('[').filter(|(at, _)| brackets.closing(*at).proper.is_none()).count();
        assert_eq!(n_open, 200_000);
    }

    #[test]
    fn every_tag_is_known() {
        for tag in super::TAGS {
            let line = format!("[{tag}: a]").to_ascii_uppercase();
            assert_eq!(super::known_tag(line.as_bytes()), Some(tag));
            assert!(tag.len() <= super::LONGEST_TAG);
        }
        assert_eq!(super::known_tag(b"[even: a]"), None);
        assert_eq!(super::known_tag(b"[event a]"), None);
    }

    #[test]
    fn brackets_inside_of_a_comment_do_not_close_it() {
        assert_eq!(close(b"[a [b] c]\n1. x"), Some(8));
        assert_eq!(close(b"[a ] c]\n"), Some(6));
        assert_eq!(close(b"[a] 1. d1-d3"), Some(2));
        assert_eq!(close(b"[a][b]"), Some(2));
        assert_eq!(close(b"[a] no end"), Some(2));
        assert_eq!(close(b"[a"), None);
        assert_eq!(close(b"[event: a\n[date: b]\n"), None);
        assert_eq!(close(b"[a [b\n]\n"), Some(6));
    }
}
