//! Comparison of two selections of games.

use std::collections::HashSet;

use tafl_corpus::GameResult;

use super::adjusted::{AdjustedAdvantage, adjusted};
use super::game_start::OtherStarts;
use super::games::GameFacts;
use super::tally::GameTally;
use super::time_order::in_stable_order;
use crate::stats::compare::{
    DifferenceEstimate, RankComparison, ScoreSample, compare_estimates, compare_proportions, compare_ranks,
    compare_scores, games_needed,
};
use crate::stats::dyadic::SharedPlayers;
use crate::stats::multiple::holm;
use crate::stats::quantile::Summary;
use crate::stats::sequential::{ErrorRates, MeanTest, TestDecision};
use crate::stats::{NotEstimable, Rate};

/// Options for a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompareOptions {
    /// The smallest relevant difference of scores.
    pub min_difference: f64,
    /// The error rates of the sequential test.
    pub errors: ErrorRates,
}

impl Default for CompareOptions {
    fn default() -> CompareOptions {
        CompareOptions { min_difference: 0.05, errors: ErrorRates::default() }
    }
}

/// The differences between two selections, the first minus the second.
#[derive(Debug, Clone, PartialEq)]
pub struct SelectionComparison {
    /// The results of the first selection.
    pub first: GameTally,
    /// The results of the second selection.
    pub second: GameTally,
    /// The games of each selection that did not begin as their rules say and are excluded.
    pub other_starts: [OtherStarts; 2],
    /// The number of games in both selections, which the differences count as if they were different games.
    pub shared: u64,
    /// Whether two variants with the same rules under different names are compared. Games do not have the names that were
    /// selected, so [`compare_selections`] leaves it false.
    pub is_of_same_rules: bool,
    /// The defenders' proportion of decided games.
    pub defenders: Option<DifferenceEstimate>,
    /// The attackers' score, with draws as halves.
    pub score: Option<DifferenceEstimate>,
    /// The proportion of draws among finished games.
    pub draws: Option<DifferenceEstimate>,
    /// The attackers' advantage between equals, in Elo.
    pub elo: Option<DifferenceEstimate>,
    /// The advantages themselves.
    pub adjusted: [Result<AdjustedAdvantage, NotEstimable>; 2],
    /// The lengths of the finished games of each selection.
    pub plies: [Option<Summary>; 2],
    /// The comparison of the lengths.
    pub lengths: Option<RankComparison>,
    /// The p-values adjusted for the comparisons that can be made (Holm), at most five, in the order of the fields above.
    pub p_holm: [Option<f64>; 5],
    /// A sequential test of the games, taken alternately from both selections.
    pub sequential: SequentialFindings,
    /// The number of decided games of each selection needed to distinguish the proportions of the defenders' wins; `None` if
    /// they are equal.
    pub games_needed_for_wins: Option<u64>,
    /// The number of finished games of each selection needed to distinguish the proportions of draws; `None` if they are
    /// equal.
    pub games_needed_for_draws: Option<u64>,
}

/// The result of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SequentialFindings {
    /// The smallest relevant difference of scores.
    pub min_difference: f64,
    /// The decision whether the attackers' scores differ by at least the relevant difference.
    pub decision: TestDecision,
    /// Whether the attackers of the first selection score more, if the scores differ.
    pub first_scores_more: Option<bool>,
    /// The number of pairs up to the decision.
    pub after: Option<u64>,
    /// The number of pairs.
    pub pairs: u64,
}

