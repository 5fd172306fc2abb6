//! Positions as inputs of a network, with their targets.

use std::collections::BTreeMap;

use tafl_rules::{AnyRulebook, Position, Rulebook, Side, with_rulebook};

use super::curve::ScoreCurve;
use super::sample::{TrainingGame, TrainingSample};
use crate::eval::{Evaluator, Weights, dot};
use crate::eval_term::N_TERMS;
use crate::net::bucket;
use crate::net::inputs::{KingRelation, NetworkInputs};

/// The data of a position besides its inputs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TrainingExample {
    /// The side to move, as an index.
    pub(super) side: u8,
    /// The bucket of the position, by its number of pieces.
    pub(super) bucket: u8,
    /// The sum of the terms, relative to the attackers.
    pub(super) value: i16,
    /// The score of the search, relative to the attackers.
    pub(super) score: i16,
    /// The result of the game in half points of the attackers.
    pub(super) half_points: u8,
    /// The number of the game.
    pub(super) game: u32,
}

/// Many positions in flat memory: millions of small vectors would take twice the space.
#[derive(Debug, Clone, Default)]
pub(super) struct Examples {
    pub(super) positions: Vec<TrainingExample>,
    pub(super) terms: Vec<[i16; N_TERMS]>,
    inputs: Vec<u16>,
    /// The end of the inputs of each position.
    ends: Vec<usize>,
}

impl Examples {
    /// Converts the samples of games, on all cores.
    pub(super) fn of(games: &[TrainingGame]) -> Examples {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let parts: Vec<Examples> = std::thread::scope(|scope| {
            let part = |games| scope.spawn(move || Examples::of_part(games));
            let parts: Vec<_> = games.chunks(games.len().div_ceil(threads).max(1)).map(part).collect();
            parts.into_iter().map(|part| part.join().expect("the conversion does not panic")).collect()
        });
        let mut all = Examples::default();
        for part in parts {
            let first = all.inputs.len();
            all.positions.extend(part.positions);
            all.terms.extend(part.terms);
            all.inputs.extend(part.inputs);
            all.ends.extend(part.ends.into_iter().map(|end| first + end));
        }
        all
    }

    fn of_part(games: &[TrainingGame]) -> Examples {
        let mut examples = Examples::default();
        // Games without changed rules repeat the same few rule sets.
        let mut known: BTreeMap<&str, AnyRulebook> = BTreeMap::new();
        for game in games.iter().filter(|game| !game.samples.is_empty()) {
            let known_book = known.get(game.variant.as_str()).filter(|book| *book.rules() == game.rules);
            let Some(book) = known_book.cloned().or_else(|| AnyRulebook::compile(&game.rules).ok()) else {
                continue;
            };
            if !game.has_changed_rules {
                known.insert(&game.variant, book.clone());
            }
            with_rulebook!(&book, book => examples.add_game(book, game));
        }
        examples
    }

    fn add_game<const N: usize>(&mut self, book: &Rulebook<N>, game: &TrainingGame) {
        let eval = Evaluator::new(book, Weights::of_rules(book.rules()));
        let mut source = InputSource { inputs: NetworkInputs::of(book.rules()), relations: BTreeMap::new() };
        let n_at_start = book.start().occupied().count();
        for TrainingSample { setup, to_move, score } in &game.samples {
            let pos: Position<N> = book.position(setup, *to_move);
            let features = eval.features(book, &pos);
            let value = dot(&features, eval.weights().values());
            source.of_position(book, &pos, &mut self.inputs);
            self.ends.push(self.inputs.len());
            self.terms.push(features.map(|count| count as i16));
            self.positions.push(TrainingExample {
                side: to_move.index() as u8,
                bucket: bucket(pos.occupied().count(), n_at_start) as u8,
                value: value.clamp(-9_999, 9_999) as i16,
                score: *score,
                half_points: game.half_points,
                game: game.number,
            });
        }
    }

    pub(super) fn inputs(&self, at: usize) -> &[u16] {
        let first = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.inputs[first..self.ends[at]]
    }
}

impl TrainingExample {
    /// Returns the target: the attackers' expectation by the search and by the result, of which the latter has the weight `share`.
    pub(super) fn target(&self, curve: ScoreCurve, share: f32) -> f32 {
        share * self.result() + (1.0 - share) * curve.expectation(self.score)
    }

    /// Returns the result for the attackers.
    pub(super) fn result(&self) -> f32 {
        f32::from(self.half_points) / 2.0
    }
}

/// The inputs of positions of one rule set.
struct InputSource {
    inputs: NetworkInputs,
    relations: BTreeMap<(usize, usize), KingRelation>,
}

impl InputSource {
    fn of_position<const N: usize>(&mut self, book: &Rulebook<N>, pos: &Position<N>, on: &mut Vec<u16>) {
        on.extend(self.inputs.rules());
        let kings = Side::ALL.map(|side| book.royal_king(pos, side));
        for side in Side::ALL {
            if let Some(king) = kings[side.index()] {
                let relation = || self.inputs.king_relation(side, king);
                self.relations.entry((side.index(), king.index())).or_insert_with(relation);
            }
        }
        let mut add = |input: usize| on.push(input as u16);
        for piece in book.pieces().iter() {
            for cell in pos.pieces(piece) {
                self.inputs.of_piece(piece, cell, &mut add);
                for side in Side::ALL {
                    if let Some(king) = kings[side.index()] {
                        let relation = &self.relations[&(side.index(), king.index())];
                        self.inputs.of_piece_and_king(piece, cell, relation, &mut add);
                    }
                }
            }
        }
    }
}
