//! Writer for the `position` commands of UCI engines.

use std::fmt::Write;

use tafl_rules::Side;

use super::WriteGame;
use super::game_start::{rules_to_state, stated_rules};
use super::losses::{Keeps, RecordLosses};
use super::moves::push_cell;
use super::position::{self, WriterPosition};
use crate::diagnostic::Lost;
use crate::record::{Format, MoveLineId, MovePlace, Record, WrittenMove};

const KEEPS: Keeps =
    Keeps { letters: false, marks: &[], jumps: false, chains: false, captures: false, sides: false };

/// Appends a game: `ucinewgame`, options for its rules, and the command.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    note_losses(game, losses);
    out.push_str("ucinewgame\n");
    for comment in line_comments(record, MovePlace::in_main(0), losses) {
        writeln!(out, "# {comment}").expect("a String takes everything");
    }
    let variant = record.variant.as_ref().map(|variant| &*variant.text);
    push_option("UCI_Variant", variant, Lost::Variant, out, losses);
    push_option("Rules", rules_to_state(game, Format::Uci), Lost::Rules, out, losses);
    out.push_str("position ");
    push_start(game, out, losses);
    push_moves(&record.main().moves, out);
    out.push('\n');
}

fn push_option(name: &str, value: Option<&str>, what: Lost, out: &mut String, losses: &mut RecordLosses) {
    let Some(value) = value else { return };
    let text = one_line(value);
    losses.changed(what, usize::from(text != value && !text.is_empty()));
    losses.left_out(what, usize::from(text.is_empty()));
    if !text.is_empty() {
        writeln!(out, "setoption name {name} value {text}").expect("a String takes everything");
    }
}

/// Appends the start: `startpos` if it is that of the rules, otherwise a FEN, or for pieces without a letter and
/// hexagonal boards, a position record.
fn push_start(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    // The rules are read only where they are needed.
    let first = match (&record.start, record.first_mover) {
        (None, None) => None,
        (None, Some(side)) => {
            let rules = stated_rules(game);
            let is_unknown = rules.is_none();
            losses.left_out(Lost::FirstMover, usize::from(is_unknown));
            rules
                .filter(|rules| rules.first_mover != side)
                .map(|rules| WriterPosition { setup: rules.start, to_move: Some(side) })
        }
        (Some(start), Some(side)) => Some(WriterPosition { setup: start.setup.clone(), to_move: Some(side) }),
        (Some(start), None) => {
            let to_move = stated_rules(game).map(|rules| rules.first_mover);
            Some(WriterPosition { setup: start.setup.clone(), to_move })
        }
    };
    let Some(first) = first else {
        out.push_str("startpos");
        return;
    };
    match (first.setup.to_fen(Side::Attackers), first.to_move) {
        (Ok(_), _) => {
            out.push_str("fen ");
            out.extend(position::fen(&first, losses));
        }
        (Err(_), Some(side)) => {
            write!(out, "rec {} {side}", first.setup).expect("a String takes everything");
        }
        (Err(_), None) => {
            losses.needs_rules(Lost::FirstMover);
            write!(out, "rec {} attackers", first.setup).expect("a String takes everything");
        }
    }
}

/// Appends ` moves d2c2 c4c3`, or nothing if there are no moves.
pub(super) fn push_moves(moves: &[WrittenMove], out: &mut String) {
    out.push_str(if moves.is_empty() { "" } else { " moves" });
    for mv in moves {
        out.push(' ');
        push_cell(mv.from, out);
        push_cell(mv.to, out);
    }
}

/// Returns the comments at a place, each in one line, and reports those that had to be changed or are empty.
pub(super) fn line_comments(record: &Record, place: MovePlace, losses: &mut RecordLosses) -> Vec<String> {
    let mut texts = Vec::new();
    for comment in record.comments.iter().filter(|comment| comment.place == place) {
        let text = one_line(comment.text);
        if text.is_empty() {
            continue;
        }
        losses.changed(Lost::Comments, usize::from(text != comment.text));
        texts.push(text);
    }
    texts
}

/// Returns a text with single blanks in place of line ends, without surrounding blanks.
fn one_line(text: &str) -> String {
    let lines = text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

fn note_losses(game: WriteGame<'_>, losses: &mut RecordLosses) {
    let record = game.record;
    losses.all_but_main_line(record, KEEPS);
    losses.reason(record, None);
    losses.left_out_tags(record.tags.iter().map(|tag| tag.name));
    let is_kept = |place: MovePlace| place.line == MoveLineId::MAIN && place.after == 0;
    let is_lost = |text: &str, place| !is_kept(place) || one_line(text).is_empty();
    let lost = record.comments.iter().filter(|comment| is_lost(comment.text, comment.place));
    losses.left_out(Lost::Comments, lost.count());
    losses.left_out(Lost::FirstMover, usize::from(record.main().opens_with_second));
    losses.capture_counts_and_ending(record);
    losses.result(record);
}
