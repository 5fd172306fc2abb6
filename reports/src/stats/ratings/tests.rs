use tafl_rules::Rng;

use super::*;
use crate::stats::PairingResults;

fn game(attackers: u32, defenders: u32, group: u32, [win, draw, loss]: [u32; 3]) -> Pairing {
    Pairing {
        attackers,
        defenders,
        group,
        results: PairingResults { attackers: win, draws: draw, defenders: loss },
    }
}

/// A pair of games from one opening for each pairing, `n` times, with a common disturbance of each opening.
fn simulated(
    ratings: &[f64],
    advantage: f64,
    draw_weight: f64,
    n: usize,
    rng: &mut Rng,
) -> Vec<Vec<Pairing>> {
    let mut clusters = Vec::new();
    for _ in 0..n {
        for one in 0..ratings.len() {
            for other in one + 1..ratings.len() {
                let opening = 3.0 * rng.unit() - 1.5;
                let mut play = |attackers: usize, defenders: usize| {
                    let x = ratings[attackers] - ratings[defenders] + advantage + opening;
                    let [win, draw, _] = crate::stats::strength::wdl_probabilities(x, draw_weight);
                    let at = rng.unit();
                    let results = if at < win {
                        [1, 0, 0]
                    } else if at < win + draw {
                        [0, 1, 0]
                    } else {
                        [0, 0, 1]
                    };
                    game(attackers as u32, defenders as u32, 0, results)
                };
                clusters.push(vec![play(one, other), play(other, one)]);
            }
        }
    }
    clusters
}

#[test]
fn two_players_get_the_log_odds_of_their_score() {
    // Each side is won 30 times and lost 10 times by the first player: the advantage is 0, the difference ln 3, up to
    // the games that are added.
    let games = [[game(0, 1, 0, [300, 0, 100])], [game(1, 0, 0, [100, 0, 300])]];
    let ratings = rate((2, 1), &games).unwrap();
    assert!((ratings.difference(0, 1).value - elo(3.0_f64.ln())).abs() < 0.5, "{ratings:?}");
    assert!(ratings.advantages[0].unwrap().value.abs() < 1e-6);
    assert_eq!(ratings.draw_weight, 0.0);
    let [one, other] = [0, 1].map(|player: usize| ratings.players[player].unwrap().value);
    assert!((one + other).abs() < 1e-9);
}

#[test]
fn the_maximum_is_that_of_a_slow_search() {
    let mut rng = Rng::new(3);
    let clusters = simulated(&[0.8, 0.0, -0.5, 0.1], -0.4, 0.7, 12, &mut rng);
    let ratings = rate((4, 1), &clusters).unwrap();
    let has_group = [true];
    let model = Model { n_players: 4, n_groups: 1, has_group: &has_group, has_draws: true };
    // The logarithm of the likelihood, worked out anew from the definition, climbed one unknown at a time.
    let log_likelihood = |values: &[f64]| {
        let mut sum = 0.0;
        for one in clusters.iter().flatten() {
            let x = values[one.attackers as usize] - values[one.defenders as usize] + values[4];
            let weights = [(x / 2.0).exp(), values[5].exp(), (-x / 2.0).exp()];
            let counts = [one.results.attackers, one.results.draws, one.results.defenders];
            let total: f64 = weights.iter().sum();
            sum += weights
                .iter()
                .zip(counts)
                .map(|(weight, n)| f64::from(n) * (weight / total).ln())
                .sum::<f64>();
        }
        let added =
            |value: &f64| 0.5 * ((1.0 / (1.0 + (-value).exp())).ln() + (1.0 / (1.0 + value.exp())).ln());
        sum + values[..5].iter().map(added).sum::<f64>()
    };
    let mut values = vec![0.0; model.n()];
    let mut step = 1.0;
    while step > 1e-7 {
        let before = log_likelihood(&values);
        for at in 0..values.len() {
            for move_by in [step, -step] {
                let mut next = values.clone();
                next[at] += move_by;
                if log_likelihood(&next) > log_likelihood(&values) {
                    values = next;
                }
            }
        }
        if log_likelihood(&values) <= before {
            step /= 2.0;
        }
    }
    for (found, slow) in ratings.values.iter().zip(&values) {
        assert!((found - slow).abs() < 1e-4, "{:?} {values:?}", ratings.values);
    }
}

#[test]
fn intervals_cover_the_differences() {
    let mut rng = Rng::new(7);
    let strengths = [0.6, 0.0, -0.6];
    let mut rated = |n: usize| rate((3, 1), &simulated(&strengths, -0.5, 0.2, n, &mut rng)).unwrap();
    // Openings that favor a side make the differences smaller, so the truth is what very many games show.
    let truth = rated(20_000);
    let (mut held, mut all) = (0, 0);
    for _ in 0..400 {
        let ratings = rated(40);
        for (one, other) in [(0, 1), (1, 2), (0, 2)] {
            held += u32::from(ratings.difference(one, other).holds(truth.difference(one, other).value));
            all += 1;
        }
    }
    let share = f64::from(held) / f64::from(all);
    assert!((0.92..=0.98).contains(&share), "{share}");
}

#[test]
fn one_pair_of_games_has_the_error_of_independent_games() {
    let ratings = rate((2, 1), &[[game(0, 1, 0, [1, 0, 0]), game(1, 0, 0, [1, 0, 0])]]).unwrap();
    // With the added game, the attackers win with a probability of 5/6. The information of a game is 5/36, and of an added one 1/4.
    let error = (2.0 / (4.0 * 5.0 / 36.0 + 0.25_f64)).sqrt();
    let found = ratings.difference(0, 1);
    assert!(found.value.abs() < 1e-6 && (found.high - elo(1.96 * error)).abs() < 0.1, "{found:?}");
}

#[test]
fn a_player_who_wins_everything_has_a_finite_rating() {
    let games: Vec<[Pairing; 2]> =
        (0..20).map(|_| [game(0, 1, 0, [1, 0, 0]), game(1, 0, 0, [0, 0, 1])]).collect();
    let ratings = rate((3, 2), &games).unwrap();
    let difference = ratings.difference(0, 1);
    assert!(difference.is_sound() && difference.low > 100.0, "{difference:?}");
    let advantage = ratings.advantages[0].unwrap();
    assert!(advantage.holds(0.0) && advantage.width() > 50.0, "{advantage:?}");
    assert!(ratings.superiority(0, 1) > 0.99);
    assert_eq!((ratings.players[2], ratings.advantages[1]), (None, None));
}

#[test]
fn nothing_decided_is_not_estimable() {
    let none: [[Pairing; 1]; 0] = [];
    assert_eq!(rate((2, 1), &none), Err(NotEstimable::NoGames));
    assert_eq!(rate((2, 1), &[[game(0, 1, 0, [0, 4, 0])]]), Err(NotEstimable::NoneDecided));
}