/// Compares two selections.
pub fn compare_selections(
    first: &[GameFacts],
    second: &[GameFacts],
    options: &CompareOptions,
) -> SelectionComparison {
    // As in the balance: games from another start are not evidence about the variant.
    let counted = |games: &[GameFacts]| -> Vec<GameFacts> {
        let (sorted, _) = in_stable_order(games.iter().filter(|game| !game.has_other_start()));
        sorted.into_iter().copied().collect()
    };
    let other_starts = [first, second].map(|games| OtherStarts::of(games.iter().map(|game| game.start)));
    let (first, second) = (&*counted(first), &*counted(second));
    let players = [first, second].map(|games| SharedPlayers::of(games.iter().map(GameFacts::pair)));
    let tally = |games: &[GameFacts], shared| {
        GameTally::among(games, shared, 0..games.len() as u32).with_draw_effect(games, shared)
    };
    let tallies = [tally(first, &players[0]), tally(second, &players[1])];
    let rates = |rate: fn(&GameTally) -> Option<Rate>| rate(&tallies[0]).zip(rate(&tallies[1]));
    let both = |rate| rates(rate).map(|(one, two)| compare_proportions(&one, &two));
    let needed = |rate| rates(rate).and_then(|(one, two)| games_needed(&one, &two));
    let adjusted = [first, second].map(|games| adjusted(games).map(|found| found.adjusted));
    let elo = match &adjusted {
        [Ok(one), Ok(two)] => Some(compare_estimates(one.elo, two.elo)),
        [Ok(_), Err(_)] | [Err(_), Ok(_) | Err(_)] => None,
    };
    let defenders = both(GameTally::defenders_proportion);
    let draws = both(GameTally::drawn);
    let [first_scores, second_scores] =
        tallies.each_ref().map(|tally| ScoreSample { counts: tally.record(), design_effect: tally.effect() });
    let score = compare_scores(&first_scores, &second_scores);
    let plies = [plies(first), plies(second)];
    let lengths = compare_lengths(&plies, &players);
    let [first_plies, second_plies] = plies;
    let values = [
        defenders.map(|found| found.p),
        score.map(|found| found.p),
        draws.map(|found| found.p),
        elo.map(|found| found.p),
        lengths.map(|found| found.p),
    ];
    let [games_needed_for_wins, games_needed_for_draws] =
        [needed(GameTally::defenders_proportion), needed(GameTally::drawn)];
    let ids: HashSet<_> = first.iter().map(|game| game.id).collect();
    let shared = second.iter().filter(|game| ids.contains(&game.id)).count() as u64;
    let effect = (tallies[0].effect() + tallies[1].effect()) / 2.0;
    let [first_tally, second_tally] = tallies;
    SelectionComparison {
        first: first_tally,
        second: second_tally,
        other_starts,
        shared,
        is_of_same_rules: false,
        defenders,
        score,
        draws,
        elo,
        adjusted,
        plies: [Summary::of_games(first_plies, &players[0]), Summary::of_games(second_plies, &players[1])],
        lengths,
        p_holm: adjusted_by_holm(values),
        sequential: sequential(first, second, effect, options),
        games_needed_for_wins,
        games_needed_for_draws,
    }
}

/// Returns the finished games, as indices, with their lengths.
fn plies(games: &[GameFacts]) -> Vec<(u32, f64)> {
    let ended = (0..).zip(games).filter(|(_, game)| game.result != GameResult::Unfinished);
    ended.map(|(at, game)| (at, f64::from(game.plies))).collect()
}

/// Compares the lengths of the finished games of two selections; `players` has the players of all games of each.
fn compare_lengths(plies: &[Vec<(u32, f64)>; 2], players: &[SharedPlayers; 2]) -> Option<RankComparison> {
    let lengths = plies.each_ref().map(|games| games.iter().map(|(_, plies)| *plies).collect::<Vec<f64>>());
    compare_ranks([&lengths[0], &lengths[1]], |influences| {
        // The selections are independent, so their variances are added.
        let (mut shared, mut independent) = (0.0, 0.0);
        for ((games, influences), players) in plies.iter().zip(influences).zip(players) {
            let of_games = games.iter().map(|(game, _)| *game).zip(influences.iter().copied());
            let squares: f64 = influences.iter().map(|influence| influence * influence).sum();
            shared += squares * players.effect_on_mean(of_games).unwrap_or(1.0);
            independent += squares;
        }
        if independent > 0.0 { shared / independent } else { 1.0 }
    })
}

/// Adjusts the known ones of some p-values.
fn adjusted_by_holm<const N: usize>(values: [Option<f64>; N]) -> [Option<f64>; N] {
    let given: Vec<f64> = values.iter().flatten().copied().collect();
    let mut adjusted = holm(&given).into_iter();
    values.map(|value| value.and_then(|_| adjusted.next()))
}

/// Tests the differences of the attackers' scores, one game of each selection at a time. `design_effect` is the mean of those of both
/// selections.
fn sequential(
    first: &[GameFacts],
    second: &[GameFacts],
    design_effect: f64,
    options: &CompareOptions,
) -> SequentialFindings {
    // Two one-sided tests share the error of the first kind.
    let errors = ErrorRates { alpha: options.errors.alpha / 2.0, ..options.errors };
    let mut more = MeanTest::new(0.0, options.min_difference, errors).with_design_effect(design_effect);
    let mut less = MeanTest::new(0.0, -options.min_difference, errors).with_design_effect(design_effect);
    let mut pairs = 0;
    let mut decided = None;
    for (one, two) in first
        .iter()
        .filter_map(GameFacts::attackers_score)
        .zip(second.iter().filter_map(GameFacts::attackers_score))
    {
        pairs += 1;
        let decisions = [more.push(one - two), less.push(one - two)];
        if decided.is_none() {
            decided = match decisions {
                [TestDecision::Alternative, _] => Some((TestDecision::Alternative, Some(true), pairs)),
                [_, TestDecision::Alternative] => Some((TestDecision::Alternative, Some(false), pairs)),
                [TestDecision::Null, TestDecision::Null] => Some((TestDecision::Null, None, pairs)),
                [TestDecision::GoOn, _] | [_, TestDecision::GoOn] => None,
            };
        }
    }
    let (decision, first_scores_more, after) = match decided {
        Some((decision, more, after)) => (decision, more, Some(after)),
        None => (TestDecision::GoOn, None, None),
    };
    SequentialFindings { min_difference: options.min_difference, decision, first_scores_more, after, pairs }
}
