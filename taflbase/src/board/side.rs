//! A side as a parameter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_rules::Side;

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// The attackers
    Attackers,
    /// The defenders
    Defenders,
}

impl From<SideName> for Side {
    fn from(name: SideName) -> Side {
        match name {
            SideName::Attackers => Side::Attackers,
            SideName::Defenders => Side::Defenders,
        }
    }
}

impl From<Side> for SideName {
    fn from(side: Side) -> SideName {
        match side {
            Side::Attackers => SideName::Attackers,
            Side::Defenders => SideName::Defenders,
        }
    }
}
