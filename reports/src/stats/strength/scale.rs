//! Scales of strength.

/// Converts log odds to a difference in Elo.
pub fn elo(x: f64) -> f64 {
    x * 400.0 / std::f64::consts::LN_10
}

/// Returns the expected score for log odds without draws.
pub fn expectation(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns the expected score for log odds and a draw weight.
pub fn expected_score(x: f64, draw_weight: f64) -> f64 {
    let [win, draw, _] = wdl_probabilities(x, draw_weight);
    win + draw / 2.0
}

/// Returns the probabilities of a win, a draw, and a loss.
pub(in crate::stats) fn wdl_probabilities(x: f64, draw_weight: f64) -> [f64; 3] {
    wdl_probabilities_and_log(x, draw_weight).0
}

/// Returns the probabilities of a win, a draw, and a loss, and the logarithm of the sum of their weights.
pub(super) fn wdl_probabilities_and_log(x: f64, draw_weight: f64) -> ([f64; 3], f64) {
    let win = (x / 2.0).exp();
    let loss = 1.0 / win;
    let all = win + loss + draw_weight;
    ([win / all, draw_weight / all, loss / all], all.ln())
}
