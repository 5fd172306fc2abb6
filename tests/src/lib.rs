//! Shared code of the tests: a second model of the rules, random rule sets and games, known faults, measurements of repair
//! and inference, and readers of test data.

pub mod check;
pub mod compare;
pub mod data;
pub mod fast;
pub mod faults;
pub mod fnv;
pub mod logged_games;
pub mod measure;
pub mod model;
pub mod naive;
pub mod naive_query;
pub mod oracle;
pub mod pages;
pub mod random;
pub mod random_game;
pub mod random_record;
pub mod round_trip;
pub mod targets;
pub mod variants;
