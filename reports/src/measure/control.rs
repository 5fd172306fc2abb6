//! The control of rule comparisons: whether the engine's balance of known variants follows that of people.

use std::ops::ControlFlow;

use tafl_rules::{RuleSet, catalog};

use super::adjusted::adjusted_advantage;
use super::games::Games;
use super::rule_comparison::{GameSource, SelfplayLevel, selfplay_level};
use crate::stats::interval::SMALL_SAMPLE;
use crate::stats::rank_correlation::rank_correlation;
use crate::stats::{Estimate, NotEstimable};

/// The balance of a variant in recorded games between people.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanBalance {
    /// The name of the variant in the catalog.
    pub variant: String,
    /// The number of games.
    pub games: u64,
    /// The attackers' expected score between equals.
    pub score: Estimate,
}

/// The balance of variants in recorded games. `reports/examples/human_balance.rs` writes this table from a corpus.
const HUMAN: &str = include_str!("../../data/human_balance.tsv");

/// Returns the balance of variants in recorded games between people, largest number of games first.
pub fn human_balances() -> Vec<HumanBalance> {
    HUMAN.lines().filter_map(parse).collect()
}

/// The minimum number of games of a variant for a control.
const MIN_HUMAN_GAMES: u64 = 100;

/// Returns the balance of variants of the catalog with at least 100 games, largest number of games first.
pub fn human_balances_of(games: &Games) -> Vec<HumanBalance> {
    let mut found: Vec<HumanBalance> = (0..games.variants.len() as u32)
        .filter_map(|number| {
            let variant = games.variants[number as usize].name.clone()?;
            let n = games.rows.iter().filter(|game| game.variant == number && game.pair().is_some()).count();
            // Most variants have few games, for which the estimation would be a waste of time.
            let enough = n as u64 >= MIN_HUMAN_GAMES;
            let found = enough.then(|| adjusted_advantage(games, number).ok()).flatten()?;
            (found.games >= MIN_HUMAN_GAMES).then_some(HumanBalance {
                variant,
                games: found.games,
                score: found.expectation,
            })
        })
        .collect();
    found.sort_by(|one, two| two.games.cmp(&one.games).then_with(|| one.variant.cmp(&two.variant)));
    found
}

/// Parses a line of [`HUMAN`]; `None` for a comment.
fn parse(line: &str) -> Option<HumanBalance> {
    let mut fields = line.split('\t');
    let (variant, games) = (fields.next()?, fields.next()?.parse().ok()?);
    let mut next = || fields.next()?.parse::<f64>().ok();
    let score = Estimate { value: next()?, low: next()?, high: next()? };
    (score.is_sound() && !variant.starts_with('#')).then(|| HumanBalance {
        variant: variant.to_owned(),
        games,
        score,
    })
}

/// A known variant of a control.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlVariant {
    /// The balance in recorded games.
    pub human: HumanBalance,
    /// The balance in games of the engine.
    pub engine: SelfplayLevel,
}

impl ControlVariant {
    /// Returns the scores of the attackers between people and between engines; `None` if the engine finished too few
    /// games for a comparison.
    pub fn scores(&self) -> Option<(f64, f64)> {
        let engine = self.engine.score.as_ref().ok()?;
        (self.engine.tally.ended() >= SMALL_SAMPLE).then_some((self.human.score.value, engine.value))
    }
}

/// The engine's balance of known variants beside that of people.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlFindings {
    /// The number of nodes per move.
    pub nodes: u64,
    /// The variants, in the order in which they were chosen.
    pub variants: Vec<ControlVariant>,
    /// The rank correlation of both scores over the variants with at least 30 finished games of the engine.
    pub correlation: Result<Estimate, NotEstimable>,
}

/// Returns the known variants for the control of rules, of those in `humans`: the ones with the most similar number of cells,
/// and of these the ones with the most games.
pub fn control_variants(
    humans: Vec<HumanBalance>,
    rules: &RuleSet,
    n: usize,
) -> Vec<(HumanBalance, RuleSet)> {
    let cells = rules.shape().n_cells();
    let mut known: Vec<(HumanBalance, RuleSet)> = humans
        .into_iter()
        .filter_map(|human| {
            let rules = catalog::find(&human.variant)?.rules();
            Some((human, rules))
        })
        .collect();
    known.sort_by_key(|(human, other)| {
        (other.shape().n_cells().abs_diff(cells), std::cmp::Reverse(human.games))
    });
    known.truncate(n);
    known
}

