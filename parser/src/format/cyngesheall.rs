//! The notation of Cyngesheall, and that of Cyningstan, from which it was derived.
//!
//! ```text
//! game = opentafl game with these moves | move , { blank , move } ;
//! move = [ piece ] , cell , "-" , cell , [ "x" , capture , { "/" , capture } ] , [ mark ] ;
//! capture = [ piece ] , cell ;
//! piece = "K" | "C" ;                    the king, the commander; men have no letter
//! mark  = "!" | "+" | "++" | "--" ;      "!": wins; the others are Cyningstan's
//! cell  = "A".."G" , "1".."7" ;          read in either case and of any size, written in upper case
//! ```
//!
//! `C1-C4` is a man on c1, `CC1-C4` is the commander there: a letter is a piece if another letter follows it.
//! A text with a line that begins with a bracket (a tag or a comment) uses OpenTafl's frame.

use tafl_rules::{AnyRulebook, Game, Move, Span, catalog};

use super::{Cut, Format, movelist, opentafl};
use crate::diagnostic::{Diagnostic, Findings, Parsed, TextFinding};
use crate::record::{Letter, Record};
use crate::source::Source;

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    if source.text.trim_start().starts_with('[') || source.text.contains("\n[") {
        return opentafl::parse_as(source, Format::Cyngesheall);
    }
    let mut record = Record::new(Format::Cyngesheall);
    let mut diagnostics = Findings::default();
    let mut at = movelist::read_plain_moves(source, 0, &mut record);
    while at < source.text.len() {
        if source.text.as_bytes()[at] != b',' {
            record = Record::new(Format::Cyngesheall);
            diagnostics = Findings::default();
            movelist::read_text(source, &mut record, &mut diagnostics);
            break;
        }
        // There are no columns, so commas are never valid.
        diagnostics.push(Diagnostic::new(Span::new(at, at + 1), TextFinding::Stray));
        at = movelist::read_plain_moves(source, at + 1, &mut record);
    }
    Parsed { value: record, diagnostics: diagnostics.into_vec() }
}

/// Returns the way in which a stream that begins with `head` is split into games.
pub(crate) fn cut_of(head: &[u8]) -> Cut {
    let has_frame = head.trim_ascii_start().starts_with(b"[") || memchr::memmem::find(head, b"\n[").is_some();
    if has_frame { Cut::BlankLines } else { Cut::MoveText }
}

/// The number of moves at the beginning that must be legal in Cyngesheall if nothing else shows the notation.
const FIRST_MOVES: usize = 4;

/// Returns whether a text without tags can be Cyngesheall: it has a letter for a piece, or its first moves are
/// legal.
pub(super) fn is_possible(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let mut record = parse(&Source::new(&text)).value;
    let moves = &mut record.main_mut().moves;
    moves.truncate(FIRST_MOVES);
    if moves.iter().any(|mv| mv.letter != Letter::NONE) {
        return true;
    }
    let Some(mut game) = catalog::find("cyngesheall7").and_then(|variant| {
        let book = AnyRulebook::compile(&variant.rules()).ok()?;
        Some(Game::new(&book))
    }) else {
        return false;
    };
    moves.iter().all(|mv| {
        let shape = game.shape();
        let cells = shape.cell(mv.from).zip(shape.cell(mv.to));
        cells.is_some_and(|(from, to)| game.play(Move::new(from, to)).is_ok())
    })
}

#[cfg(test)]
mod tests {
    use tafl_rules::Role;

    use super::*;
    use crate::record::MoveMark;

    #[test]
    fn kings_commanders_and_men_are_distinguished() {
        let parsed = parse(&Source::new("CC1-C4 C1-C4 ka5-a1! A1-A4xA5/KB4"));
        assert_eq!(parsed.diagnostics, []);
        let record = parsed.value;
        let moves: Vec<_> = record.main().moves.iter().map(|mv| (mv.letter.role(), mv.mark)).collect();
        let none = MoveMark::None;
        let expected =
            [(Some(Role::Commander), none), (None, none), (Some(Role::King), MoveMark::Bang), (None, none)];
        assert_eq!(moves, expected);
        let captures: Vec<_> =
            record.captures.iter().map(|c| (c.letter.role(), c.cell.to_string())).collect();
        assert_eq!(captures, [(None, "a5".to_owned()), (Some(Role::King), "b4".to_owned())]);
    }

    #[test]
    fn turns_may_stand_in_the_frame_of_opentafl() {
        let parsed = parse(&Source::new("[attackers:Ask]\n\n1. C1-C3 KE7-E5\n[a comment]\n"));
        assert_eq!(parsed.diagnostics, []);
        assert_eq!(parsed.value.format, Format::Cyngesheall);
        assert_eq!(parsed.value.main().moves.len(), 2);
        assert_eq!(parsed.value.comments.len(), 1);
    }

    #[test]
    fn comments_without_tags_are_read() {
        let parsed =
            parse(&Source::new("1. C1-C3 KE7-E5\n[he had, so he says, \"resigned\" here]\n2. C3-C4\n"));
        assert_eq!(parsed.diagnostics, []);
        let record = parsed.value;
        assert_eq!((record.main().moves.len(), record.ending), (3, None));
        let comments: Vec<_> = record.comments.iter().map(|comment| comment.text).collect();
        assert_eq!(comments, ["he had, so he says, \"resigned\" here"]);
    }

    #[test]
    fn a_comma_is_stray_and_the_moves_survive() {
        let parsed = parse(&Source::new("C1-C3, E7-E5"));
        assert_eq!(parsed.diagnostics.len(), 1);
        assert_eq!(parsed.value.main().moves.len(), 2);
    }
}
