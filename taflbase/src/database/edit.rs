//! Edits of stored games: tags and player aliases.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{
    CancelCheck, Compaction, Corpus, CorpusError, PlayerAlias, TagChange, change_aliases, compact,
    is_same_name, tag_games,
};

use super::import::writer_note;
use super::player::unknown_player;
use super::{CorpusRequest, CorpusSnapshot, GameSelection};
use crate::escape::escape;
use crate::{App, Error, ErrorKind, Job, Request, Result};

/// The maximum number of characters of a tag or a name.
const MAX_NAME: usize = 80;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TagAnswer {
    /// The number of games that were selected.
    pub games: u64,
    /// The number of games whose tags changed.
    pub changed: u64,
}

/// Merge names of a player: record that they are aliases of one name
///
/// # Examples
///
/// ```
/// use taflbase::database::{ImportRequest, PlayerMergeRequest, PlayerSplitRequest};
/// use taflbase::{App, Job, Request, StreamRequest};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let (corpus, file) = (folder.path().join("games.corpus"), folder.path().join("games.otg"));
/// # std::fs::write(&file, "[attackers:Ann]\n[defenders:sven77]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n").unwrap();
/// let (app, job) = (App::new(), Job::default());
/// let import = ImportRequest { corpus: corpus.clone(), paths: vec![file], ..ImportRequest::default() };
/// import.run(&app, &job, &mut |_event| Ok(()))?;
///
/// let aliases = vec!["sven77".to_owned()];
/// let merge = PlayerMergeRequest { corpus: corpus.clone(), name: "Sven".to_owned(), aliases: aliases.clone(), force: false };
/// let merged = merge.run(&app, &job)?;
/// assert_eq!((merged.changed, &*merged.aliases[0].name), (1, "Sven"));
///
/// let split = PlayerSplitRequest { corpus, aliases };
/// assert!(split.run(&app, &job)?.aliases.is_empty());
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PlayerMergeRequest {
    /// The folder of the corpus
    pub corpus: PathBuf,
    /// The name that all games will show
    pub name: String,
    /// The aliases of the player, as games show them
    #[cfg_attr(feature = "clap", arg(value_name = "ALIAS", required = true))]
    pub aliases: Vec<String>,
    /// Merge names even if they are opponents in a game
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub force: bool,
}

/// Undo a merge: games show the names of their records again
///
/// [`PlayerMergeRequest`] has an example.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PlayerSplitRequest {
    /// The folder of the corpus
    pub corpus: PathBuf,
    /// The aliases to split
    #[cfg_attr(feature = "clap", arg(value_name = "ALIAS", required = true))]
    pub aliases: Vec<String>,
}

/// List the aliases of players
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerAliasesRequest {}

/// The aliases of players after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerAliasesAnswer {
    /// The number of games whose players were renamed.
    pub changed: u64,
    /// All aliases, in alphabetical order.
    pub aliases: Vec<AliasEntry>,
}

/// An alias of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AliasEntry {
    /// The alias.
    pub alias: String,
    /// The name that games show.
    pub name: String,
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
        let mut games = 0;
        let changed = edit(&self.corpus, job, |cancel| {
            // Chosen while this program is the only writer, so that no row has another place meanwhile.
            tag_games(&self.corpus, &writer_note(), &change, cancel, |corpus| {
                let snapshot = CorpusSnapshot::of(corpus.clone(), None);
                let found = self.select.find(&snapshot, job).map_err(EditError::Other)?;
                games = found.len() as u64;
                Ok(found)
            })
        })?;
        Ok(TagAnswer { games, changed })
    }
}

impl Request for PlayerMergeRequest {
    type Answer = PlayerAliasesAnswer;

