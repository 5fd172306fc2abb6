//! Edits of stored games: tags that users add, and player aliases.
//!
//! An edited game gets a new row in a new segment, so only the edited games are rewritten; a change of aliases also reads the
//! names of all games. The record of the game, its number, and its evaluations stay as they are.

use std::path::Path;

use crate::cancel::CancelCheck;
use crate::error::CorpusError;
use crate::folder::{Corpus, GameAt};
use crate::ingest::SegmentBuffer;
use crate::manifest::SegmentEntry;
use crate::player_alias::{AliasTable, PlayerAlias};
use crate::rebuild::{each_game, unplayable};
use crate::replay_setups::ReplaySetups;
use crate::row::{GameRow, PlyRow};
use crate::segment::{Segment, seal};
use crate::writer::CorpusWriter;

/// The name of the tags that users add to games. A game can have several.
pub const USER_TAG: &str = "tag";

/// The maximum number of edited games in a segment that are read one at a time; for more, the whole segment is read.
const MAX_SINGLE_READS: usize = 16;

/// A change of the tags of games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagChange {
    /// The tags to add.
    pub add: Vec<String>,
    /// The tags to remove.
    pub remove: Vec<String>,
}

impl TagChange {
    /// Changes the tags of a row, and returns whether they differ.
    fn apply(&self, row: &mut GameRow) -> bool {
        let before = row.tags.clone();
        row.tags.retain(|(name, value)| name != USER_TAG || !self.remove.contains(value));
        for tag in &self.add {
            let is_known = row.tags.iter().any(|(name, value)| name == USER_TAG && value == tag);
            if !is_known {
                row.tags.push((USER_TAG.to_owned(), tag.clone()));
            }
        }
        row.tags != before
    }
}

/// Changes the tags of the games that `select` returns, and returns the number of changed games.
///
/// # Errors
///
/// Fails if another program writes into the corpus, `select` fails, or a file is damaged or cannot be written; the corpus
/// is then unchanged.
///
/// # Examples
///
/// ```
/// use tafl_corpus::{CancelCheck, Corpus, CorpusError, TagChange, tag_games};
/// # use tafl_corpus::{GeneratedGame, Ingest, IngestOptions, Preparer};
/// # use tafl_parser::RuleChoice;
/// # use tafl_rules::{Game, catalog};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games.corpus");
/// # let rules = RuleChoice::named(catalog::find("brandubh7").unwrap());
/// # let mv = Game::new(&rules.chosen().book).moves()[0];
/// # let tags = [("attackers", "sven77"), ("defenders", "Ann")];
/// # let made = GeneratedGame { rules: &rules, moves: &[mv], outcome: None, tags: &tags };
/// # let mut ingest = Ingest::begin(&path, &IngestOptions::default())?;
/// # ingest.add_game(Preparer::default().prepare_generated(&made).unwrap())?;
/// # ingest.finish()?;
/// let change = TagChange { add: vec!["to study".to_owned()], ..TagChange::default() };
/// let select = |corpus: &Corpus| Ok::<_, CorpusError>(corpus.games().collect());
/// assert_eq!(tag_games(&path, "example", &change, CancelCheck::NEVER, select)?, 1);
/// # Ok::<(), CorpusError>(())
/// ```
pub fn tag_games<E: From<CorpusError>>(
    path: &Path,
    note: &str,
    change: &TagChange,
    cancel: CancelCheck<'_>,
    select: impl FnOnce(&Corpus) -> Result<Vec<GameAt>, E>,
) -> Result<u64, E> {
    let mut writer = CorpusWriter::open(path, note)?;
    let corpus = Corpus::open(path)?;
    let mut games = select(&corpus)?;
    games.sort_unstable();
    games.dedup();
    let changed = rewrite(&mut writer, &corpus, &games, cancel, |row| change.apply(row))?;
    writer.commit()?;
    Ok(changed)
}

