//! Taking games in: records are prepared on many threads, and added one after another.

mod date;
mod fill;
mod prepare;
mod replayer;

#[cfg(feature = "store")]
pub(crate) mod buffer;
#[cfg(feature = "store")]
mod dedup;
#[cfg(feature = "store")]
mod duplicates;
#[cfg(feature = "store")]
mod run;
#[cfg(feature = "store")]
mod summary;
#[cfg(feature = "store")]
mod turn;

pub use crate::checked_record::CheckedRecord;
pub(crate) use prepare::first_capture;
pub use prepare::{MadeGame, Prepared, PreparedGame, Preparer};
#[cfg(feature = "store")]
pub use run::Ingest;
#[cfg(feature = "store")]
pub use summary::{Added, IngestOptions, IngestSummary, Keep};

#[cfg(feature = "store")]
pub(crate) use date::day_of;
#[cfg(feature = "store")]
pub(crate) use dedup::{DedupIndex, Match, note_number};
#[cfg(feature = "store")]
pub(crate) use duplicates::{At, origin};
#[cfg(feature = "store")]
pub(crate) use turn::{carried, turn};

pub(crate) use replayer::{GameReplayer, ReplayedGame, ReplayedPly, Step};

#[cfg(all(test, feature = "store"))]
pub(crate) mod tests;
