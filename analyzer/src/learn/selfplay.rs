//! Samples from self-play.

use tafl_rules::{AnyRulebook, Game, Move, Rng, Side};

use super::sample::TrainingSample;
use crate::engine::{Engine, SearchOptions};
use crate::limits::{Limits, Nodes};

/// The configuration of self-play for training data.
#[derive(Debug, Clone)]
pub struct DataGenConfig {
    /// The number of nodes of each search.
    pub nodes: Nodes,
    /// The maximum number of random plies at the start of a game; the minimum is one.
    pub opening: usize,
    /// The number of random moves per thousand plies.
    pub random_per_mille: usize,
    /// The number of plies after which a game is drawn.
    pub longest: usize,
    /// The maximum absolute score, in hundredths; larger scores, including wins, are clamped.
    pub clear: i16,
}

impl Default for DataGenConfig {
    fn default() -> DataGenConfig {
        DataGenConfig { nodes: Nodes(1000), opening: 9, random_per_mille: 40, longest: 240, clear: 3000 }
    }
}

/// Plays games and returns their samples: quiet positions with the score of the search and the
/// result of the game.
///
/// Decided positions are also kept, unless the next move wins. Otherwise a network would never see
/// a lost position.
#[derive(Debug)]
pub struct DataGen {
    book: AnyRulebook,
    engine: Engine,
    config: DataGenConfig,
    rng: Rng,
}

impl DataGen {
    /// Creates a generator for games with these rules.
    pub fn new(book: &AnyRulebook, options: SearchOptions, config: DataGenConfig, seed: u64) -> DataGen {
        DataGen { book: book.clone(), engine: Engine::new(book, options), config, rng: Rng::new(seed) }
    }

    /// Plays a game and returns its samples, labeled with a game number.
    pub fn game(&mut self, number: u32) -> Vec<TrainingSample> {
        let mut game = Game::new(&self.book);
        let plies = 1 + self.rng.below(self.config.opening.max(1));
        self.engine.new_game();
        if !self.play_opening(&mut game, plies) {
            return Vec::new();
        }
        let mut samples = Vec::new();
        for _ in 0..self.config.longest {
            if game.outcome().is_some() {
                break;
            }
            let Some((mv, score)) = self.search(&game) else { break };
            let side = game.to_move();
            let before = game.setup();
            let chain = game.chain();
            let is_random = !score.is_decisive() && self.rng.below(1000) < self.config.random_per_mille;
            let legal = game.moves();
            let mv = if is_random { legal[self.rng.below(legal.len())] } else { mv };
            let Ok(ply) = game.play(mv) else { break };
            let is_quiet = (is_random || ply.captured.is_empty()) && chain.is_none();
            let is_over = score.distance().is_some_and(|plies| plies <= 1);
            if (is_quiet || score.is_decisive()) && !is_over && chain.is_none() {
                let clear = self.config.clear;
                let score = if side == Side::Attackers { score } else { -score }.value().clamp(-clear, clear);
                samples.push(TrainingSample { setup: before, to_move: side, score, halves: 1, game: number });
            }
        }
        let halves = match game.outcome().and_then(|outcome| outcome.winner) {
            Some(Side::Attackers) => 2,
            Some(Side::Defenders) => 0,
            None => 1,
        };
        samples.iter_mut().for_each(|sample| sample.halves = halves);
        samples
    }

    fn search(&mut self, game: &Game) -> Option<(Move, crate::score::Score)> {
        let report = self.engine.search(game, &Limits::nodes(self.config.nodes.0)).ok()?;
        let best = &report.lines[0];
        Some((best.moves[0], best.score.for_side(game.to_move())))
    }

    /// Plays random moves and returns whether the game continues and neither side has a decisive
    /// advantage.
    fn play_opening(&mut self, game: &mut Game, plies: usize) -> bool {
        for _ in 0..plies {
            let moves = game.moves();
            if moves.is_empty() || game.outcome().is_some() {
                return false;
            }
            let mv = moves[self.rng.below(moves.len())];
            if game.play(mv).is_err() {
                return false;
            }
        }
        game.outcome().is_none()
            && self.search(game).is_some_and(|(_, score)| score.value().abs() < self.config.clear / 3)
    }
}
