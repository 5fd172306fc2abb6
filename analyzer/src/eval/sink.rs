//! The trait through which the terms of the evaluation are counted or summed.

use tafl_rules::Side;

use crate::eval_term::{EvalTerm, Features, N_TERMS};

/// A sink for the terms of a position. The same code produces [`Features`] and the sum for a score.
pub(super) trait TermSink {
    /// Adds a term `count` times for a side.
    fn add(&mut self, side: Side, term: EvalTerm, count: i32);

    /// Returns whether any of these terms affects the result.
    fn needs(&self, terms: &[EvalTerm]) -> bool;

    /// Adds the term of a ladder for a number. Numbers beyond the end of the ladder count as the
    /// last one; 0 adds nothing.
    #[inline]
    fn add_step(&mut self, side: Side, ladder: &[EvalTerm], number: usize) {
        if number > 0 {
            self.add(side, ladder[number.min(ladder.len()) - 1], 1);
        }
    }
}

/// The weighted sum of the terms, relative to the attackers.
pub(super) struct WeightedSum<'w> {
    pub(super) weights: &'w [i32; N_TERMS],
    pub(super) value: i32,
}

impl TermSink for WeightedSum<'_> {
    #[inline]
    fn add(&mut self, side: Side, term: EvalTerm, count: i32) {
        let value = self.weights[term.index()] * count;
        self.value += if side == Side::Attackers { value } else { -value };
    }

    #[inline]
    fn needs(&self, terms: &[EvalTerm]) -> bool {
        terms.iter().any(|term| self.weights[term.index()] != 0)
    }
}

impl TermSink for Features {
    #[inline]
    fn add(&mut self, side: Side, term: EvalTerm, count: i32) {
        self[term.index()] += if side == Side::Attackers { count } else { -count };
    }

    #[inline]
    fn needs(&self, _terms: &[EvalTerm]) -> bool {
        true
    }
}
