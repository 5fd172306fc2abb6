//! A game with its notes.

use schemars::JsonSchema;
use serde::Serialize;
use tafl_analyzer::GameNotes;
use tafl_parser::Severity;
use tafl_rules::{Setup, Shape};

use super::super::games::PlayedGame;

/// An annotated game.
#[derive(Debug)]
pub struct AnnotatedGame {
    /// The game.
    pub game: PlayedGame,
    /// The findings about its positions and plies.
    pub notes: GameNotes,
    /// The setup with which it began.
    pub start: Setup,
}

/// The parameters of the annotation of a game besides the engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnnotationProvenance {
    /// The limits of each search.
    pub limits: String,
    /// The minimum losses of errors.
    pub thresholds: String,
    /// The curves that expectations come from.
    pub curves: String,
}

impl AnnotationProvenance {
    /// Returns everything that the notes on a game depend on, in a line.
    pub fn text(&self, notes: &GameNotes) -> String {
        let AnnotationProvenance { limits, thresholds, curves } = self;
        format!("{}; {limits}; curve {} of {curves}; thresholds {thresholds}", notes.engine, notes.curve)
    }
}

impl AnnotatedGame {
    /// Returns the board.
    pub fn shape(&self) -> Shape {
        self.start.shape()
    }

    /// Returns the rules string.
    pub fn rules(&self) -> Option<String> {
        self.game.replayed.replay.rules.as_ref().map(|rules| rules.book.rules().to_string())
    }

    /// Returns the reason why the notes end before the record, if they do.
    pub fn early_end(&self) -> Option<String> {
        let replayed = &self.game.replayed;
        let (done, written) = (self.notes.plies.len(), replayed.record.main().moves.len());
        let illegal = replayed.diagnostics.iter().find(|found| found.severity() == Severity::Error);
        match (self.notes.stopped, illegal) {
            (Some(stopped), _) => Some(format!("annotated as far as it can be played: {stopped}")),
            (None, Some(found)) if done < written => Some(format!(
                "annotated as far as it can be played: {done} of {written} moves ({})",
                found.code().as_str()
            )),
            // Every move that was read is annotated, but the reader may have skipped a word that is not a move.
            (None, _) => {
                let error = self.game.text_error.as_deref()?;
                Some(format!("annotated as far as it can be read: {error}"))
            }
        }
    }
}
