//! Conversion of samples to the inputs and targets of a network.

use tafl_rules::{AnyRulebook, Position, Rulebook, with_rulebook};

use super::curve::{ScoreCurve, SideWeights};
use super::sample::{TrainingGame, TrainingSample};
use crate::net::NetworkInputs;
use crate::net::signals::Signals;

/// A position as network input, with its target.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TrainingExample {
    /// The active inputs.
    pub(super) inputs: Vec<u16>,
    /// The active signals.
    pub(super) signals: Vec<u16>,
    /// The output head: 0 with the attackers to move, 1 with the defenders to move.
    pub(super) head: u8,
    /// The target: the attackers' expectation.
    pub(super) target: f32,
    /// The result of the game for the attackers.
    pub(super) outcome: f32,
    /// The expectation by the score of the search.
    pub(super) searched: f32,
    pub(super) game: u32,
    /// The weight of the example.
    pub(super) weight: f32,
}

/// Converts the samples of games to training examples. `outcome_share` is the weight of the game's result in the
/// target; the rest is the expectation by the search score.
pub(super) fn examples(
    book: &AnyRulebook,
    games: &[TrainingGame],
    outcome_share: f32,
) -> Vec<TrainingExample> {
    let curve = ScoreCurve::fit(games);
    let context = (curve, SideWeights::of(games), outcome_share);
    with_rulebook!(book, book => {
        let (inputs, signals) = (NetworkInputs::of(book), Signals::new(book));
        let samples = games.iter().flat_map(|game| game.samples.iter().map(move |sample| (game, sample)));
        samples.map(|sample| example(book, &inputs, &signals, sample, context)).collect()
    })
}

fn example<const N: usize>(
    book: &Rulebook<N>,
    inputs: &NetworkInputs,
    signals: &Signals<N>,
    (game, sample): (&TrainingGame, &TrainingSample),
    (curve, balance, share): (ScoreCurve, SideWeights, f32),
) -> TrainingExample {
    let pos: Position<N> = book.position(&sample.setup, sample.to_move);
    let mut on = Vec::new();
    signals.each(book, &pos, |signal| on.push(signal as u16));
    let outcome = f32::from(game.halves) / 2.0;
    let searched = curve.expectation(sample.score);
    TrainingExample {
        inputs: inputs.on(&pos),
        signals: on,
        head: sample.to_move.index() as u8,
        target: share * outcome + (1.0 - share) * searched,
        outcome,
        searched,
        game: game.number,
        weight: balance.of_result(game.halves),
    }
}