    fn run(self, _: &App, job: &Job) -> Result<PlayerAliasesAnswer> {
        let name = plain_name(&self.name, "name")?;
        change_names(&self.corpus, job, |corpus, known| {
            if let Some(entry) =
                known.iter().find(|entry| is_same_name(&entry.alias, &name) && entry.name != name)
            {
                let (name, shown) = (escape(&name), escape(&entry.name));
                return Err(Error::parameter("name", format!("`{name}` is an alias of `{shown}`"))
                    .with_help(format!("merge into `{shown}`, or split `{name}` first")));
            }
            let CorpusPlayers { names, opponents } = CorpusPlayers::of(corpus, &|shown| {
                is_same_name(shown, &name) || self.aliases.iter().any(|alias| is_same_name(shown, alias))
            })?;
            if opponents > 0 && !self.force {
                let message = format!("the names are opponents in {}", counted_games(opponents));
                return Err(Error::new(ErrorKind::Conflict, message)
                    .of("aliases")
                    .with_help("use --force to merge them nevertheless"));
            }
            for alias in &self.aliases {
                // Another spelling with other capitals may be merged.
                if *alias == name {
                    return Err(Error::parameter("aliases", "a name can't be an alias of itself"));
                }
                let is_known = known.iter().any(|entry| is_same_name(&entry.alias, alias));
                if !is_known && !names.iter().any(|name| is_same_name(name, alias)) {
                    return Err(unknown_player(alias, "game of the corpus", names).of("aliases"));
                }
            }
            let is_merged = |other: &str| self.aliases.iter().any(|alias| is_same_name(alias, other));
            known.retain(|entry| !is_merged(&entry.alias));
            // The aliases of an alias are those of the name as well.
            for entry in known.iter_mut().filter(|entry| is_merged(&entry.name)) {
                entry.name.clone_from(&name);
            }
            let added =
                self.aliases.iter().map(|alias| PlayerAlias { alias: alias.clone(), name: name.clone() });
            known.extend(added);
            Ok(())
        })
    }
}

impl Request for PlayerSplitRequest {
    type Answer = PlayerAliasesAnswer;

    fn run(self, _: &App, job: &Job) -> Result<PlayerAliasesAnswer> {
        change_names(&self.corpus, job, |_, known| {
            for alias in &self.aliases {
                if !known.iter().any(|entry| is_same_name(&entry.alias, alias)) {
                    let message = format!("`{}` is not an alias", escape(alias));
                    let error = Error::parameter("aliases", message);
                    let all: Vec<_> =
                        known.iter().map(|entry| format!("`{}`", escape(&entry.alias))).collect();
                    return Err(match &*all {
                        [] => error.with_help("no names are merged"),
                        some => error.with_help(format!("the aliases are {}", some.join(", "))),
                    });
                }
                known.retain(|entry| !is_same_name(&entry.alias, alias));
            }
            Ok(())
        })
    }
}

impl CorpusRequest for PlayerAliasesRequest {
    type Answer = PlayerAliasesAnswer;

    fn run_on(
        self,
        corpus: &std::sync::Arc<CorpusSnapshot>,
        _: &App,
        _: &Job,
    ) -> Result<PlayerAliasesAnswer> {
        Ok(PlayerAliasesAnswer { changed: 0, aliases: entries(&corpus.corpus().manifest().aliases) })
    }
}

/// The error of an edit: of the corpus, or of the request.
enum EditError {
    Corpus(CorpusError),
    Other(Error),
}

impl From<CorpusError> for EditError {
    fn from(error: CorpusError) -> EditError {
        EditError::Corpus(error)
    }
}

