//! Self-play of the engine, for reports and learning.

use std::cell::RefCell;
use std::sync::Arc;

use tafl_rules::{AnyRulebook, BySide, Game, Move, Rng};

use super::game::{MatchGame, MatchTerms, Proofs, play_game};
use super::opening::Opening;
use super::player::{Decision, Player, PlayerChoice, PlayerError, PlayerView};
use super::proof;
use crate::engine::{Engine, SearchLine, SearchOptions};
use crate::limits::Limits;

/// The randomness of the engine's choice of moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Temperature {
    /// The number of plies after the opening in which it applies.
    pub plies: u32,
    /// The difference of scores, in hundredths of a man, at which a move is `e` times less likely than the best one.
    pub hundredths: f64,
}

impl Temperature {
    /// Always plays the best move.
    pub const NONE: Temperature = Temperature { plies: 0, hundredths: 1.0 };

    /// The number of lines to choose from.
    const LINES: u16 = 6;
}

/// A series of self-play games. Each game depends only on the seed and its number, so the games can
/// be played in any order and on any number of threads.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{Limits, SelfPlay};
/// use tafl_rules::{AnyRulebook, catalog};
///
/// let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
/// let games = SelfPlay { opening_plies: 4, seed: 7, ..SelfPlay::new(&book, Limits::nodes(200)) };
/// let first = games.game(0);
/// assert_eq!(first.opening, 4);
/// assert!(games.games(2).next().unwrap().moves().eq(first.moves()));
/// ```
#[derive(Debug, Clone)]
pub struct SelfPlay {
    /// The rules.
    pub book: AnyRulebook,
    /// The options of the engine.
    pub options: SearchOptions,
    /// The limits of each search.
    pub limits: Limits,
    /// The randomness of the first moves after the opening.
    pub temperature: Temperature,
    /// The number of random plies at the start of each game, if there are no given openings.
    pub opening_plies: u32,
    /// The openings, which the games use in turn; if empty, games begin with random plies.
    pub openings: Arc<[Opening]>,
    /// The conditions of the games.
    pub terms: MatchTerms,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl SelfPlay {
    /// Creates a series with two random plies at the start, no temperature, a limit of 500 plies,
    /// and an early end if a win is proven.
    pub fn new(book: &AnyRulebook, limits: Limits) -> SelfPlay {
        SelfPlay {
            book: book.clone(),
            options: SearchOptions { mebibytes: 4, ..SearchOptions::default() },
            limits,
            temperature: Temperature::NONE,
            opening_plies: 2,
            openings: Arc::default(),
            terms: MatchTerms { plies: Some(500), proofs: Proofs::End, stop: None },
            seed: 0,
        }
    }

    /// Returns the first games.
    pub fn games(&self, n: u64) -> impl Iterator<Item = MatchGame> + '_ {
        (0..n).map(|number| self.game(number))
    }

    /// Plays the game with a number.
    pub fn game(&self, number: u64) -> MatchGame {
        let mut rng = Rng::stream(self.seed, number);
        let opening = match self.openings.len() as u64 {
            0 => self.opening(&mut rng),
            n => self.openings[(number % n) as usize].clone(),
        };
        self.game_after(&opening, rng)
    }

    /// Plays a game that begins with an opening.
    pub(super) fn game_after(&self, opening: &[Move], rng: Rng) -> MatchGame {
        let mut limits = self.limits.clone();
        limits.stop = limits.stop.or_else(|| self.terms.stop.clone());
        let player = RefCell::new(RandomizedEngine {
            engine: Engine::new(&self.book, self.options.clone()),
            limits,
            temperature: self.temperature,
            free_until: opening.len() + self.temperature.plies as usize,
            rng,
        });
        let players =
            BySide { attackers: &mut SharedPlayer(&player) as _, defenders: &mut SharedPlayer(&player) as _ };
        play_game(&self.book, opening, players, &self.terms)
    }

