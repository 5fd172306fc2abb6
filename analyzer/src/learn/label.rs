//! Samples from recorded games.

use tafl_rules::{AnyRulebook, Game, Move, Side};

use super::sample::{TrainingGame, TrainingSample};
use crate::engine::{Engine, SearchOptions};
use crate::limits::{Limits, Nodes};
use crate::score::half_points;

/// The labeling of positions from recorded games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelConfig {
    /// The number of nodes of each search.
    pub nodes: Nodes,
    /// The number of opening plies that are skipped, because many games share them.
    pub skip: usize,
    /// The maximum absolute score, in hundredths; larger scores, including wins, are clamped.
    pub max_score: i16,
}

impl Default for LabelConfig {
    fn default() -> LabelConfig {
        LabelConfig { nodes: Nodes(1000), skip: 4, max_score: 3000 }
    }
}

/// Labels positions of games with the score of a short search and the result of the game.
#[derive(Debug)]
pub struct Labeler {
    book: AnyRulebook,
    engine: Engine,
    config: LabelConfig,
}

impl Labeler {
    /// Creates a labeler for games with these rules.
    pub fn new(book: &AnyRulebook, options: SearchOptions, config: LabelConfig) -> Labeler {
        Labeler { book: book.clone(), engine: Engine::new(book, options), config }
    }

    /// Returns a game with the samples up to the first illegal move.
    ///
    /// Keeps positions in which the best move captures nothing or the score reaches
    /// [`LabelConfig::max_score`], except those decided within one ply.
    /// `winner` is `None` for a draw.
    pub fn game(&mut self, moves: &[Move], winner: Option<Side>, number: u32) -> TrainingGame {
        let mut game = Game::new(&self.book);
        self.engine.new_game();
        let mut samples = Vec::new();
        for (ply, mv) in moves.iter().enumerate() {
            if game.outcome().is_some() {
                break;
            }
            if ply >= self.config.skip && game.chain().is_none() {
                samples.extend(self.sample(&game));
            }
            if game.play(*mv).is_err() {
                break;
            }
        }
        TrainingGame {
            number,
            variant: String::new(),
            has_changed_rules: false,
            rules: self.book.rules().clone(),
            half_points: half_points(winner),
            samples,
        }
    }

    /// Returns the sample of the current position of a game, if it is kept.
    fn sample(&mut self, game: &Game) -> Option<TrainingSample> {
        let report = self.engine.search(game, &Limits::nodes(self.config.nodes.0)).ok()?;
        let best = &report.lines[0];
        let score = best.score.for_side(Side::Attackers);
        if score.distance().is_some_and(|plies| plies <= 1) {
            return None;
        }
        let mut after = game.clone();
        let is_quiet = after.play(best.moves[0]).is_ok_and(|ply| ply.captured.is_empty());
        let (setup, to_move) = (game.setup(), game.to_move());
        let score = score.value().clamp(-self.config.max_score, self.config.max_score);
        let is_kept = is_quiet || score.abs() == self.config.max_score;
        is_kept.then_some(TrainingSample { setup, to_move, score })
    }
}
