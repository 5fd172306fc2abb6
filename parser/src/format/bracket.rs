//! Brackets of OpenTafl's records: tags and comments, whose text has no escape for a bracket.

use memchr::memchr2_iter;

/// Returns the place of the bracket that closes the one at the start of `input`, or nothing where none does.
///
/// Comments hold brackets of their own, such as `[see 12b]`, and lonely ones. So a bracket closes when it is balanced
/// and a line, another bracket or a turn begins behind it; where none does so, the first one closes.
pub(crate) fn close(input: &[u8]) -> Option<usize> {
    let mut depth = 0u32;
    let mut first = None;
    for at in memchr2_iter(b'[', b']', input).skip(1) {
        if input[at] == b'[' {
            depth += 1;
            continue;
        }
        first = first.or(Some(at));
        if depth > 0 {
            depth -= 1;
        } else if ends_part(&input[at + 1..]) {
            return Some(at);
        }
    }
    first
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
        assert_eq!(close(b"[a [b\n]\n"), Some(6));
    }
}
