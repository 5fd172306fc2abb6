//! Writer for the commands of hnefatafl.org's text protocol, as its program reads them.

use std::fmt::Write;

use tafl_rules::{Coord, Shape, Side, catalog};

use super::WriteGame;
use super::game_start::{game_start, lacks_rules, refusal_of_setup};
use super::losses::{Keeps, RecordLosses};
use super::moves::{main_comments, sides};
use crate::diagnostic::Lost;
use crate::format::shape_of;
use crate::record::{Comment, EndingKind, Format, Record, tag};

const KEEPS: Keeps =
    Keeps { letters: false, marks: &[], jumps: false, chains: false, captures: false, sides: true };

/// The variants of the site, before their size.
const SITE: &str = "hnefatafl-org-";

/// Appends the settings, and a line for each move.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    note_losses(game, losses);
    let size = board_size(game, losses);
    let implied = format!("{SITE}{size}");
    losses.left_out(Lost::Rules, usize::from(lacks_rules(game, Format::Htp, Some(&implied))));
    writeln!(out, "board_size {size}").expect("a String takes everything");
    time_settings(game.record, out, losses);
    // The sizes stand for variants of the site, in which another side may move first.
    let start = game_start(game).filter(|_| game.record.format != Format::Htp);
    let first_mover = game.record.first_mover.or(start.map(|start| start.first_mover));
    if let Some(side) = first_mover {
        writeln!(out, "first_move {}", side.singular()).expect("a String takes everything");
    }
    plays(game, size, first_mover.unwrap_or(Side::Attackers), out, losses);
}

/// Returns the reason why the notation cannot express a game at all: the program has three boards, each with one start.
pub(crate) fn refusal(game: WriteGame<'_>) -> Option<String> {
    if game.record.format == Format::Htp {
        return None;
    }
    let Some(start) = game_start(game) else {
        return Some("the variant is unknown, and with it the size of the board".to_owned());
    };
    let shape = start.setup.shape();
    let name = format!("{SITE}{}", shape.side());
    let known = catalog::find(&name).filter(|_| Shape::square(shape.side()) == Some(shape));
    match known {
        Some(known) => refusal_of_setup(&start.setup, &known.rules().start, &name),
        None => Some(format!("the board is {shape}, not 7x7, 11x11, or 13x13")),
    }
}

/// Returns the size of the board, which stands for the variant.
fn board_size(game: WriteGame<'_>, losses: &mut RecordLosses) -> u8 {
    let variant = game.record.variant.as_ref().map(|variant| &*variant.text);
    let named = variant.and_then(|name| name.strip_prefix(SITE)?.parse::<u8>().ok());
    if let Some(size) = named.filter(|size| variant == Some(&*format!("{SITE}{size}"))) {
        return size;
    }
    losses.changed(Lost::Variant, usize::from(variant.is_some()));
    let written = game.record.rules.as_ref().map_or("", |rules| &*rules.text);
    let rules = game.played.map(|played| &*played.rules).filter(|_| written.is_empty()).unwrap_or(written);
    let start = game.record.start.as_ref().map(|start| start.setup.shape());
    match start.or_else(|| shape_of(rules)) {
        Some(shape) => shape.side(),
        None => {
            losses.needs_rules(Lost::Variant);
            11
        }
    }
}

fn time_settings(record: &Record, out: &mut String, losses: &mut RecordLosses) {
    let fischer = |value: &str| {
        let (seconds, more) = value.split_once('+')?;
        let (seconds, more) = (seconds.parse::<u32>().ok()?, more.parse::<u32>().ok()?);
        let is_plain = seconds % 60 == 0 && format!("{seconds}+{more}") == value;
        is_plain.then(|| format!("fischer {} {more}", seconds / 60))
    };
    let written = record.tags.iter().filter(|tag| tag.name == tag::TIME_CONTROL).find_map(|tag| {
        if tag.value == "un-timed" { Some("un-timed".to_owned()) } else { fischer(tag.value) }
    });
    losses.left_out(Lost::Tags, record.tags.len() - usize::from(written.is_some()));
    if let Some(settings) = written {
        writeln!(out, "time_settings {settings}").expect("a String takes everything");
    }
}

fn plays(game: WriteGame<'_>, size: u8, first: Side, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    let moves = &record.main().moves;
    let comments = main_comments(record);
    let here = |nth: usize| comments.get(&nth).map_or(&[][..], Vec::as_slice);
    let mut last = first.other();
    for (nth, (side, mv)) in sides(moves, first).zip(moves).enumerate() {
        let on_board = game.played.and_then(|played| played.plies.get(nth)).map(|ply| ply.piece.side);
        let side = mv.side.or(on_board).unwrap_or(side);
        push_comments(here(nth), out, losses);
        push_ending(record, nth, last.other(), out, losses);
        let (from, to) = (cell(mv.from, size), cell(mv.to, size));
        writeln!(out, "play {} {from} {to}", side.singular()).expect("a String takes everything");
        last = side;
    }
    push_comments(here(moves.len()), out, losses);
    push_ending(record, moves.len(), last.other(), out, losses);
}

/// Appends comments, each in a line.
fn push_comments(comments: &[Comment<'_>], out: &mut String, losses: &mut RecordLosses) {
    for comment in comments {
        // A vertical line would be the frame of a board.
        let text = comment.text.replace(['\n', '\r'], " ").replace('│', "|");
        let is_empty = text.trim().is_empty();
        losses.left_out(Lost::Comments, usize::from(is_empty));
        losses.changed(Lost::Comments, usize::from(!is_empty && text.trim() != comment.text));
        if !is_empty {
            writeln!(out, "# {}", text.trim()).expect("a String takes everything");
        }
    }
}

/// Appends the resignation, if it is after `nth` moves.
fn push_ending(record: &Record, nth: usize, to_move: Side, out: &mut String, losses: &mut RecordLosses) {
    if let Some(ending) = record.ending.filter(|ending| ending.after as usize == nth) {
        match ending.kind {
            EndingKind::Resigned => {
                // Without a side in the ending, the loser is that of the record's result, because HTP has no result.
                let loser = record.result.and_then(|result| result.verdict.winner()).map(Side::other);
                let known = ending.side.or(loser);
                // Before the first move, the rules decide which side is to move.
                let is_guessed = known.is_none() && nth == 0 && record.first_mover.is_none();
                losses.changed(Lost::Ending, usize::from(is_guessed));
                let side = known.unwrap_or(to_move);
                writeln!(out, "play {} resigns _", side.singular()).expect("a String takes everything");
            }
            EndingKind::Timeout | EndingKind::Agreed | EndingKind::Adjudicated => {
                losses.left_out(Lost::Ending, 1);
            }
        }
    }
}

/// Returns the name of a cell in the form that belongs to the size of the board.
fn cell(coord: Coord, size: u8) -> String {
    match size {
        7 => format!("0{coord}"),
        13 => coord.to_string().to_ascii_uppercase(),
        _ => coord.to_string(),
    }
}

fn note_losses(game: WriteGame<'_>, losses: &mut RecordLosses) {
    let record = game.record;
    losses.all_but_main_line(record, KEEPS);
    losses.left_out(Lost::CaptureCounts, usize::from(record.capture_counts.is_some()));
    losses.left_out(Lost::Start, usize::from(record.start.is_some()));
    losses.left_out(Lost::FirstMover, usize::from(record.main().opens_with_second));
    losses.comments_beside_main_line(record);
    losses.result(record);
    losses.late_ending(record);
}
