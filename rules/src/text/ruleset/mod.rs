//! Rules strings: OpenTafl's notation for rules, with additional keys that begin with `x`.
//!
//! ```text
//! rules = "dim:" , int , { " " , key , ":" , value } , " " , ( "start:" | "starti:" ) , position
//! value = { any character except a space }                may be empty: "cor:" means no corners
//! ```
//!
//! `FORMATS.md` lists every key with its meaning and default. Where OpenTafl's program and its
//! specification differ, the specification counts, and a [`RuleNotice`] reports the difference.
//! Reading is lenient: keys may be in any order, and unknown words are kept and reported.

mod read;
mod values;
mod write;

pub use read::{RulesReadOptions, TfrReading};

use super::Span;
use super::setup_error::SetupErrorKind;

/// The error for a text that is not a rules string, with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct RuleSetError {
    /// The position in the rules string.
    pub span: Span,
    /// The kind of error.
    pub kind: RuleSetErrorKind,
}

/// The kinds of errors in rules strings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleSetErrorKind {
    /// `dim:` is missing.
    #[error("`dim:` is missing; a rules string begins with the number of cells a side, such as `dim:11`")]
    NoDimension,
    /// The board is too small or too large.
    #[error(
        "unsupported board size `{value}`; expected 5 to 21 cells a side for square boards, 3 to 8 for hexagonal boards"
    )]
    BadDimension {
        /// The value as written.
        value: String,
    },
    /// `start:` is missing.
    #[error("`start:` is missing; a rules string needs a position record, such as `start:/3t3/.../`")]
    NoStart,
    /// The position record is invalid.
    #[error("{0}")]
    Start(SetupErrorKind),
    /// The value is invalid for the key.
    #[error("invalid value `{key}:{value}`; expected {expected}")]
    BadValue {
        /// The key.
        key: String,
        /// The value as written.
        value: String,
        /// The expected values.
        expected: &'static str,
    },
    /// A cell is not on the board.
    #[error("`{cell}` in `{key}` is not a cell of this board")]
    BadCell {
        /// The key.
        key: String,
        /// The cell as written.
        cell: String,
    },
    /// A key appears twice; `starti` counts as `start`.
    #[error("duplicate key `{key}`")]
    DuplicateKey {
        /// The key.
        key: String,
    },
}

/// A remark about a rules string that was read successfully.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleNotice {
    /// The position in the rules string.
    pub span: Span,
    /// The kind of remark.
    pub kind: RuleNoticeKind,
}

/// The kinds of remarks about rules strings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleNoticeKind {
    /// A word has no known key.
    #[error("unknown key `{word}`; it is kept, but has no effect")]
    Unknown {
        /// The word.
        word: String,
    },
    /// `tfr:w` or `tfr:l`, which OpenTafl's program reads with the opposite meaning of its
    /// specification.
    #[error(
        "`tfr:{letter}`: by OpenTafl's specification, the player who repeats {specified}, but OpenTafl's program does the opposite; use `xrep:` to avoid the ambiguity"
    )]
    RepetitionReversed {
        /// `w` or `l`.
        letter: char,
        /// The meaning by the specification, even if the other one was assumed: `wins` or `loses`.
        specified: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::RuleSet;

    #[test]
    fn a_missing_dimension_is_reported_at_the_first_character() {
        for (text, first) in [("\u{b5}/3", 2), ("x", 1), ("", 0)] {
            let error = text.parse::<RuleSet>().unwrap_err();
            assert_eq!(
                error,
                RuleSetError { span: Span::new(0, first), kind: RuleSetErrorKind::NoDimension }
            );
        }
    }

    const START: &str = "start:/3t3/7/7/3K3/7/7/7/";

    fn kind(keys: &str) -> Option<RuleSetErrorKind> {
        format!("dim:7 {keys} {START}").parse::<RuleSet>().err().map(|error| error.kind)
    }

    #[test]
    fn limits_beyond_every_board_mean_no_limit() {
        for keys in ["xmove:t=50;K=2", "xmove:t=q22;K=2", "xmove:t=o300;K=2", "spd:50,2"] {
            let rules: RuleSet = format!("dim:7 {keys} {START}").parse().unwrap();
            assert_eq!(rules.movement[crate::Piece::from_letter('t').unwrap()].max, None, "{keys}");
            assert_eq!(rules.to_string().parse(), Ok(rules), "{keys}");
        }
        assert!(kind("xmove:t=0").is_some() && kind("spd:0").is_some() && kind("spd:-2").is_some());
    }

    #[test]
    fn an_empty_goal_is_rejected() {
        for keys in ["xgoal:d=", "xgoal:d=,", "xgoal:a=,,"] {
            assert!(matches!(kind(keys), Some(RuleSetErrorKind::BadValue { .. })), "{keys}");
        }
        assert_eq!(kind("xgoal:d=none"), None);
    }

    #[test]
    fn a_second_start_is_rejected_like_other_duplicate_keys() {
        for (keys, key) in [
            ("start:/7/7/7/3K3/7/7/7/", "start"),
            ("starti:/3t3/7/7/3K3/7/7/7/", "start"),
            ("ks:w ks:s", "ks"),
        ] {
            assert_eq!(kind(keys), Some(RuleSetErrorKind::DuplicateKey { key: key.to_owned() }), "{keys}");
        }
    }
}