/// Replaces the player aliases by those that `change` returns, and renames the players of stored games and later imports.
/// Returns the number of changed games.
///
/// # Errors
///
/// Fails if another program writes into the corpus, `change` fails, or a file is damaged or cannot be written; the corpus
/// is then unchanged.
///
/// # Examples
///
/// ```
/// use tafl_corpus::{CancelCheck, Corpus, CorpusError, PlayerAlias, change_aliases};
/// # use tafl_corpus::{GeneratedGame, Ingest, IngestOptions, Preparer};
/// # use tafl_parser::RuleChoice;
/// # use tafl_rules::{Game, catalog};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games.corpus");
/// # let rules = RuleChoice::named(catalog::find("brandubh7").unwrap());
/// # let mv = Game::new(&rules.chosen().book).moves()[0];
/// # let tags = [("attackers", "sven77"), ("defenders", "Ann")];
/// # let made = GeneratedGame { rules: &rules, moves: &[mv], outcome: None, tags: &tags };
/// # let mut ingest = Ingest::begin(&path, &IngestOptions::default())?;
/// # ingest.add_game(Preparer::default().prepare_generated(&made).unwrap())?;
/// # ingest.finish()?;
/// let alias = PlayerAlias { alias: "sven77".to_owned(), name: "Sven".to_owned() };
/// let change = |_: &Corpus| Ok::<_, CorpusError>(vec![alias]);
/// assert_eq!(change_aliases(&path, "example", CancelCheck::NEVER, change)?, 1);
/// # Ok::<(), CorpusError>(())
/// ```
pub fn change_aliases<E: From<CorpusError>>(
    path: &Path,
    note: &str,
    cancel: CancelCheck<'_>,
    change: impl FnOnce(&Corpus) -> Result<Vec<PlayerAlias>, E>,
) -> Result<u64, E> {
    let mut writer = CorpusWriter::open(path, note)?;
    let corpus = Corpus::open(path)?;
    let aliases = change(&corpus)?;
    let names = AliasTable::of(&aliases);
    let mut games = Vec::new();
    for (nth, segment) in corpus.segments().iter().enumerate() {
        cancel.check()?;
        for (row, mut game) in (0..).zip(segment.games_without_text()?) {
            if !segment.is_removed(row) && names.apply(&mut game) {
                games.push(GameAt { segment: nth, row });
            }
        }
    }
    let changed = rewrite(&mut writer, &corpus, &games, cancel, |row| names.apply(row))?;
    writer.set_aliases(aliases);
    writer.commit()?;
    Ok(changed)
}

/// Moves the games that `edit` changes to a new segment, and returns their number. The games must be in order.
fn rewrite(
    writer: &mut CorpusWriter,
    corpus: &Corpus,
    games: &[GameAt],
    cancel: CancelCheck<'_>,
    mut edit: impl FnMut(&mut GameRow) -> bool,
) -> Result<u64, CorpusError> {
    let mut setups = ReplaySetups::default();
    let mut buffer = SegmentBuffer::new(writer.number());
    let mut sealed: Vec<SegmentEntry> = Vec::new();
    let mut changed = 0;
    for (nth, segment) in corpus.segments().iter().enumerate() {
        let rows: Vec<u32> = games.iter().filter(|at| at.segment == nth).map(|at| at.row).collect();
        let mut moved = Vec::new();
        each_of(segment, &rows, |at, mut row, plies| {
            cancel.check()?;
            if segment.is_removed(at) || !edit(&mut row) {
                return Ok(());
            }
            let replay_setup = setups.of(&row).ok_or_else(|| unplayable(segment, at))?;
            buffer.add(replay_setup.prepare(row, plies));
            moved.push(at);
            if buffer.is_full() {
                let next = SegmentBuffer::new(writer.number());
                sealed.push(seal(writer.path(), std::mem::replace(&mut buffer, next).into_draft())?);
            }
            Ok(())
        })?;
        changed += moved.len() as u64;
        writer.remove(segment.number(), moved);
    }
    if !buffer.is_empty() {
        sealed.push(seal(writer.path(), buffer.into_draft())?);
    }
    sealed.into_iter().for_each(|segment| writer.add(segment));
    Ok(changed)
}

