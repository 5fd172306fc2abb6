//! Results of a player, with what the strengths of both players and the sides let one expect.

use super::{GameSide, PlayerTally};
use crate::measure::games::GameFacts;
use crate::measure::strength_model::StrengthModel;
use crate::stats::interval::SMALL_SAMPLE;
use crate::stats::normal::two_sided;
use crate::stats::score::WdlCounts;
use crate::stats::sequential::{always_p, always_score};
use crate::stats::strength::{elo, expected_score};
use crate::stats::{Estimate, NotEstimable};
use tafl_corpus::GameResult;
use tafl_rules::Side;

/// The difference in Elo from which an opponent is stronger or weaker.
const GAP: f64 = 100.0;

/// The strength of an opponent relative to a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrengthGap {
    /// Weaker by 100 Elo or more.
    Weaker,
    /// Within 100 Elo.
    Equal,
    /// Stronger by 100 Elo or more.
    Stronger,
    /// One of both strengths is unknown.
    Unknown,
}

impl StrengthGap {
    /// Every gap.
    pub const ALL: [StrengthGap; 4] =
        [StrengthGap::Weaker, StrengthGap::Equal, StrengthGap::Stronger, StrengthGap::Unknown];
}

/// The results of a player in some games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayerScore {
    /// The results; unfinished games are left out.
    pub counts: WdlCounts,
    /// The mean score.
    pub score: Result<Estimate, NotEstimable>,
    /// What the strengths of the players and the sides let one expect; `None` if no strength is known.
    pub expected: Option<ExpectedScore>,
}

/// The expected score of a player in games whose strengths are known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedScore {
    /// The number of these games.
    pub games: u64,
    /// The mean expected score.
    pub value: f64,
    /// The mean score in these games minus the expected score; its interval assumes that the strengths are exact. For fewer than
    /// 30 games, it is valid for samples of any size.
    pub difference: Estimate,
    /// The two-sided p-value of a difference of 0.
    pub p: f64,
}

impl PlayerScore {
    /// Returns the number of finished games.
    pub fn games(&self) -> u64 {
        self.counts.n()
    }
}

/// Returns how strong the opponent of a game is.
pub(super) fn gap(model: &StrengthModel, game_side: &GameSide<'_>) -> StrengthGap {
    let strength = |player: Option<u32>| player.and_then(|player| model.strength(player).ok());
    let (own, other) = (strength(game_side.game.player(game_side.side)), strength(game_side.opponent));
    match own.zip(other).map(|(own, other)| elo(other.value - own.value)) {
        None => StrengthGap::Unknown,
        Some(gap) if gap >= GAP => StrengthGap::Stronger,
        Some(gap) if gap <= -GAP => StrengthGap::Weaker,
        Some(_) => StrengthGap::Equal,
    }
}

/// Returns the expected score of a side in a game, and its variance.
fn expected_points(model: &StrengthModel, game: &GameFacts, side: Side) -> Option<(f64, f64)> {
    let (x, draw_weight) = model.log_odds(game)?;
    Some(moments(if side == Side::Attackers { x } else { -x }, draw_weight))
}

/// Returns the mean and the variance of the score for log odds and a draw weight.
fn moments(x: f64, draw_weight: f64) -> (f64, f64) {
    let mean = expected_score(x, draw_weight);
    let draw = draw_weight / ((x / 2.0).exp() + (-x / 2.0).exp() + draw_weight);
    // A draw scores 1/2, and its square is 1/4: half of what it adds to the mean.
    (mean, mean - draw / 4.0 - mean * mean)
}

/// Returns the points of a side; `None` for an unfinished game.
pub(super) fn points(game: &GameFacts, side: Side) -> Option<f64> {
    match (game.result, side) {
        (GameResult::Attackers, Side::Attackers) | (GameResult::Defenders, Side::Defenders) => Some(1.0),
        (GameResult::Attackers, Side::Defenders) | (GameResult::Defenders, Side::Attackers) => Some(0.0),
        (GameResult::Draw, _) => Some(0.5),
        (GameResult::Unfinished, _) => None,
    }
}

