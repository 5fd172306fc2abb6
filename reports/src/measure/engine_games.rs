//! Self-play games of the engine for trials of rules.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tafl_analyzer::{
    EnginePlayer, Limits, MatchTerms, Opening, Openings, Proofs, SearchOptions, play_game, run_jobs,
};
use tafl_rules::{AnyRulebook, BySide, CompileError};

use super::design::{DesignSpec, GameSource};
use super::effect::DesignGame;

/// Self-play of the engine: each number is an opening of random moves under the first rules, distinct up to
/// symmetry; under other rules the opening is played as far as it is legal.
pub struct EngineGames {
    books: Vec<AnyRulebook>,
    /// The openings; `None` without rules.
    openings: Option<Openings>,
    known: Vec<Opening>,
    terms: MatchTerms,
    threads: NonZeroUsize,
}

/// Options for self-play.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// The number of random plies at the start of a game.
    pub opening_plies: u32,
    /// The maximum number of plies, after which a game is unfinished.
    pub most_plies: u32,
    /// The random seed.
    pub seed: u64,
    /// The number of games played in parallel.
    pub threads: NonZeroUsize,
    /// A flag set by the caller to stop.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions { opening_plies: 4, most_plies: 300, seed: 1, threads: NonZeroUsize::MIN, stop: None }
    }
}

impl EngineGames {
    /// Creates the source of games for a trial.
    ///
    /// # Errors
    ///
    /// Returns the index of the first rules that cannot be played, and the reason.
    pub fn new(spec: &DesignSpec, options: &EngineOptions) -> Result<EngineGames, (usize, CompileError)> {
        let compile = |(arm, rules): (usize, &super::design::DesignArm)| {
            AnyRulebook::compile(&rules.rules).map_err(|error| (arm, error))
        };
        let books: Vec<AnyRulebook> = spec.arms.iter().enumerate().map(compile).collect::<Result<_, _>>()?;
        let openings = |first| Openings::new(first, options.opening_plies, options.seed);
        Ok(EngineGames {
            openings: books.first().map(openings),
            known: Vec::new(),
            terms: MatchTerms {
                plies: Some(options.most_plies),
                proofs: Proofs::End,
                stop: options.stop.clone(),
            },
            threads: options.threads,
            books,
        })
    }
}

impl GameSource for EngineGames {
    fn play(&mut self, arm: usize, nodes: u64, numbers: Range<u64>) -> Vec<DesignGame> {
        while (self.known.len() as u64) < numbers.end {
            let Some(opening) = self.openings.as_mut().and_then(Iterator::next) else { break };
            self.known.push(opening);
        }
        let Some(book) = self.books.get(arm) else { return Vec::new() };
        let numbers = numbers.start..numbers.end.min(self.known.len() as u64);
        let (known, terms) = (&self.known, &self.terms);
        let game = |number: u64| {
            let options = SearchOptions { mebibytes: 4, ..SearchOptions::default() };
            let player = |name| EnginePlayer::new(name, book, options.clone(), Limits::nodes(nodes));
            let (mut attackers, mut defenders) = (player("attackers"), player("defenders"));
            let players = BySide { attackers: &mut attackers as _, defenders: &mut defenders as _ };
            play_game(book, &known[number as usize], players, terms)
        };
        let mut games = Vec::new();
        run_jobs(numbers, self.threads, game, |_, played| {
            let plies = u32::try_from(played.plies.len()).unwrap_or(u32::MAX);
            games.push(DesignGame { outcome: played.ending.outcome(), plies });
            ControlFlow::Continue(())
        });
        games
    }
}
