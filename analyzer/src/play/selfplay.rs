//! Games that the engine plays against itself, for reports and learning.

use std::cell::RefCell;

use tafl_rules::{AnyRulebook, BySide, Game, Move, Rng};

use super::game::{Played, Proofs, Terms, play_game};
use super::player::{Choice, Decision, Fault, Player, Standing};
use super::proof;
use crate::engine::{Engine, Options};
use crate::limits::Limits;

/// How far and how freely the engine strays from its best move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Temperature {
    /// For so many plies after the opening.
    pub plies: u32,
    /// A move so many hundredths worse than the best is chosen `e` times less often.
    pub hundredths: f64,
}

impl Temperature {
    /// Always the best move.
    pub const NONE: Temperature = Temperature { plies: 0, hundredths: 1.0 };

    /// From how many lines a move is chosen.
    const LINES: u16 = 6;
}

/// A series of games of the engine against itself. Each game depends on the seed and its number only, so that they can
/// be played in any order and on any number of threads.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::Limits;
/// use tafl_analyzer::play::SelfPlay;
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
    /// How the engine is set up.
    pub options: Options,
    /// When each search stops.
    pub limits: Limits,
    /// How the engine varies its first moves.
    pub temperature: Temperature,
    /// How many random plies begin each game.
    pub opening_plies: u32,
    /// What games are played under.
    pub terms: Terms,
    /// Where the random numbers begin.
    pub seed: u64,
}

impl SelfPlay {
    /// Returns a series with two random plies at the start, no temperature, at most 500 plies, and an end where a win
    /// is proven.
    pub fn new(book: &AnyRulebook, limits: Limits) -> SelfPlay {
        SelfPlay {
            book: book.clone(),
            options: Options { mebibytes: 4, ..Options::default() },
            limits,
            temperature: Temperature::NONE,
            opening_plies: 2,
            terms: Terms { plies: Some(500), proofs: Proofs::End, stop: None },
            seed: 0,
        }
    }

    /// Returns the first games.
    pub fn games(&self, n: u64) -> impl Iterator<Item = Played> + '_ {
        (0..n).map(|number| self.game(number))
    }

    /// Plays the game of a number.
    pub fn game(&self, number: u64) -> Played {
        let mut rng = Rng::stream(self.seed, number);
        let opening = self.opening(&mut rng);
        let mut limits = self.limits.clone();
        limits.stop = limits.stop.or_else(|| self.terms.stop.clone());
        let player = RefCell::new(Stray {
            engine: Engine::new(&self.book, self.options.clone()),
            limits,
            temperature: self.temperature,
            free_until: opening.len() + self.temperature.plies as usize,
            rng,
        });
        let players = BySide { attackers: &mut Shared(&player) as _, defenders: &mut Shared(&player) as _ };
        play_game(&self.book, &opening, players, &self.terms)
    }

    /// Returns random moves after which the side to move does not win at once; the best of some tries.
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
            // The move that ends a game is not among the moves: they would break off in the middle of a chain.
            let is_whole = moves.len() >= self.opening_plies as usize && game.outcome().is_none();
            if is_whole && proof::win_at_once(&game).is_none() {
                return moves;
            }
            found = if game.outcome().is_none() && moves.len() > found.len() { moves } else { found };
        }
        found
    }
}

/// The engine, which strays from its best move for a while.
struct Stray {
    engine: Engine,
    limits: Limits,
    temperature: Temperature,
    /// The ply from which on it plays its best move.
    free_until: usize,
    rng: Rng,
}

impl Stray {
    fn choose(&mut self, at: Standing<'_>) -> Result<Decision, Fault> {
        let is_free = at.moves.len() < self.free_until;
        let multi_pv = is_free.then_some(Temperature::LINES);
        let report = self.engine.search(at.game, &Limits { multi_pv, ..self.limits.clone() })?;
        let side = at.game.to_move();
        let best = report.lines[0].score.for_side(side);
        // A win is taken, and of losses any is as good as another only to those who do not play on.
        let at_line = if !is_free || best.is_decisive() {
            0
        } else {
            let worse =
                |line: &crate::Line| f64::from(best.value()) - f64::from(line.score.for_side(side).value());
            let weights: Vec<f64> =
                report.lines.iter().map(|line| (-worse(line) / self.temperature.hundredths).exp()).collect();
            self.draw(&weights)
        };
        let line = &report.lines[at_line];
        Ok(Decision::Move(Choice {
            mv: line.moves[0],
            score: Some(line.score),
            depth: Some(report.depth),
            nodes: Some(report.nodes),
        }))
    }

    /// Returns one of some places, each as probable as its weight says.
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

/// One engine that has both sides.
struct Shared<'a>(&'a RefCell<Stray>);

impl Player for Shared<'_> {
    fn name(&self) -> &str {
        "taflbase"
    }

    fn begin(&mut self, _book: &AnyRulebook) -> Result<(), Fault> {
        // The engine is a new one for each game.
        Ok(())
    }

    fn choose(&mut self, at: Standing<'_>) -> Result<Decision, Fault> {
        self.0.borrow_mut().choose(at)
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::RuleSet;

    use super::*;

    #[test]
    fn openings_end_between_turns_where_nobody_wins_at_once() {
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
                assert_eq!(proof::win_at_once(&game), None, "{number}");
                n_whole += 1;
            }
        }
        assert!(n_whole > 250, "{n_whole}");
    }
}
