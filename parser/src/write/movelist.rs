//! Writer for lines of the CSV archives.

use std::fmt::Write;

use tafl_rules::{BySide, Reason, Side};

use super::WriteGame;
use super::game_start::{game_start, rules_beyond_name};
use super::losses::{Keeps, RecordLosses};
use super::moves::{is_king, push_cell, sides, step};
use crate::diagnostic::Lost;
use crate::format::movelist;
use crate::record::{Format, MoveLineId, Record, Tag, WrittenEnding, WrittenVerdict, tag};
use crate::words;

const KEEPS: Keeps =
    Keeps { letters: false, marks: &[], jumps: false, chains: true, captures: true, sides: false };

/// Appends a line: moves, captures by the attackers, captures by the defenders, outcome.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    note_losses(game, losses);
    let counts = push_moves(game, out, losses);
    // A line without moves is not a record unless it has columns.
    let is_bare = record.format == Format::MoveList
        && record.capture_counts.is_none()
        && record.result.is_none()
        && game.is_bare_ending_clear()
        && !record.main().moves.is_empty();
    if !is_bare {
        let counts = game.capture_counts_to_write(false, losses).unwrap_or(counts);
        let outcome = outcome(game, losses);
        write!(out, ",{},{},{outcome}", counts.attackers, counts.defenders)
            .expect("a String takes everything");
    }
    push_tags(game, out, losses);
    out.push('\n');
}

/// Appends the tags that readers know as a comment: `# attackers: Ann # date: 2026.03.09 # reason: resignation`.
fn push_tags(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    let mut push = |name: &str, value: &str| out.extend([" # ", name, ": ", value]);
    // Readers drop blanks around a value.
    let mut n_trimmed = 0;
    let mut trimmed = |value: &str| n_trimmed += usize::from(value.trim() != value);
    let mut lost = Vec::new();
    let is_termination = |written: &Tag<'_>| written.name == tag::TERMINATION;
    let mut terminations = record.tags.iter().filter(is_termination);
    // Words that are exactly a reason would be read as that of the result.
    let fits = |words: &&str| movelist::fits_remark(words) && words.parse::<Reason>().is_err();
    let termination = terminations.next().filter(|_| terminations.next().is_none());
    let words = termination.map(|written| written.value.trim()).filter(fits);
    for written in record.tags.iter() {
        match movelist::remark_name(written.name, written.value.trim()) {
            Some(name) => {
                trimmed(written.value);
                push(name, written.value.trim());
            }
            None if words.is_some() && is_termination(&written) => {}
            None => lost.push(written.name),
        }
    }
    if words.is_some() {
        termination.into_iter().for_each(|written| trimmed(written.value));
    }
    losses.changed(Lost::Tags, n_trimmed);
    losses.left_out_tags(lost);
    let reason = record.result.and_then(|result| result.reason);
    match (words, reason) {
        // Readers take the reason from the words, if they are clear.
        (Some(words), _) => {
            push("termination", words);
            losses.reason(record, words::reason(words));
        }
        (None, Some(reason)) => push("reason", reason.as_str()),
        (None, None) => {}
    }
    let variant = record.variant.as_ref().map(|variant| &*variant.text);
    for (text, is_rules, lost) in
        [(variant, false, Lost::Variant), (rules_beyond_name(game), true, Lost::Rules)]
    {
        let Some(text) = text else { continue };
        if movelist::fits_variant_remark(text, is_rules) {
            push(if is_rules { "rules" } else { "variant" }, text);
        } else {
            losses.left_out(lost, 1);
        }
    }
}

/// Appends the moves, and returns the number of captures by each side.
fn push_moves(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) -> BySide<u32> {
    let record = game.record;
    let line = out.len();
    let moves = &record.main().moves;
    let mut counts = BySide::default();
    let mut unlinked = 0;
    // The rules are read only where the captures must be counted.
    let start = record.capture_counts.is_none().then(|| game_start(game)).flatten();
    let first = start.map_or(Side::Attackers, |start| start.first_mover);
    for (nth, (side, mv)) in sides(moves, first).zip(moves).enumerate() {
        push_ending(game, line, nth, out, losses);
        let step = step(game, Format::MoveList, MoveLineId::MAIN, nth);
        // A later step shares a word with the previous one if it begins where that one ended.
        let follows = mv.chained && nth > 0 && moves[nth - 1].to == mv.from;
        let goes_on = follows && !is_ending_after(record, nth);
        unlinked += usize::from(mv.chained && !goes_on);
        if !goes_on {
            part_words(line, out);
            push_cell(mv.from, out);
        }
        out.push('-');
        push_cell(mv.to, out);
        for (cell, _) in step.captures.iter().filter(|(_, letter)| !is_king(*letter)) {
            out.push('x');
            push_cell(*cell, out);
            counts[side] += 1;
        }
    }
    push_ending(game, line, moves.len(), out, losses);
    losses.left_out(Lost::Chains, unlinked);
    counts
}

/// Appends a blank, unless at the start of the line.
fn part_words(line: usize, out: &mut String) {
    if out.len() > line {
        out.push(' ');
    }
}

fn is_ending_after(record: &Record, nth: usize) -> bool {
    record.ending.is_some_and(|ending| ending.after as usize == nth)
}

/// Appends the ending if it follows `nth` moves; `line` is the offset of the line in the output.
fn push_ending(game: WriteGame<'_>, line: usize, nth: usize, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    let Some(ending) = record.ending.filter(|ending| ending.after as usize == nth) else { return };
    part_words(line, out);
    // In the archives, the word alone means the side to move.
    let is_clear = game.is_bare_ending_clear();
    losses.left_out(Lost::Sides, usize::from(is_clear && ending.side.is_some()));
    words::push_ending(WrittenEnding { side: ending.side.filter(|_| !is_clear), ..ending }, out);
}

fn outcome(game: WriteGame<'_>, losses: &mut RecordLosses) -> &'static str {
    // A record of archives keeps its last statement, such as a timeout, and the empty column beside it.
    let from_ending = game.record.format != Format::MoveList || !game.is_bare_ending_clear();
    match game.result_to_write(from_ending, losses).map(|stated| stated.verdict) {
        Some(WrittenVerdict::Win(Side::Attackers)) => "Black",
        Some(WrittenVerdict::Win(Side::Defenders)) => "White",
        Some(WrittenVerdict::Draw) => "Draw",
        Some(WrittenVerdict::Ongoing) => "Ongoing",
        Some(WrittenVerdict::Unknown) | None => "",
    }
}

fn note_losses(game: WriteGame<'_>, losses: &mut RecordLosses) {
    let record = game.record;
    losses.all_but_main_line(record, KEEPS);
    losses.unknown_captures(game);
    losses.left_out(Lost::Start, usize::from(record.start.is_some()));
    losses.first_mover(record);
    losses.left_out(Lost::Comments, record.comments.len());
    losses.late_ending(record);
}
