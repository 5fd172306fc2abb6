//! Where the games of a match begin.

use std::collections::HashSet;

use tafl_rules::{AnyRulebook, Game, Move, Rng};

use super::proof;
use crate::engine::{Engine, Options};
use crate::limits::Limits;

/// The first moves of a game.
pub type Opening = Vec<Move>;

/// Random openings: legal moves from the start, no two that lead to the same position or a mirror image of it, none
/// after which a win is in sight.
///
/// They are the same for the same rules, number of plies and seed, and there may be fewer than one wants.
#[derive(Debug)]
pub struct Openings {
    book: AnyRulebook,
    plies: u32,
    rng: Rng,
    seen: HashSet<u64>,
    engine: Engine,
}

/// Openings that were played: the first moves of games, in an order that the seed decides.
///
/// What [`Openings`] leaves out is left out here too: positions that were there before, mirrored or not, and those in which
/// a win is in sight. Games that are too short, or whose moves these rules do not allow, are passed over.
pub fn openings_of(
    book: &AnyRulebook,
    plies: u32,
    seed: u64,
    games: &[Vec<Move>],
) -> impl Iterator<Item = Opening> {
    let mut sieve = Openings::new(book, plies, seed);
    let mut order: Vec<usize> = (0..games.len()).collect();
    sieve.rng.shuffle(&mut order);
    order.into_iter().filter_map(move |at| {
        let (moves, game) = sieve.follow(&games[at])?;
        sieve.is_new(&game).then_some(moves)
    })
}

/// After so many tries in a row without a new opening there are no more.
const TRIES: u32 = 500;
/// How many positions are looked at to see whether an opening is decided.
const LOOK: u64 = 3_000;

impl Openings {
    /// Returns the openings of rules with a number of plies.
    pub fn new(book: &AnyRulebook, plies: u32, seed: u64) -> Openings {
        let options = Options { mebibytes: 1, ..Options::default() };
        let engine = Engine::new(book, options);
        Openings { book: book.clone(), plies, rng: Rng::new(seed), seen: HashSet::new(), engine }
    }

    /// Returns random moves from the start, or nothing where the game ended by them.
    fn stroll(&mut self) -> Option<(Opening, Game)> {
        let mut game = Game::new(&self.book);
        let mut moves = Vec::new();
        // A chain of captures is finished: games begin between turns.
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

    /// Returns the first moves of a game, or nothing where it is too short or ended or broke the rules by them.
    fn follow(&self, moves: &[Move]) -> Option<(Opening, Game)> {
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
        if proof::win_at_once(game).is_some() {
            return true;
        }
        self.engine.new_game();
        let look = self.engine.search(game, &Limits::nodes(LOOK));
        look.is_ok_and(|report| report.lines[0].score.for_side(game.to_move()).is_decisive())
    }
}

impl Iterator for Openings {
    type Item = Opening;

    fn next(&mut self) -> Option<Opening> {
        for _ in 0..TRIES {
            let Some((moves, game)) = self.stroll() else { continue };
            if self.is_new(&game) {
                return Some(moves);
            }
        }
        None
    }
}
