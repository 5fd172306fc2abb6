//! The search for balanced openings: starting positions from which each side of the engine wins
//! between 30 and 70 of 100 games against itself.
//!
//! A round makes candidates by random moves, scores them by a search, and tests those whose scores are
//! nearest to a *center*. Center and rates of random moves are adjusted from round to round by
//! stochastic approximation (Robbins and Monro 1951): the center moves until the tested openings give
//! both sides half of the points, and the rates move until half of the candidates lie on each side of
//! the center. Games that one side wins nearly always thus become balanced by random moves of that
//! side.
//!
//! The games of the test overestimate the balance of the accepted openings. A second series of games
//! is therefore played from each of them, and only its results are reported.

mod candidate;
mod trial;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tafl_rules::{AnyRulebook, BySide, Game, Rng, split_mix};

use super::game::{MatchTerms, Proofs};
use super::jobs::run_jobs;
use super::opening::Opening;
use super::selfplay::{SelfPlay, Temperature};
use crate::limits::Limits;
use candidate::{OpeningCandidate, make_candidate, nearest};
use trial::{BalanceVerdict, run_test};

pub use trial::BalanceCounts;

/// The settings of a search for balanced openings. They determine its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BalanceSettings {
    /// The number of nodes per move in the games.
    pub nodes: u64,
    /// The maximum number of plies of an opening.
    pub plies: u32,
    /// The seed.
    pub seed: u64,
}

/// An opening that passed the test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BalancedOpening {
    /// The moves from the start of the rules.
    pub moves: Opening,
    /// The number of its moves that are random, for each side.
    pub random: BySide<u32>,
    /// The games of the second series.
    pub games: BalanceCounts,
}

impl BalancedOpening {
    /// Returns the key of the position after the opening, equal for mirror images; `None` if a move is
    /// illegal.
    pub fn key(&self, book: &AnyRulebook) -> Option<u64> {
        let mut game = Game::new(book);
        self.moves.iter().try_for_each(|mv| game.play(*mv).map(|_| ())).ok()?;
        Some(game.canonical_key().0.0)
    }
}

/// The state of a search between two rounds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BalanceProgress {
    /// The number of rounds.
    pub rounds: u32,
    /// The number of openings that were tried; some are then tested in games.
    pub candidates: u64,
    /// The number of candidates that were tested.
    pub tested: u64,
    /// The games of all tests.
    pub trials: BalanceCounts,
    /// The score of the candidates to test, in hundredths of a man, from the attackers' point of view.
    pub center: f64,
    /// The difference between the rates of random moves, from -1 (only by the attackers) to 1 (only
    /// by the defenders).
    pub bias: f64,
}

/// A search for balanced openings. The same rules, settings, and number of rounds give the same
/// openings on any number of threads, also if the search was interrupted between rounds.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
/// use tafl_analyzer::{BalanceSearch, BalanceSettings};
/// use tafl_rules::{AnyRulebook, catalog};
///
/// let book = AnyRulebook::compile(&catalog::find("hexentafl4").unwrap().rules()).unwrap();
/// let settings = BalanceSettings { nodes: 20, plies: 4, seed: 1 };
/// let mut search = BalanceSearch::new(&book, settings);
/// search.run_round(NonZeroUsize::MIN, &Default::default());
/// assert_eq!(search.progress.rounds, 1);
/// assert!(search.openings.iter().all(|opening| opening.games.games == 16));
/// ```
#[derive(Debug, Clone)]
pub struct BalanceSearch {
    book: AnyRulebook,
    settings: BalanceSettings,
    /// The openings found so far.
    pub openings: Vec<BalancedOpening>,
    /// The state.
    pub progress: BalanceProgress,
}

/// The number of candidates of a round.
const CANDIDATES: u64 = 48;
/// The number of candidates of a round that are tested.
const TESTS: usize = 8;
/// The number of games of the second series.
const SERIES: u32 = 16;
/// The first step of the center, in hundredths of a man.
const FIRST_CENTER_STEP: f64 = 600.0;
/// The first step of the bias.
const FIRST_BIAS_STEP: f64 = 0.5;
/// The steps shrink with the number of the round to this power, between 1/2 and 1 as the theorem of Robbins and Monro requires.
const DECAY: f64 = 0.6;
/// The plies after which a game of a test is unfinished.
const MAX_PLIES: u32 = 600;

impl BalanceSearch {
    /// Creates a search.
    pub fn new(book: &AnyRulebook, settings: BalanceSettings) -> BalanceSearch {
        BalanceSearch {
            book: book.clone(),
            settings,
            openings: Vec::new(),
            progress: BalanceProgress::default(),
        }
    }

    /// Returns the rules.
    pub fn book(&self) -> &AnyRulebook {
        &self.book
    }

    /// Returns the settings.
    pub fn settings(&self) -> BalanceSettings {
        self.settings
    }

