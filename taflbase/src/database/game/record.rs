//! The record of a game in a notation.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::GameId;
use tafl_parser::Format;

use super::StoredGame;
use crate::database::export::StoredRecordWriter;
use crate::database::{CorpusRequest, CorpusSnapshot};
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
        let (at, row) = StoredGame::find_row(&self.id, corpus)?;
        let parsed = corpus.corpus().record(at, &row)?;
        let mut text = String::new();
        let lost = StoredRecordWriter::new(format)
            .write(parsed, &row, &mut text)?
            .map_err(|refusal| Error::parameter("to", refusal.to_string()))?;
        let losses = lost.iter().map(|lost| lost.message("")).collect();
        Ok(GameRecordAnswer { game: row.game, format, text, losses })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{ExportRequest, ImportRequest, OnCorpus};
    use crate::{Request, StreamRequest};

    #[test]
    fn a_record_is_the_same_as_in_an_export() {
        let folder = tempfile::tempdir().unwrap();
        let (corpus, file) = (folder.path().join("games.corpus"), folder.path().join("games.otg"));
        // The record names its variant, but has no rules.
        std::fs::write(&file, "[attackers:Ann]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n").unwrap();
        let (app, job) = (App::new(), Job::default());
        let import = ImportRequest { corpus: corpus.clone(), paths: vec![file], ..ImportRequest::default() };
        import.run(&app, &job, &mut |_| Ok(())).unwrap();
        for format in Format::ALL.into_iter().filter(|format| format.is_writable()) {
            let to: Named<WritableNotation> = format.name().parse().unwrap();
            let export = ExportRequest { corpus: corpus.clone(), to, ..ExportRequest::default() };
            let mut exported = Vec::new();
            export
                .run(&app, &job, &mut |game| {
                    exported.push(game);
                    Ok(())
                })
                .unwrap();
            let [game] = &exported[..] else { panic!("{exported:?}") };
            let request = GameRecordRequest { id: game.game.clone(), to };
            let answer = OnCorpus { corpus: corpus.clone(), request }.run(&app, &job);
            assert_eq!(answer.is_err(), game.left_out.is_some(), "{}", format.name());
            let text = answer.map(|answer| answer.text).unwrap_or_default();
            assert_eq!(text, game.text, "{}", format.name());
            assert!(format != Format::OpenTafl || text.contains("[rules:"), "{text}");
        }
    }
}
