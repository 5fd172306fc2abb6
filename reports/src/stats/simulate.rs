//! Simulated leagues with known parameters, to test the coverage and bias of estimates.

use tafl_rules::Rng;

use super::balance::Balance;
use super::interval::{Estimate, Rate};
use super::normal::standard_normal;
use super::score::WdlCounts;
use super::strength::{FitOptions, League, LeaguePoints, Meeting, fit};

/// The schedule of a league.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Schedule {
    /// All pairs of players meet equally often, on either side.
    Even,
    /// A few players play most of the games, as on a play site.
    Unequal,
    /// Players meet others of similar strength.
    Alike,
    /// The stronger player takes the defenders in three of four games.
    Choosing,
}

impl Schedule {
    /// Every schedule.
    pub const ALL: [Schedule; 4] = [Schedule::Even, Schedule::Unequal, Schedule::Alike, Schedule::Choosing];

    /// Returns the name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Schedule::Even => "even",
            Schedule::Unequal => "unequal",
            Schedule::Alike => "alike",
            Schedule::Choosing => "choosing",
        }
    }
}

/// The parameters of a simulated league.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeagueSpec {
    /// The number of players.
    pub players: usize,
    /// The number of games.
    pub games: usize,
    /// The standard deviation of strengths, in log odds.
    pub spread: f64,
    /// The advantage of the attackers.
    pub advantage: f64,
    /// The weight of draws, see [`Strengths::draw`](super::Strengths::draw).
    pub draw: f64,
    /// The schedule.
    pub schedule: Schedule,
    /// The standard deviation of the players' skill with one side, in log odds; independent for both sides.
    pub side_skill: f64,
    /// The growth of the advantage with the mean strength of both players.
    pub slope: f64,
    /// Whether strengths have heavy tails: a t distribution with three degrees of freedom.
    pub has_heavy_tails: bool,
}

impl Default for LeagueSpec {
    fn default() -> LeagueSpec {
        LeagueSpec {
            players: 60,
            games: 1500,
            spread: 0.8,
            advantage: -0.25,
            draw: 0.1,
            schedule: Schedule::Even,
            side_skill: 0.0,
            slope: 0.0,
            has_heavy_tails: false,
        }
    }
}

/// A simulated league.
#[derive(Debug, Clone)]
pub struct SimulatedLeague {
    /// The true strengths.
    pub strengths: Vec<f64>,
    /// The games.
    pub games: Vec<Meeting>,
}

impl LeagueSpec {
    /// Simulates a league.
    pub fn simulate(&self, seed: u64) -> SimulatedLeague {
        let mut rng = Rng::new(seed);
        let n = self.players.max(2);
        let mut strengths: Vec<f64> = (0..n).map(|_| self.spread * self.strength(&mut rng)).collect();
        // Drawn only if needed, so that simple leagues do not depend on the parameter.
        let side_skills: Vec<[f64; 2]> = if self.side_skill > 0.0 {
            (0..n).map(|_| [0; 2].map(|_| self.side_skill * standard_normal(&mut rng))).collect()
        } else {
            vec![[0.0; 2]; n]
        };
        if self.schedule == Schedule::Alike {
            strengths.sort_by(f64::total_cmp);
        }
        let games = (0..self.games).map(|_| {
            let [attackers, defenders] = self.meeting(&strengths, &mut rng);
            let x = strengths[attackers] - strengths[defenders]
                + self.advantage
                + self.slope * (strengths[attackers] + strengths[defenders]) / 2.0
                + side_skills[attackers][0]
                - side_skills[defenders][1];
            let (win, loss) = ((x / 2.0).exp(), (-x / 2.0).exp());
            let roll = rng.unit() * (win + loss + self.draw);
            let mut points = LeaguePoints::default();
            if roll < win {
                points.attackers = 1;
            } else if roll < win + loss {
                points.defenders = 1;
            } else {
                points.draws = 1;
            }
            Meeting { attackers: attackers as u32, defenders: defenders as u32, group: 0, points }
        });
        let games = games.collect();
        SimulatedLeague { strengths, games }
    }

    /// Returns a strength with variance 1.
    fn strength(&self, rng: &mut Rng) -> f64 {
        let normal = standard_normal(rng);
        if !self.has_heavy_tails {
            return normal;
        }
        let squares: f64 = (0..3).map(|_| standard_normal(rng).powi(2)).sum();
        // Its variance is three without the division.
        normal / (squares / 3.0).sqrt() / 3f64.sqrt()
    }

