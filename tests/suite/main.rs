//! The one integration test binary of Taflbase.

mod any_input;
mod diagnostics;
mod differential;
mod facts;
mod inference;
mod keys;
mod notations_of_archives;
mod other_archives;
mod peers;
mod perft;
mod pins;
mod program;
mod properties;
mod queries;
mod query_page;
mod random_games;
mod real_games;
mod record_ends;
mod repair;
mod reported_repetition;
mod rule_cases;
mod rule_pages;
mod schemas;
mod seeds;
mod sites;
mod tidy;
