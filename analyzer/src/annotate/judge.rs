//! Judgements of moves by their loss of expectation, not by differences between scores.

use std::fmt;

/// The loss from which a ply is an inaccuracy. Smaller losses are within the calibration errors of
/// the curves, which are a few hundredths.
pub const INACCURACY_LOSS: f64 = 0.05;

/// The loss from which a ply is a mistake: it costs one game in ten.
pub const MISTAKE_LOSS: f64 = 0.10;

/// The loss from which a ply is a blunder: it costs one game in five. Each threshold is twice the
/// one before.
pub const BLUNDER_LOSS: f64 = 0.20;

/// The margin between the best and the second-best move from which the best one counts as the only
/// move: a blunder.
pub const ONLY_MOVE_MARGIN: f64 = BLUNDER_LOSS;

/// The losses from which a ply has each judgement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    inaccuracy: f64,
    mistake: f64,
    blunder: f64,
}

/// The error for invalid thresholds.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "invalid thresholds {inaccuracy}, {mistake}, {blunder}; expected three numbers above 0 and up to 1, none smaller than the one before it, for inaccuracy, mistake, and blunder"
)]
pub struct ThresholdsError {
    /// The loss of an inaccuracy.
    pub inaccuracy: f64,
    /// The loss of a mistake.
    pub mistake: f64,
    /// The loss of a blunder.
    pub blunder: f64,
}

impl Thresholds {
    /// Creates thresholds.
    ///
    /// # Errors
    ///
    /// Returns the numbers if one is smaller than the one before it, not above 0, or above 1.
    pub fn new(inaccuracy: f64, mistake: f64, blunder: f64) -> Result<Thresholds, ThresholdsError> {
        let rises = 0.0 < inaccuracy && inaccuracy <= mistake && mistake <= blunder && blunder <= 1.0;
        let found = ThresholdsError { inaccuracy, mistake, blunder };
        if rises { Ok(Thresholds { inaccuracy, mistake, blunder }) } else { Err(found) }
    }

    /// Returns the loss of an inaccuracy.
    pub fn inaccuracy(&self) -> f64 {
        self.inaccuracy
    }

    /// Returns the judgement of a ply with this loss.
    pub fn judge(&self, loss: f64) -> Judgement {
        if loss >= self.blunder {
            Judgement::Blunder
        } else if loss >= self.mistake {
            Judgement::Mistake
        } else if loss >= self.inaccuracy {
            Judgement::Inaccuracy
        } else {
            Judgement::Good
        }
    }
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds { inaccuracy: INACCURACY_LOSS, mistake: MISTAKE_LOSS, blunder: BLUNDER_LOSS }
    }
}

/// Writes the thresholds, such as `0.05 0.10 0.20`.
impl fmt::Display for Thresholds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} {:.2} {:.2}", self.inaccuracy, self.mistake, self.blunder)
    }
}

/// The judgement of a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// Not an error.
    Good,
    /// A small loss.
    Inaccuracy,
    /// A significant loss.
    Mistake,
    /// A large loss.
    Blunder,
}

impl Judgement {
    /// Every judgement, the mildest first.
    pub const ALL: [Judgement; 4] =
        [Judgement::Good, Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];

    /// Returns the name used in tables and texts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Judgement::Good => "good",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// Returns the annotation symbol used in chess; empty for a good move.
    pub const fn sign(self) -> &'static str {
        match self {
            Judgement::Good => "",
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }

    /// Returns whether the ply is an error.
    pub const fn is_error(self) -> bool {
        !matches!(self, Judgement::Good)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_counts_from_its_threshold() {
        let thresholds = Thresholds::default();
        let judged = [0.0, 0.049, 0.05, 0.099, 0.10, 0.199, 0.20, 1.0].map(|loss| thresholds.judge(loss));
        use Judgement::{Blunder, Good, Inaccuracy, Mistake};
        assert_eq!(judged, [Good, Good, Inaccuracy, Inaccuracy, Mistake, Mistake, Blunder, Blunder]);
    }

    #[test]
    fn thresholds_must_increase() {
        let harsh = Thresholds::new(0.01, 0.02, 0.03).unwrap();
        assert_eq!(harsh.judge(0.04), Judgement::Blunder);
        for (one, two, three) in
            [(0.2, 0.1, 0.3), (0.0, 0.1, 0.2), (0.1, 0.2, 1.5), (f64::NAN, 0.1, 0.2), (-0.1, 0.1, 0.2)]
        {
            assert!(Thresholds::new(one, two, three).is_err(), "{one} {two} {three}");
        }
    }
}