    fn meeting(&self, strengths: &[f64], rng: &mut Rng) -> [usize; 2] {
        let n = strengths.len();
        loop {
            let first = match self.schedule {
                Schedule::Even | Schedule::Alike | Schedule::Choosing => rng.below(n),
                Schedule::Unequal => (n as f64 * rng.unit().powi(3)) as usize,
            };
            let second = match self.schedule {
                Schedule::Even | Schedule::Choosing => rng.below(n),
                Schedule::Unequal => (n as f64 * rng.unit().powi(3)) as usize,
                Schedule::Alike => {
                    let away = 1 + rng.below(1 + n / 10);
                    if rng.unit() < 0.5 { first.wrapping_sub(away) } else { first + away }
                }
            };
            if first == second || first >= n || second >= n {
                continue;
            }
            let is_stronger_second = strengths[second] > strengths[first];
            let is_swapped =
                self.schedule == Schedule::Choosing && is_stronger_second == (rng.unit() >= 0.75);
            return if is_swapped { [second, first] } else { [first, second] };
        }
    }
}

impl SimulatedLeague {
    /// Returns the results of the attackers.
    pub fn record(&self) -> WdlCounts {
        let mut record = WdlCounts::default();
        for game in &self.games {
            record.wins += u64::from(game.points.attackers);
            record.draws += u64::from(game.points.draws);
            record.losses += u64::from(game.points.defenders);
        }
        record
    }
}

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
    /// The mean estimated advantage minus the true one, with its interval.
    pub bias: Estimate,
    /// The mean standard error divided by the true standard deviation of the estimates; the ideal value is 1.
    pub error_ratio: f64,
    /// The proportion of intervals of the players' strengths that contain the true value.
    pub players: Rate,
    /// The mean estimated spread of strengths divided by the true one.
    pub spread_ratio: f64,
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

#[derive(Debug, Default)]
struct Sums {
    fitted: u64,
    held: u64,
    estimates: Vec<f64>,
    errors: f64,
    players_held: u64,
    players: u64,
    spread: f64,
    balance_held: u64,
    plain_held: u64,
}

impl Sums {
    fn add(&mut self, spec: &LeagueSpec, made: &SimulatedLeague, truth: f64) {
        let league = League::new((made.strengths.len(), 1), made.games.iter().copied());
        let Ok(found) = fit(&league, &FitOptions::default()) else { return };
        let Some(side) = found.sides[0] else { return };
        self.fitted += 1;
        self.held += u64::from(side.estimate().holds(spec.advantage));
        self.estimates.push(side.value);
        self.errors += side.error;
        self.spread += found.spread;
        let record = made.record();
        let equals = super::strength::expected_score(spec.advantage, spec.draw);
        self.plain_held += u64::from(record.score().is_ok_and(|score| score.holds(equals)));
        let held = Balance::of(record.wins, record.losses)
            .is_ok_and(|balance| (balance.low.proportion()..=balance.high.proportion()).contains(&truth));
        self.balance_held += u64::from(held);
        self.add_players(made, &found.players);
    }

    fn add_players(&mut self, made: &SimulatedLeague, found: &[Option<super::strength::Strength>]) {
        for (truth, player) in made.strengths.iter().zip(found) {
            let Some(player) = player else { continue };
            let gap = (player.value - truth).abs();
            self.players += 1;
            self.players_held += u64::from(gap <= super::interval::Z95 * player.error);
        }
    }

    fn coverage(self, spec: LeagueSpec, leagues: u64) -> Option<LeagueCoverage> {
        let n = self.estimates.len() as f64;
        let mean = self.estimates.iter().sum::<f64>() / n;
        let squares: f64 = self.estimates.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (n - 1.0).max(1.0)).sqrt();
        Some(LeagueCoverage {
            spec,
            leagues,
            fitted: self.fitted,
            advantage: Rate::of(self.held, self.fitted)?,
            bias: Estimate::normal(mean - spec.advantage, deviation / n.sqrt()),
            error_ratio: self.errors / n / deviation,
            players: Rate::of(self.players_held, self.players)?,
            spread_ratio: self.spread / n / spec.spread,
            balance: Rate::of(self.balance_held, self.fitted)?,
            plain: Rate::of(self.plain_held, self.fitted)?,
        })
    }
}
