//! Brackets of OpenTafl's records: tags and comments, whose text has no escape for a bracket.

use memchr::memchr2_iter;

/// The tags of OpenTafl's records; only these begin a record behind another one.
const TAGS: [&[u8]; 20] = [
    b"event",
    b"site",
    b"date",
    b"round",
    b"attackers",
    b"defenders",
    b"result",
    b"annotator",
    b"compiler",
    b"time-control",
    b"time-remaining",
    b"termination",
    b"variant",
    b"start-comment",
    b"puzzle-mode",
    b"puzzle-prestart",
    b"puzzle-start",
    b"position",
    b"rules",
    b"id",
];

/// Returns the name of the known tag that begins at the start of `line`, if one does.
pub(crate) fn known_tag(line: &[u8]) -> Option<&'static [u8]> {
    let inside = line.strip_prefix(b"[")?;
    let is_it =
        |tag: &&&[u8]| inside.get(tag.len()) == Some(&b':') && inside[..tag.len()].eq_ignore_ascii_case(tag);
    TAGS.iter().find(is_it).copied()
}

/// Returns whether a line is a tag of PGN: `[Event "..."]`.
pub(crate) fn is_pgn_tag(line: &[u8]) -> bool {
    let Some(inside) = line.strip_prefix(b"[") else { return false };
    let name = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && inside[name..].trim_ascii_start().starts_with(b"\"")
}

/// Where a bracket may be closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Closing {
    /// The bracket that closes it properly.
    pub(crate) proper: Option<usize>,
    /// The first closing bracket of all, for want of a proper one.
    pub(crate) first: Option<usize>,
}

/// Returns the places of the brackets that may close the one at the start of `input`.
///
/// Comments hold brackets of their own, such as `[see 12b]`, and lonely ones. So a bracket closes properly when it is
/// balanced and a line, another bracket or a turn begins behind it. A known tag at the start of a line ends the search.
pub(crate) fn closing(input: &[u8]) -> Closing {
    let mut depth = 0u32;
    let mut first = None;
    for at in memchr2_iter(b'[', b']', input).skip(1) {
        if input[at] == b'[' {
            if input[at - 1] == b'\n' && known_tag(&input[at..]).is_some() {
                break;
            }
            depth += 1;
            continue;
        }
        first = first.or(Some(at));
        if depth > 0 {
            depth -= 1;
        } else if ends_part(&input[at + 1..]) {
            return Closing { proper: Some(at), first };
        }
    }
    Closing { proper: None, first }
}

/// Returns the place of the bracket that closes the one at the start of `input`, or nothing where none does.
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

/// Splits the inside of a tag at its colon; nothing where no name stands before one.
pub(crate) fn split_tag(inside: &str) -> Option<(&str, &str)> {
    let (name, value) = inside.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_name.then_some((name, value))
}

/// Returns how many bytes a finding about an open bracket marks: at most 40, whole characters.
pub(crate) fn marked(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at + 40) - at
}

#[cfg(test)]
mod tests {
    use super::close;

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
