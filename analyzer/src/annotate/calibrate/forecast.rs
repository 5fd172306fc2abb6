//! Predictions of results, and the results.

/// Predictions are kept this far from 0 and 1, so that one wrong certainty does not make log odds or the log loss infinite.
const EDGE: f64 = 1e-6;

/// The predicted and the actual result of a held-out position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ForecastResult {
    /// The number of the game.
    pub(super) game: u64,
    /// The number of plies before the position.
    pub(super) ply: u32,
    /// The prediction for the attackers, from 0 to 1.
    pub(super) expected: f64,
    /// The result for the attackers: 1, one half, or 0.
    pub(super) result: f64,
}

impl ForecastResult {
    /// Returns the prediction, kept away from 0 and 1.
    pub(super) fn inner(&self) -> f64 {
        self.expected.clamp(EDGE, 1.0 - EDGE)
    }
}
