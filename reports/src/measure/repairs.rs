//! What repairs an unfair game: arrangements that make it even, with their size.

use tafl_corpus::GameResult;
use tafl_rules::Side;

use super::adjusted::AdjustedAdvantage;
use super::games::GameFacts;
use super::tally::GameTally;
use crate::stats::Estimate;
use crate::stats::interval::{SMALL_SAMPLE, wilson_of};
use crate::stats::strength::{elo, expected_score};

/// Arrangements that make a game even.
#[derive(Debug, Clone, PartialEq)]
pub struct Repairs {
    /// The favored side.
    pub favored: Side,
    /// The expected score of the favored side between equals.
    pub before: Estimate,
    /// Two games with sides swapped: the proportion of matches between equals that end with equal scores.
    pub tied: Estimate,
    /// The same if neither side is favored.
    pub tied_if_even: f64,
    /// The difference in Elo by which the player of the other side must be stronger.
    pub handicap: Estimate,
    /// The expected score of the favored side with this handicap.
    pub with_handicap: Estimate,
    /// The number of points for a win of the other side, if a win of the favored side is one point.
    pub win_value: Estimate,
    /// The ply by which the favored side must win; `None` if it wins less than half of the games.
    pub limit: Option<PlyLimit>,
}

/// A ply by which the favored side must win, or else the other side wins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlyLimit {
    /// The ply with which half of the finished games would be won by each side.
    pub ply: u32,
    /// The lower end of its interval.
    pub low: u32,
    /// The upper end; `None` if it exceeds the recorded lengths.
    pub high: Option<u32>,
    /// The proportion of finished games that the favored side wins without a limit.
    pub before: Estimate,
    /// The proportion that it wins by this ply.
    pub after: Estimate,
}

/// Returns the arrangements; `None` if the data do not show which side is favored between equals.
pub(crate) fn repairs(
    games: &[GameFacts],
    adjusted: &AdjustedAdvantage,
    tally: &GameTally,
) -> Option<Repairs> {
    let advantage = adjusted.advantage.estimate();
    if advantage.holds(0.0) || adjusted.games < SMALL_SAMPLE {
        return None;
    }
    let favored = if advantage.value > 0.0 { Side::Attackers } else { Side::Defenders };
    // The advantage of the favored side.
    let x = match favored {
        Side::Attackers => advantage,
        Side::Defenders => Estimate { value: -advantage.value, low: -advantage.high, high: -advantage.low },
    };
    let score = |x: f64| expected_score(x, adjusted.draw_weight);
    let tied = |x: f64| {
        let [win, loss] = [x / 2.0, -x / 2.0].map(f64::exp);
        let all = win + loss + adjusted.draw_weight;
        (win * win + loss * loss + adjusted.draw_weight * adjusted.draw_weight) / (all * all)
    };
    Some(Repairs {
        favored,
        before: x.map(score),
        tied: x.map(tied),
        tied_if_even: tied(0.0),
        handicap: x.map(elo),
        with_handicap: x.map(|other| score(other - x.value)),
        win_value: x.map(f64::exp),
        limit: ply_limit(games, favored, tally.effect()),
    })
}

