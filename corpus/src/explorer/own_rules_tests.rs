//! Games with rules that are not in the catalog, which records may give names.

use tafl_parser::RuleChoice;
use tafl_rules::{Game, Move, RuleSet};

use super::{Explorer, GameSubset};
use crate::cancel::CancelCheck;
use crate::folder::Corpus;
use crate::ingest::{GeneratedGame, Ingest, IngestOptions, Preparer};
use crate::openings::{Orientation, QueryPosition};

/// The number of games with each name: enough for the tables of openings.
const N_GAMES: u64 = 20;

fn own_rules(name: &str) -> RuleChoice {
    let text = format!("dim:7{name} ks:w start:/3t3/7/3T3/t1TKT1t/3T3/7/3t3/");
    RuleChoice::own(&text.parse::<RuleSet>().unwrap()).unwrap()
}

#[test]
fn rules_are_found_under_every_name() {
    let folder = tempfile::tempdir().unwrap();
    // With each name in a segment of its own, and with all names in one segment.
    for is_split in [true, false] {
        let path = folder.path().join(format!("corpus-{is_split}"));
        let mut ingest = Ingest::begin(&path, &IngestOptions::default()).unwrap();
        let mut preparer = Preparer::default();
        let names = ["", " name:Five-men", " name:Five_attackers"];
        for name in names {
            let rules = own_rules(name);
            let moves = [Move::parse("d1-c1", rules.chosen().book.shape()).unwrap()];
            for nth in 0..N_GAMES {
                let player = format!("{name} {nth}");
                let tags = [("attackers", player.as_str())];
                let game = GeneratedGame { rules: &rules, moves: &moves, outcome: None, tags: &tags };
                ingest.add_game(preparer.prepare_generated(&game).unwrap()).unwrap();
            }
            if is_split {
                ingest.commit().unwrap();
            }
        }
        ingest.finish().unwrap();
        let corpus = Corpus::open(&path).unwrap();
        let explorer = Explorer::open(&corpus).unwrap();
        for name in ["", " name:Five-men", " name:another_name"] {
            let book = own_rules(name).chosen().book.clone();
            assert!(explorer.has_rules(&book), "{name}");
            let place = QueryPosition::new(&Game::new(&book), &book, Orientation::Folded);
            for games in [GameSubset::All, GameSubset::AllByReplay] {
                let node = explorer.position(&place, games, CancelCheck::NEVER).unwrap();
                let counts = (node.counts.n_games(), node.moves.len());
                assert_eq!(counts, (N_GAMES * names.len() as u64, 1), "{name} {is_split}");
            }
        }
    }
}
