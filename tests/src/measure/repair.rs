//! Repair of known faults in sound games.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use tafl_parser::{
    RepairOptions, RepairStatus, Repairer, ReplayOptions, Replayer, RuleChoice, Source, in_order,
};
use tafl_rules::{AnyRulebook, Rng, catalog};

use super::repair_stats::{RepairOutcome, RepairStats, RepairTrial};
use super::spread;
use crate::faults::{Fault, TestGame};
use crate::random_game::play;

/// The variants of the random games.
const VARIANTS: [&str; 10] = [
    "brandubh7",
    "ardri7",
    "cyngesheall7",
    "tablut9_wtf",
    "seabattle9",
    "copenhagen11",
    "fetlar11",
    "tawlbwrdd11",
    "berserk11",
    "hexentafl4",
];
/// The maximum number of random games of a variant.
const MAX_RANDOM_GAMES: usize = 30;
/// The maximum number of plies of a random game.
const MAX_PLIES: usize = 120;
/// The minimum number of games of a variant in files.
const MIN_GAMES: usize = 10;
/// The maximum number of variants in files.
const MAX_VARIANTS: usize = 16;

/// Sound games by variant, at least one of each.
pub type GamesByVariant = Vec<(&'static str, Vec<TestGame>)>;

/// Options of the measurement.
#[derive(Debug, Clone, Copy)]
pub struct RepairMeasurement {
    /// The number of faults of each kind in the games of each variant.
    pub faults: u32,
    /// The seed of the faults.
    pub seed: u64,
    /// The number of threads.
    pub threads: NonZeroUsize,
}

impl RepairMeasurement {
    /// Puts faults into games, repairs them, and counts the outcomes. `progress` gets the numbers of trials done and in all.
    pub fn run(&self, games: &GamesByVariant, mut progress: impl FnMut(usize, usize) + Send) -> RepairStats {
        let mut trials = self.trials(games);
        let n_trials = trials.len();
        let mut stats = RepairStats::new(self.seed, self.threads);
        let begin = Instant::now();
        let idle: Mutex<Vec<Repairer>> = Mutex::new(Vec::new());
        let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        trials.reverse();
        let work = |trial: Trial| {
            let fresh = || Repairer::new(ReplayOptions::default(), RepairOptions::default());
            let mut repairer = lock().pop().unwrap_or_else(fresh);
            let found = trial.run(games, &mut repairer, self.seed);
            lock().push(repairer);
            found
        };
        let mut done = 0;
        in_order(
            self.threads,
            || trials.pop(),
            work,
            |found| {
                done += 1;
                progress(done, n_trials);
                if let Some(found) = found {
                    stats.add(found);
                }
                ControlFlow::Continue(())
            },
        );
        stats.wall = begin.elapsed();
        stats
    }

    fn trials(&self, games: &GamesByVariant) -> Vec<Trial> {
        let mut trials = Vec::new();
        for (variant, (_, games)) in games.iter().enumerate() {
            for nth in 0..self.faults as usize {
                let game = nth % games.len();
                let faults = Fault::ALL.into_iter().map(Some).chain([None]);
                trials.extend(faults.map(|fault| Trial { variant, game, fault, nth: nth as u64 }));
            }
        }
        trials
    }
}

/// A game and its fault.
struct Trial {
    variant: usize,
    game: usize,
    /// None to leave the game as it is.
    fault: Option<Fault>,
    nth: u64,
}

impl Trial {
    /// Repairs the game with its fault; none if the game has no place for the fault.
    fn run(&self, games: &GamesByVariant, repairer: &mut Repairer, seed: u64) -> Option<RepairTrial> {
        let (variant, games) = &games[self.variant];
        let game = &games[self.game];
        let kind = self.fault.map_or(99, |fault| fault as u64);
        let mut rng = Rng::new(seed ^ (self.variant as u64) << 40 ^ kind << 32 ^ self.nth << 8);
        let faulty = match self.fault {
            Some(fault) => game.with_fault(fault, &mut rng)?,
            None => game.sound(),
        };
        let source = Source::new(&faulty.text);
        let begin = Instant::now();
        let diagnosis = repairer.repair(&source, &faulty.parsed);
        let time = begin.elapsed();
        let right = diagnosis.repairs.iter().position(|repair| game.is_restored_by(repair));
        let outcome = match (diagnosis.status, right) {
            (RepairStatus::Sound, _) => RepairOutcome::Unseen,
            (RepairStatus::Explained(_), _) => RepairOutcome::Explained,
            (RepairStatus::Decided, Some(0)) => RepairOutcome::Fixed,
            (RepairStatus::Decided, _) => RepairOutcome::False,
            (RepairStatus::Ambiguous, Some(0)) => RepairOutcome::First,
            (RepairStatus::Ambiguous, Some(_)) => RepairOutcome::Listed,
            (RepairStatus::Ambiguous, None) => RepairOutcome::Unlisted,
            (RepairStatus::Undecidable(_), _) => RepairOutcome::NotFound,
        };
        let is_mirrored = diagnosis.repairs.first().is_some_and(|repair| game.is_mirrored_by(repair));
        let suggestions = || -> String {
            let repairs = diagnosis.repairs.iter().take(4).map(|repair| {
                let edits: Vec<String> = repair.edits.iter().map(|edit| edit.to_string()).collect();
                format!("{:.3} {:.2} {}", repair.confidence, repair.cost, edits.join(" + "))
            });
            repairs.collect::<Vec<_>>().join(" | ")
        };
        let is_miss = !matches!(outcome, RepairOutcome::Fixed | RepairOutcome::Unseen);
        let miss = is_miss.then(|| format!("{}\n    {:?} {}", faulty.text, diagnosis.status, suggestions()));
        Some(RepairTrial { variant, fault: self.fault, outcome, is_mirrored, time, miss })
    }
}

/// Returns up to `n` random games, and at most 30, of each of ten variants; variants without a sound game are left out.
pub fn random_games(n: usize) -> GamesByVariant {
    let mut games = GamesByVariant::new();
    for name in VARIANTS {
        let Some(named) = catalog::find(name) else { continue };
        let Ok(book) = AnyRulebook::compile(&named.rules()) else { continue };
        let mut rng = Rng::new(1);
        let options = ReplayOptions { rules: Some(RuleChoice::named(named)), ..ReplayOptions::default() };
        let mut replayer = Replayer::new(options);
        let played = (0..n.min(MAX_RANDOM_GAMES)).filter_map(|_| {
            let record = play(&book, &mut rng, MAX_PLIES).record(book.shape());
            let replay = replayer.replay(&record);
            TestGame::new(&record, &replay)
        });
        let played: Vec<TestGame> = played.collect();
        if !played.is_empty() {
            games.push((named.name, played));
        }
    }
    games
}

/// Returns the variants with the most sound games, and at most `n` games of each, spread over the list.
pub fn most_frequent(games: BTreeMap<&'static str, Vec<TestGame>>, n: usize) -> GamesByVariant {
    let mut games: GamesByVariant = games.into_iter().filter(|(_, games)| games.len() >= MIN_GAMES).collect();
    games.sort_by_key(|(name, games)| (std::cmp::Reverse(games.len()), *name));
    games.truncate(MAX_VARIANTS);
    games.into_iter().map(|(name, games)| (name, spread(games, n.max(1)))).collect()
}
