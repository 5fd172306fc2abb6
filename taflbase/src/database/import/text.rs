//! The import of the records of one text, such as an upload.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{Corpus, GameAt, IngestSummary};
use tafl_parser::file_name;

use super::{ImportEvent, ImportRequest};
use crate::clock::now;
use crate::records::{FAILED, RecordEvent, TextInput, unreadable};
use crate::{App, Error, ErrorKind, Job, Named, Result, Threads};

/// The maximum number of games and problems in an answer.
const MAX_LISTED: usize = 50;

/// Import the records of a text into a corpus
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportTextRequest {
    /// The input settings.
    #[serde(flatten)]
    pub input: TextInput,
}

/// The result of an import of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportTextAnswer {
    /// Games, copies, and rejected records.
    #[serde(flatten)]
    pub counts: IngestSummary,
    /// The IDs of the games that were stored; at most 50.
    pub games: Vec<String>,
    /// What could not be read; at most 50 messages.
    pub problems: Vec<String>,
    /// The number of games in the corpus after the import.
    pub corpus_games: u64,
}

impl ImportTextRequest {
    /// Imports a text, which may be packed by gzip or Zstandard, into the corpus in a folder.
    ///
    /// # Errors
    ///
    /// Fails if the text is empty or has no records, can't be unpacked, or a parameter is wrong, if another program writes into the
    /// corpus, a file can't be read or written, or the job is over. Nothing is stored then.
    pub fn run_on(self, corpus: &Path, text: &[u8], app: &App, job: &Job) -> Result<ImportTextAnswer> {
        let name = self.input.name.as_deref().map(source_name).filter(|name| !name.is_empty());
        // The same line of the same file is never stored twice, but pasted texts are not one file.
        let name = name.unwrap_or_else(|| format!("pasted {}", now()));
        let input = TextInput { name: Some(name), ..self.input };
        let reader = input.open(text, app)?.reader;
        let request = ImportRequest {
            corpus: corpus.to_owned(),
            notation: input.notation.0.0.map(Named),
            rules: input.rules,
            threads: Threads::ONE,
            ..ImportRequest::default()
        };
        let mut problems = Vec::new();
        let answer = request.run_with_reader(&reader, app, job, &mut |event| {
            let event = match event {
                ImportEvent::Input { event, .. } => event,
                ImportEvent::Problem(_) | ImportEvent::Committed { .. } => return Ok(()),
            };
            let problem = match event {
                RecordEvent::Unreadable(error) => return Err(unreadable(&error)),
                RecordEvent::Finding(found) => found.finding.message.clone(),
                RecordEvent::Failed(..) => FAILED.to_owned(),
                RecordEvent::Skipped(_) | RecordEvent::Record(()) | RecordEvent::Awaited => return Ok(()),
            };
            if problems.len() < MAX_LISTED {
                problems.push(problem);
            }
            Ok(())
        })?;
        let counts = answer.counts;
        if counts.added + counts.doubled + counts.rejected == 0 {
            let error = Error::new(ErrorKind::BadRecord, "the text has no records");
            return Err(match problems.into_iter().next() {
                Some(problem) => error.with_help(problem),
                None => error,
            });
        }
        let games = newest(corpus, counts.added + counts.replaced - counts.replaced_new)?;
        Ok(ImportTextAnswer { counts, games, problems, corpus_games: answer.corpus_games })
    }
}

/// Returns the numbers of the last games of a corpus: stored games are appended, and joining segments keeps the order.
fn newest(path: &Path, count: u64) -> Result<Vec<String>> {
    let corpus = Corpus::open(path)?;
    let games: Vec<GameAt> = corpus.games().collect();
    let first = games.len().saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
    let listed = games[first..].iter().take(MAX_LISTED);
    listed.map(|at| Ok(corpus.game(*at)?.game.to_string())).collect()
}

/// Returns the name of a file without its folder and without control characters.
fn source_name(path: &str) -> String {
    file_name(path).chars().filter(|symbol| !symbol.is_control()).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_imported_and_its_games_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let corpus = folder.path().join("games.corpus");
        let (app, job) = (App::new(), Job::default());
        let import = |text: &str, name: Option<&str>| {
            let input = TextInput { name: name.map(str::to_owned), ..TextInput::default() };
            ImportTextRequest { input }.run_on(&corpus, text.as_bytes(), &app, &job)
        };
        let game = "[variant:brandubh7]\n\n1. d2-c2 e4-e1\n";
        let first = import(game, Some("C:\\games\\one.otg")).unwrap();
        assert_eq!((first.counts.added, first.games.len(), first.corpus_games), (1, 1, 1));
        let source = Corpus::open(&corpus).unwrap();
        let at = source.games().next().unwrap();
        assert_eq!(source.game(at).unwrap().source.as_deref(), Some("one.otg"));
        let again = import(game, Some("one.otg")).unwrap();
        assert_eq!((again.counts.doubled, again.games.len(), again.corpus_games), (1, 0, 1));
        let broken = import("[variant:brandubh7]\n\n1. d2-c2 e4-e9\n", None).unwrap();
        assert_eq!((broken.counts.rejected, broken.corpus_games), (1, 1));
        for empty in ["", "Nothing to see here.\n"] {
            assert_eq!(import(empty, None).unwrap_err().kind, ErrorKind::BadRecord, "{empty:?}");
        }
    }
}
