//! Comments on moves in one field: a line `ply 12: text` begins the comment on the twelfth move, and the lines before the
//! first of them are a comment on the start.

use std::fmt::Write;

/// A comment in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldComment<'t> {
    /// The number of moves before it.
    pub(crate) after: u32,
    pub(crate) text: &'t str,
}

/// Returns the comments in a field.
pub(crate) fn split_comments(field: &str) -> Vec<FieldComment<'_>> {
    let mut comments: Vec<FieldComment<'_>> = Vec::new();
    let mut start = 0;
    let mut after = None;
    let mut at = 0;
    for line in field.split_inclusive('\n') {
        if let Some((ply, length)) = mark(line) {
            if at > 0 {
                comments
                    .push(FieldComment { after: after.unwrap_or(0), text: line_before(&field[start..at]) });
            }
            (after, start) = (Some(ply), at + length);
        }
        at += line.len();
    }
    comments.push(FieldComment { after: after.unwrap_or(0), text: &field[start..] });
    comments
}

/// Returns a text without the line end after it.
fn line_before(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

/// Reads `ply 12: ` at the start of a line; returns the number and the length.
fn mark(line: &str) -> Option<(u32, usize)> {
    let (number, rest) = line.strip_prefix("ply ")?.split_once(": ")?;
    let is_plain =
        number == "0" || number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    Some((number.parse().ok().filter(|_| is_plain)?, line.len() - rest.len()))
}

/// Returns a field with these comments; `None` if [`split_comments`] would return others.
pub(crate) fn join_comments(comments: &[FieldComment<'_>]) -> Option<String> {
    let mut field = String::new();
    for (nth, comment) in comments.iter().enumerate() {
        if nth > 0 {
            field.push('\n');
        }
        if nth > 0 || comment.after > 0 {
            write!(field, "ply {}: ", comment.after).expect("a String takes everything");
        }
        field.push_str(comment.text);
    }
    (split_comments(&field) == comments).then_some(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(after: u32, text: &str) -> FieldComment<'_> {
        FieldComment { after, text }
    }

    #[test]
    fn comments_are_read_as_they_were_written() {
        for (comments, field) in [
            (vec![comment(0, "a game")], "a game"),
            (vec![comment(0, "a game\nby mail")], "a game\nby mail"),
            (vec![comment(2, "nice")], "ply 2: nice"),
            (
                vec![
                    comment(0, "a game"),
                    comment(2, "nice\nmove"),
                    comment(2, "really"),
                    comment(7, "late"),
                ],
                "a game\nply 2: nice\nmove\nply 2: really\nply 7: late",
            ),
            (vec![comment(0, "one"), comment(0, "two")], "one\nply 0: two"),
        ] {
            assert_eq!(join_comments(&comments).as_deref(), Some(field));
            assert_eq!(split_comments(field), comments, "{field:?}");
        }
    }

    #[test]
    fn a_comment_that_looks_like_a_mark_is_not_written() {
        assert_eq!(join_comments(&[comment(0, "see\nply 3: it wins")]), None);
        for plain in ["ply 3 wins", "ply three: it wins", "ply 03: x", "Ply 3: x", "at ply 3: x"] {
            assert_eq!(split_comments(plain), [comment(0, plain)]);
        }
    }
}
