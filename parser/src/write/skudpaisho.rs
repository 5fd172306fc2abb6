//! Writer for SkudPaiSho's heXentafl notation.

use std::fmt::Write;

use tafl_rules::{Role, Setup, Side, catalog};

use super::WriteGame;
use super::game_start::{GameStart, game_start, lacks_rules};
use super::losses::{Keeps, RecordLosses};
use super::moves::{sides, step};
use crate::diagnostic::Lost;
use crate::format::SKUD_SETUPS;
use crate::record::{Format, MoveLineId};

const KEEPS: Keeps =
    Keeps { letters: true, marks: &[], jumps: false, chains: false, captures: false, sides: true };

/// Appends a line.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    note_losses(game, losses);
    let record = game.record;
    let moves = &record.main().moves;
    let start = game_start(game);
    let code = start.as_ref().and_then(|start| code_of(&start.setup));
    // A line that was read without its setup is written without it, unless nothing else is in it.
    let is_written = record.variant.is_some() || record.format != Format::SkudPaiSho || moves.is_empty();
    let code = code.filter(|_| is_written);
    let named = |code| SKUD_SETUPS.iter().find(|(known, _)| *known == code).map(|(_, name)| *name);
    let name = code.and_then(named);
    losses.left_out(Lost::Rules, usize::from(lacks_rules(game, Format::SkudPaiSho, name)));
    if let Some(code) = code {
        let is_other = record.variant.as_ref().is_some_and(|variant| Some(&*variant.text) != name);
        losses.changed(Lost::Variant, usize::from(is_other));
        write!(out, "0D.{code};0A.{code}").expect("a String takes everything");
    }
    let first = start.map_or(Side::Defenders, |start| start.first_mover);
    for ((side, mv), nth) in sides(moves, first).zip(moves).zip(0usize..) {
        let player = match side {
            Side::Attackers => 'A',
            Side::Defenders => 'D',
        };
        let step = step(game, losses.format(), MoveLineId::MAIN, nth);
        let is_king = step.letter.role() == Some(Role::King);
        losses.left_out(Lost::Letters, usize::from(step.letter.get().is_some() && !is_king));
        let stop = if nth > 0 || code.is_some() { ";" } else { "" };
        let king = if is_king { "K" } else { "" };
        write!(out, "{stop}{}{player}.{king}{}-{}", nth / 2 + 1, mv.from, mv.to)
            .expect("a String takes everything");
    }
    out.push('\n');
}

/// Returns the reason why the notation cannot express a game at all: it has the two setups of heXentafl only.
pub(crate) fn refusal(game: WriteGame<'_>) -> Option<String> {
    let Some(GameStart { setup, .. }) = game_start(game) else {
        return Some("the variant is not known to be heXentafl".to_owned());
    };
    if code_of(&setup).is_some() {
        return None;
    }
    let Some(known) = setups().find(|known| known.shape() == setup.shape()) else {
        return Some(format!("the board is {}, not hex 4 or hex 5", setup.shape()));
    };
    Some(if setup.pieces().count() > known.pieces().count() {
        "the game begins with more pieces than heXentafl".to_owned()
    } else {
        "the game does not begin with the position of heXentafl".to_owned()
    })
}

/// Returns the setup code of a start.
fn code_of(setup: &Setup) -> Option<&'static str> {
    SKUD_SETUPS.iter().zip(setups()).find(|(_, known)| known == setup).map(|((code, _), _)| *code)
}

/// Returns the starts of the setup codes.
fn setups() -> impl Iterator<Item = Setup> {
    SKUD_SETUPS.iter().filter_map(|(_, name)| Some(catalog::find(name)?.rules().start))
}

fn note_losses(game: WriteGame<'_>, losses: &mut RecordLosses) {
    let record = game.record;
    losses.all_but_main_line(record, KEEPS);
    losses.capture_counts_and_ending(record);
    losses.left_out_tags(record.tags.iter().map(|tag| tag.name));
    losses.left_out(Lost::Comments, record.comments.len());
    losses.result(record);
}
