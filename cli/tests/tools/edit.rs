//! `tafl tag` and `tafl player`.

use tafl_cli::Exit;

use super::test_folder::TestFolder;
use super::test_server::GAMES;

/// A file of three games.
const FILES: &[(&str, &str)] = &[("games.otg", GAMES)];

#[test]
fn tags_are_found_and_exported() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let tag = |args: &[&str]| folder.run(&[&["tag", "@corpus"], args].concat());
    let added = tag(&["--query", "player:sven", "--add", "to study", "--add", "short"]);
    assert_eq!((added.exit, added.text()), (Exit::Ok, "1 of 1 game changed\n"));
    let hits = folder.run(&["search", "@corpus", "tag:\"to study\"", "--format", "json"]).json();
    assert_eq!(hits["summary"]["games"], 1);
    let exported = folder.run(&["export", "@corpus", "--query", "text:study", "--to", "opentafl"]);
    assert!(exported.text().contains("[tag:to study]\n[tag:short]\n"), "{}", exported.text());
    // A corpus of the exported games has the tags.
    folder.file("again.otg", exported.text());
    folder.run(&["import", "@again", "@again.otg"]);
    let removed =
        folder.run(&["tag", "@again", "--query", "text:study", "--remove", "to study", "--format", "json"]);
    assert_eq!(removed.json()["changed"], 1);
    assert_eq!(folder.run(&["verify", "@corpus", "--deep"]).exit, Exit::Ok);
    let none = tag(&["--query", "player:unknown", "--add", "x"]);
    assert_eq!((none.exit, none.text()), (Exit::Findings, "0 of 0 games changed\n"));
    let nothing = tag(&["--query", "player:sven"]);
    assert_eq!(nothing.exit, Exit::Error);
    assert!(nothing.stderr.contains("nothing to change"), "{}", nothing.stderr);
}

#[test]
fn players_are_merged_and_split() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let player = |args: &[&str]| folder.run(&[&["player"], args].concat());
    let merged = player(&["merge", "@corpus", "Sven Þórsson", "sven", "Þóra", "--force"]);
    assert_eq!((merged.exit, merged.text()), (Exit::Ok, "2 games changed\n"), "{}", merged.stderr);
    assert_eq!(player(&["aliases", "@corpus"]).text(), "sven  Sven Þórsson\nÞóra  Sven Þórsson\n");
    let exported = folder.run(&["export", "@corpus", "--to", "opentafl"]);
    assert_eq!(exported.text().matches("Sven Þórsson").count(), 3, "{}", exported.text());
    assert!(!exported.text().contains("Þóra]"), "{}", exported.text());
    // A later import has the other name.
    folder.file("more.otg", "[attackers:SVEN]\n[defenders:Red]\n[variant:brandubh7]\n1. d1-c1 d3-c3\n");
    folder.run(&["import", "@corpus", "@more.otg"]);
    let hits = folder.run(&["search", "@corpus", "player:\"Sven Þórsson\"", "--format", "json"]).json();
    assert_eq!(hits["summary"]["games"], 3);
    let split = player(&["split", "@corpus", "Þóra", "--format", "json"]).json();
    assert_eq!((&split["changed"], &split["aliases"][0]["alias"]), (&2.into(), &"sven".into()));
    let unknown = player(&["merge", "@corpus", "Red", "Svenn"]);
    assert_eq!(unknown.exit, Exit::Error);
    assert!(unknown.stderr.contains("did you mean"), "{}", unknown.stderr);
    assert_eq!(folder.run(&["verify", "@corpus", "--deep"]).exit, Exit::Ok);
}

#[test]
fn opponents_are_merged_only_with_force() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let merge = |more: &[&str]| folder.run(&[&["player", "merge", "@corpus", "Red", "Þóra"], more].concat());
    let refused = merge(&[]);
    assert_eq!(refused.exit, Exit::Error);
    assert!(refused.stderr.contains("opponents in 1 game"), "{}", refused.stderr);
    assert!(refused.stderr.contains("use --force to merge"), "{}", refused.stderr);
    assert_eq!(merge(&["--force"]).text(), "2 games changed\n");
}

#[test]
fn merged_corpora_have_the_aliases_of_both() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    folder.file("other.otg", "[attackers:sven77]\n[defenders:Sven]\n[variant:brandubh7]\n1. d1-c1 d3-c3\n");
    folder.run(&["import", "@other", "@other.otg"]);
    folder.run(&["player", "merge", "@corpus", "Sven Svensson", "Sven"]);
    folder.run(&["player", "merge", "@other", "Sven", "sven77", "--force"]);
    assert_eq!(folder.run(&["merge", "@corpus", "@other"]).exit, Exit::Ok);
    let aliases = folder.run(&["player", "aliases", "@corpus"]);
    assert_eq!(aliases.text(), "Sven    Sven Svensson\nsven77  Sven Svensson\n");
    let games = folder.run(&["search", "@corpus", "attackers=\"Sven Svensson\"", "--format", "json"]).json();
    assert_eq!(games["summary"]["games"], 2);
    assert_eq!(folder.run(&["verify", "@corpus", "--deep"]).exit, Exit::Ok);
    // The same merge again changes nothing.
    assert_eq!(folder.run(&["merge", "@corpus", "@other", "--format", "json"]).json()["added"], 0);
    assert_eq!(folder.run(&["player", "aliases", "@corpus"]).text(), aliases.text());
}
