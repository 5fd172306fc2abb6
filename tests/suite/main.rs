//! The one integration test binary of Taflbase.

mod any_input;
mod diagnostics;
mod differential;
mod inference;
mod keys;
mod other_archives;
mod peers;
mod perft;
mod properties;
mod random_games;
mod real_games;
mod record_ends;
mod reported_repetition;
mod rule_cases;
mod rule_pages;
mod tidy;
