//! Row lines: what a record was prepared to, as a line of JSON, so that records can be judged where they are and stored
//! somewhere else.
//!
//! ```json
//! {"taflbase_row":1,"bucket":-42,"order":[1,3],"key_version":1,"program":"0.1.0","game":{...},"start_key":7,"plies":{...}}
//! ```
//!
//! A line is a `game` with all columns of [`GAMES`](crate::schema::GAMES) and its `plies`, or a `rejected` record, or an
//! `error` in the place of a record that could not be had. The first three fields stand in this order, so that whoever
//! sorts lines need not read JSON. Copies that are stored in this order give the same corpus as one import of the inputs. `docs/corpus.md` has every field.

mod bucket;
mod game_object;
mod read;
mod schema;
mod write;

#[cfg(all(test, feature = "store"))]
mod tests;

use tafl_rules::KEY_VERSION;

pub use read::{RowError, RowReader};
pub use schema::row_schema;
pub use write::{write_error_row, write_row};

/// The version of row lines. This program reads this one only.
pub const ROW_LINE_VERSION: u32 = 1;

/// Returns the version of position keys that lines state.
const fn key_version() -> u32 {
    KEY_VERSION
}
