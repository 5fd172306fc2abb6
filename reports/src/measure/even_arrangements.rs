//! Arrangements that make an unfair game even, with their sizes.

use tafl_rules::Side;

use super::adjusted::AdjustedAdvantage;
use super::games::GameFacts;
use super::order::in_order_of;
use crate::stats::Estimate;
use crate::stats::dyadic::SharedPlayers;
use crate::stats::interval::{SMALL_SAMPLE, wilson_of};
use crate::stats::strength::{elo, expected_score};

/// Arrangements that make a game even.
#[derive(Debug, Clone, PartialEq)]
pub struct EvenArrangements {
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
    /// The ply by which the favored side must win; `None` if it wins less than half of the games between equals, or fewer than
    /// 30 recorded games.
    pub limit: Option<PlyLimit>,
}

/// A ply by which the favored side must win, or else the other side wins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlyLimit {
    /// The ply with which each side would win half of the finished games between equals, if the favored side's wins between
    /// equals last as long as its recorded wins.
    pub ply: u32,
    /// The lower end of its interval.
    pub low: u32,
    /// The upper end; `None` if it exceeds the recorded lengths.
    pub high: Option<u32>,
    /// The proportion of games between equals that the favored side wins by this ply.
    pub after: Estimate,
}

/// Returns the arrangements; `None` if the data do not show which side is favored between equals. `shared` has the players of the
/// games.
pub(crate) fn even_arrangements(
    games: &[GameFacts],
    adjusted: &AdjustedAdvantage,
    shared: &SharedPlayers,
) -> Option<EvenArrangements> {
    let advantage = adjusted.advantage.estimate();
    // As in the other decisions, the interval is never narrower than for known strengths.
    if adjusted.advantage.cautious().estimate().holds(0.0) || adjusted.games < SMALL_SAMPLE {
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
    let win = |x: f64| 1.0 / (1.0 + (-x).exp() + adjusted.draw_weight * (-x / 2.0).exp());
    Some(EvenArrangements {
        favored,
        before: x.map(score),
        tied: unordered(x, tied),
        tied_if_even: tied(0.0),
        handicap: x.map(elo),
        with_handicap: x.map(|other| score(other - x.value)),
        win_value: x.map(f64::exp),
        limit: ply_limit(games, favored, x.map(win), shared),
    })
}

/// Converts an estimate to a scale that need not be increasing.
fn unordered(of: Estimate, scale: impl Fn(f64) -> f64) -> Estimate {
    let [value, low, high] = [of.value, of.low, of.high].map(scale);
    Estimate { value, low: value.min(low).min(high), high: value.max(low).max(high) }
}

/// Returns the ply limit that makes the favored side win half of the games between equals, of which it wins `win` without a
/// limit. The interval has all plies by which its proportion does not differ significantly from one half.
fn ply_limit(games: &[GameFacts], favored: Side, win: Estimate, shared: &SharedPlayers) -> Option<PlyLimit> {
    let won = in_order_of(games, |game| (game.winner() == Some(favored)).then_some(game.plies));
    let wins: Vec<(u32, u32)> = won.into_iter().map(|at| (games[at as usize].plies, at)).collect();
    if (wins.len() as u64) < SMALL_SAMPLE || win.value < 0.5 {
        return None;
    }
    // The ply by which the favored side has won this part of its wins.
    let at = (0.5 / win.value * wins.len() as f64).ceil() as usize;
    let (ply, _) = *wins.get(at.saturating_sub(1))?;
    let effect = shared.effect_among(wins.iter().map(|(plies, game)| (*game, *plies <= ply)));
    let n = wins.len() as f64;
    let won_by = |n_won: usize| product(win, wilson_of(n_won as f64 / n, n / effect.unwrap_or(1.0)));
    let steps = wins.chunk_by(|one, two| one.0 == two.0).scan(0, |n_won, alike| {
        *n_won += alike.len();
        Some((alike[0].0, won_by(*n_won)))
    });
    let all: Vec<(u32, Estimate)> = steps.collect();
    let first = |is_reached: &dyn Fn(&Estimate) -> bool| all.iter().find(|(_, won)| is_reached(won)).copied();
    Some(PlyLimit {
        ply,
        low: first(&|won| won.high >= 0.5)?.0,
        high: first(&|won| won.low >= 0.5).map(|(ply, _)| ply),
        after: all.iter().find(|(own, _)| *own == ply)?.1,
    })
}

/// Returns the product of two independent proportions. The relative distance of each end from the product is the root of the
/// sum of both squared relative distances.
fn product(one: Estimate, two: Estimate) -> Estimate {
    let value = one.value * two.value;
    let end = |of: fn(&Estimate) -> f64| {
        let relative = |estimate: &Estimate| of(estimate) / estimate.value.max(f64::MIN_POSITIVE) - 1.0;
        value * relative(&one).hypot(relative(&two))
    };
    Estimate {
        value,
        low: (value - end(|part| part.low)).max(0.0),
        high: (value + end(|part| part.high)).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use tafl_corpus::GameResult;
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
        let arrangements = even_arrangements(&games, &found, &shared(&games)).unwrap();
        assert_eq!(arrangements.favored, Side::Defenders);
        let truth = 1.0 - expected_score(-0.8, 0.3);
        assert!(arrangements.before.holds(truth), "{arrangements:?}");
        assert!(
            (arrangements.with_handicap.value - 0.5).abs() < 1e-12 && arrangements.handicap.holds(elo(0.8))
        );
        // Points: each side expects as many as the other.
        let n = |result| games.iter().filter(|game| game.result == result).count() as f64;
        let balance = n(GameResult::Defenders) / n(GameResult::Attackers);
        assert!((arrangements.win_value.value / balance - 1.0).abs() < 0.1, "{arrangements:?}");
        // Matches of two games with sides swapped, played with the results of other games.
        let (mut tied, mut all) = (0.0, 0.0);
        let other = league(2, -0.8, 0.3);
        for (one, two) in games.iter().zip(&other) {
            tied += f64::from(u8::from(one.result == two.result));
            all += 1.0;
        }
        assert!((arrangements.tied.value - tied / all).abs() < 0.05, "{arrangements:?} {}", tied / all);
        assert!(arrangements.tied_if_even < arrangements.tied.low);
    }

    #[test]
    fn by_the_limit_each_side_wins_half_of_the_games_between_equals() {
        let games = league(3, -0.8, 0.0);
        let win = |value: f64| Estimate { value, low: value - 0.02, high: value + 0.02 };
        let limit = |value| ply_limit(&games, Side::Defenders, win(value), &shared(&games));
        let wins: Vec<u32> = games
            .iter()
            .filter(|game| game.winner() == Some(Side::Defenders))
            .map(|game| game.plies)
            .collect();
        for value in [0.6, 0.7, 0.95] {
            let found = limit(value).unwrap();
            let won = |ply: u32| {
                value * wins.iter().filter(|plies| **plies <= ply).count() as f64 / wins.len() as f64
            };
            assert!(won(found.ply) >= 0.5 && won(found.ply - 1) < 0.5, "{found:?}");
            assert!((found.after.value - won(found.ply)).abs() < 1e-12);
            assert!(found.low < found.ply && found.high.unwrap() > found.ply, "{found:?}");
        }
        // The more games the favored side wins, the less time it should have.
        assert!(limit(0.95).unwrap().ply < limit(0.7).unwrap().ply);
        assert_eq!((limit(0.45), limit(0.51).unwrap().high), (None, None));
        // The players decide how long their games last, so that there are fewer independent games.
        let habits: Vec<GameFacts> = games
            .iter()
            .map(|game| {
                let habits: u32 = game.pair().unwrap().iter().sum();
                GameFacts { plies: 10 + habits * 2, ..*game }
            })
            .collect();
        let [independent, shared] = [SharedPlayers::default(), shared(&games)]
            .map(|shared| ply_limit(&habits, Side::Defenders, win(0.7), &shared).unwrap());
        // Without a last ply, the interval has no end.
        let is_later = shared.high.is_none_or(|high| Some(high) > independent.high);
        assert!(shared.low < independent.low && is_later, "{shared:?} {independent:?}");
    }

    fn shared(games: &[GameFacts]) -> SharedPlayers {
        SharedPlayers::of(games.iter().map(GameFacts::pair))
    }

    #[test]
    fn with_many_draws_fewer_matches_are_tied_if_one_side_is_favored() {
        let games = league(5, -1.5, 8.0);
        let found = adjusted(&games).unwrap().adjusted;
        let arrangements = even_arrangements(&games, &found, &shared(&games)).unwrap();
        assert!(arrangements.tied.is_sound(), "{arrangements:?}");
        assert!(arrangements.tied_if_even > arrangements.tied.high, "{arrangements:?}");
    }

    #[test]
    fn the_favored_side_is_decided_with_caution() {
        let games = league(1, -0.8, 0.3);
        let mut found = adjusted(&games).unwrap().adjusted;
        found.advantage.known_players_error = 1.0;
        assert_eq!(even_arrangements(&games, &found, &shared(&games)), None);
    }

    #[test]
    fn an_even_game_needs_no_arrangement() {
        let games = league(4, 0.0, 0.1);
        let found = adjusted(&games).unwrap().adjusted;
        assert_eq!(even_arrangements(&games, &found, &shared(&games)), None);
    }
}
