//! Merges, splits, and tags in a corpus of two games.

use std::path::PathBuf;

use super::*;
use crate::database::{GameSelection, ImportRequest, OnCorpus, PlayerRequest};
use crate::{App, ErrorKind, Request, StreamRequest};

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
        let import = ImportRequest { corpus: corpus.clone(), paths: vec![file], ..ImportRequest::default() };
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
    assert_eq!(fixture.merge("sven77", &["Ann"]).unwrap_err().parameter.as_deref(), Some("name"));
    let split = PlayerSplitRequest { corpus: fixture.corpus.clone(), aliases: vec!["SVEN".to_owned()] };
    assert_eq!(split.clone().run(&fixture.app, &Job::default()).unwrap().changed, 1);
    assert_eq!(fixture.games_of("Sven S.").map(|(games, _)| games), Some(1));
    assert_eq!(split.run(&fixture.app, &Job::default()).unwrap_err().parameter.as_deref(), Some("aliases"));
}

#[test]
fn an_alias_that_is_named_twice_is_one() {
    let merged = EditFixture::new().merge("Sven", &["sven77", "SVEN77"]).unwrap();
    assert_eq!((merged.changed, merged.aliases.len()), (1, 1));
}

#[test]
fn wrong_names_are_refused() {
    let fixture = EditFixture::new();
    let unknown = fixture.merge("Sven", &["sven777"]).unwrap_err();
    assert_eq!(
        (unknown.kind, unknown.help.as_deref()),
        (ErrorKind::UnknownPlayer, Some("did you mean `sven77`?"))
    );
    assert_eq!(fixture.merge("Sven", &["Sven"]).unwrap_err().parameter.as_deref(), Some("aliases"));
    assert_eq!(fixture.merge(" ", &["Sven"]).unwrap_err().parameter.as_deref(), Some("name"));
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
fn an_alias_of_another_player_is_not_moved() {
    let fixture = EditFixture::new();
    fixture.merge("Zed", &["sven77"]).unwrap();
    // The records have `sven77` as an opponent of Ann, although the games show Zed.
    let error = fixture.merge("Ann", &["SVEN77"]).unwrap_err();
    assert_eq!(
        (error.parameter.as_deref(), &*error.message),
        (Some("aliases"), "`SVEN77` is an alias of `Zed`")
    );
    assert_eq!(fixture.merge("Ann", &["Zed"]).unwrap_err().kind, ErrorKind::Conflict);
    // The same merge again, and a merge of the player, do not conflict.
    assert_eq!(fixture.merge("Zed", &["sven77"]).unwrap().changed, 0);
    assert_eq!(fixture.merge("Sven", &["Zed"]).unwrap().changed, 1);
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
    assert_eq!(run(None, &["x"]).unwrap_err().parameter.as_deref(), Some("query"));
    assert_eq!(run(Some("player:ann"), &[]).unwrap_err().parameter.as_deref(), Some("add"));
    assert_eq!(run(Some("player:ann"), &["a\nb"]).unwrap_err().parameter.as_deref(), Some("add"));
    assert_eq!(run(Some("player"), &["x"]).unwrap_err().kind, ErrorKind::BadQuery);
}
