//! Reports made from figures: their sentences, tables, plots, and boards.
//!
//! Each function takes figures and returns a [`Report`](super::Report). None of them
//! computes figures.

mod accuracy;
mod balance;
mod boards;
mod compare;
mod design;
mod even_arrangements;
mod formatting;
mod funnel;
mod groups;
mod health;
mod lengths;
mod openings;
mod plan;
mod player;
mod players;
mod rejected;
mod rule_comparison;
mod section_keys;
mod sentences;
mod sheet;
mod sources;
mod standings;
mod variant;
mod variant_map;

pub use accuracy::accuracy_report;
pub use balance::balance_report;
pub use compare::compare_report;
pub use design::design_report;
pub use health::health_report;
pub use lengths::lengths_report;
pub use openings::openings_report;
pub use plan::plan_report;
pub use player::player_report;
pub use players::players_report;
pub use rule_comparison::rule_comparison_report;
pub use sheet::balance_sheet;
pub use standings::crosstable_report;
pub use variant::{DetailsByVariant, VariantDetails};
pub use variant_map::map_report;

#[cfg(test)]
mod tests;
