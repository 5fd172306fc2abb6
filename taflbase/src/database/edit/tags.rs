//! Changes of the tags of games.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{TagChange, tag_games};

use super::{EditError, edit, plain_name};
use crate::database::import::writer_note;
use crate::database::{CorpusSnapshot, GameSelection};
use crate::{App, Error, Job, Request, Result};

/// Add tags to games of a corpus, or remove them
///
/// # Examples
///
/// ```
/// use taflbase::database::{GameSelection, ImportRequest, TagRequest};
/// use taflbase::{App, Job, Request, StreamRequest};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let (corpus, file) = (folder.path().join("games.corpus"), folder.path().join("games.otg"));
/// # std::fs::write(&file, "[attackers:Ann]\n[defenders:sven77]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n").unwrap();
/// let (app, job) = (App::new(), Job::default());
/// let import = ImportRequest { corpus: corpus.clone(), paths: vec![file], ..ImportRequest::default() };
/// import.run(&app, &job, &mut |_event| Ok(()))?;
///
/// let select = GameSelection { query: Some("player:ann".to_owned()), ..GameSelection::default() };
/// let request = TagRequest { corpus, select, add: vec!["to study".to_owned()], ..TagRequest::default() };
/// assert_eq!(request.run(&app, &job)?.changed, 1);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct TagRequest {
    /// The folder of the corpus
    pub corpus: PathBuf,
    /// The games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub select: GameSelection,
    /// Add this tag; may be repeated
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TAG"))]
    pub add: Vec<String>,
    /// Remove this tag; may be repeated
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TAG"))]
    pub remove: Vec<String>,
}

/// The result of a change of tags.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TagAnswer {
    /// The number of games that were selected.
    pub games: u64,
    /// The number of games whose tags changed.
    pub changed: u64,
    /// Possible reasons why no game was selected; empty if games were.
    #[serde(default)]
    pub notes: Vec<String>,
}

impl Request for TagRequest {
    type Answer = TagAnswer;

    fn run(self, _: &App, job: &Job) -> Result<TagAnswer> {
        if self.select.is_all() {
            return Err(Error::parameter("query", "no games are selected; give `query` or `game`"));
        }
        let texts = |texts: &[String], parameter| -> Result<Vec<String>> {
            texts.iter().map(|text| plain_name(text, parameter)).collect()
        };
        let change = TagChange { add: texts(&self.add, "add")?, remove: texts(&self.remove, "remove")? };
        if change == TagChange::default() {
            return Err(Error::parameter("add", "there is nothing to change; give `add` or `remove`"));
        }
        let (mut games, mut notes) = (0, Vec::new());
        let changed = edit(&self.corpus, job, |cancel| {
            // Chosen while this program is the only writer, so that no row has another place meanwhile.
            tag_games(&self.corpus, &writer_note(), &change, cancel, |corpus| {
                let snapshot = CorpusSnapshot::of(corpus.clone(), None);
                let found = self.select.find(&snapshot, job).map_err(EditError::Other)?;
                games = found.len() as u64;
                notes = self.select.no_match_notes(&snapshot, &found).map_err(EditError::Other)?;
                Ok(found)
            })
        })?;
        Ok(TagAnswer { games, changed, notes })
    }
}
