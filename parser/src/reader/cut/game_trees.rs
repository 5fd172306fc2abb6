//! Boundaries between the game trees of SGF.
//!
//! A record is a tree and the text up to the next one: text between trees then belongs to a record, whose reader reports it.

use memchr::{memchr, memchr_iter, memchr2, memchr3};

use crate::format::bracket;
use crate::source::TextEnd;

/// The properties that only the root of a game has, so that a line such as `(;FF[4]` begins a game even if the one before
/// it is not closed. Variations also begin with `(;`.
const ROOT: [&[u8]; 5] = [b"AP", b"CA", b"FF", b"GM", b"SZ"];

/// The maximum length of the value of a root property that begins a game.
const LONGEST_VALUE: usize = 64;

/// Returns the offset of the next game tree after the one in `record`; `None` if more bytes are needed to decide, or at
/// the last tree.
///
/// Later bytes never change this position: otherwise it would depend on how the stream is split into buffers.
pub(super) fn end(record: &[u8], text_end: TextEnd) -> Option<usize> {
    let mut at = tree_start(record, 0, text_end)?;
    let mut depth = 0u32;
    loop {
        let rest = &record[at..];
        let next = memchr3(b'(', b')', b'[', rest)?;
        let here = at + next;
        match rest[next] {
            b'[' => match value_end(record, here, text_end)? {
                ValueEnd::Bracket(end) => at = end,
                ValueEnd::Game(game) => return Some(game),
            },
            b')' => {
                depth = depth.saturating_sub(1);
                at = here + 1;
                if depth == 0 {
                    return next_game(record, at, text_end);
                }
            }
            _ => {
                if depth > 0 && begins_line(record, here) && begins_game(&record[here..], text_end)? {
                    return Some(here);
                }
                depth += 1;
                at = here + 1;
            }
        }
    }
}

/// The end of a value.
enum ValueEnd {
    /// After the closing bracket.
    Bracket(usize),
    /// The bracket is never closed before the beginning of another game.
    Game(usize),
}

/// Returns the end of the value whose bracket is at an offset.
fn value_end(record: &[u8], bracket: usize, text_end: TextEnd) -> Option<ValueEnd> {
    let mut at = bracket + 1;
    let mut line = bracket;
    loop {
        let end = memchr2(b']', b'\\', &record[at..]).map_or(record.len(), |next| at + next);
        // In a text, the brackets of a pasted game are escaped, so its lines do not begin a game.
        for feed in memchr_iter(b'\n', &record[line..end]) {
            let next = line + feed + 1;
            if record.get(next) == Some(&b'(') && begins_game(&record[next..], text_end)? {
                return Some(ValueEnd::Game(next));
            }
        }
        line = end;
        match record.get(end)? {
            b']' => return Some(ValueEnd::Bracket(end + 1)),
            _ => at = (end + 2).min(record.len()),
        }
    }
}

/// Returns whether only blanks precede an offset in its line.
fn begins_line(record: &[u8], at: usize) -> bool {
    let before = record[..at].iter().rev().find(|byte| **byte == b'\n' || !byte.is_ascii_whitespace());
    before.is_none_or(|byte| *byte == b'\n')
}

/// Returns whether a text begins with a game; `None` if more bytes are needed.
pub(super) fn begins(text: &[u8], text_end: TextEnd) -> Option<bool> {
    if text.first() == Some(&b'(') { begins_game(text, text_end) } else { Some(false) }
}

/// Returns whether a `(` begins a game: `;` and a root property with its value follow. `None` if more bytes are needed.
fn begins_game(text: &[u8], text_end: TextEnd) -> Option<bool> {
    let undecided = || if text_end.is_known() { Some(false) } else { None };
    let after_blanks =
        |at: usize| text[at..].iter().position(|byte| !byte.is_ascii_whitespace()).map(|blanks| at + blanks);
    let Some(semicolon) = after_blanks(1) else { return undecided() };
    if text[semicolon] != b';' {
        return Some(false);
    }
    let Some(name) = after_blanks(semicolon + 1) else { return undecided() };
    let Some(begin) = text.get(name..name + 3) else { return undecided() };
    if begin[2] != b'[' || !ROOT.contains(&&begin[..2]) {
        return Some(false);
    }
    let value = &text[name + 3..];
    match value.iter().take(LONGEST_VALUE).position(|byte| b"]\\\n".contains(byte)) {
        Some(end) => Some(value[end] == b']'),
        None if value.len() < LONGEST_VALUE => undecided(),
        None => Some(false),
    }
}

