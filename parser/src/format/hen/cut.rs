//! Boundaries between HEN records in one text.

use memchr::{memchr, memmem};

use super::position::is_board;
use crate::source::TextEnd;

/// Returns the offset where the next record begins, if it begins in these bytes: at a board in one line, or at
/// the comments before it. If the moves come first, as in the first edition, it begins at the number 1 after
/// the board.
///
/// A line is examined when it is complete, or at the end of the stream.
pub(crate) fn next_game(text: &[u8], text_end: TextEnd) -> Option<usize> {
    let mut at = 0;
    let mut has_board = false;
    let mut moves_first = None;
    let mut in_comment = false;
    // The first comment after the last line of the record.
    let mut opening: Option<usize> = None;
    loop {
        let rest = &text[at..];
        let end = match memchr(b'\n', rest) {
            Some(end) => end,
            None if text_end.is_known() && !rest.is_empty() => rest.len(),
            None => return None,
        };
        let line = rest[..end].trim_ascii();
        let is_comment = in_comment || line.starts_with(b"<!--");
        if is_comment {
            opening = opening.or(Some(at));
            let (start, end) = (memmem::rfind(line, b"<!--"), memmem::rfind(line, b"-->"));
            in_comment = if start.is_some() || end.is_some() { start > end } else { in_comment };
        } else if !line.is_empty() {
            let is_board = is_board(line);
            let is_first = line.starts_with(b"1.") && moves_first == Some(true);
            if has_board && (is_first || is_board && moves_first == Some(false)) {
                return Some(opening.unwrap_or(at));
            }
            has_board |= is_board;
            moves_first = moves_first.or(Some(!is_board));
            opening = None;
        }
        at += (end + 1).min(rest.len());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOARD: &str = "5 2v2 1vKV1 2v2 5";

    #[test]
    fn a_board_begins_a_record() {
        let one = format!("{BOARD},W\n\n1.- c3c4\n\nBlack's Move\n\n");
        let commented = format!("<!-- another\n{BOARD}\n-->\n{one}");
        assert_eq!(next_game(format!("{one}{commented}").as_bytes(), TextEnd::Known), Some(one.len()));
        assert_eq!(next_game(commented.as_bytes(), TextEnd::Known), None);
        assert_eq!(next_game(format!("{BOARD}\n{BOARD}").as_bytes(), TextEnd::Unknown), None);
        assert_eq!(next_game(format!("{BOARD}\n{BOARD}").as_bytes(), TextEnd::Known), Some(BOARD.len() + 1));
    }

    #[test]
    fn a_record_that_begins_with_moves_ends_before_the_next_moves() {
        let one = format!("1.c2c1 c3c4\n2.b3b2\n\n{BOARD}\n\nIncomplete Game\n");
        assert_eq!(next_game(one.repeat(2).as_bytes(), TextEnd::Known), Some(one.len()));
    }

    proptest! {
        #[test]
        fn later_bytes_change_no_boundary(
            text in "((5 2v2 1vKV1 2v2 5|1.c2c1 c3c4|<!-- x -->|<!--|-->|Black Wins|)\n){0,9}",
            at in any::<prop::sample::Index>(),
        ) {
            let at = at.index(text.len() + 1);
            if let Some(boundary) = next_game(&text.as_bytes()[..at], TextEnd::Unknown) {
                prop_assert_eq!(next_game(text.as_bytes(), TextEnd::Known), Some(boundary));
            }
        }
    }
}
