//! Maximum a posteriori estimation of strengths and advantages.

use super::correct::{Pairs, Variances, marginal, squares};
use super::league::League;
use super::side_choice::SideChoices;
use super::system::{System, SystemPart, Unknowns};
use super::{Advantage, Strength, Strengths};
use crate::stats::missing::NotEstimable;

/// Options of the estimation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitOptions {
    /// The standard deviation of strengths if it is known; otherwise it is estimated.
    pub spread: Option<f64>,
    /// The convergence threshold for the step size and the relative change of the spread.
    pub precision: f64,
    /// The maximum number of steps; at least one is made.
    pub most_steps: u32,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions { spread: None, precision: 5e-4, most_steps: 25 }
    }
}

/// The prior guess of the spread, with the weight of one player.
const GUESS: f64 = 1.0;

/// Estimates strengths, advantages, and draws jointly.
///
/// # Errors
///
/// Returns [`NotEstimable::NoPlayers`] without games, [`NotEstimable::NoneDecided`] if all games were drawn,
/// [`NotEstimable::FewPlayers`] for fewer than three players, and [`NotEstimable::Unsettled`] if the iteration does not
/// converge.
pub fn fit(league: &League, options: &FitOptions) -> Result<Strengths, NotEstimable> {
    let games = games_of(league);
    let total = league.total();
    if total.n() == 0 {
        return Err(NotEstimable::NoPlayers);
    }
    if total.attackers + total.defenders == 0 {
        return Err(NotEstimable::NoneDecided);
    }
    if games.iter().filter(|games| **games > 0).count() < 3 {
        return Err(NotEstimable::FewPlayers);
    }
    let side_choices = SideChoices::of(league);
    let games_and_choices = (league, &side_choices);
    let mut point = Unknowns::zero(league, &side_choices);
    let decided = f64::from(total.attackers + total.defenders);
    point.draw =
        if total.draws == 0 { f64::NEG_INFINITY } else { (2.0 * f64::from(total.draws) / decided).ln() };
    let mut spread = options.spread.unwrap_or(GUESS);
    let pairs = Pairs::of(league);
    let mut system = System::at(games_and_choices, &point, spread);
    let mut steps = 0;
    loop {
        let size = climb(games_and_choices, &mut point, &mut system, spread);
        steps += 1;
        let before = spread;
        if options.spread.is_none() {
            let variances = Variances::of(league, &pairs, &system);
            let squares = squares(league, (&system, &variances), &point);
            spread = spread_of(squares, &variances, (&games, spread));
            system.set_spread(&point, spread);
        }
        if size < options.precision && (spread / before - 1.0).abs() < options.precision {
            break;
        }
        if steps >= options.most_steps {
            if size > 0.05 {
                return Err(NotEstimable::Unsettled);
            }
            break;
        }
    }
    let variances = Variances::of(league, &pairs, &system);
    let sides = sides(games_and_choices, (&system, &variances), &point);
    let strength = |player: usize| Strength {
        value: point.players[player] + side_choices.of_player(player, &point.sides[league.n_groups..]),
        error: variances.player(player).max(0.0).sqrt(),
        games: games[player],
    };
    let players = (0..league.n_players).map(|player| (games[player] > 0).then(|| strength(player))).collect();
    Ok(Strengths { players, sides, draw: point.draw.exp(), spread, n: u64::from(total.n()), steps })
}

fn games_of(league: &League) -> Vec<u64> {
    let mut games = vec![0; league.n_players];
    for pairing in league.pairings() {
        games[pairing.attackers as usize] += u64::from(pairing.points.n());
        games[pairing.defenders as usize] += u64::from(pairing.points.n());
    }
    games
}

/// Takes a Newton step, halved while it is too long, and returns its largest component.
fn climb<'l>(
    league: (&'l League, &'l SideChoices),
    point: &mut Unknowns,
    system: &mut System<'l>,
    spread: f64,
) -> f64 {
    let mut gradient = system.gradient.clone();
    if !point.draw.is_finite() {
        gradient.draw = 0.0;
    }
    let step = system.solve(gradient, SystemPart::All, 1e-2);
    let greatest = |numbers: &[f64]| numbers.iter().fold(0.0f64, |most, number| most.max(number.abs()));
    let size = greatest(&step.players).max(greatest(&step.sides)).max(step.draw.abs());
    let mut factor = if size > 2.0 { 2.0 / size } else { 1.0 };
    for _ in 0..30 {
        let mut next = point.clone();
        let has_draws = next.draw.is_finite();
        next.add(factor, &step);
        if !has_draws {
            next.draw = f64::NEG_INFINITY;
        }
        let there = System::at(league, &next, spread);
        if there.log_posterior >= system.log_posterior - 1e-9 * system.log_posterior.abs() {
            (*point, *system) = (next, there);
            break;
        }
        factor /= 2.0;
    }
    size * factor
}

/// Returns the spread that best explains the strengths, by the Fellner-Schall update: the sum of squares
/// divided by the remaining degrees of freedom of the players.
fn spread_of(squares: f64, variances: &Variances<'_>, (games, spread): (&[u64], f64)) -> f64 {
    let prior = 1.0 / (spread * spread);
    let players = games.iter().enumerate().filter(|(_, games)| **games > 0);
    let freedom: f64 = players.map(|(player, _)| (1.0 - prior * variances.player(player)).max(0.0)).sum();
    ((squares + GUESS * GUESS) / (freedom + 1.0)).sqrt().clamp(0.05, 5.0)
}

fn sides(
    (league, side_choices): (&League, &SideChoices),
    known: (&System<'_>, &Variances<'_>),
    point: &Unknowns,
) -> Vec<Option<Advantage>> {
    let mut games = vec![0u64; league.n_groups];
    for pairing in league.pairings() {
        games[pairing.group as usize] += u64::from(pairing.points.n());
    }
    let marginal = marginal((league, side_choices), known, point);
    let advantage = |group: usize| {
        // If the correction is large, its formula is not valid.
        let most = marginal.errors[group];
        Advantage {
            value: point.sides[group] + marginal.corrections[group].clamp(-most, most),
            error: marginal.errors[group],
            games: games[group],
        }
    };
    (0..league.n_groups).map(|group| (games[group] > 0).then(|| advantage(group))).collect()
}