    /// Runs a round and returns whether it was completed. If the flag is set, the round is dropped.
    pub fn run_round(&mut self, threads: NonZeroUsize, stop: &Arc<AtomicBool>) -> bool {
        let made = self.make_candidates(threads, stop);
        let n_above = made.iter().filter(|made| f64::from(made.score) > self.progress.center).count();
        let n_made = made.len();
        let mut seen: HashSet<u64> =
            self.openings.iter().filter_map(|opening| opening.key(&self.book)).collect();
        let tested = nearest(made, self.progress.center, TESTS, |new| seen.insert(new.key));
        let mut results = Vec::new();
        let games = self.games(stop);
        run_jobs(
            0..tested.len() as u64,
            threads,
            |at| self.test(&tested[at as usize], &games),
            |_, result| {
                results.push(result);
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        if stop.load(Ordering::Relaxed) {
            return false;
        }
        let progress = &mut self.progress;
        progress.rounds = progress.rounds.saturating_add(1);
        let shrink = f64::from(progress.rounds).powf(DECAY);
        let shares: Vec<f64> = results.iter().filter_map(|(trial, _)| trial.share()).collect();
        if !shares.is_empty() {
            let mean = shares.iter().sum::<f64>() / shares.len() as f64;
            progress.center += FIRST_CENTER_STEP / shrink * (0.5 - mean);
        }
        if n_made > 0 {
            let above = n_above as f64 / n_made as f64;
            progress.bias = (progress.bias + FIRST_BIAS_STEP / shrink * (1.0 - 2.0 * above)).clamp(-1.0, 1.0);
        }
        progress.candidates = progress.candidates.saturating_add(CANDIDATES);
        progress.tested = progress.tested.saturating_add(results.len() as u64);
        for (trial, found) in results {
            progress.trials = progress.trials.plus(trial);
            self.openings.extend(found);
        }
        true
    }

    fn make_candidates(&self, threads: NonZeroUsize, stop: &AtomicBool) -> Vec<OpeningCandidate> {
        let BalanceProgress { candidates, bias, .. } = self.progress;
        let mut made = Vec::new();
        run_jobs(
            candidates..candidates.saturating_add(CANDIDATES),
            threads,
            |number| {
                let mut rng = Rng::stream(self.settings.seed, number);
                make_candidate(&self.book, self.settings.plies, bias, &mut rng)
            },
            |_, candidate| {
                made.extend(candidate);
                if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        made
    }

    fn games(&self, stop: &Arc<AtomicBool>) -> SelfPlay {
        let terms = MatchTerms { plies: Some(MAX_PLIES), proofs: Proofs::End, stop: Some(stop.clone()) };
        // Without a temperature, all games from an opening would be the same.
        let temperature = Temperature { plies: 12, hundredths: 30.0 };
        SelfPlay { temperature, terms, ..SelfPlay::new(&self.book, Limits::nodes(self.settings.nodes)) }
    }

    /// Tests a candidate and, if it is accepted, plays the second series, whose games differ from those
    /// of the test.
    fn test(
        &self,
        candidate: &OpeningCandidate,
        games: &SelfPlay,
    ) -> (BalanceCounts, Option<BalancedOpening>) {
        let seed = split_mix(self.settings.seed ^ candidate.key);
        let play = |number: u32| games.game_after(&candidate.moves, Rng::stream(seed, number.into()));
        let (verdict, trial) = run_test(|number| play(number).ending.outcome()?.winner);
        if verdict != BalanceVerdict::Balanced {
            return (trial, None);
        }
        let mut series = BalanceCounts::default();
        (trial.games..trial.games + SERIES).for_each(|number| series.add(&play(number)));
        let OpeningCandidate { moves, random, .. } = candidate.clone();
        (trial, Some(BalancedOpening { moves, random, games: series }))
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::catalog;

    use super::*;

    #[test]
    fn rounds_do_not_depend_on_threads_or_interruptions() {
        let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
        let settings = BalanceSettings { nodes: 100, plies: 8, seed: 1 };
        let never = Arc::default();
        let mut one = BalanceSearch::new(&book, settings);
        let mut other = BalanceSearch::new(&book, settings);
        // Two rounds at least, and as many as it takes to find an opening.
        for round in 0..10 {
            if round >= 2 && !one.openings.is_empty() {
                break;
            }
            assert!(one.run_round(NonZeroUsize::MIN, &never));
            assert!(!other.run_round(NonZeroUsize::MIN, &Arc::new(AtomicBool::new(true))));
            assert!(other.run_round(NonZeroUsize::new(3).unwrap(), &never));
        }
        assert!(!one.openings.is_empty());
        assert_eq!((one.openings.clone(), one.progress), (other.openings, other.progress));
        let keys: HashSet<u64> = one.openings.iter().filter_map(|opening| opening.key(&book)).collect();
        assert_eq!(keys.len(), one.openings.len());
    }

    /// A game that the defenders nearly always win becomes balanced by their random moves.
    #[test]
    fn one_sided_rules_get_handicaps() {
        let rules = "dim:7 ber:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
        let book = AnyRulebook::compile(&rules).unwrap();
        let mut search = BalanceSearch::new(&book, BalanceSettings { nodes: 30, plies: 6, seed: 1 });
        for _ in 0..3 {
            search.run_round(NonZeroUsize::MIN, &Arc::default());
        }
        let trials = search.progress.trials.share().unwrap();
        let center = search.progress.center;
        assert_eq!(trials < 0.5, center > 0.0, "share {trials}, center {center}");
    }
}
