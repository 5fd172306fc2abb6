//! Samples from games that somebody played.

use tafl_rules::{AnyRulebook, Game, Move, Side};

use super::sample::Sample;
use crate::engine::{Engine, Options};
use crate::limits::{Limits, Nodes};

/// How positions of games that were played become samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labels {
    /// How many positions the search of each looks at.
    pub nodes: Nodes,
    /// How many plies at the beginning of a game are left out: everybody plays them.
    pub skip: usize,
    /// Greater scores than this, in hundredths, wins among them, are kept as this.
    pub clear: i16,
}

impl Default for Labels {
    fn default() -> Labels {
        Labels { nodes: Nodes(1000), skip: 4, clear: 3000 }
    }
}

/// Labels the positions of games with a short search and what became of the game.
#[derive(Debug)]
pub struct Labeler {
    book: AnyRulebook,
    engine: Engine,
    labels: Labels,
}

impl Labeler {
    /// Returns what labels games played by these rules.
    pub fn new(book: &AnyRulebook, options: Options, labels: Labels) -> Labeler {
        Labeler { book: book.clone(), engine: Engine::new(book, options), labels }
    }

    /// Returns the samples of a game, up to the first move that is illegal.
    ///
    /// Kept are positions in which the best move captures nothing, or a win is seen, but not with the next move. `winner`
    /// is nobody in a draw.
    pub fn game(&mut self, moves: &[Move], winner: Option<Side>, number: u32) -> Vec<Sample> {
        let mut game = Game::new(&self.book);
        self.engine.new_game();
        let halves = match winner {
            Some(Side::Attackers) => 2,
            Some(Side::Defenders) => 0,
            None => 1,
        };
        let mut samples = Vec::new();
        for (ply, mv) in moves.iter().enumerate() {
            if game.outcome().is_some() {
                break;
            }
            if ply >= self.labels.skip && game.chain().is_none() {
                samples.extend(self.sample(&game, halves, number));
            }
            if game.play(*mv).is_err() {
                break;
            }
        }
        samples
    }

    /// Returns the sample of the position in which a game stands, if it is kept.
    pub fn sample(&mut self, game: &Game, halves: u8, number: u32) -> Option<Sample> {
        let report = self.engine.search(game, &Limits::nodes(self.labels.nodes.0)).ok()?;
        let best = &report.lines[0];
        let score = best.score.for_side(Side::Attackers);
        if score.distance().is_some_and(|plies| plies <= 1) {
            return None;
        }
        let mut after = game.clone();
        let is_quiet = after.play(best.moves[0]).is_ok_and(|ply| ply.captured.is_empty());
        let (setup, to_move) = (game.setup(), game.to_move());
        let halves = match score.distance() {
            // What is proven is known better than what people made of it.
            Some(_) if score.value() > 0 => 2,
            Some(_) => 0,
            None => halves,
        };
        let score = score.value().clamp(-self.labels.clear, self.labels.clear);
        let is_kept = is_quiet || score.abs() == self.labels.clear;
        is_kept.then_some(Sample { setup, to_move, score, halves, game: number })
    }
}
