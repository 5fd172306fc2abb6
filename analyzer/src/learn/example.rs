//! Samples as the inputs and targets of a network.

use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{AnyRulebook, with_rulebook};

use super::curve::{ScoreCurve, SideWeights};
use super::sample::Sample;
use crate::net::NetworkInputs;
use crate::net::signals::Signals;

/// A position as a network sees it, with its target.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TrainingExample {
    /// The inputs that are on.
    pub(super) inputs: Vec<u16>,
    /// The signals that are on.
    pub(super) signals: Vec<u16>,
    /// 0 with the attackers to move, 1 with the defenders.
    pub(super) head: u8,
    /// The target: the attackers' expectation.
    pub(super) target: f32,
    /// The outcome of the game.
    pub(super) outcome: f32,
    /// The expectation by the score of the search.
    pub(super) searched: f32,
    pub(super) game: u32,
    /// The weight of the example.
    pub(super) weight: f32,
}

/// Returns samples as training examples. `outcome_share` is the part of the target that is the outcome of the game; the rest is the
/// score of the search.
pub(super) fn examples(book: &AnyRulebook, samples: &[Sample], outcome_share: f32) -> Vec<TrainingExample> {
    let curve = ScoreCurve::fit(samples);
    let context = (curve, SideWeights::of(samples), outcome_share);
    with_rulebook!(book, book => {
        let (inputs, signals) = (NetworkInputs::of(book), Signals::new(book));
        samples.iter().map(|sample| example(book, &inputs, &signals, sample, context)).collect()
    })
}

fn example<const N: usize>(
    book: &Rulebook<N>,
    inputs: &NetworkInputs,
    signals: &Signals<N>,
    sample: &Sample,
    (curve, balance, share): (ScoreCurve, SideWeights, f32),
) -> TrainingExample {
    let pos: Position<N> = book.position(&sample.setup, sample.to_move);
    let mut on = Vec::new();
    signals.each(book, &pos, |signal| on.push(signal as u16));
    let outcome = f32::from(sample.halves) / 2.0;
    let searched = curve.expectation(sample.score);
    TrainingExample {
        inputs: inputs.on(&pos),
        signals: on,
        head: sample.to_move.index() as u8,
        target: share * outcome + (1.0 - share) * searched,
        outcome,
        searched,
        game: sample.game,
        weight: balance.of_result(sample.halves),
    }
}
