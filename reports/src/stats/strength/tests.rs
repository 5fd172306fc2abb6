//! Recovery of known parameters.

use super::*;
use crate::stats::NotEstimable;
use crate::stats::coverage::coverage;
use crate::stats::simulate::{LeagueSpec, Schedule};

fn game(attackers: u32, defenders: u32, results: (u32, u32, u32)) -> Pairing {
    let results = PairingResults { attackers: results.0, draws: results.1, defenders: results.2 };
    Pairing { attackers, defenders, group: 0, results }
}

#[test]
fn the_p_value_has_at_least_the_error_for_known_players() {
    let advantage =
        |error| Advantage { value: 0.3, error, model_error: error, known_players_error: 0.15, games: 90 };
    assert!(advantage(0.1).is_below_known_players() && !advantage(0.2).is_below_known_players());
    // Two standard errors, and 1.5.
    assert!((advantage(0.1).p() - 0.0455).abs() < 1e-4 && (advantage(0.2).p() - 0.1336).abs() < 1e-4);
}

#[test]
fn equal_players_leave_the_plain_odds() {
    // Three players, each pairing with both sides: 60 wins of the attackers, 40 of the defenders.
    let games = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)].map(|(a, d)| game(a, d, (60, 0, 40)));
    let found = fit(&League::new((3, 1), games), &FitOptions::default()).unwrap();
    let side = found.advantages[0].unwrap();
    assert!((side.value - 1.5f64.ln()).abs() < 0.01, "{side:?}");
    let plain = (1.0f64 / 360.0 + 1.0 / 240.0).sqrt();
    // Three players say little about the standard deviation of side skills, but these agree perfectly.
    assert!((0.9..3.0).contains(&(side.error / plain)), "{side:?} {plain}");
    assert_eq!((found.n, found.draw_weight), (600, 0.0));
    assert!(found.players.iter().all(|player| player.unwrap().value.abs() < 0.01));
    assert!((elo(side.value) - 70.4).abs() < 2.0);
}

#[test]
fn strengths_and_sides_are_separated() {
    // All players meet on both sides. The attackers win more games, also after allowing for the strengths.
    let games = [
        game(0, 1, (50, 0, 50)),
        game(1, 0, (90, 0, 30)),
        game(0, 2, (50, 0, 50)),
        game(1, 2, (120, 0, 80)),
        game(2, 1, (120, 0, 80)),
    ];
    let found = fit(&League::new((3, 1), games), &FitOptions::default()).unwrap();
    assert!(found.advantages[0].unwrap().value > 0.2);
}

#[test]
fn odd_leagues_are_answered() {
    let of = |games: &[Pairing]| fit(&League::new((4, 2), games.iter().copied()), &FitOptions::default());
    assert_eq!(of(&[]).unwrap_err(), NotEstimable::NoPlayers);
    assert_eq!(of(&[game(1, 1, (3, 0, 0))]).unwrap_err(), NotEstimable::NoPlayers);
    assert_eq!(of(&[game(0, 1, (0, 5, 0)), game(1, 2, (0, 5, 0))]).unwrap_err(), NotEstimable::NoneDecided);
    assert_eq!(of(&[game(0, 1, (5, 0, 3))]).unwrap_err(), NotEstimable::FewPlayers);
    assert_eq!(of(&[game(9, 1, (5, 0, 3))]).unwrap_err(), NotEstimable::NoPlayers);
    let only = of(&[game(0, 1, (50, 0, 0)), game(1, 2, (50, 0, 0)), game(2, 0, (50, 0, 0))]).unwrap();
    let side = only.advantages[0].unwrap();
    assert!(side.value.is_finite() && side.error.is_finite() && side.estimate().low > 0.0, "{side:?}");
    assert!(only.advantages[1].is_none() && only.players[3].is_none());
    let drawn = of(&[game(0, 1, (1, 50, 0)), game(1, 2, (0, 50, 0))]).unwrap();
    assert!(drawn.draw_weight.is_finite() && drawn.advantages[0].unwrap().error.is_finite());
}

#[test]
fn the_order_of_games_does_not_matter() {
    let made = LeagueSpec::default().simulate(3);
    let league = |games: Vec<Pairing>| League::new((made.strengths.len(), 1), games);
    let mut turned = made.games.clone();
    turned.reverse();
    assert_eq!(league(made.games.clone()), league(turned));
}

