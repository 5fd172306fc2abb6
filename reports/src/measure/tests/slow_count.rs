//! The figures of variants against a count of their games one by one.

use std::collections::BTreeMap;

use tafl_parser::WrittenVerdict;
use tafl_rules::{AnyRulebook, Game, Move, Side};

use super::random_corpus;
use crate::measure::*;

/// The figures of a variant, counted game by game from the records.
#[derive(Default)]
struct CountedVariant {
    attackers: u64,
    defenders: u64,
    draws: u64,
    unfinished: u64,
    /// The plies of finished games.
    lengths: Vec<u32>,
    plies: u64,
    legal_moves: u64,
}

impl CountedVariant {
    fn add(&mut self, record: &tafl_parser::Record, rules: &str) {
        let book = AnyRulebook::compile(&rules.parse().unwrap()).unwrap();
        let mut board = Game::new(&book);
        for mv in &record.main().moves {
            let (shape, legal) = (board.shape(), board.moves());
            self.legal_moves += legal.len() as u64;
            let is_played =
                |legal: &&Move| (shape.coord(legal.from), shape.coord(legal.to)) == (mv.from, mv.to);
            board.play(*legal.iter().find(is_played).unwrap()).unwrap();
        }
        let n_plies = record.main().moves.len() as u32;
        self.plies += u64::from(n_plies);
        let counter = match record.result.map(|result| result.verdict) {
            Some(WrittenVerdict::Win(Side::Attackers)) => &mut self.attackers,
            Some(WrittenVerdict::Win(Side::Defenders)) => &mut self.defenders,
            Some(WrittenVerdict::Draw) => &mut self.draws,
            Some(WrittenVerdict::Ongoing | WrittenVerdict::Unknown) | None => {
                self.unfinished += 1;
                return;
            }
        };
        *counter += 1;
        self.lengths.push(n_plies);
    }
}

#[test]
fn figures_of_a_corpus_are_those_of_games_counted_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = random_corpus(&folder.path().join("corpus"), 150);
    let mut counted: BTreeMap<String, CountedVariant> = Default::default();
    for at in corpus.games() {
        let row = corpus.game(at).unwrap();
        let record = corpus.record(at, &row).unwrap().value;
        counted.entry(row.variant.clone().unwrap()).or_default().add(&record, &row.rules);
    }
    let games = load_games(&corpus, GamesToLoad::All).unwrap();
    let (found, branching) =
        (balance(&games, &BalanceOptions::default()), branching(&corpus, &games).unwrap());
    assert_eq!((found.variants.len(), counted.len()), (2, 2));
    for variant in &found.variants {
        let slow = counted.get_mut(variant.variant.name.as_deref().unwrap()).unwrap();
        let GameTally { games, attackers, defenders, draws, unfinished, .. } = variant.tally;
        assert_eq!(
            [attackers, defenders, draws, unfinished],
            [slow.attackers, slow.defenders, slow.draws, slow.unfinished]
        );
        assert_eq!(games, attackers + defenders + draws + unfinished);
        slow.lengths.sort_unstable();
        let lengths = variant.lengths.all.as_ref().unwrap();
        let n = slow.lengths.len();
        let mean = f64::from(slow.lengths.iter().sum::<u32>()) / n as f64;
        let median = f64::from(slow.lengths[(n - 1) / 2] + slow.lengths[n / 2]) / 2.0;
        assert_eq!(
            (lengths.n, lengths.min, lengths.max),
            (n as u64, slow.lengths[0].into(), slow.lengths[n - 1].into())
        );
        assert!((lengths.mean.value - mean).abs() < 1e-9 && (lengths.median.value - median).abs() < 1e-9);
        let branching = &branching[&variant.number];
        assert_eq!(branching.plies, slow.plies);
        assert!((branching.mean.value - slow.legal_moves as f64 / slow.plies as f64).abs() < 1e-9);
    }
}
