//! The parameters of the search, with their units. They are data, so that matches can test other
//! values.
//!
//! The initial values are those that chess engines use for the same techniques
//! (chessprogramming.org), scaled to a game with about twice the number of moves. `docs/engine.md`
//! lists the matches that tested them.

use std::fmt;
use std::str::FromStr;

use crate::hash::fnv1a;
use crate::setting::{SettingError, read_pairs};

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident $(alias $old:ident)? = $value:literal in $least:literal ..= $most:literal;)+) => {
        /// The parameters of the search, with the names used in the literature. The defaults are
        /// the best values found by matches.
        ///
        /// The text format is `name=value,...`; omitted parameters have their defaults.
        ///
        /// # Examples
        ///
        /// ```
        /// use tafl_analyzer::Params;
        ///
        /// let params: Params = "null_move_depth=0, lmr_moves=4".parse().unwrap();
        /// assert_eq!(params.null_move_depth, 0);
        /// assert_eq!(params.differences(), "null_move_depth=0,lmr_moves=4");
        /// ```
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
            /// The name, default, minimum, and maximum of every parameter.
            pub const ALL: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $value, $least, $most),)+];

            /// Returns the values in the order of [`Params::ALL`].
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name,)+]
            }

            fn value_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }

        /// Returns the name of a parameter for its spelling in version 0.1.0, which is accepted for
        /// one more release.
        fn renamed(old: &str) -> Option<&'static str> {
            match old {
                $($(stringify!($old) => Some(stringify!($name)),)?)+
                _ => None,
            }
        }
    };
}

params! {
    /// Half the width of the aspiration window around the previous score, in hundredths; 0: always
    /// the full window.
    aspiration_window alias window = 40 in 0..=10_000;
    /// The first depth with an aspiration window, in plies.
    aspiration_depth alias window_depth = 4 in 1..=100;

    /// Reverse futility pruning: the last depth at which a position far above beta is pruned, in
    /// plies; 0: never.
    rfp_depth alias static_cut_depth = 6 in 0..=100;
    /// The margin above beta for each ply of depth, in hundredths.
    rfp_margin alias static_cut_margin = 80 in 0..=10_000;

    /// Null move pruning: the first depth at which a null move is tried, in plies; 0: never.
    null_move_depth alias pass_depth = 3 in 0..=100;
    /// The reduction of the search after a null move, in plies.
    null_move_reduction alias pass_reduction = 3 in 0..=100;
    /// The number of plies of depth that add another ply to this reduction.
    null_move_depth_per_ply alias pass_depth_per_ply = 4 in 1..=100;

    /// Internal iterative reduction: the first depth at which a position without a TT move is
    /// reduced by a ply, in plies; 0: never.
    iir_depth alias no_hint_depth = 4 in 0..=100;

    /// Late move pruning: the last depth at which late quiet moves are pruned, in plies; 0: never.
    lmp_depth alias late_depth = 4 in 0..=100;
    /// The number of moves searched in any case.
    lmp_first alias late_first = 8 in 1..=1000;
    /// The number of additional moves for each squared ply of depth.
    lmp_per_ply alias late_per_ply = 4 in 0..=1000;

    /// Futility pruning: the last depth at which quiet moves that cannot reach alpha are pruned, in
    /// plies; 0: never.
    futility_depth alias hopeless_depth = 5 in 0..=100;
    /// The gain assumed for a quiet move, in hundredths.
    futility_margin alias hopeless_margin = 120 in 0..=10_000;
    /// The additional gain assumed for each ply of depth, in hundredths.
    futility_per_ply alias hopeless_per_ply = 90 in 0..=10_000;

    /// Late move reductions: the first depth at which late moves are reduced, in plies; 0: never.
    lmr_depth alias reduction_depth = 2 in 0..=100;
    /// The number of moves that are not reduced.
    lmr_moves alias reduction_moves = 3 in 1..=1000;
    /// The reduction grows with the product of the logarithms of depth and move number, divided by
    /// this many hundredths.
    lmr_divisor alias reduction_divisor = 210 in 1..=100_000;
    /// The constant part of a reduction, in hundredths of a ply.
    lmr_base alias reduction_base = 50 in -1000..=1000;
    /// The history value that changes the reduction by a ply, static score included; 0: both are ignored.
    lmr_history alias reduction_history = 6000 in 0..=100_000;

    /// Whether quiet moves are ordered by butterfly history: 1 or 0.
    history = 1 in 0..=1;
    /// Whether quiet moves are also ordered by continuation history: 1 or 0.
    continuation = 1 in 0..=1;
    /// Whether killer moves, the last two quiet moves that caused a cutoff at a ply, are searched
    /// early: 1 or 0.
    killers = 1 in 0..=1;

    /// The bonus in the histories for a cutoff, for each ply of depth.
    history_bonus = 200 in 1..=4096;

    /// The factor of the static score of quiet moves relative to histories; 0: no static score.
    static_order = 16 in 0..=1000;
    /// The static score of a move to a cell to which the enemy king can move, in hundredths.
    order_block = 20 in 0..=10_000;
    /// The additional score if the king would have an open line to a goal from there, in hundredths.
    order_way = 60 in 0..=10_000;
    /// The malus for a man that stops the enemy king and leaves, in hundredths; half of it is a bonus for a man in the way of
    /// the own king.
    order_line = 60 in 0..=10_000;
    /// The malus for a move to a cell on which the enemy could capture the man, and the bonus for leaving such a cell, in
    /// hundredths.
    order_exposed = 80 in 0..=10_000;
    /// The score of a move that threatens to capture, in hundredths.
    order_threat = 30 in 0..=10_000;

    /// The extension of positions in which a king's escape must be stopped, in plies.
    evasion_extension alias answer_extension = 1 in 0..=2;

    /// Whether quiescence probes and fills the transposition table: 1 or 0.
    qsearch_tt alias quiet_table = 1 in 0..=1;
    /// The number of plies of quiescence in which a side that must stop a king's escape may not
    /// stand pat.
    qsearch_evasions alias quiet_answers = 4 in 0..=100;
    /// The number of plies of quiescence that try threats of a king to escape.
    qsearch_escapes alias quiet_runs = 1 in 0..=100;
    /// The loss assumed if no move of quiescence stops a king's escape, in hundredths. It is not a
    /// proven loss, because quiescence does not search all moves.
    qsearch_escape_loss alias lost_to_run = 3000 in 0..=30_000;
    /// Delta pruning: the gain assumed for each captured man in quiescence, in hundredths.
    qsearch_margin alias quiet_margin = 350 in 0..=30_000;
    /// The maximum number of plies of quiescence; 0: the horizon is evaluated statically.
    qsearch_depth alias quiet_depth = 12 in 0..=100;
}

