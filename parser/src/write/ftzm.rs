//! Writer for the JSON that ftzm's site imports.

use tafl_rules::{Reason, Side};

use super::WriteGame;
use super::game_start::{lacks_rules, refusal_of_other_start};
use super::losses::{Keeps, RecordLosses};
use super::moves::{is_king, push_cell, step};
use super::stated::StatedResult;
use crate::diagnostic::Lost;
use crate::format::ftzm::status;
use crate::record::{Format, MoveLineId, WrittenVerdict, tag};

const KEEPS: Keeps =
    Keeps { letters: false, marks: &[], jumps: false, chains: false, captures: true, sides: false };

/// The members whose names have a meaning of their own.
const MEMBERS: [&str; 8] = [
    "blackPlayerName",
    "gameName",
    "gameStatus",
    "game_status",
    "moveString",
    "moves",
    "startTime",
    "whitePlayerName",
];

/// Appends an object on a line of its own.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    note_losses(game, losses);
    out.push('{');
    tags(game, out, losses);
    if let Some(word) = game_status(game, losses) {
        push_member("gameStatus", &word, out);
    }
    push_member("moves", &moves(game), out);
    out.push_str("}\n");
}

/// Returns the reason why the notation cannot express a game at all: the site plays Copenhagen Hnefatafl only.
pub(crate) fn refusal(game: WriteGame<'_>) -> Option<String> {
    refusal_of_other_start(game, Format::Ftzm)
}

fn push_member(name: &str, value: &str, out: &mut String) {
    if !out.ends_with('{') {
        out.push_str(", ");
    }
    let quoted = |text| serde_json::to_string(text).expect("a string is valid JSON");
    out.push_str(&quoted(name));
    out.push_str(": ");
    out.push_str(&quoted(value));
}

fn tags(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    for written in record.tags.iter() {
        let name = match written.name {
            tag::EVENT => "gameName",
            tag::ATTACKERS => "blackPlayerName",
            tag::DEFENDERS => "whitePlayerName",
            // The site refuses a day without a time.
            tag::DATE if is_time(written.value) => "startTime",
            "gameStatus" if record.result.is_none() && status(written.value).is_none() => "gameStatus",
            name if MEMBERS.contains(&name) => {
                losses.left_out_tags([name]);
                continue;
            }
            name => name,
        };
        push_member(name, written.value, out);
    }
    // The site requires the names.
    for (name, ours) in [("blackPlayerName", tag::ATTACKERS), ("whitePlayerName", tag::DEFENDERS)] {
        if !record.tags.iter().any(|tag| tag.name == ours) {
            push_member(name, "?", out);
        }
    }
}

/// Returns whether a text begins like `2026-03-01T`.
fn is_time(text: &str) -> bool {
    let shape = b"0000-00-00T";
    text.len() > shape.len()
        && text.bytes().zip(shape).all(
            |(byte, kind)| {
                if *kind == b'0' { byte.is_ascii_digit() } else { byte == *kind }
            },
        )
}

fn game_status(game: WriteGame<'_>, losses: &mut RecordLosses) -> Option<String> {
    let StatedResult { verdict, reason } = game.result_to_write(true, losses)?;
    let (word, is_whole) = match (verdict, reason) {
        (WrittenVerdict::Win(side), reason) => {
            let (color, rest) = match (side, reason) {
                (Side::Attackers, Some(Reason::KingCaptured)) => ("black", "_king_captured"),
                (Side::Attackers, Some(Reason::Encirclement)) => ("black", "_white_surrounded"),
                (Side::Attackers, Some(Reason::NoLegalMove)) => ("black", "_no_white_moves"),
                (Side::Defenders, Some(Reason::KingReachedGoal)) => ("white", "_king_escaped"),
                (Side::Defenders, Some(Reason::ExitFort)) => ("white", "_exit_fort"),
                (Side::Defenders, Some(Reason::NoLegalMove)) => ("white", "_no_black_moves"),
                (Side::Attackers, Some(Reason::Resignation)) => ("black", "_resignation"),
                (Side::Defenders, Some(Reason::Resignation)) => ("white", "_resignation"),
                (Side::Attackers, Some(Reason::Timeout)) => ("black", "_timeout"),
                (Side::Defenders, Some(Reason::Timeout)) => ("white", "_timeout"),
                (Side::Attackers, _) => ("black", ""),
                (Side::Defenders, _) => ("white", ""),
            };
            (format!("{color}_won{rest}"), reason.is_none() || !rest.is_empty())
        }
        (WrittenVerdict::Draw, reason) => ("draw".to_owned(), reason.is_none()),
        (WrittenVerdict::Ongoing, reason) => ("ongoing".to_owned(), reason.is_none()),
        (WrittenVerdict::Unknown, Some(Reason::Unfinished)) => ("abandoned".to_owned(), true),
        (WrittenVerdict::Unknown, reason) => {
            losses.left_out(Lost::Reason, usize::from(reason.is_some()));
            return None;
        }
    };
    losses.left_out(Lost::Reason, usize::from(!is_whole));
    Some(word)
}

fn moves(game: WriteGame<'_>) -> String {
    let mut text = String::new();
    for nth in 0..game.record.main().moves.len() {
        let step = step(game, Format::Ftzm, MoveLineId::MAIN, nth);
        if nth > 0 {
            text.push(' ');
        }
        push_cell(step.mv.from, &mut text);
        text.push('-');
        push_cell(step.mv.to, &mut text);
        for (cell, _) in step.captures.iter().filter(|(_, letter)| !is_king(*letter)) {
            text.push('x');
            push_cell(*cell, &mut text);
        }
    }
    text
}

fn note_losses(game: WriteGame<'_>, losses: &mut RecordLosses) {
    let record = game.record;
    losses.all_but_main_line(record, KEEPS);
    losses.capture_counts_and_ending(record);
    let implied = Format::Ftzm.implied_variant(record);
    losses.left_out(Lost::Rules, usize::from(lacks_rules(game, Format::Ftzm, implied)));
    let other = record.variant.as_ref().is_some_and(|variant| &*variant.text != "copenhagen11");
    losses.left_out(Lost::Variant, usize::from(other));
    losses.left_out(Lost::Start, usize::from(record.start.is_some()));
    losses.first_mover(record);
    losses.left_out(Lost::Comments, record.comments.len());
}