    /// Returns random moves after which the side to move does not win immediately, or the longest
    /// attempt if all fail.
    fn opening(&self, rng: &mut Rng) -> Vec<Move> {
        let mut found = Vec::new();
        for _ in 0..20 {
            let mut game = Game::new(&self.book);
            let mut moves = Vec::new();
            while moves.len() < self.opening_plies as usize || game.chain().is_some() {
                let Some(mv) = rng.pick(&game.moves()).copied() else { break };
                if !game.play(mv).is_ok_and(|ply| ply.outcome.is_none()) {
                    break;
                }
                moves.push(mv);
            }
            // The move that ends a game is dropped, so the moves may end inside a chain. Such
            // attempts are incomplete.
            let is_whole = moves.len() >= self.opening_plies as usize && game.outcome().is_none();
            if is_whole && proof::immediate_win(&game).is_none() {
                return moves;
            }
            found = if game.outcome().is_none() && moves.len() > found.len() { moves } else { found };
        }
        found
    }
}

/// The engine, playing both sides with a temperature.
struct RandomizedEngine {
    engine: Engine,
    limits: Limits,
    temperature: Temperature,
    /// The ply from which it plays the best move.
    free_until: usize,
    rng: Rng,
}

impl RandomizedEngine {
    fn choose(&mut self, at: PlayerView<'_>) -> Result<Decision, PlayerError> {
        let is_free = at.moves.len() < self.free_until;
        let multi_pv = is_free.then_some(Temperature::LINES);
        let report = self.engine.search(at.game, &Limits { multi_pv, ..self.limits.clone() })?;
        let side = at.game.to_move();
        let best = report.lines[0].score.for_side(side);
        // Winning moves are always played. In lost positions, the best move is the longest defense.
        let choice = if !is_free || best.is_decisive() {
            0
        } else {
            let worse =
                |line: &SearchLine| f64::from(best.value()) - f64::from(line.score.for_side(side).value());
            let weights: Vec<f64> =
                report.lines.iter().map(|line| (-worse(line) / self.temperature.hundredths).exp()).collect();
            self.draw(&weights)
        };
        let line = &report.lines[choice];
        Ok(Decision::Move(PlayerChoice {
            mv: line.moves[0],
            score: Some(line.score),
            depth: Some(report.depth),
            nodes: Some(report.nodes),
        }))
    }

    /// Returns a random index with probabilities proportional to the weights.
    fn draw(&mut self, weights: &[f64]) -> usize {
        let mut left = self.rng.unit() * weights.iter().sum::<f64>();
        for (at, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return at;
            }
        }
        0
    }
}

/// A handle with which one engine plays both sides.
struct SharedPlayer<'a>(&'a RefCell<RandomizedEngine>);

impl Player for SharedPlayer<'_> {
    fn name(&self) -> &str {
        "taflbase"
    }

    fn begin(&mut self, _book: &AnyRulebook) -> Result<(), PlayerError> {
        // The engine is a new one for each game.
        Ok(())
    }

    fn choose(&mut self, at: PlayerView<'_>) -> Result<Decision, PlayerError> {
        self.0.borrow_mut().choose(at)
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::RuleSet;

    use super::*;

    #[test]
    fn openings_end_between_turns_without_an_immediate_win() {
        let rules: RuleSet = "dim:7 ber:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".parse().unwrap();
        let book = AnyRulebook::compile(&rules).unwrap();
        let games = SelfPlay { opening_plies: 8, ..SelfPlay::new(&book, Limits::nodes(1)) };
        let mut n_whole = 0;
        for number in 0..300 {
            let moves = games.opening(&mut Rng::stream(1, number));
            let mut game = Game::new(&book);
            for mv in &moves {
                assert!(game.play(*mv).is_ok_and(|ply| ply.outcome.is_none()), "{number}");
            }
            if moves.len() >= 8 {
                assert_eq!(game.chain(), None, "{number}");
                assert_eq!(proof::immediate_win(&game), None, "{number}");
                n_whole += 1;
            }
        }
        assert!(n_whole > 250, "{n_whole}");
    }
}
