//! Writer for OpenTafl's game records.

use super::WriteGame;
use super::frame::{self, MoveNotation};
use super::losses::{Keeps, RecordLosses};
use super::moves::{WriterStep, push_opentafl};
use crate::record::{MoveMark, WrittenMove};

/// Appends a record.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let marks = &[MoveMark::Plus, MoveMark::Minus, MoveMark::PlusPlus, MoveMark::MinusMinus];
    let keeps = Keeps { letters: true, marks, jumps: true, chains: true, captures: true, sides: false };
    losses.moves(game.record, keeps, usize::MAX);
    frame::write(game, &mut OpenTafl, out, losses);
}

struct OpenTafl;

impl MoveNotation for OpenTafl {
    fn push(&mut self, step: &WriterStep<'_>, out: &mut String) {
        match step.mark {
            MoveMark::Bang
            | MoveMark::Equal
            | MoveMark::Star
            | MoveMark::Question
            | MoveMark::BangBang
            | MoveMark::QuestionQuestion
            | MoveMark::BangQuestion
            | MoveMark::QuestionBang
            | MoveMark::Hash => {
                push_opentafl(
                    &WriterStep { mark: MoveMark::None, captures: step.captures.clone(), ..*step },
                    out,
                );
            }
            MoveMark::None | MoveMark::Plus | MoveMark::Minus | MoveMark::PlusPlus | MoveMark::MinusMinus => {
                push_opentafl(step, out)
            }
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