/// Returns the ply limit that makes the favored side win half of the finished games; the interval has all plies by which
/// its proportion does not differ significantly from one half.
fn ply_limit(games: &[GameFacts], favored: Side, design_effect: f64) -> Option<PlyLimit> {
    let ended = games.iter().filter(|game| game.result != GameResult::Unfinished);
    let n = ended.clone().count();
    let mut plies: Vec<u32> =
        ended.filter(|game| game.winner() == Some(favored)).map(|game| game.plies).collect();
    plies.sort_unstable();
    if n < SMALL_SAMPLE as usize || plies.len() * 2 < n {
        return None;
    }
    let proportion = |won: usize| wilson_of(won as f64 / n as f64, n as f64 / design_effect);
    // The proportion after each ply at which the favored side won a game.
    let steps = plies.chunk_by(|one, two| one == two).scan(0, |won, alike| {
        *won += alike.len();
        Some((alike[0], proportion(*won)))
    });
    let all: Vec<(u32, Estimate)> = steps.collect();
    let first = |is_reached: &dyn Fn(&Estimate) -> bool| all.iter().find(|(_, won)| is_reached(won)).copied();
    let (ply, after) = first(&|won| won.value >= 0.5)?;
    Some(PlyLimit {
        ply,
        low: first(&|won| won.high >= 0.5)?.0,
        high: first(&|won| won.low >= 0.5).map(|(ply, _)| ply),
        before: proportion(plies.len()),
        after,
    })
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::measure::adjusted::adjusted;
    use crate::measure::tests::game;

    fn league(seed: u64, advantage: f64, draw_weight: f64) -> Vec<GameFacts> {
        let mut rng = Rng::new(seed);
        (0..1200)
            .map(|at| {
                let [win, loss] = [advantage / 2.0, -advantage / 2.0].map(f64::exp);
                let roll = rng.unit() * (win + loss + draw_weight);
                let result = if roll < win {
                    GameResult::Attackers
                } else if roll < win + loss {
                    GameResult::Defenders
                } else {
                    GameResult::Draw
                };
                let attackers = at % 20;
                game(
                    Some([attackers, (attackers + 1 + at / 20 % 19) % 20]),
                    result,
                    10 + rng.below(60) as u32,
                )
            })
            .collect()
    }

    #[test]
    fn arrangements_are_even_in_simulated_matches() {
        let games = league(1, -0.8, 0.3);
        let found = adjusted(&games).unwrap().adjusted;
        let repairs = repairs(&games, &found, &GameTally::of(&games)).unwrap();
        assert_eq!(repairs.favored, Side::Defenders);
        let truth = 1.0 - expected_score(-0.8, 0.3);
        assert!(repairs.before.holds(truth), "{repairs:?}");
        assert!((repairs.with_handicap.value - 0.5).abs() < 1e-12 && repairs.handicap.holds(elo(0.8)));
        // Points: each side expects as many as the other.
        let n = |result| games.iter().filter(|game| game.result == result).count() as f64;
        let balance = n(GameResult::Defenders) / n(GameResult::Attackers);
        assert!((repairs.win_value.value / balance - 1.0).abs() < 0.1, "{repairs:?}");
        // Matches of two games with sides swapped, played with the results of other games.
        let (mut tied, mut all) = (0.0, 0.0);
        let other = league(2, -0.8, 0.3);
        for (one, two) in games.iter().zip(&other) {
            tied += f64::from(u8::from(one.result == two.result));
            all += 1.0;
        }
        assert!((repairs.tied.value - tied / all).abs() < 0.05, "{repairs:?} {}", tied / all);
        assert!(repairs.tied_if_even < repairs.tied.low);
    }

    #[test]
    fn by_the_limit_each_side_wins_half() {
        let games = league(3, -0.8, 0.0);
        let limit = ply_limit(&games, Side::Defenders, 1.0).unwrap();
        let won = |ply: u32| {
            let won = |game: &&GameFacts| game.winner() == Some(Side::Defenders) && game.plies <= ply;
            games.iter().filter(won).count() as f64 / games.len() as f64
        };
        assert!(won(limit.ply) >= 0.5 && won(limit.ply - 1) < 0.5, "{limit:?}");
        assert!((limit.after.value - won(limit.ply)).abs() < 1e-12);
        assert!(limit.low < limit.ply && limit.high.unwrap() > limit.ply, "{limit:?}");
        let wide = ply_limit(&games, Side::Defenders, 9.0).unwrap();
        assert!(wide.low < limit.low && wide.high.is_none_or(|high| high > limit.high.unwrap()));
        assert_eq!(ply_limit(&games, Side::Attackers, 1.0), None);
    }

    #[test]
    fn an_even_game_needs_no_repair() {
        let games = league(4, 0.0, 0.1);
        let found = adjusted(&games).unwrap().adjusted;
        assert_eq!(repairs(&games, &found, &GameTally::of(&games)), None);
    }
}
