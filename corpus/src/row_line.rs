//! Row lines: prepared records as lines of JSON, so that records can be replayed on one machine and stored
//! on another one.
//!
//! ```json
//! {"taflbase_row":2,"bucket":"ffffffffffffffd6","order":[1,3],"key_version":1,"program":"0.2.0","game":{...},"start_key":"0000000000000007","plies":{...}}
//! ```
//!
//! A line is a `game` with all columns of [`GAMES`](crate::schema::GAMES) and its `plies`, or a `rejected` record, or
//! an `error` for a record that could not be read. The first three fields are in this order, so that programs that
//! sort lines need not parse JSON. Lines that are stored in this order give the same corpus as one import of the
//! inputs. `docs/corpus.md` lists every field.

mod bucket;
mod game_object;
mod hex;
mod read;
mod schema;
mod write;

#[cfg(all(test, feature = "store"))]
mod tests;

pub use read::{RowError, RowReader};
pub use schema::row_schema;
pub use write::{write_error_row, write_row};

/// The version of row lines. This program reads only this version.
pub const ROW_LINE_VERSION: u32 = 2;