/// The maximum absolute value of a history entry: below 2^15, so that histories never move a rank across the base
/// ranks of other classes.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

/// The number of nodes between checks of the clock and the stop flag.
pub(super) const CHECK_EVERY: u64 = 1024;

impl Params {
    /// Returns a hash of the parameters.
    pub fn hash(&self) -> u64 {
        fnv1a(self.to_string().as_bytes())
    }

    /// Returns the parameters that differ from their defaults, as text; empty if all have their
    /// defaults.
    pub fn differences(&self) -> String {
        let changed =
            Params::ALL.iter().zip(self.values()).filter(|((_, default, ..), value)| default != value);
        let words: Vec<String> = changed.map(|((name, ..), value)| format!("{name}={value}")).collect();
        words.join(",")
    }
}

/// Writes every parameter, as `name=value,...`.
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
            let name = renamed(name).unwrap_or(name);
            let (_, _, min, max) =
                Params::ALL.iter().find(|(known, ..)| *known == name).ok_or_else(unknown)?;
            if !(*min..=*max).contains(&value) {
                let name = name.to_owned();
                return Err(SettingError::OutOfRange { name, value, min: *min, max: *max });
            }
            *params.value_mut(name).ok_or_else(unknown)? = value;
            Ok(())
        })?;
        Ok(params)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let params = Params { aspiration_window: 77, lmr_base: -20, ..Params::default() };
        assert_eq!(params.to_string().parse(), Ok(params));
        assert_eq!(params.differences(), "aspiration_window=77,lmr_base=-20");
        assert_eq!(params.differences().parse(), Ok(params));
        assert_eq!("".parse(), Ok(Params::default()));
        assert_ne!(params.hash(), Params::default().hash());
    }

    #[test]
    fn spellings_of_version_0_1_0_are_accepted() {
        let params: Params = "window=77, late_first=12, quiet_runs=2".parse().unwrap();
        assert_eq!(params.differences(), "aspiration_window=77,lmp_first=12,qsearch_escapes=2");
        // Techniques that were off by default have been removed together with their parameters.
        let error = "razor_depth=2".parse::<Params>().unwrap_err();
        assert_eq!(error, SettingError::UnknownName("razor_depth".into()));
    }

    #[test]
    fn defaults_are_in_range() {
        assert!(Params::ALL.iter().all(|(_, default, least, most)| (least..=most).contains(&default)));
    }

    #[test]
    fn invalid_text_is_rejected() {
        let error = |text: &str| text.parse::<Params>().unwrap_err();
        assert_eq!(error("history"), SettingError::NoValue("history".into()));
        assert_eq!(error("wisdom=3"), SettingError::UnknownName("wisdom".into()));
        let not = SettingError::NotANumber { name: "history".into(), value: "x".into() };
        assert_eq!(error("killers=1, history=x"), not);
        let outside = SettingError::OutOfRange { name: "killers".into(), value: 2, min: 0, max: 1 };
        assert_eq!(error("killers=2"), outside);
    }
}
