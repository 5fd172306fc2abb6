//! What all games between players have in common: rules, openings, and limits.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::board::is_rules_string;
use crate::engine::MoveLimits;
use crate::{Bounded, Seconds, Threads};

/// The rules, openings, and limits of a match or a league.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct PairTerms {
    /// Play by the rules of these variants in turn: names, rules strings, or files
    #[cfg_attr(feature = "clap", arg(long, alias = "rules", value_name = "VARIANT,...", required = true))]
    #[serde(alias = "rules")]
    pub variant: Vec<String>,
    /// Change one rule of every variant, such as sw=w; may be repeated
    #[cfg_attr(feature = "clap", arg(long, value_name = "KEY=VALUE"))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rule: Vec<String>,
    /// The number of opening plies of each pair: random ones, or those of the games of --openings; not for balanced
    /// openings, which have their own lengths [default: 4]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_plies: Option<Bounded<0, 100, 4>>,
    /// Use the openings of these files, shuffled by --seed: games, or balanced openings of
    /// `tafl openings`; `balanced` names the built-in ones. Variants without balanced openings use the games
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILES", num_args = 1..))]
    pub openings: Vec<PathBuf>,
    /// The limits of the players' searches.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: MoveLimits,
    /// Stop a game after N plies, as unfinished
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub plies: Bounded<1, 100_000, 400>,
    /// The seed of all random numbers
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub seed: Bounded<0, { u64::MAX }, 1>,
    /// The number of threads, each of which plays its own games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
    /// What to do after a crash, a timeout, or an illegal move of a player
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT", default_value_t, value_enum))]
    pub on_fault: OnFault,
    /// The time by which a program may exceed its time limit
    #[cfg_attr(feature = "clap", arg(long, value_name = "SECONDS", default_value_t))]
    pub grace: Seconds<0, 10_000_000_000>,
}

/// What to do after a crash, a timeout, or an illegal move of a player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum OnFault {
    /// It loses the game, and the others are played
    #[default]
    GoOn,
    /// It loses the game, and no other is played
    Stop,
}

impl PairTerms {
    /// Returns the variants. A list is separated by commas, which rules strings have inside.
    pub fn variants(&self) -> Vec<&str> {
        let parts = |text: &'_ str| if is_rules_string(text) { 1 } else { usize::MAX };
        self.variant.iter().flat_map(|text| text.splitn(parts(text), ',')).collect()
    }
}