/// Calls `take` for the games in rows of a segment, with their plies.
fn each_of(
    segment: &Segment,
    rows: &[u32],
    mut take: impl FnMut(u32, GameRow, Vec<PlyRow>) -> Result<(), CorpusError>,
) -> Result<(), CorpusError> {
    if rows.len() > MAX_SINGLE_READS {
        return each_game(segment, |at, row, plies| {
            if rows.binary_search(&at).is_ok() { take(at, row, plies) } else { Ok(()) }
        });
    }
    for at in rows {
        let row = segment.game(*at)?;
        let plies = segment.plies(std::slice::from_ref(&row), *at)?.pop().unwrap_or_default();
        take(*at, row, plies)?;
    }
    Ok(())
}

/// Adds the tags that users gave to a game to the row of a better copy.
pub(crate) fn keep_user_tags(old: &GameRow, new: &mut GameRow) {
    let own = old.tags.iter().filter(|(name, _)| name == USER_TAG);
    let tags = own.map(|(_, tag)| tag.clone()).collect();
    TagChange { add: tags, remove: Vec::new() }.apply(new);
}

#[cfg(test)]
mod tests {
    use tafl_parser::Format;

    use super::*;
    use crate::ingest::tests::{GAMES, LONG_GAME, tagged, take_in};
    use crate::{VerifyDepth, verify};

    fn rows(path: &Path) -> Vec<GameRow> {
        let corpus = Corpus::open(path).unwrap();
        corpus.games().map(|at| corpus.game(at).unwrap()).collect()
    }

    fn assert_sound(path: &Path) {
        let report = verify(path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap();
        assert!(report.faults.is_empty(), "{:?}", report.faults);
    }

    fn change(add: &[&str], remove: &[&str]) -> TagChange {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        TagChange { add: texts(add), remove: texts(remove) }
    }

    fn tag(path: &Path, change: &TagChange, nth: usize) -> u64 {
        let select = |corpus: &Corpus| Ok(vec![corpus.games().nth(nth).unwrap()]);
        tag_games::<CorpusError>(path, "a test", change, CancelCheck::NEVER, select).unwrap()
    }

    fn rename(path: &Path, aliases: &[(&str, &str)]) -> u64 {
        let aliases: Vec<PlayerAlias> = aliases
            .iter()
            .map(|(alias, name)| PlayerAlias { alias: (*alias).to_owned(), name: (*name).to_owned() })
            .collect();
        change_aliases::<CorpusError>(path, "a test", CancelCheck::NEVER, |_| Ok(aliases)).unwrap()
    }

    #[test]
    fn a_tagged_game_keeps_everything_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.csv", Format::MoveList, &GAMES);
        let before = rows(&path);
        assert_eq!(tag(&path, &change(&["study", "long"], &[]), 1), 1);
        assert_eq!(tag(&path, &change(&["study"], &["absent"]), 2), 0, "nothing to change");
        let tagged = rows(&path).pop().unwrap();
        let tags = vec![("tag".to_owned(), "study".to_owned()), ("tag".to_owned(), "long".to_owned())];
        assert_eq!(tagged, GameRow { tags, ..before[1].clone() });
        assert_sound(&path);
        assert_eq!(tag(&path, &change(&[], &["study", "long"]), 2), 1);
        assert_eq!(rows(&path), [before[0].clone(), before[2].clone(), before[1].clone()]);
        // The same records are still known.
        let (_, summary) = take_in(&path, "a.csv", Format::MoveList, &GAMES);
        assert_eq!((summary.added, Corpus::open(&path).unwrap().n_games()), (0, 3));
    }

