//! Writer for the `.tafl` files of Brandubh · Ollamh.

use std::collections::HashMap;
use std::fmt::Write;

use tafl_rules::{Reason, Side};

use super::WriteGame;
use super::game_start::{lacks_rules, refusal_of_other_start};
use super::losses::{Keeps, RecordLosses};
use super::moves::{as_written, is_king, main_comments, push_cell, step};
use super::pgn::push_tag;
use super::stated::StatedResult;
use crate::diagnostic::Lost;
use crate::format::PGN_NAMES;
use crate::format::ollamh::{self, RULES_TAG, VERSION, variant_word};
use crate::record::{Comment, Format, MoveLineId, MoveMark, Record, Tag, WrittenVerdict, tag};
use crate::words;

/// The marks that can follow a number of captures.
const MARKS: [MoveMark; 9] = [
    MoveMark::Plus,
    MoveMark::PlusPlus,
    MoveMark::Bang,
    MoveMark::Question,
    MoveMark::BangBang,
    MoveMark::QuestionQuestion,
    MoveMark::BangQuestion,
    MoveMark::QuestionBang,
    MoveMark::Hash,
];

/// Appends a record: tags, a blank line, a line for each turn, the result, and a blank line.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    note_losses(game, losses);
    let token = header(game, out, losses);
    out.push('\n');
    moves(game, out, losses);
    if let Some(token) = token {
        writeln!(out, "{token}").expect("a String takes everything");
    }
    out.push('\n');
}

/// Returns the reason why the notation cannot express a game at all: the program plays Brandubh only.
pub(crate) fn refusal(game: WriteGame<'_>) -> Option<String> {
    refusal_of_other_start(game, Format::Ollamh)
}

/// Returns whether readers treat the first tag of this name as game data.
fn is_statement(written: &Tag<'_>) -> bool {
    let names = ["format", "result", "rules", RULES_TAG, tag::TERMINATION, "variant"];
    names.iter().any(|known| written.name.eq_ignore_ascii_case(known))
}

/// Appends the tags, and returns the word for the result.
fn header(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) -> Option<&'static str> {
    let record = game.record;
    push_tag("Format", record.tag("Format").unwrap_or(VERSION), Lost::Tags, out, losses);
    for written in record.tags.iter().filter(|written| !is_statement(written)) {
        let known = PGN_NAMES.iter().find(|(_, ours)| *ours == written.name).map(|(name, _)| *name);
        let name = known.unwrap_or(written.name);
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            losses.left_out_tags([written.name]);
        } else {
            push_tag(name, written.value, Lost::Tags, out, losses);
        }
    }
    variant(game, out, losses);
    let token = result(game, out, losses);
    let mut kept = 0;
    for name in ["format", RULES_TAG, tag::TERMINATION] {
        kept += usize::from(record.tag(name).is_some());
    }
    // A word that the notation reads as a result would become one: elsewhere, `1-0` names no side.
    let unread = record.tag("result").filter(|words| ollamh::verdict(words).is_none());
    if let (None, Some(words)) = (record.result, unread) {
        push_tag("Result", words, Lost::Tags, out, losses);
        kept += 1;
    }
    losses.left_out(Lost::Tags, record.tags.iter().filter(|written| is_statement(written)).count() - kept);
    token
}

/// Appends the variant, and the options of custom rules.
fn variant(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    let options = record.tag(RULES_TAG);
    let implied = Format::Ollamh.implied_variant(record);
    let is_lost = options.is_none() && lacks_rules(game, Format::Ollamh, implied);
    losses.left_out(Lost::Rules, usize::from(is_lost));
    match &record.variant {
        Some(variant) => {
            let (word, is_same) = variant_word(&variant.text);
            losses.changed(Lost::Variant, usize::from(!is_same));
            push_tag("Variant", word, Lost::Variant, out, losses);
        }
        None if options.is_some() => push_tag("Variant", "custom", Lost::Variant, out, losses),
        None => {}
    }
    if let Some(options) = options {
        push_tag("Rules", options, Lost::Rules, out, losses);
    }
}

fn result(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) -> Option<&'static str> {
    let record = game.record;
    let found = game.result_to_write(true, losses);
    let token = match found.map(|found| found.verdict) {
        Some(WrittenVerdict::Win(Side::Attackers)) => Some("1-0"),
        Some(WrittenVerdict::Win(Side::Defenders)) => Some("0-1"),
        Some(WrittenVerdict::Draw) => Some("1/2-1/2"),
        Some(WrittenVerdict::Ongoing) => Some("*"),
        Some(WrittenVerdict::Unknown) | None => None,
    };
    if let Some(token) = token {
        push_tag("Result", token, Lost::Result, out, losses);
    }
    match (record.tag(tag::TERMINATION), found.filter(|_| token.is_some())) {
        (Some(words), _) => {
            push_tag("Termination", words, Lost::Tags, out, losses);
            losses.reason(record, words::reason(words));
        }
        (None, Some(StatedResult { verdict, reason: Some(reason) })) => {
            let word = termination(verdict, reason).unwrap_or(reason.as_str());
            push_tag("Termination", word, Lost::Reason, out, losses);
        }
        (None, _) => {}
    }
    token
}

