//! Every tuned number of the search, with its unit: data, so that matches can try others.
//!
//! Sources: first values are those that chess engines use for the same steps (chessprogramming.org), scaled to a game with
//! twice as many moves; what matches said of them is listed in `docs/engine.md`.

use std::fmt;
use std::str::FromStr;

use crate::hash::fnv1a;
use crate::setting::{SettingError, read_pairs};

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:literal in $least:literal ..= $most:literal;)+) => {
        /// The tuned numbers of the search. The default is what matches found best.
        ///
        /// Its text is `name=value,...`; what a text leaves out keeps its default.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Params {
            $($(#[doc = $doc])+ pub $name: i32,)+
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $value,)+ }
            }
        }

        impl Params {
            /// The names of all numbers, each with its default, the least and the most that it may be.
            pub const ALL: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $value, $least, $most),)+];

            /// Returns the numbers in the order of [`Params::ALL`].
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name,)+]
            }

            fn number(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

params! {
    /// Half of the window around the last score in which a depth is searched first, in hundredths; 0: always the full window.
    window = 40 in 0..=10_000;
    /// The first depth that begins with a window, in plies.
    window_depth = 4 in 1..=100;

    /// The last depth at which a position far above beta is not searched, in plies; 0: never.
    static_cut_depth = 6 in 0..=100;
    /// How far above beta for each ply of depth, in hundredths.
    static_cut_margin = 80 in 0..=10_000;

    /// The first depth at which passing is tried, in plies; 0: never.
    pass_depth = 3 in 0..=100;
    /// By how much a search after passing is shallower, in plies.
    pass_reduction = 3 in 0..=100;
    /// Each so many plies of depth make it a ply shallower still.
    pass_depth_per_ply = 4 in 1..=100;

    /// From this depth on a position without a move from the table is searched a ply shallower, in plies; 0: never.
    no_hint_depth = 4 in 0..=100;

    /// The last depth at which late quiet moves are left out, in plies; 0: never.
    late_depth = 4 in 0..=100;
    /// How many moves are searched at depth 0.
    late_first = 8 in 1..=1000;
    /// How many more for each ply of depth, squared.
    late_per_ply = 4 in 0..=1000;

    /// The last depth at which quiet moves that cannot reach alpha are left out, in plies; 0: never.
    hopeless_depth = 5 in 0..=100;
    /// What a quiet move may gain, in hundredths.
    hopeless_margin = 120 in 0..=10_000;
    /// What it may gain besides for each ply of depth, in hundredths.
    hopeless_per_ply = 90 in 0..=10_000;

    /// The first depth at which late moves are searched shallower, in plies; 0: never.
    reduction_depth = 2 in 0..=100;
    /// How many moves are searched in full before that.
    reduction_moves = 3 in 1..=1000;
    /// Reductions grow with the product of the logarithms of depth and number of the move, divided by this many hundredths.
    reduction_divisor = 210 in 1..=100_000;
    /// What such a reduction begins with, in hundredths of a ply.
    reduction_base = 50 in -1000..=1000;
    /// History that is worth a ply of reduction; 0: none is.
    reduction_history = 6000 in 0..=100_000;

    /// Whether quiet moves that refuted elsewhere are tried sooner: 1 or 0.
    history = 1 in 0..=1;
    /// Whether the last two quiet moves that refuted at a distance from the root are tried sooner: 1 or 0.
    killers = 1 in 0..=1;

    /// Whether moves are ranked by what followed well on the move before, too: 1 or 0.
    continuation = 1 in 0..=1;
    /// Whether the move that last refuted the move before is tried sooner: 1 or 0.
    countermove = 0 in 0..=1;
    /// The last depth at which quiet moves with a bad history are left out, in plies; 0: never.
    unloved_depth = 0 in 0..=100;
    /// How bad for each ply of depth.
    unloved_history = 3000 in 0..=100_000;

    /// Whether late moves are searched shallower still where the side to move stands no better than two plies before: 1 or 0.
    improving = 0 in 0..=1;
    /// The last depth at which a position far below alpha goes to quiescence at once, in plies; 0: never.
    razor_depth = 0 in 0..=100;
    /// How far below alpha for each ply of depth, in hundredths.
    razor_margin = 250 in 0..=10_000;
    /// The first depth at which the table's move is searched deeper if all others are worse by far, in plies; 0: never.
    singular_depth = 0 in 0..=100;
    /// By how much worse for each ply of depth, in hundredths.
    singular_margin = 4 in 0..=1000;

    /// How much deeper a position is searched in which a king's run to a goal must be answered, in plies.
    answer_extension = 1 in 0..=2;

    /// Whether quiescence asks the table and fills it: 1 or 0.
    quiet_table = 1 in 0..=1;
    /// How many plies of quiescence may answer threats of the king instead of standing pat.
    quiet_answers = 4 in 0..=100;
    /// How many plies of quiescence try runs of the king.
    quiet_runs = 1 in 0..=100;
    /// What the side to move loses when a threat of the king has no answer in quiescence, in hundredths. Not a loss that is
    /// proven: quiescence does not look at every move.
    lost_to_run = 3000 in 0..=30_000;
    /// What a capture may gain besides the standing score in quiescence, in hundredths.
    quiet_margin = 350 in 0..=30_000;
    /// The greatest number of plies of quiescence; 0: positions at the horizon are taken as they stand.
    quiet_depth = 12 in 0..=100;
}

/// The greatest value of an entry of the history tables.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// Clock and stop flag are looked at each so many nodes.
pub(super) const CHECK_EVERY: u64 = 1024;

impl Params {
    /// Returns a short name for the numbers, the same for the same numbers.
    pub fn hash(&self) -> u64 {
        fnv1a(self.to_string().as_bytes())
    }

    /// Returns what differs from the default, as text; nothing where nothing does.
    pub fn differences(&self) -> String {
        let changed =
            Params::ALL.iter().zip(self.values()).filter(|((_, default, ..), value)| default != value);
        let words: Vec<String> = changed.map(|((name, ..), value)| format!("{name}={value}")).collect();
        words.join(",")
    }
}

/// Writes every number, as `name=value,...`.
impl fmt::Display for Params {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, ((name, ..), value)) in Params::ALL.iter().zip(self.values()).enumerate() {
            write!(f, "{}{name}={value}", if at == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl FromStr for Params {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Params, SettingError> {
        let mut params = Params::default();
        read_pairs(text, |name, value| {
            let unknown = || SettingError::UnknownName(name.to_owned());
            let (_, _, least, most) =
                Params::ALL.iter().find(|(known, ..)| *known == name).ok_or_else(unknown)?;
            if !(*least..=*most).contains(&value) {
                let name = name.to_owned();
                return Err(SettingError::OutOfRange { name, value, least: *least, most: *most });
            }
            *params.number(name).ok_or_else(unknown)? = value;
            Ok(())
        })?;
        Ok(params)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_both_ways() {
        let params = Params { window: 77, reduction_base: -20, ..Params::default() };
        assert_eq!(params.to_string().parse(), Ok(params));
        assert_eq!(params.differences(), "window=77,reduction_base=-20");
        assert_eq!(params.differences().parse(), Ok(params));
        assert_eq!("".parse(), Ok(Params::default()));
        assert_ne!(params.hash(), Params::default().hash());
    }

    #[test]
    fn defaults_lie_in_their_ranges() {
        assert!(Params::ALL.iter().all(|(_, default, least, most)| (least..=most).contains(&default)));
    }

    #[test]
    fn bad_text_is_refused_with_its_kind() {
        let error = |text: &str| text.parse::<Params>().unwrap_err();
        assert_eq!(error("window"), SettingError::NoValue("window".into()));
        assert_eq!(error("wisdom=3"), SettingError::UnknownName("wisdom".into()));
        let not = SettingError::NotANumber { name: "window".into(), value: "x".into() };
        assert_eq!(error("killers=1, window=x"), not);
        let outside = SettingError::OutOfRange { name: "killers".into(), value: 2, least: 0, most: 1 };
        assert_eq!(error("killers=2"), outside);
    }
}
