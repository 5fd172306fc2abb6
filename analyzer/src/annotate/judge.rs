//! How bad a move was: by the loss of expectation, never by a difference of scores.

use std::fmt;

/// The loss from which a ply is an inaccuracy: as much as curves err on average (their calibration errors are some
/// hundredths), so less cannot be told from noise.
pub const INACCURACY: f64 = 0.05;

/// The loss from which a ply is a mistake: one game in ten is given away by it.
pub const MISTAKE: f64 = 0.10;

/// The loss from which a ply is a blunder: one game in five is given away by it, twice a mistake as a mistake is twice an
/// inaccuracy.
pub const BLUNDER: f64 = 0.20;

/// How much worse the second best move must be for the best one to count as the only one: a blunder.
pub const ONLY_MARGIN: f64 = BLUNDER;

/// From which loss on a ply is what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    inaccuracy: f64,
    mistake: f64,
    blunder: f64,
}

/// Why numbers are no thresholds.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "thresholds rise from inaccuracy over mistake to blunder, above 0 and up to 1; found {inaccuracy}, {mistake}, {blunder}"
)]
pub struct NoThresholds {
    /// The loss of an inaccuracy.
    pub inaccuracy: f64,
    /// The loss of a mistake.
    pub mistake: f64,
    /// The loss of a blunder.
    pub blunder: f64,
}

impl Thresholds {
    /// Returns thresholds.
    ///
    /// # Errors
    ///
    /// Returns the numbers if they do not rise, or lie outside of 0 to 1.
    pub fn new(inaccuracy: f64, mistake: f64, blunder: f64) -> Result<Thresholds, NoThresholds> {
        let rises = 0.0 < inaccuracy && inaccuracy <= mistake && mistake <= blunder && blunder <= 1.0;
        let found = NoThresholds { inaccuracy, mistake, blunder };
        if rises { Ok(Thresholds { inaccuracy, mistake, blunder }) } else { Err(found) }
    }

    /// Returns what a ply is that lost so much expectation.
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
        Thresholds { inaccuracy: INACCURACY, mistake: MISTAKE, blunder: BLUNDER }
    }
}

/// Writes `0.05 0.10 0.20`.
impl fmt::Display for Thresholds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} {:.2} {:.2}", self.inaccuracy, self.mistake, self.blunder)
    }
}

/// How bad a ply was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// Nothing to blame.
    Good,
    /// It lost a little.
    Inaccuracy,
    /// It lost something.
    Mistake,
    /// It lost much.
    Blunder,
}

impl Judgement {
    /// Every judgement, the mildest first.
    pub const ALL: [Judgement; 4] =
        [Judgement::Good, Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder];

    /// Returns the word of tables and texts.
    pub const fn word(self) -> &'static str {
        match self {
            Judgement::Good => "good",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// Returns the sign that chess players write, empty for a good move.
    pub const fn sign(self) -> &'static str {
        match self {
            Judgement::Good => "",
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
        }
    }

    /// Returns whether there is something to blame.
    pub const fn is_error(self) -> bool {
        !matches!(self, Judgement::Good)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_counts_from_its_threshold_on() {
        let thresholds = Thresholds::default();
        let judged = [0.0, 0.049, 0.05, 0.099, 0.10, 0.199, 0.20, 1.0].map(|loss| thresholds.judge(loss));
        use Judgement::{Blunder, Good, Inaccuracy, Mistake};
        assert_eq!(judged, [Good, Good, Inaccuracy, Inaccuracy, Mistake, Mistake, Blunder, Blunder]);
    }

    #[test]
    fn thresholds_can_be_changed_but_must_rise() {
        let harsh = Thresholds::new(0.01, 0.02, 0.03).unwrap();
        assert_eq!(harsh.judge(0.04), Judgement::Blunder);
        for (one, two, three) in
            [(0.2, 0.1, 0.3), (0.0, 0.1, 0.2), (0.1, 0.2, 1.5), (f64::NAN, 0.1, 0.2), (-0.1, 0.1, 0.2)]
        {
            assert!(Thresholds::new(one, two, three).is_err(), "{one} {two} {three}");
        }
    }
}
