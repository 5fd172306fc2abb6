//! Writer for SkudPaiSho's heXentafl notation.

use std::fmt::Write;

use tafl_rules::{Role, Shape, Side};

use super::WriteGame;
use super::losses::{Keeps, RecordLosses};
use super::moves::{sides, step};
use crate::diagnostic::Lost;
use crate::format::{SKUD_SETUPS, shape_of};
use crate::record::MoveLineId;

const KEEPS: Keeps =
    Keeps { letters: true, marks: &[], jumps: false, chains: false, captures: false, sides: true };

/// Appends a line.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    note_losses(game, losses);
    let record = game.record;
    let code = setup_code(game);
    match code {
        Some(code) => write!(out, "0D.{code};0A.{code}").expect("a String takes everything"),
        None => losses.needs_rules(Lost::Variant),
    }
    let first = record.first_mover.unwrap_or(Side::Defenders);
    let moves = &record.main().moves;
    for ((side, mv), nth) in sides(moves, first).zip(moves).zip(0usize..) {
        let player = match side {
            Side::Attackers => 'A',
            Side::Defenders => 'D',
        };
        let step = step(game, losses.format(), (MoveLineId::MAIN, nth));
        let is_king = step.letter.role() == Some(Role::King);
        losses.left_out(Lost::Letters, usize::from(step.letter.get().is_some() && !is_king));
        let stop = if nth > 0 || code.is_some() { ";" } else { "" };
        let king = if is_king { "K" } else { "" };
        write!(out, "{stop}{}{player}.{king}{}-{}", nth / 2 + 1, mv.from, mv.to)
            .expect("a String takes everything");
    }
    out.push('\n');
}

/// Returns the setup code for the variant's name or the board of the rules.
fn setup_code(game: WriteGame<'_>) -> Option<&'static str> {
    let variant = game.record.variant.as_ref().map_or("", |variant| &*variant.text);
    let written = game.record.rules.as_ref().map_or("", |rules| &*rules.text);
    let rules = game.played.map(|played| &*played.rules).filter(|_| written.is_empty()).unwrap_or(written);
    let by_board = match shape_of(rules) {
        Some(Shape::Hex { side: 4 }) => Some(SKUD_SETUPS[0].0),
        Some(Shape::Hex { side: 5 }) => Some(SKUD_SETUPS[1].0),
        Some(Shape::Hex { .. } | Shape::Square { .. }) | None => None,
    };
    SKUD_SETUPS.iter().find(|(_, name)| *name == variant).map(|(code, _)| *code).or(by_board)
}

fn note_losses(game: WriteGame<'_>, losses: &mut RecordLosses) {
    let record = game.record;
    losses.checks(record);
    losses.moves(record, KEEPS, 1);
    losses.left_out(Lost::CaptureCounts, usize::from(record.capture_counts.is_some()));
    losses.left_out(Lost::Ending, usize::from(record.ending.is_some()));
    losses.left_out(Lost::Tags, record.tags.len());
    losses.left_out(Lost::Start, usize::from(record.start.is_some()));
    losses.left_out(Lost::Rules, usize::from(record.rules.is_some()));
    losses.left_out(Lost::Variations, record.lines.len() - 1);
    losses.left_out(Lost::Comments, record.comments.len());
    losses.left_out(Lost::Result, usize::from(record.result.is_some()));
}