/// Returns the program's status for a result and its reason.
fn termination(verdict: WrittenVerdict, reason: Reason) -> Option<&'static str> {
    Some(match (verdict, reason) {
        (WrittenVerdict::Draw, Reason::Repetition) => "draw_repetition",
        (WrittenVerdict::Win(Side::Attackers), reason) => match reason {
            Reason::KingCaptured => "attackers_win_capture",
            Reason::Encirclement => "attackers_win_encirclement",
            Reason::NoLegalMove => "attackers_win_no_moves",
            Reason::Repetition => "attackers_win_repetition",
            Reason::Resignation => "attackers_win_resign",
            Reason::Timeout => "attackers_win_time",
            _ => return None,
        },
        (WrittenVerdict::Win(Side::Defenders), reason) => match reason {
            Reason::KingReachedGoal => "defenders_win_escape",
            Reason::NoLegalMove => "defenders_win_no_moves",
            Reason::Resignation => "defenders_win_resign",
            Reason::Timeout => "defenders_win_time",
            _ => return None,
        },
        _ => return None,
    })
}

/// Returns the marks that are written: those of records in this notation, which the program itself does not write.
fn marks(record: &Record) -> &'static [MoveMark] {
    if record.format == Format::Ollamh { &MARKS } else { &[] }
}

fn moves(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    let (comments, marks) = (main_comments(record), marks(record));
    // Of several numbers for a move, the first one counts.
    let numbers: HashMap<u32, u32> =
        record.move_capture_counts.iter().rev().map(|number| (number.at, number.count)).collect();
    let push_comments = |nth: usize, out: &mut String, losses: &mut RecordLosses| {
        let here = comments.get(&nth).map_or(&[][..], Vec::as_slice);
        here.iter().for_each(|comment| push_comment(comment, out, losses));
    };
    push_comments(0, out, losses);
    for (nth, mv) in record.main().moves.iter().enumerate() {
        match nth % 2 {
            0 => write!(out, "{}. ", nth / 2 + 1).expect("a String takes everything"),
            _ => out.push(' '),
        }
        push_cell(mv.from, out);
        out.push('-');
        push_cell(mv.to, out);
        if let Some(count) = numbers.get(&(nth as u32)).copied().or_else(|| n_captures(game, nth)) {
            write!(out, "x{count}").expect("a String takes everything");
        }
        if marks.contains(&mv.mark) {
            out.push_str(mv.mark.as_str());
        }
        push_comments(nth + 1, out, losses);
        if nth % 2 == 1 || nth + 1 == record.main().moves.len() {
            out.push('\n');
        }
    }
}

/// Returns the number of captures of a move without kings, if it is known and not zero.
fn n_captures(game: WriteGame<'_>, nth: usize) -> Option<u32> {
    let record = game.record;
    let step = match record.format {
        Format::Ollamh => as_written(record, &record.main().moves[nth]),
        _ => step(game, Format::Ollamh, MoveLineId::MAIN, nth),
    };
    let count = step.captures.iter().filter(|(_, letter)| !is_king(*letter)).count() as u32;
    (count > 0).then_some(count)
}

/// Appends a comment in braces.
fn push_comment(comment: &Comment<'_>, out: &mut String, losses: &mut RecordLosses) {
    let text = comment.text.replace(['\n', '\r'], " ").replace('{', "(").replace('}', ")");
    let text = text.trim();
    losses.left_out(Lost::Comments, usize::from(text.is_empty()));
    losses.changed(Lost::Comments, usize::from(!text.is_empty() && text != comment.text));
    if !text.is_empty() {
        let gap = if out.ends_with('\n') { "" } else { " " };
        let end = if comment.place.after == 0 { "\n" } else { "" };
        write!(out, "{gap}{{{text}}}{end}").expect("a String takes everything");
    }
}

fn note_losses(game: WriteGame<'_>, losses: &mut RecordLosses) {
    let record = game.record;
    let marks = marks(record);
    let keeps = Keeps { letters: false, marks, jumps: false, chains: false, captures: false, sides: false };
    losses.all_but_main_line(record, keeps);
    losses.capture_counts_and_ending(record);
    losses.left_out(Lost::Start, usize::from(record.start.is_some()));
    losses.first_mover(record);
    losses.comments_beside_main_line(record);
}
