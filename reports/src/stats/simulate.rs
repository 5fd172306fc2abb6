//! Simulated leagues with known parameters.

use tafl_rules::Rng;

use super::normal::standard_normal;
use super::score::WdlCounts;
use super::strength::{Pairing, PairingResults};

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
    pub strength_sd: f64,
    /// The mean advantage of the attackers over leagues.
    pub advantage: f64,
    /// The standard deviation of the advantage between leagues.
    pub advantage_sd: f64,
    /// The weight of draws, see [`Strengths::draw_weight`](super::Strengths::draw_weight).
    pub draw_weight: f64,
    /// The schedule.
    pub schedule: Schedule,
    /// The standard deviation of the players' skill with one side, in log odds; independent for both sides. That of side skills, which
    /// are half the difference, is lower by a factor of sqrt(2).
    pub one_side_skill_sd: f64,
    /// The growth of the advantage with the mean strength of both players.
    pub slope: f64,
    /// Whether strengths have heavy tails: a t distribution with three degrees of freedom.
    pub has_heavy_tails: bool,
    /// The standard deviation of the change of a strength from the first to the last game (a random walk), in log odds.
    pub drift: f64,
    /// The maximum number of accounts of a player, who uses them at random.
    pub accounts: usize,
    /// The proportion of names that are missing; a game without both names is left out.
    pub missing_names: f64,
}

impl Default for LeagueSpec {
    fn default() -> LeagueSpec {
        LeagueSpec {
            players: 60,
            games: 1500,
            strength_sd: 0.8,
            advantage: -0.25,
            draw_weight: 0.1,
            schedule: Schedule::Even,
            one_side_skill_sd: 0.0,
            slope: 0.0,
            has_heavy_tails: false,
            advantage_sd: 0.0,
            drift: 0.0,
            accounts: 1,
            missing_names: 0.0,
        }
    }
}

/// A simulated league.
#[derive(Debug, Clone)]
pub struct SimulatedLeague {
    /// The true strengths of the accounts: over all games, and over both sides.
    pub strengths: Vec<f64>,
    /// The true advantage.
    pub advantage: f64,
    /// The games.
    pub games: Vec<Pairing>,
}

impl LeagueSpec {
    /// Simulates a league.
    pub fn simulate(&self, seed: u64) -> SimulatedLeague {
        let mut rng = Rng::new(seed);
        let n = self.players.max(2);
        let mut strengths: Vec<f64> = (0..n).map(|_| self.strength_sd * self.strength(&mut rng)).collect();
        // Numbers are drawn only if needed, so that simple leagues do not depend on the other parameters.
        let side_skills: Vec<[f64; 2]> = if self.one_side_skill_sd > 0.0 {
            (0..n).map(|_| [0; 2].map(|_| self.one_side_skill_sd * standard_normal(&mut rng))).collect()
        } else {
            vec![[0.0; 2]; n]
        };
        if self.schedule == Schedule::Alike {
            strengths.sort_by(f64::total_cmp);
        }
        let mut advantage = self.advantage;
        if self.advantage_sd > 0.0 {
            advantage += self.advantage_sd * standard_normal(&mut rng);
        }
        let accounts: Vec<usize> =
            (0..n).map(|_| if self.accounts > 1 { 1 + rng.below(self.accounts) } else { 1 }).collect();
        let firsts: Vec<usize> = accounts
            .iter()
            .scan(0, |next, own| {
                *next += own;
                Some(*next - own)
            })
            .collect();
        let mut played = vec![(0.0, 0u32); n];
        let mut last = vec![0; n];
        let mut games = Vec::new();
        for at in 0..self.games {
            let [attackers, defenders] = self.meeting(&strengths, &mut rng);
            for player in [attackers, defenders] {
                if self.drift > 0.0 {
                    let step = ((at - last[player]) as f64 / self.games as f64).sqrt();
                    strengths[player] += self.drift * step * standard_normal(&mut rng);
                    last[player] = at;
                }
                played[player].0 += strengths[player];
                played[player].1 += 1;
            }
            let x = strengths[attackers] - strengths[defenders]
                + advantage
                + self.slope * (strengths[attackers] + strengths[defenders]) / 2.0
                + side_skills[attackers][0]
                - side_skills[defenders][1];
            let results = self.result(x, &mut rng);
            let [attackers, defenders] = [attackers, defenders].map(|player| {
                let own = if accounts[player] > 1 { rng.below(accounts[player]) } else { 0 };
                (firsts[player] + own) as u32
            });
            if self.missing_names > 0.0 && [0; 2].map(|_| rng.unit() < self.missing_names).contains(&true) {
                continue;
            }
            games.push(Pairing { attackers, defenders, group: 0, results });
        }
        let strength = |player: usize| {
            let (sum, n) = played[player];
            let mean = if n == 0 { strengths[player] } else { sum / f64::from(n) };
            let [attackers, defenders] = side_skills[player];
            mean + (attackers + defenders) / 2.0
        };
        let strengths = (0..n).flat_map(|player| vec![strength(player); accounts[player]]).collect();
        SimulatedLeague { strengths, advantage, games }
    }

    fn result(&self, x: f64, rng: &mut Rng) -> PairingResults {
        let (win, loss) = ((x / 2.0).exp(), (-x / 2.0).exp());
        let roll = rng.unit() * (win + loss + self.draw_weight);
        let mut results = PairingResults::default();
        if roll < win {
            results.attackers = 1;
        } else if roll < win + loss {
            results.defenders = 1;
        } else {
            results.draws = 1;
        }
        results
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
            record.wins += u64::from(game.results.attackers);
            record.draws += u64::from(game.results.draws);
            record.losses += u64::from(game.results.defenders);
        }
        record
    }
}
