//! The record of a game in a notation.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::GameId;
use tafl_parser::{Format, Severity, WriteGame, write_record};

use super::StoredGame;
use crate::database::export;
use crate::database::{CorpusRequest, CorpusSnapshot};
use crate::records::PlayedBuilder;
use crate::{App, Error, Job, Named, Result, WritableNotation};

/// Write the record of a game of a corpus in a notation
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GameRecordRequest {
    /// The ID of the game: 16 hexadecimal digits.
    pub id: String,
    /// The notation.
    #[serde(default)]
    pub to: Named<WritableNotation>,
}

/// The record of a game in a notation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecordAnswer {
    /// The ID of the game.
    pub game: GameId,
    /// The notation.
    pub format: Format,
    /// The record.
    pub text: String,
    /// The losses of the notation, in words.
    pub losses: Vec<String>,
}

impl CorpusRequest for GameRecordRequest {
    type Answer = GameRecordAnswer;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, _: &App, _: &Job) -> Result<GameRecordAnswer> {
        let format = self.to.0.0;
        let game = StoredGame::find(&self.id, corpus)?;
        let mut record = game.replayed.record.clone();
        export::complete(&mut record, &game.row);
        let played = PlayedBuilder::default().played(&game.replayed);
        let mut text = String::new();
        let lost = write_record(WriteGame { record: &record, played: played.as_ref() }, format, &mut text)
            .map_err(|error| Error::parameter("to", error.to_string()))?;
        let losses = lost.iter().filter(|lost| lost.severity() > Severity::Note);
        let losses = losses.map(|lost| lost.message("")).collect();
        Ok(GameRecordAnswer { game: game.row.game, format, text, losses })
    }
}
