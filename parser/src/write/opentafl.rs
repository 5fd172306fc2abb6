//! Writer for OpenTafl's game records.

use super::WriteGame;
use super::frame::{self, MoveNotation};
use super::losses::{Keeps, RecordLosses};
use super::moves::{WriterStep, push_opentafl};
use crate::record::{MoveMark, WrittenMove};

/// The marks that the notation has.
const MARKS: &[MoveMark] = &[MoveMark::Plus, MoveMark::Minus, MoveMark::PlusPlus, MoveMark::MinusMinus];

/// Appends a record.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let keeps =
        Keeps { letters: true, marks: MARKS, jumps: true, chains: true, captures: true, sides: false };
    losses.moves(game.record, keeps, usize::MAX);
    frame::write(game, &mut OpenTafl, out, losses);
}

struct OpenTafl;

impl MoveNotation for OpenTafl {
    fn push(&mut self, step: &WriterStep<'_>, out: &mut String) {
        if step.mark == MoveMark::None || MARKS.contains(&step.mark) {
            push_opentafl(step, out);
        } else {
            push_opentafl(&WriterStep { mark: MoveMark::None, ..step.clone() }, out);
        }
    }

    fn after_comments(&self) -> &'static str {
        "\n\n"
    }

    fn is_chained(&self, mv: &WrittenMove) -> bool {
        mv.chained
    }

    fn resignation(&self) -> Option<&'static str> {
        Some("---")
    }
}