/// Lets the engine play known variants.
///
/// Every variant gets `games` games with a limit of `nodes` nodes per move. `source` returns the games of rules; a
/// variant without a source is left out. `progress` is called after every variant with the number of its games, and may
/// stop the control.
pub fn run_control<S: GameSource>(
    known: Vec<(HumanBalance, RuleSet)>,
    nodes: u64,
    games: u64,
    source: &mut dyn FnMut(&RuleSet) -> Option<S>,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> ControlFindings {
    let mut variants = Vec::new();
    for (human, rules) in known {
        let Some(mut source) = source(&rules) else { continue };
        let played = source.play(0, nodes, 0..games);
        let n = played.len() as u64;
        variants.push(ControlVariant { human, engine: selfplay_level(nodes, &played) });
        if progress(n).is_break() {
            break;
        }
    }
    ControlFindings { nodes, correlation: correlation(&variants), variants }
}

fn correlation(variants: &[ControlVariant]) -> Result<Estimate, NotEstimable> {
    rank_correlation(&variants.iter().filter_map(ControlVariant::scores).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use tafl_rules::{Outcome, Reason, Side};

    use super::*;
    use crate::measure::SelfplayGame;

    #[test]
    fn the_table_names_known_variants() {
        let all = human_balances();
        let lines = HUMAN.lines().filter(|line| !line.starts_with('#')).count();
        assert!(all.len() >= 25 && all.len() == lines, "{} {lines}", all.len());
        assert!(all.iter().all(|human| catalog::find(&human.variant).is_some()));
        assert!(all.iter().all(|human| (0.0..=1.0).contains(&human.score.value) && human.games >= 100));
        assert!(all.windows(2).all(|pair| pair[0].games >= pair[1].games));
    }

    #[test]
    fn the_most_similar_boards_are_chosen() {
        let rules = catalog::find("brandubh7").unwrap().rules();
        let known = control_variants(human_balances(), &rules, 4);
        assert_eq!(known.len(), 4);
        assert!(known.iter().all(|(_, rules)| rules.shape().n_cells() == 49));
        assert!(known[0].0.games >= known[3].0.games);
    }

    #[test]
    fn the_balance_of_a_corpus_is_that_of_its_variants() {
        let mut games = Games::default();
        games.variants.push(crate::measure::PlayedVariant {
            name: Some("brandubh7".to_owned()),
            rules: String::new(),
            rules_id: 0,
            shape: String::new(),
        });
        for number in 0..150 {
            use tafl_corpus::GameResult::{Attackers, Defenders};
            // Each pair meets on both sides.
            let players = [number % 6, (number + 1 + number / 6 % 5) % 6];
            let result = if number % 7 < 2 { Attackers } else { Defenders };
            games.rows.push(crate::measure::tests::game(Some(players), result, 20));
        }
        let found = human_balances_of(&games);
        assert_eq!((found.len(), found[0].variant.as_str(), found[0].games), (1, "brandubh7", 150));
        let expected = adjusted_advantage(&games, 0).unwrap().expectation;
        assert!(found[0].score == expected && expected.value < 0.4, "{expected:?}");
        games.rows.truncate(99);
        assert_eq!(human_balances_of(&games), []);
    }

    /// An engine that favors the attackers in some variants.
    struct FixedSource(u64);

    impl GameSource for FixedSource {
        fn play(&mut self, _: usize, _: u64, numbers: Range<u64>) -> Vec<SelfplayGame> {
            let game = |number| {
                let winner = if number % 10 < self.0 { Side::Attackers } else { Side::Defenders };
                SelfplayGame { outcome: Some(Outcome::win(winner, Reason::KingCaptured)), plies: 20 }
            };
            numbers.map(game).collect()
        }
    }

    #[test]
    fn the_correlation_is_that_of_the_scores() {
        let known = control_variants(human_balances(), &catalog::find("copenhagen11").unwrap().rules(), 8);
        let mut order: Vec<(usize, f64)> =
            known.iter().map(|(human, _)| human.score.value).enumerate().collect();
        order.sort_by(|one, two| one.1.total_cmp(&two.1));
        let run = |is_reversed: bool, games| {
            let mut at = 0;
            let mut source = |_: &RuleSet| {
                let rank = order.iter().position(|(own, _)| *own == at).unwrap() as u64;
                at += 1;
                Some(FixedSource(if is_reversed { 9 - rank } else { rank + 1 }))
            };
            run_control(known.clone(), 100, games, &mut source, &mut |_| ControlFlow::Continue(()))
        };
        let same = run(false, 40);
        assert_eq!((same.variants.len(), same.variants[0].engine.tally.games), (8, 40));
        assert!(same.correlation.unwrap().value > 0.99, "{:?}", same.correlation);
        assert!(run(true, 40).correlation.unwrap().value < -0.99);
        assert!(run(false, 20).correlation.is_err());
        let mut n = 0;
        let stopped = run_control(known.clone(), 100, 5, &mut |_| Some(FixedSource(5)), &mut |games| {
            n += games;
            ControlFlow::Break(())
        });
        assert_eq!((stopped.variants.len(), n), (1, 5));
    }
}
