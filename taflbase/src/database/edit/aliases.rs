//! Player aliases: merges of names, and their undoing.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{Corpus, PlayerAlias, change_aliases, is_same_name};
use tafl_rules::counted;

use super::{EditError, edit, plain_name};
use crate::database::import::writer_note;
use crate::database::player::unknown_player;
use crate::database::{CorpusRequest, CorpusSnapshot};
use crate::escape::escape;
use crate::{App, Error, ErrorKind, Job, Request, Result};

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
            for alias in &self.aliases {
                let other = known
                    .iter()
                    .find(|entry| is_same_name(&entry.alias, alias) && !is_same_name(&entry.name, &name));
                if let Some(entry) = other {
                    let (alias, shown) = (escape(alias), escape(&entry.name));
                    return Err(Error::parameter("aliases", format!("`{alias}` is an alias of `{shown}`"))
                        .with_help(format!("merge `{shown}`, or split `{alias}` first")));
                }
            }
            let CorpusPlayers { names, opponents } = CorpusPlayers::of(corpus, &|shown| {
                is_same_name(shown, &name) || self.aliases.iter().any(|alias| is_same_name(shown, alias))
            })?;
            if opponents > 0 && !self.force {
                let message = format!("the names are opponents in {}", counted(opponents, "game", "games"));
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
            for alias in &self.aliases {
                // The request may have it twice.
                if !known.iter().any(|entry| is_same_name(&entry.alias, alias)) {
                    known.push(PlayerAlias { alias: alias.clone(), name: name.clone() });
                }
            }
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

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, _: &App, _: &Job) -> Result<PlayerAliasesAnswer> {
        Ok(PlayerAliasesAnswer { changed: 0, aliases: entries(&corpus.corpus().manifest().aliases) })
    }
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
