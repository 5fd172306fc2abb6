//! Taking games in: records are prepared on many threads, and added one after another.

pub(crate) mod buffer;
mod course;
mod date;
mod duplicates;
mod fill;
mod prepare;
mod run;
mod stock;
mod summary;
mod turn;

pub use prepare::{Judged, MadeGame, Prepared, PreparedGame, Preparer};
pub use run::Ingest;
pub use summary::{Added, IngestOptions, IngestSummary, Keep};

pub(crate) use duplicates::{At, Relation, Stored, origin};
pub(crate) use stock::{Stock, day_of, note_number};
pub(crate) use turn::{carried, turn};

pub(crate) use course::{Coach, Course, CoursePly, Step};

#[cfg(test)]
pub(crate) mod tests;
