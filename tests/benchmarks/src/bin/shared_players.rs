//! Measures the coverage of intervals of proportions if few players have most of the games: `shared_players CORPUS [SIMULATIONS [SEED]]`.
//!
//! The schedules are the recorded ones: who played how often against whom, and on which side. Strengths are drawn anew in each simulation, so that
//! the attackers win half of the games of an even variant.

use tafl_corpus::Corpus;
use tafl_reports::stats::{DesignEffect, Rate, SharedPlayers, elo, expectation, standard_normal};
use tafl_reports::{GamesToLoad, load_games};
use tafl_rules::Rng;

/// The minimum number of games with two names. Variants with fewer are left out.
const MIN_GAMES: usize = 20;

/// The standard deviation of strengths, in Elo.
const STRENGTH_SD: f64 = 228.0;

/// The standard deviations of side skills, in Elo: half the difference between a player's strengths as attackers and as defenders.
const SIDE_SKILL_SDS: [f64; 2] = [0.0, 34.0];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let corpus = arguments.next().expect("the first argument is a corpus");
    let mut number =
        |otherwise: u64| arguments.next().map_or(otherwise, |text| text.parse().expect("a number"));
    let (simulations, seed) = (number(400), number(1));
    let schedules = recorded_schedules(&Corpus::open(corpus.as_ref()).expect("the corpus opens"));
    println!(
        "| variant | games | freedom | side skill, Elo | covered without the corrections | with | p < 0.01 without | with |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let (mut all, mut few) = ([Tally::default(); 2], [Tally::default(); 2]);
    for schedule in &schedules {
        for (kind, side_skill_sd) in SIDE_SKILL_SDS.into_iter().enumerate() {
            let tally = schedule.simulate(side_skill_sd, simulations, seed);
            tally.print(&schedule.variant, Some(schedule.sides.len()), side_skill_sd);
            all[kind].add(&tally);
            // Fewer are raised to 3.
            if tally.freedom <= 3.0 {
                few[kind].add(&tally);
            }
        }
    }
    for (name, tallies) in [("all", all), ("3 degrees of freedom or fewer", few)] {
        for (tally, side_skill_sd) in tallies.iter().zip(SIDE_SKILL_SDS) {
            tally.print(&format!("{name}: {} variants", tally.variants), None, side_skill_sd);
        }
    }
}

/// The players of a variant's games.
struct Schedule {
    variant: String,
    /// The attackers and the defenders of each game.
    sides: Vec<[u32; 2]>,
    n_players: usize,
}

/// Returns the schedules of all variants with enough games.
fn recorded_schedules(corpus: &Corpus) -> Vec<Schedule> {
    let games = load_games(corpus, GamesToLoad::All).expect("the corpus can be read");
    let mut schedules: Vec<Schedule> = games
        .variants
        .iter()
        .map(|variant| Schedule {
            variant: variant.label().to_owned(),
            sides: Vec::new(),
            n_players: games.players.len(),
        })
        .collect();
    for game in games.rows.iter().filter(|game| game.winner().is_some()) {
        schedules[game.variant as usize].sides.extend(game.pair());
    }
    schedules.retain(|schedule| schedule.sides.len() >= MIN_GAMES);
    schedules
}

impl Schedule {
    /// Plays the schedule several times with players of other strengths.
    fn simulate(&self, side_skill_sd: f64, simulations: u64, seed: u64) -> Tally {
        let shared = SharedPlayers::of(self.sides.iter().copied().map(Some));
        let mut rng = Rng::new(seed);
        let mut tally = Tally { variants: 1, ..Tally::default() };
        let unit = elo(1.0);
        for _ in 0..simulations {
            let mut drawn = |sd: f64| -> Vec<f64> {
                (0..self.n_players).map(|_| sd / unit * standard_normal(&mut rng)).collect()
            };
            let (strengths, side_skills) = (drawn(STRENGTH_SD), drawn(side_skill_sd));
            let wins: Vec<bool> = self
                .sides
                .iter()
                .map(|sides| {
                    let [attackers, defenders] = sides.map(|player| player as usize);
                    let advantage = side_skills[attackers] + side_skills[defenders];
                    rng.unit() < expectation(strengths[attackers] - strengths[defenders] + advantage)
                })
                .collect();
            tally.count(&wins, &shared);
        }
        tally
    }
}

/// How often intervals contained the true proportion, and how often its p-value was small.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    variants: u32,
    simulations: u32,
    freedom: f64,
    /// Without the corrections for few players, and with them.
    covered: [u32; 2],
    small: [u32; 2],
}

impl Tally {
    fn count(&mut self, wins: &[bool], shared: &SharedPlayers) {
        let n_wins = wins.iter().filter(|win| **win).count() as u64;
        let rate = Rate::of(n_wins, wins.len() as u64).expect("a schedule has games");
        let effect =
            shared.design_effect_among((0..).zip(wins.iter().copied())).unwrap_or(DesignEffect::NONE);
        // The ratio is divided by 1 - h, where 1 / h - 1 are the degrees of freedom.
        let uncorrected =
            DesignEffect { factor: (effect.ratio / (1.0 + 1.0 / effect.freedom)).max(1.0), ..effect };
        let deviation = (rate.proportion.value - 0.5) * 2.0 * (wins.len() as f64).sqrt();
        for (kind, effect) in [uncorrected, effect].into_iter().enumerate() {
            let interval = rate.with_design_effect(effect.factor).proportion;
            self.covered[kind] += u32::from(interval.low <= 0.5 && interval.high >= 0.5);
            self.small[kind] += u32::from(effect.two_sided(deviation) < 0.01);
        }
        self.simulations += 1;
        self.freedom = effect.freedom;
    }

    fn add(&mut self, other: &Tally) {
        self.variants += other.variants;
        self.simulations += other.simulations;
        for kind in 0..2 {
            self.covered[kind] += other.covered[kind];
            self.small[kind] += other.small[kind];
        }
    }

    /// Prints a line of the table. `n_games` is that of a variant; without it, games and degrees of freedom stay empty.
    fn print(&self, name: &str, n_games: Option<usize>, side_skill_sd: f64) {
        let [games, freedom] = n_games
            .map_or_else(Default::default, |n_games| [n_games.to_string(), format!("{:.1}", self.freedom)]);
        let percent = |count: u32| 100.0 * f64::from(count) / f64::from(self.simulations.max(1));
        let [without, with] = self.covered.map(percent);
        let [small_without, small_with] = self.small.map(percent);
        println!(
            "| {name} | {games} | {freedom} | {side_skill_sd} | {without:.1} % | {with:.1} % | {small_without:.2} % | {small_with:.2} % |"
        );
    }
}
