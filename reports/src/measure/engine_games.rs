//! Self-play games of the engine for comparisons of rules.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tafl_analyzer::{
    EnginePlayer, Limits, MatchTerms, Opening, Openings, Proofs, SearchOptions, play_game, run_jobs,
};
use tafl_rules::{AnyRulebook, BySide, CompileError, Game, Move};

use super::effect::SelfplayGame;
use super::rule_comparison::{GameSource, RuleComparisonSpec};

/// Self-play of the engine: each number is an opening of random moves under the first rules, distinct up to
/// symmetry. Under rules that forbid a move of it, such as those with another first mover, the number is an opening of
/// these rules: games that begin with the same moves would be the same game.
pub struct EngineGames {
    books: Vec<AnyRulebook>,
    /// The openings of each rule set, as far as they were needed.
    openings: Vec<KnownOpenings>,
    terms: MatchTerms,
    threads: NonZeroUsize,
}

/// Options for self-play.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// The number of random plies at the start of a game.
    pub opening_plies: u32,
    /// The maximum number of plies, after which a game is unfinished.
    pub max_plies: u32,
    /// The random seed.
    pub seed: u64,
    /// The number of games played in parallel.
    pub threads: NonZeroUsize,
    /// A flag set by the caller to stop.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions { opening_plies: 4, max_plies: 600, seed: 1, threads: NonZeroUsize::MIN, stop: None }
    }
}

impl EngineGames {
    /// Creates the source of games for a comparison.
    ///
    /// # Errors
    ///
    /// Returns the index of the first rules that cannot be played, and the reason.
    pub fn new(
        spec: &RuleComparisonSpec,
        options: &EngineOptions,
    ) -> Result<EngineGames, (usize, CompileError)> {
        let compile = |(arm, rules): (usize, &super::rule_comparison::LabeledRules)| {
            AnyRulebook::compile(&rules.rules).map_err(|error| (arm, error))
        };
        let books: Vec<AnyRulebook> = spec.arms.iter().enumerate().map(compile).collect::<Result<_, _>>()?;
        let openings = |book| KnownOpenings {
            more: Openings::new(book, options.opening_plies, options.seed),
            known: Vec::new(),
        };
        Ok(EngineGames {
            openings: books.iter().map(openings).collect(),
            terms: MatchTerms {
                plies: Some(options.max_plies),
                proofs: Proofs::End,
                stop: options.stop.clone(),
            },
            threads: options.threads,
            books,
        })
    }
}

/// Openings that are found when they are needed.
struct KnownOpenings {
    known: Vec<Opening>,
    more: Openings,
}

impl KnownOpenings {
    /// Returns the opening with a number; `None` if there are no more.
    fn get(&mut self, number: u64) -> Option<Opening> {
        while self.known.len() as u64 <= number {
            let opening = self.more.next()?;
            self.known.push(opening);
        }
        self.known.get(number as usize).cloned()
    }
}

/// Returns whether all moves of an opening are legal, and the game does not end before its last one.
fn is_playable(book: &AnyRulebook, opening: &[Move]) -> bool {
    let mut game = Game::new(book);
    opening.iter().all(|mv| game.outcome().is_none() && game.play(*mv).is_ok())
}

impl EngineGames {
    /// Returns the opening of an arm with a number.
    fn opening(&mut self, arm: usize, number: u64) -> Option<Opening> {
        let common = self.openings.first_mut()?.get(number)?;
        if is_playable(self.books.get(arm)?, &common) { Some(common) } else { self.openings[arm].get(number) }
    }
}

impl GameSource for EngineGames {
    fn play(&mut self, arm: usize, nodes: u64, numbers: Range<u64>) -> Vec<SelfplayGame> {
        let openings: Vec<Opening> = numbers.clone().map_while(|number| self.opening(arm, number)).collect();
        let Some(book) = self.books.get(arm) else { return Vec::new() };
        let (start, terms) = (numbers.start, &self.terms);
        let numbers = start..start + openings.len() as u64;
        let game = |number: u64| {
            let options = SearchOptions { mebibytes: 4, ..SearchOptions::default() };
            let limits = Limits { stop: terms.stop.clone(), ..Limits::nodes(nodes) };
            let player = |name| EnginePlayer::new(name, book, options.clone(), limits.clone());
            let (mut attackers, mut defenders) = (player("attackers"), player("defenders"));
            let players = BySide { attackers: &mut attackers as _, defenders: &mut defenders as _ };
            play_game(book, &openings[(number - start) as usize], players, terms)
        };
        let mut games = Vec::new();
        run_jobs(numbers, self.threads, game, |_, played| {
            let plies = u32::try_from(played.plies.len()).unwrap_or(u32::MAX);
            games.push(SelfplayGame { outcome: played.ending.outcome(), plies });
            ControlFlow::Continue(())
        });
        games
    }
}