/// Returns the results of games.
pub(super) fn scored(game_sides: &[GameSide<'_>], model: &StrengthModel) -> PlayerScore {
    let counts =
        PlayerTally::of(game_sides.iter().map(|game_side| (game_side.game.result, game_side.side))).finished;
    let (mut known, mut expected, mut variance) = (WdlCounts::default(), 0.0, 0.0);
    for game_side in game_sides {
        let Some(points) = points(game_side.game, game_side.side) else { continue };
        if let Some((mean, own)) = expected_points(model, game_side.game, game_side.side) {
            known.add_points(points);
            (expected, variance) = (expected + mean, variance + own);
        }
    }
    let expected = known.mean().filter(|_| variance > 0.0).map(|mean| {
        let games = known.n() as f64;
        let value = expected / games;
        let normal = || {
            let error = variance.sqrt() / games;
            (Estimate::normal(mean - value, error), two_sided((mean - value) / error))
        };
        // A normal interval would be too narrow: a loss in an only game would be significant.
        let few = || Some((always_score(&known)?.map(|score| score - value), always_p(&known, value)?));
        let (difference, p) = if known.n() < SMALL_SAMPLE { few().unwrap_or_else(normal) } else { normal() };
        // No score is below 0 or above 1.
        let (low, high) = (difference.low.max(-value), difference.high.min(1.0 - value));
        ExpectedScore { games: known.n(), value, difference: Estimate { low, high, ..difference }, p }
    });
    PlayerScore { counts, score: counts.score(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_three_results() {
        // By enumeration in numpy, see reports/tests/reference/player_expectation.py.
        let known = [
            (0.0, 0.0, 0.5, 0.25),
            (0.7, 0.0, 0.668_187_772_168_166_2, 0.221_712_873_293_109_07),
            (-1.3, 0.4, 0.254_457_705_464_053_55, 0.154_467_766_472_522_78),
            (2.0, 1.5, 0.756_249_426_165_183_4, 0.102_568_500_811_934_93),
        ];
        for (x, draw, mean, variance) in known {
            let found = moments(x, draw);
            assert!((found.0 - mean).abs() < 1e-12 && (found.1 - variance).abs() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn the_result_of_one_game_is_not_significant() {
        let lost = WdlCounts { wins: 0, draws: 0, losses: 1 };
        let (score, p) = (always_score(&lost).unwrap(), always_p(&lost, 0.82).unwrap());
        // Expected were 82 %: one loss has a probability of 18 %.
        assert!(score.holds(0.82) && p > 0.18, "{score:?} {p}");
        let lost = WdlCounts { losses: 20, ..WdlCounts::default() };
        assert!(!always_score(&lost).unwrap().holds(0.82) && always_p(&lost, 0.82).unwrap() < 1e-6);
    }

    #[test]
    fn strong_opponents_let_one_expect_less() {
        use crate::measure::tests::{game, games};
        use GameResult::{Attackers, Defenders};
        // Player 1 beats 2, 2 beats 3, and 1 beats 3, with both sides.
        let mut rows = Vec::new();
        for at in 0..20 {
            rows.push(game(Some([1, 2]), if at % 4 == 0 { Defenders } else { Attackers }, at));
            rows.push(game(Some([2, 1]), if at % 4 == 0 { Attackers } else { Defenders }, at));
            rows.push(game(Some([2, 3]), if at % 4 == 0 { Defenders } else { Attackers }, at));
            rows.push(game(Some([3, 2]), if at % 4 == 0 { Attackers } else { Defenders }, at));
            rows.push(game(Some([1, 3]), Attackers, at));
            rows.push(game(Some([3, 1]), if at % 10 == 0 { Attackers } else { Defenders }, at));
        }
        let games = games(rows);
        let model = StrengthModel::of(&games);
        let of = |player: u32, opponent: u32| {
            let mut own = super::super::game_sides(&games, player);
            own.retain(|game_side| game_side.opponent == Some(opponent));
            (gap(&model, &own[0]), scored(&own, &model))
        };
        let (gap, middle) = of(1, 2);
        assert_eq!((gap, middle.games()), (StrengthGap::Weaker, 40));
        assert_eq!(middle.score.unwrap().value, 0.75);
        let (gap, strong) = of(3, 1);
        assert_eq!(gap, StrengthGap::Stronger);
        let expected = |score: PlayerScore| score.expected.unwrap();
        assert!(expected(strong).value < 0.2 && expected(middle).value > 0.6, "{strong:?}");
        // The model was fitted to these games, so no difference is surprising.
        assert!(expected(middle).p > 0.1 && expected(middle).difference.holds(0.0), "{middle:?}");
        assert_eq!(expected(middle).games, 40);
    }
}
