//! The one integration test binary of Taflbase.

mod differential;
mod other_archives;
mod peers;
mod perft;
mod properties;
mod random_games;
mod real_games;
mod reported_repetition;
mod rule_cases;
mod rule_pages;
