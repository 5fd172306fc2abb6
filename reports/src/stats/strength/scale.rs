//! Scales of strength.

/// Returns a logarithm of odds as a difference in Elo.
pub fn elo(x: f64) -> f64 {
    x * 400.0 / std::f64::consts::LN_10
}

/// Returns the score that a logarithm of odds lets expect where nothing is drawn.
pub fn expectation(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns the score that a logarithm of odds lets expect where draws between equals have a weight.
pub fn expected_score(x: f64, draw: f64) -> f64 {
    let [win, even, _] = chances(x, draw);
    win + even / 2.0
}

/// Returns the chances of a win, a draw and a loss.
pub(super) fn chances(x: f64, draw: f64) -> [f64; 3] {
    chances_and_log(x, draw).0
}

/// Returns the chances of a win, a draw and a loss, and the logarithm of the sum of their weights.
pub(super) fn chances_and_log(x: f64, draw: f64) -> ([f64; 3], f64) {
    let win = (x / 2.0).exp();
    let loss = 1.0 / win;
    let all = win + loss + draw;
    ([win / all, draw / all, loss / all], all.ln())
}
