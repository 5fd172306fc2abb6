//! Rules strings: OpenTafl's notation for rules, with keys of our own that begin with `x`.
//!
//! ```text
//! rules = "dim:" , int , { " " , key , ":" , value } , " " , ( "start:" | "starti:" ) , position
//! value = { any character except blank }                may be empty: "cor:" means no corners
//! ```
//!
//! `FORMATS.md` lists every key with its meaning and default. Where OpenTafl's program and its specification differ,
//! the specification counts and a [`RuleNotice`] says so. Reading is liberal: keys may stand in any order, and words
//! that nobody knows are kept and reported.

mod read;
mod values;
mod write;

pub use read::{ReadOptions, TfrReading};

use super::Span;
use super::setup::SetupErrorKind;

/// Why a text is not a rules string, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct RuleSetError {
    /// The place in the rules string.
    pub span: Span,
    /// What is wrong there.
    pub kind: RuleSetErrorKind,
}

/// What is wrong with a rules string.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleSetErrorKind {
    /// No `dim:`.
    #[error("a rules string needs `dim:` with the number of cells a side")]
    NoDimension,
    /// A board that is too small or too large.
    #[error("`{value}` is no board: square boards have 5 to 21 cells a side, hexagonal ones 3 to 8")]
    BadDimension {
        /// What was written.
        value: String,
    },
    /// No `start:`.
    #[error("a rules string needs `start:` with a position record")]
    NoStart,
    /// The position record is broken.
    #[error("{0}")]
    Start(SetupErrorKind),
    /// A value that the key does not know.
    #[error("`{key}:{value}` is not understood; expected {expected}")]
    BadValue {
        /// The key.
        key: String,
        /// What was written.
        value: String,
        /// What would have been right.
        expected: &'static str,
    },
    /// A cell that the board does not have.
    #[error("`{cell}` in `{key}` is no cell of this board")]
    BadCell {
        /// The key.
        key: String,
        /// What was written.
        cell: String,
    },
    /// The same key twice; `starti` counts as `start`.
    #[error("`{key}` stands here a second time")]
    Twice {
        /// The key.
        key: String,
    },
}

/// Something about a rules string that a reader should know; it was read all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleNotice {
    /// The place in the rules string.
    pub span: Span,
    /// What is to be known.
    pub kind: RuleNoticeKind,
}

/// What a reader of a rules string should know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleNoticeKind {
    /// A word that is no known key.
    #[error("`{word}` is not a known key; it is kept and has no effect")]
    Unknown {
        /// The word.
        word: String,
    },
    /// `tfr:w` or `tfr:l`, which OpenTafl's program reads the other way round than its specification.
    #[error(
        "`tfr:{letter}`: by OpenTafl's specification the player who repeats {specified}, OpenTafl's program does the opposite; `xrep:` says it plainly"
    )]
    RepetitionReversed {
        /// `w` or `l`.
        letter: char,
        /// What was understood: `wins` or `loses`.
        specified: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::RuleSet;

    #[test]
    fn a_text_without_dimension_is_marked_by_its_whole_first_character() {
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
    fn a_move_that_no_board_has_room_for_is_without_limit_in_every_key() {
        for keys in ["xmove:t=50;K=2", "xmove:t=q22;K=2", "xmove:t=o300;K=2", "spd:50,2"] {
            let rules: RuleSet = format!("dim:7 {keys} {START}").parse().unwrap();
            assert_eq!(rules.movement[crate::Piece::from_letter('t').unwrap()].max, None, "{keys}");
            assert_eq!(rules.to_string().parse(), Ok(rules), "{keys}");
        }
        assert!(kind("xmove:t=0").is_some() && kind("spd:0").is_some() && kind("spd:-2").is_some());
    }

    #[test]
    fn a_goal_of_no_cells_is_refused() {
        for keys in ["xgoal:d=", "xgoal:d=,", "xgoal:a=,,"] {
            assert!(matches!(kind(keys), Some(RuleSetErrorKind::BadValue { .. })), "{keys}");
        }
        assert_eq!(kind("xgoal:d=none"), None);
    }

    #[test]
    fn a_second_start_is_refused_as_every_second_key_is() {
        for (keys, key) in [
            ("start:/7/7/7/3K3/7/7/7/", "start"),
            ("starti:/3t3/7/7/3K3/7/7/7/", "start"),
            ("ks:w ks:s", "ks"),
        ] {
            assert_eq!(kind(keys), Some(RuleSetErrorKind::Twice { key: key.to_owned() }), "{keys}");
        }
    }
}