/// Returns the offset of the first tree from an offset on: a `(` whose next byte that is not blank is `;`.
fn tree_start(record: &[u8], from: usize, text_end: TextEnd) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr(b'(', &record[at..])?;
        match record[at + 1..].iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b';') => return Some(at),
            None if !text_end.is_known() => return None,
            Some(_) | None => at += 1,
        }
    }
}

/// Returns the offset of the next game from an offset on: a tree, or a line before it that is a PGN tag.
fn next_game(record: &[u8], from: usize, text_end: TextEnd) -> Option<usize> {
    let tree = tree_start(record, from, text_end);
    let between = &record[from..tree.unwrap_or(record.len())];
    let lines = memchr::memmem::find_iter(between, b"\n[").map(|feed| from + feed + 1);
    lines.into_iter().find(|line| bracket::is_pgn_tag(&record[*line..])).or(tree)
}

/// Returns the offset of the next line that begins a tree.
pub(super) fn resume(bytes: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes, b"\n(;").map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        let (mut rest, mut records) = (text, Vec::new());
        while let Some(at) = end(rest.as_bytes(), TextEnd::Known) {
            records.push(rest[..at].trim());
            rest = &rest[at..];
        }
        records.push(rest.trim());
        records
    }

    #[test]
    fn trees_are_cut_and_text_belongs_to_the_tree_before_it() {
        assert_eq!(cut("(;A[1](;B[2])(;C[3]))\n( ;A[1])"), ["(;A[1](;B[2])(;C[3]))", "( ;A[1])"]);
        assert_eq!(
            cut("one (see below) (;A[1]) two (;A[2]) three"),
            ["one (see below) (;A[1]) two", "(;A[2]) three"]
        );
        assert_eq!(cut("(;C[a) \\](;FF[4\\]]) (;)"), ["(;C[a) \\](;FF[4\\]])", "(;)"]);
        assert_eq!(cut("no tree"), ["no tree"]);
    }

    #[test]
    fn tags_of_pgn_after_a_tree_begin_another_game() {
        let text = "(;FF[4];B[a])\n\n[Event \"x\"]\n\n1. d2-c2";
        assert_eq!(end(text.as_bytes(), TextEnd::Known), text.find("[Event"));
        assert_eq!(end(b"(;FF[4]\n[Event \"x\"]", TextEnd::Known), None);
    }

    #[test]
    fn an_unclosed_tree_or_value_ends_at_the_next_game() {
        assert_eq!(cut("(;FF[4];B[a]\n(;FF[4];B[b])"), ["(;FF[4];B[a]", "(;FF[4];B[b])"]);
        assert_eq!(cut("(;FF[4]C[a b\n\n(;\nGM[29]VV[1])"), ["(;FF[4]C[a b", "(;\nGM[29]VV[1])"]);
        // A variation does not begin a game, nor does a game that is quoted in a comment.
        assert_eq!(cut("(;FF[4]\n(;B[a])\n(;B[b])\n)"), ["(;FF[4]\n(;B[a])\n(;B[b])\n)"]);
        assert_eq!(cut("(;FF[4]C[see\n(;FF[4\\]GM[1\\])])"), ["(;FF[4]C[see\n(;FF[4\\]GM[1\\])])"]);
    }

    proptest! {
        #[test]
        fn a_boundary_is_the_same_however_much_of_the_text_is_at_hand(
            parts in prop::collection::vec(prop::sample::select(vec![
                "(", ";", ")", "[", "]", "\\", "\n", " ", "(;", "FF[4]", "GM[29]", "\n(;FF[4]", "a", ")(;", "\n(;\nGM[1]",
            ]), 0..24),
            length in any::<prop::sample::Index>(),
        ) {
            let text = parts.concat();
            let part = &text.as_bytes()[..length.index(text.len() + 1)];
            if let Some(at) = end(part, TextEnd::Unknown) {
                prop_assert_eq!(end(text.as_bytes(), TextEnd::Known), Some(at), "{:?}", text);
            }
        }
    }
}
