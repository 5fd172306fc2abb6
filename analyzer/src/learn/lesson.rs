//! Samples as a network sees them.

use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{AnyRulebook, with_rulebook};

use super::curve::{Balance, Curve};
use super::sample::Sample;
use super::trainer::Schooling;
use crate::net::Inputs;
use crate::net::signals::Signals;

/// A position to learn from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lesson {
    /// The inputs that are on.
    pub(super) inputs: Vec<u16>,
    /// The signals that are on.
    pub(super) signals: Vec<u16>,
    /// 0 with the attackers to move, 1 with the defenders.
    pub(super) head: u8,
    /// What the network should answer, as the attackers' expectation.
    pub(super) target: f32,
    /// What became of the game.
    pub(super) outcome: f32,
    /// What the search thinks.
    pub(super) searched: f32,
    pub(super) game: u32,
    /// How much the lesson counts.
    pub(super) weight: f32,
}

/// Returns samples as lessons.
pub(super) fn lessons(book: &AnyRulebook, samples: &[Sample], schooling: &Schooling) -> Vec<Lesson> {
    let curve = Curve::fit(samples);
    let context = (curve, Balance::of(samples), schooling.outcome);
    with_rulebook!(book, book => {
        let (inputs, signals) = (Inputs::of(book), Signals::new(book));
        samples.iter().map(|sample| lesson(book, &inputs, &signals, sample, context)).collect()
    })
}

fn lesson<const N: usize>(
    book: &Rulebook<N>,
    inputs: &Inputs,
    signals: &Signals<N>,
    sample: &Sample,
    (curve, balance, share): (Curve, Balance, f32),
) -> Lesson {
    let pos: Position<N> = book.position(&sample.setup, sample.to_move);
    let mut on = Vec::new();
    signals.each(book, &pos, |signal| on.push(signal as u16));
    let outcome = f32::from(sample.halves) / 2.0;
    let searched = curve.expectation(sample.score);
    Lesson {
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