/// Runs an edit under a job, and joins small segments, of which every edit makes one.
fn edit(
    corpus: &Path,
    job: &Job,
    task: impl FnOnce(CancelCheck<'_>) -> Result<u64, EditError>,
) -> Result<u64> {
    let is_over = || job.is_over();
    let changed = match task(CancelCheck::new(&is_over)) {
        Err(EditError::Corpus(error @ CorpusError::Canceled)) => {
            job.check()?;
            return Err(error.into());
        }
        Err(EditError::Corpus(error)) => return Err(error.into()),
        Err(EditError::Other(error)) => return Err(error),
        Ok(changed) => changed,
    };
    if changed > 0 {
        // The games are stored. If something keeps their segments from being joined, a later import joins them.
        let _ = compact(corpus, &writer_note(), Compaction::FullTier, CancelCheck::NEVER);
    }
    Ok(changed)
}

/// Changes the aliases.
fn change_names(
    corpus: &Path,
    job: &Job,
    change: impl FnOnce(&Corpus, &mut Vec<PlayerAlias>) -> Result<()>,
) -> Result<PlayerAliasesAnswer> {
    let mut aliases = Vec::new();
    let changed = edit(corpus, job, |cancel| {
        change_aliases(corpus, &writer_note(), cancel, |open| {
            let mut known = open.manifest().aliases.clone();
            change(open, &mut known).map_err(EditError::Other)?;
            known.sort_by(|one, other| one.alias.cmp(&other.alias));
            aliases = entries(&known);
            Ok(known)
        })
    })?;
    Ok(PlayerAliasesAnswer { changed, aliases })
}

fn entries(aliases: &[PlayerAlias]) -> Vec<AliasEntry> {
    let entry = |one: &PlayerAlias| AliasEntry { alias: one.alias.clone(), name: one.name.clone() };
    aliases.iter().map(entry).collect()
}

/// The names of the players of a corpus.
struct CorpusPlayers {
    names: HashSet<String>,
    /// The number of games in which both players are in a group, with different names.
    opponents: u64,
}

impl CorpusPlayers {
    fn of(corpus: &Corpus, is_in_group: &dyn Fn(&str) -> bool) -> Result<CorpusPlayers> {
        let snapshot = CorpusSnapshot::of(corpus.clone(), None);
        let mut found = CorpusPlayers { names: HashSet::new(), opponents: 0 };
        for at in corpus.games() {
            let game = snapshot.summaries().get(at)?;
            if let (Some(one), Some(other)) = (game.attackers, game.defenders)
                && !is_same_name(one, other)
                && is_in_group(one)
                && is_in_group(other)
            {
                found.opponents += 1;
            }
            found.names.extend([game.attackers, game.defenders].into_iter().flatten().map(str::to_owned));
        }
        Ok(found)
    }
}

fn counted_games(games: u64) -> String {
    if games == 1 { "a game".to_owned() } else { format!("{games} games") }
}

/// Returns a tag or a name without blanks at its ends.
fn plain_name(text: &str, parameter: &'static str) -> Result<String> {
    let plain = text.trim();
    let length = plain.chars().count();
    if length == 0 || length > MAX_NAME || plain.contains(char::is_control) {
        let message = format!("expected 1 to {MAX_NAME} characters on one line, not `{}`", escape(text));
        return Err(Error::parameter(parameter, message));
    }
    Ok(plain.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StreamRequest;
    use crate::database::{ImportRequest, OnCorpus, PlayerRequest};

    const GAMES: &str = "[attackers:Ann]\n[defenders:sven77]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n\n\
                         [attackers:Sven]\n[defenders:Ann]\n[variant:brandubh7]\n\n1. d1-c1 d3-c3\n";

    struct EditFixture {
        corpus: PathBuf,
        app: App,
        _folder: tempfile::TempDir,
    }

    impl EditFixture {
        fn new() -> EditFixture {
            let folder = tempfile::tempdir().unwrap();
            let (corpus, file) = (folder.path().join("games.corpus"), folder.path().join("games.otg"));
            std::fs::write(&file, GAMES).unwrap();
            let app = App::new();
            let import =
                ImportRequest { corpus: corpus.clone(), paths: vec![file], ..ImportRequest::default() };
            import.run(&app, &Job::default(), &mut |_| Ok(())).unwrap();
            EditFixture { corpus, app, _folder: folder }
        }

        fn merge(&self, name: &str, aliases: &[&str]) -> Result<PlayerAliasesAnswer> {
            let aliases = aliases.iter().map(|alias| (*alias).to_owned()).collect();
            let name = name.to_owned();
            let request = PlayerMergeRequest { corpus: self.corpus.clone(), name, aliases, force: false };
            request.run(&self.app, &Job::default())
        }

        fn games_of(&self, name: &str) -> Option<(u64, Vec<String>)> {
            let request = PlayerRequest { name: name.to_owned(), ..PlayerRequest::default() };
            let answer =
                OnCorpus { corpus: self.corpus.clone(), request }.run(&self.app, &Job::default()).ok()?;
            Some((answer.total.games, answer.aliases))
        }
    }

    #[test]
    fn aliases_are_merged_and_split() {
        let fixture = EditFixture::new();
        assert_eq!(fixture.merge("Sven", &["sven77"]).unwrap().changed, 1);
        assert_eq!(fixture.games_of("Sven"), Some((2, vec!["sven77".to_owned()])));
        // An alias names the player.
        assert_eq!(fixture.games_of("sven77"), fixture.games_of("Sven"));
        // The aliases of an alias follow it.
        let merged = fixture.merge("Sven S.", &["Sven"]).unwrap();
        let names: Vec<_> = merged.aliases.iter().map(|one| (&*one.alias, &*one.name)).collect();
        assert_eq!(names, [("Sven", "Sven S."), ("sven77", "Sven S.")]);
        assert_eq!(fixture.merge("sven77", &["Ann"]).unwrap_err().parameter, Some("name"));
        let split = PlayerSplitRequest { corpus: fixture.corpus.clone(), aliases: vec!["SVEN".to_owned()] };
        assert_eq!(split.clone().run(&fixture.app, &Job::default()).unwrap().changed, 1);
        assert_eq!(fixture.games_of("Sven S.").map(|(games, _)| games), Some(1));
        assert_eq!(split.run(&fixture.app, &Job::default()).unwrap_err().parameter, Some("aliases"));
    }

    #[test]
    fn wrong_names_are_refused() {
        let fixture = EditFixture::new();
        let unknown = fixture.merge("Sven", &["sven777"]).unwrap_err();
        assert_eq!(
            (unknown.kind, unknown.help.as_deref()),
            (ErrorKind::UnknownPlayer, Some("did you mean `sven77`?"))
        );
        assert_eq!(fixture.merge("Sven", &["Sven"]).unwrap_err().parameter, Some("aliases"));
        assert_eq!(fixture.merge(" ", &["Sven"]).unwrap_err().parameter, Some("name"));
    }

    #[test]
    fn opponents_are_merged_only_on_request() {
        let fixture = EditFixture::new();
        let error = fixture.merge("Sven", &["Ann", "sven77"]).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Conflict);
        assert_eq!(error.message, "the names are opponents in 2 games");
        let aliases = vec!["sven77".to_owned()];
        let (corpus, name) = (fixture.corpus.clone(), "Ann".to_owned());
        let request = PlayerMergeRequest { corpus, name, aliases, force: true };
        assert_eq!(request.run(&fixture.app, &Job::default()).unwrap().changed, 1);
    }

    #[test]
    fn a_corpus_that_is_written_is_busy() {
        let fixture = EditFixture::new();
        let writing =
            tafl_corpus::Ingest::begin(&fixture.corpus, &tafl_corpus::IngestOptions::default()).unwrap();
        assert_eq!(fixture.merge("Sven", &["sven77"]).unwrap_err().kind, ErrorKind::Busy);
        drop(writing);
        assert!(fixture.merge("Sven", &["sven77"]).is_ok());
    }

    #[test]
    fn tags_need_games_and_a_change() {
        let fixture = EditFixture::new();
        let run = |query: Option<&str>, add: &[&str]| {
            let select = GameSelection { query: query.map(str::to_owned), game: Vec::new() };
            let add = add.iter().map(|tag| (*tag).to_owned()).collect();
            let request = TagRequest { corpus: fixture.corpus.clone(), select, add, remove: Vec::new() };
            request.run(&fixture.app, &Job::default())
        };
        assert_eq!(run(Some("player:sven77"), &[" to study "]).unwrap().changed, 1);
        assert_eq!(run(Some("text:study"), &["to study"]).unwrap().changed, 0);
        assert_eq!(run(None, &["x"]).unwrap_err().parameter, Some("query"));
        assert_eq!(run(Some("player:ann"), &[]).unwrap_err().parameter, Some("add"));
        assert_eq!(run(Some("player:ann"), &["a\nb"]).unwrap_err().parameter, Some("add"));
        assert_eq!(run(Some("player"), &["x"]).unwrap_err().kind, ErrorKind::BadQuery);
    }
}
