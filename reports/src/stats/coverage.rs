//! The coverage and bias of estimates in simulated leagues.

use tafl_rules::Rng;

use super::balance::Balance;
use super::hierarchy::{MeasuredValue, partially_pool};
use super::interval::{Estimate, Rate, Z95};
use super::simulate::{LeagueSpec, SimulatedLeague};
use super::strength::{FitOptions, League, Strength, expected_score, fit, fit_line, strength_drift};

/// The coverage of intervals over many simulated leagues.
#[derive(Debug, Clone, PartialEq)]
pub struct LeagueCoverage {
    /// The parameters of the leagues.
    pub spec: LeagueSpec,
    /// The number of leagues.
    pub leagues: u64,
    /// The number of leagues in which the estimate was possible.
    pub fitted: u64,
    /// The proportion of intervals of the advantage that contain the true value.
    pub advantage: Rate,
    /// The same for the partially pooled advantages of 25 leagues each.
    pub partially_pooled: Option<Rate>,
    /// The mean estimated advantage minus the true one, with its interval.
    pub bias: Estimate,
    /// The mean standard error divided by the true standard deviation of the estimates; the ideal value is 1.
    pub error_ratio: f64,
    /// The proportion of intervals of the players' strengths that contain the true value.
    pub players: Rate,
    /// The mean estimated standard deviation of strengths divided by the true one.
    pub strength_sd_ratio: f64,
    /// The proportion of leagues whose trend with strength has a p-value below 0.05.
    pub trends: Rate,
    /// The proportion of intervals of this trend that contain the true value.
    pub trend: Rate,
    /// The proportion of intervals of the plain balance that contain the mean balance of such leagues, with
    /// leagues and players drawn anew.
    pub balance: Rate,
    /// The proportion of intervals of the plain score that contain the score between equals: the cost of ignoring
    /// strengths.
    pub plain: Rate,
}

/// Simulates leagues and returns the coverage of their intervals. Leagues without enough information for an
/// estimate are skipped; returns `None` if all of them are.
pub fn coverage(spec: LeagueSpec, leagues: u64, seed: u64) -> Option<LeagueCoverage> {
    let seeds = Rng::new(seed).next_u64();
    let truth = long_run(&spec, seeds);
    let mut sums = Sums::default();
    for league in 0..leagues {
        let made = spec.simulate(seeds ^ Rng::new(league).next_u64());
        sums.add(&spec, &made, truth);
    }
    sums.coverage(spec, leagues)
}

/// Returns the defenders' proportion of decided games over a very large number of games.
fn long_run(spec: &LeagueSpec, seed: u64) -> f64 {
    let (mut won, mut all) = (0u64, 0u64);
    for part in 0..400 {
        let many = LeagueSpec { games: 2000, ..*spec };
        let record = many.simulate(seed ^ Rng::new(1 << 40 | part).next_u64()).record();
        won += record.losses;
        all += record.losses + record.wins;
    }
    won as f64 / all.max(1) as f64
}

/// The number of leagues that are pooled.
const POOLED: usize = 25;

#[derive(Debug, Default)]
struct Sums {
    fitted: u64,
    held: u64,
    /// The estimate minus the true value.
    deviations: Vec<f64>,
    /// The estimate and the true value.
    measured: Vec<(MeasuredValue, f64)>,
    errors: f64,
    lines: u64,
    trends: u64,
    trends_held: u64,
    players_held: u64,
    players: u64,
    strength_sd: f64,
    balance_held: u64,
    plain_held: u64,
}

impl Sums {
    fn add(&mut self, spec: &LeagueSpec, made: &SimulatedLeague, truth: f64) {
        let league = League::new((made.strengths.len(), 1), made.games.iter().copied());
        let Ok(found) = fit(&league, &FitOptions::default()) else { return };
        let Some(mut side) = found.advantages[0] else { return };
        if let Some(drift) = strength_drift(made.games.iter().copied(), &found) {
            side = drift.corrected(side);
        }
        self.fitted += 1;
        self.held += u64::from(side.estimate().holds(made.advantage));
        self.deviations.push(side.value - made.advantage);
        self.measured.push((side.into(), made.advantage));
        self.errors += side.error;
        self.strength_sd += found.strength_sd;
        let record = made.record();
        if let Ok(line) = fit_line(&league, &found) {
            let slope = Estimate::normal(line.slope, line.slope_error);
            self.lines += 1;
            self.trends += u64::from(!slope.holds(0.0));
            self.trends_held += u64::from(slope.holds(spec.slope));
        }
        let equals = expected_score(made.advantage, spec.draw_weight);
        self.plain_held += u64::from(record.score().is_ok_and(|score| score.holds(equals)));
        let held = Balance::of(record.wins, record.losses)
            .is_ok_and(|balance| (balance.low.proportion()..=balance.high.proportion()).contains(&truth));
        self.balance_held += u64::from(held);
        self.add_players(made, &found.players);
    }

    fn add_players(&mut self, made: &SimulatedLeague, found: &[Option<Strength>]) {
        for (truth, player) in made.strengths.iter().zip(found) {
            let Some(player) = player else { continue };
            let gap = (player.value - truth).abs();
            self.players += 1;
            self.players_held += u64::from(gap <= Z95 * player.error);
        }
    }

    fn partially_pooled(&self) -> Option<Rate> {
        let (mut held, mut n) = (0, 0);
        for some in self.measured.chunks_exact(POOLED) {
            let values: Vec<MeasuredValue> = some.iter().map(|(value, _)| *value).collect();
            let Ok(found) = partially_pool(&values) else { continue };
            for (estimate, (_, truth)) in found.partially_pooled.iter().zip(some) {
                held += u64::from(estimate.holds(*truth));
                n += 1;
            }
        }
        Rate::of(held, n)
    }

    fn coverage(self, spec: LeagueSpec, leagues: u64) -> Option<LeagueCoverage> {
        let n = self.deviations.len() as f64;
        let bias = self.deviations.iter().sum::<f64>() / n;
        let squares: f64 = self.deviations.iter().map(|value| (value - bias).powi(2)).sum();
        let deviation = (squares / (n - 1.0).max(1.0)).sqrt();
        Some(LeagueCoverage {
            spec,
            leagues,
            fitted: self.fitted,
            advantage: Rate::of(self.held, self.fitted)?,
            partially_pooled: self.partially_pooled(),
            trends: Rate::of(self.trends, self.lines)?,
            trend: Rate::of(self.trends_held, self.lines)?,
            bias: Estimate::normal(bias, deviation / n.sqrt()),
            error_ratio: self.errors / n / deviation,
            players: Rate::of(self.players_held, self.players)?,
            strength_sd_ratio: self.strength_sd / n / spec.strength_sd,
            balance: Rate::of(self.balance_held, self.fitted)?,
            plain: Rate::of(self.plain_held, self.fitted)?,
        })
    }
}