/// The number of simulated leagues of a test. `docs/statistics.md` has the figures of many more.
const LEAGUES: u64 = 60;

#[test]
fn simulated_leagues_contain_the_true_values() {
    let spec = LeagueSpec { players: 40, games: 800, ..LeagueSpec::default() };
    let found = coverage(spec, LEAGUES, 1).unwrap();
    assert!((0.88..=1.0).contains(&found.advantage.proportion.value), "{found:#?}");
    assert!(found.bias.value.abs() < 0.05, "{found:#?}");
    assert!(
        (0.85..1.4).contains(&found.error_ratio) && (0.85..1.15).contains(&found.strength_sd_ratio),
        "{found:#?}"
    );
    assert!((0.92..0.98).contains(&found.players.proportion.value), "{found:#?}");
    let choosing = LeagueSpec { schedule: Schedule::Choosing, ..spec };
    let found = coverage(choosing, LEAGUES, 2).unwrap();
    assert!((0.88..=1.0).contains(&found.advantage.proportion.value), "{found:#?}");
    assert!(found.plain.proportion.value < 0.5, "{found:#?}");
}

#[test]
fn the_effect_of_side_choice_is_estimated_with_its_error() {
    let mut held = 0;
    let effects = [Schedule::Even, Schedule::Choosing].map(|schedule| {
        let spec = LeagueSpec { players: 40, games: 800, schedule, ..LeagueSpec::default() };
        let mut sum = 0.0;
        for seed in 0..30 {
            let made = spec.simulate(seed);
            let found =
                fit(&League::new((40, 1), made.games.iter().copied()), &FitOptions::default()).unwrap();
            let gap = |game: &Pairing| {
                made.strengths[game.attackers as usize] - made.strengths[game.defenders as usize]
            };
            let truth = made.games.iter().map(gap).sum::<f64>() / made.games.len() as f64;
            let effect = found.side_choice.unwrap();
            held += u32::from(Estimate::normal(effect.value, effect.error).holds(truth));
            sum += effect.value / 30.0;
        }
        sum
    });
    assert!(effects[0].abs() < 0.05 && effects[1] < -0.3, "{effects:?}");
    assert!(held >= 50, "{held} of 60 intervals");
    // Each player has one game, so that his side is also his side choice.
    let games = (0..100).map(|at| game(2 * at, 2 * at + 1, if at < 40 { (1, 0, 0) } else { (0, 0, 1) }));
    let found = fit(&League::new((200, 1), games), &FitOptions::default()).unwrap();
    let effect = found.side_choice.unwrap();
    assert!(effect.correlation < -0.9 && effect.elo().high > 300.0, "{effect:?}");
}

#[test]
fn errors_allow_for_skill_that_differs_by_side() {
    let spec = LeagueSpec { players: 40, games: 800, one_side_skill_sd: 0.7, ..LeagueSpec::default() };
    let found = coverage(spec, LEAGUES, 3).unwrap();
    assert!((0.88..=1.0).contains(&found.advantage.proportion.value), "{found:#?}");
}

#[test]
fn few_players_without_side_skills_have_intervals_that_are_not_too_wide() {
    let spec = LeagueSpec { players: 12, games: 300, schedule: Schedule::Unequal, ..LeagueSpec::default() };
    let (mut held, mut narrower, leagues) = (0, 0, 150);
    for seed in 0..leagues {
        let made = spec.simulate(seed);
        let found = fit(&League::new((12, 1), made.games), &FitOptions::default()).unwrap();
        let side = found.advantages[0].unwrap();
        held += u64::from(side.estimate().holds(made.advantage));
        narrower += u64::from(side.error < side.model_error);
    }
    // If the estimated variance of side skills could not be negative, no interval would be narrower than the model's.
    let [held, narrower] = [held, narrower].map(|n| n as f64 / leagues as f64);
    assert!((0.92..0.995).contains(&held), "{held}");
    assert!((0.15..0.7).contains(&narrower), "{narrower}");
}