    #[test]
    fn a_better_copy_keeps_the_tags_of_users() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.jsonl", Format::Jsonl, &[&tagged("", LONG_GAME)]);
        tag(&path, &change(&["study"], &[]), 0);
        let better = tagged(r#"["event","Club"],["attackers","Ann"],["defenders","Bo"]"#, LONG_GAME);
        let (_, summary) = take_in(&path, "b.jsonl", Format::Jsonl, &[&better]);
        assert_eq!((summary.replaced, summary.added), (1, 0));
        let row = rows(&path).pop().unwrap();
        assert!(row.tags.contains(&("tag".to_owned(), "study".to_owned())), "{:?}", row.tags);
        assert_eq!(row.event.as_deref(), Some("Club"));
    }

    #[test]
    fn players_are_renamed_now_and_at_later_imports() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        let game = |name: &str, nth: usize| tagged(&format!(r#"["attackers","{name}"]"#), GAMES[nth]);
        take_in(&path, "a.jsonl", Format::Jsonl, &[&game("sven77", 0), &game("Sven", 2)]);
        let before = rows(&path);
        assert_eq!(rename(&path, &[("Sven77", "Sven")]), 1);
        assert_eq!(Corpus::open(&path).unwrap().manifest().taflbase_corpus, 3);
        let names =
            |path: &Path| -> Vec<String> { rows(path).into_iter().filter_map(|row| row.attackers).collect() };
        assert_eq!(names(&path), ["Sven", "Sven"]);
        assert_sound(&path);
        let long = tagged(r#"["defenders","SVEN77"]"#, LONG_GAME);
        take_in(&path, "a.jsonl", Format::Jsonl, &[&game("sven77", 0), &game("Sven", 2), &long]);
        assert_eq!(rows(&path).len(), 3, "the same record is not stored under another name");
        assert_eq!(rows(&path)[2].defenders.as_deref(), Some("Sven"));
        assert_sound(&path);
        assert_eq!(rename(&path, &[]), 2);
        assert_eq!(rows(&path).pop().unwrap().defenders.as_deref(), Some("SVEN77"));
        assert!(rows(&path).contains(&before[0]));
        assert_eq!(Corpus::open(&path).unwrap().manifest().taflbase_corpus, 1);
    }

    #[test]
    fn an_import_counts_games_of_a_player_against_an_alias() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        let game = |one: &str, other: &str, moves: &str| {
            tagged(&format!(r#"["attackers","{one}"],["defenders","{other}"]"#), moves)
        };
        take_in(&path, "a.jsonl", Format::Jsonl, &[&game("sven77", "Ann", GAMES[0])]);
        rename(&path, &[("sven77", "Sven")]);
        let games = [game("Sven", "SVEN77", GAMES[2]), game("Ann", "Ann", LONG_GAME)];
        let (_, summary) = take_in(&path, "b.jsonl", Format::Jsonl, &[&games[0], &games[1]]);
        assert_eq!((summary.added, summary.merged_opponents), (2, 1));
    }

    #[test]
    fn many_games_are_edited_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        let games: Vec<String> = (0..20)
            .map(|nth| tagged(&format!(r#"["attackers","Ann"],["event","{nth}"]"#), LONG_GAME))
            .collect();
        for (nth, game) in games.iter().enumerate() {
            let moves = LONG_GAME.split(' ').take(6 + nth).collect::<Vec<_>>().join(" ");
            let game = game.replace(LONG_GAME, &moves);
            take_in(&path, &format!("{nth}.jsonl"), Format::Jsonl, &[&game]);
        }
        crate::compact(&path, "a test", crate::Compaction::Needed, CancelCheck::NEVER).unwrap();
        assert_eq!(rename(&path, &[("ann", "Anna")]), 20);
        assert_sound(&path);
        assert!(rows(&path).iter().all(|row| row.attackers.as_deref() == Some("Anna")));
    }
}
