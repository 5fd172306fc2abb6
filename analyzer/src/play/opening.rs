//! The openings of a match.

use std::collections::HashSet;

use tafl_rules::{AnyRulebook, Game, Move, Rng};

use super::proof;
use crate::engine::{Engine, SearchOptions};
use crate::limits::Limits;

/// The moves at the start of a game.
pub type Opening = Vec<Move>;

/// Random openings: legal moves from the start after which neither side has a win in sight. No two
/// openings lead to the same position or its mirror image.
///
/// The same rules, number of plies, and seed give the same openings. Their number is limited.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{Opening, Openings};
/// use tafl_rules::{AnyRulebook, RuleSet};
///
/// let book = AnyRulebook::compile(&RuleSet::named("brandubh7")?)?;
/// let openings: Vec<Opening> = Openings::new(&book, 2, 1).take(2).collect();
/// assert!(openings.len() == 2 && openings.iter().all(|moves| moves.len() == 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Openings {
    book: AnyRulebook,
    plies: u32,
    rng: Rng,
    seen: HashSet<u64>,
    engine: Engine,
}

/// Openings from recorded games: their first moves, in a random order determined by the seed.
///
/// Skips the same positions as [`Openings`]: repeated ones, including mirror images, and those with
/// a win in sight. Also skips games that are too short or illegal under these rules.
pub fn openings_from_games(
    book: &AnyRulebook,
    plies: u32,
    seed: u64,
    games: &[Vec<Move>],
) -> impl Iterator<Item = Opening> {
    let mut openings = Openings::new(book, plies, seed);
    let mut order: Vec<usize> = (0..games.len()).collect();
    openings.rng.shuffle(&mut order);
    order.into_iter().filter_map(move |at| {
        let (moves, game) = openings.opening_of(&games[at])?;
        openings.is_new(&game).then_some(moves)
    })
}

/// The number of consecutive attempts without a new opening after which the iterator ends.
const MAX_TRIES: u32 = 500;
/// The number of nodes of the search that detects decided openings.
const SCREENING_NODES: u64 = 3_000;

impl Openings {
    /// Creates the openings of rules with a number of plies.
    pub fn new(book: &AnyRulebook, plies: u32, seed: u64) -> Openings {
        let options = SearchOptions { mebibytes: 1, ..SearchOptions::default() };
        let engine = Engine::new(book, options);
        Openings { book: book.clone(), plies, rng: Rng::new(seed), seen: HashSet::new(), engine }
    }

    /// Returns random moves from the start, or `None` if the game ends during them.
    fn random_opening(&mut self) -> Option<(Opening, Game)> {
        let mut game = Game::new(&self.book);
        let mut moves = Vec::new();
        // A chain of captures is completed, because games start between turns.
        while moves.len() < self.plies as usize || game.chain().is_some() {
            let mv = *self.rng.pick(&game.moves())?;
            let ply = game.play(mv).ok()?;
            if ply.outcome.is_some() {
                return None;
            }
            moves.push(mv);
        }
        Some((moves, game))
    }

    /// Returns the first moves of a game, or `None` if it is too short, ends during them, or is
    /// illegal.
    fn opening_of(&self, moves: &[Move]) -> Option<(Opening, Game)> {
        let mut game = Game::new(&self.book);
        let mut n_plies = 0;
        while n_plies < self.plies as usize || game.chain().is_some() {
            let ply = game.play(*moves.get(n_plies)?).ok()?;
            if ply.outcome.is_some() {
                return None;
            }
            n_plies += 1;
        }
        Some((moves[..n_plies].to_vec(), game))
    }

    fn is_new(&mut self, game: &Game) -> bool {
        self.seen.insert(game.canonical_key().0.0) && !self.is_decided(game)
    }

    fn is_decided(&mut self, game: &Game) -> bool {
        if proof::immediate_win(game).is_some() {
            return true;
        }
        self.engine.new_game();
        let screening = self.engine.search(game, &Limits::nodes(SCREENING_NODES));
        screening.is_ok_and(|report| report.lines[0].score.for_side(game.to_move()).is_decisive())
    }
}

impl Iterator for Openings {
    type Item = Opening;

    fn next(&mut self) -> Option<Opening> {
        for _ in 0..MAX_TRIES {
            let Some((moves, game)) = self.random_opening() else { continue };
            if self.is_new(&game) {
                return Some(moves);
            }
        }
        None
    }
}