#[test]
fn side_skills_widen_the_interval_of_the_advantage() {
    let errors = [0.0, 0.7].map(|side_skill| {
        let spec =
            LeagueSpec { players: 40, games: 2000, one_side_skill_sd: side_skill, ..LeagueSpec::default() };
        let made = spec.simulate(5);
        let found = fit(&League::new((40, 1), made.games), &FitOptions::default()).unwrap();
        (found.advantages[0].unwrap().error, found.side_skill_sd)
    });
    assert!(errors[1].0 > 1.5 * errors[0].0, "{errors:?}");
    // The mean of two independent skills of 0.7.
    assert!(errors[0].1 < 0.25 && (0.3..0.7).contains(&errors[1].1), "{errors:?}");
}

#[test]
fn a_trend_with_strength_is_found_only_if_there_is_one() {
    let spec = LeagueSpec { players: 40, games: 1200, strength_sd: 1.5, ..LeagueSpec::default() };
    let none = coverage(spec, LEAGUES, 4).unwrap();
    assert!((0.0..=0.12).contains(&none.trends.proportion.value), "{none:#?}");
    let rising = coverage(LeagueSpec { slope: 0.4, ..spec }, LEAGUES / 2, 4).unwrap();
    assert!(rising.trends.proportion.value > 0.6, "{rising:#?}");
    assert!(rising.trend.proportion.value > 0.88, "{rising:#?}");
}

#[test]
fn the_line_is_narrowest_near_its_center() {
    let spec = LeagueSpec { slope: 0.3, ..LeagueSpec::default() };
    let league = League::new((spec.players, 1), spec.simulate(2).games);
    let line = fit_line(&league, &fit(&league, &FitOptions::default()).unwrap()).unwrap();
    let middle = line.at(line.center);
    assert!((middle.value - line.value).abs() < 1e-12);
    assert!(line.at(line.center + 2.0).width() > middle.width());
    assert!(line.at(line.center - 2.0).width() > middle.width());
}

#[test]
fn estimates_are_those_of_dense_matrices() {
    // By reports/tests/reference/side_skill.py, without the prior guess of the standard deviations and without corrections.
    let pairings = include_str!("../../../tests/reference/side_skill.txt").lines().map(|line| {
        let numbers: Vec<u32> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        game(numbers[0], numbers[1], (numbers[2], numbers[3], numbers[4]))
    });
    let found = fit(&League::new((30, 1), pairings), &FitOptions::default()).unwrap();
    let side = found.advantages[0].unwrap();
    let [advantage, error] = [-0.286_466, 0.281_838];
    assert!((side.value - advantage).abs() < 0.02, "{side:?}");
    assert!((1.0..1.25).contains(&(side.error / error)), "{side:?}");
    assert!((found.draw_weight - 0.045_812).abs() < 0.003, "{}", found.draw_weight);
    assert!((found.strength_sd / 1.179_099 - 1.0).abs() < 0.08, "{}", found.strength_sd);
    assert!((found.side_skill_sd / 0.727_111 - 1.0).abs() < 0.12, "{}", found.side_skill_sd);
    for (player, strength) in [-0.145_384, -1.399_177].into_iter().enumerate() {
        assert!((found.players[player].unwrap().value - strength).abs() < 0.05, "{player}");
    }
}

#[test]
fn errors_of_tiny_leagues_are_positive() {
    for seed in 0..400 {
        let (players, games) = (3 + seed as usize % 4, 3 + seed as usize % 17);
        let schedule = Schedule::ALL[seed as usize % 4];
        let spec = LeagueSpec { players, games, schedule, strength_sd: 1.8, ..LeagueSpec::default() };
        let league = League::new((players, 1), spec.simulate(seed).games);
        let Ok(found) = fit(&league, &FitOptions::default()) else { continue };
        let advantage = found.advantages[0].unwrap();
        assert!(advantage.value.is_finite() && advantage.error.is_finite(), "{seed}: {advantage:?}");
        assert!(advantage.error > 0.05, "{seed}: {advantage:?}");
    }
}

#[test]
#[cfg(feature = "database")]
fn fits_do_not_depend_on_the_number_of_threads() {
    let spec = LeagueSpec { players: 300, games: 30_000, draw_weight: 0.1, ..LeagueSpec::default() };
    let made = spec.simulate(2);
    let league = League::new((spec.players, 1), made.games);
    assert!(league.pairings().len() >= super::sums::MIN_PARALLEL);
    let found = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let strengths = fit(&league, &FitOptions::default()).unwrap();
            let line = fit_line(&league, &strengths).unwrap();
            (strengths, line)
        })
    });
    assert_eq!(found[0], found[1]);
}
