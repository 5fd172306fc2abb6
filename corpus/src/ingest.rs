//! Import: records are prepared on many threads, and added one after another.

mod checked_record;
mod columns;
mod date;
mod prepare;
mod replayer;

#[cfg(feature = "store")]
mod buffer;
#[cfg(feature = "store")]
mod dedup;
#[cfg(feature = "store")]
mod run;
#[cfg(feature = "store")]
mod stored_games;
#[cfg(feature = "store")]
mod summary;
#[cfg(feature = "store")]
mod symmetry;

pub use checked_record::CheckedRecord;
pub use prepare::{GeneratedGame, PreparedGame, PreparedRecord, Preparer};
pub(crate) use prepare::{end_of_generated, first_capture};
#[cfg(feature = "store")]
pub use run::Ingest;
#[cfg(feature = "store")]
pub use summary::{AddOutcome, CopyPolicy, DuplicatePolicy, IngestOptions, IngestSummary, RejectedPlace};

#[cfg(feature = "store")]
pub(crate) use buffer::{SEGMENT_SIZE, SegmentBuffer};
#[cfg(feature = "store")]
pub(crate) use date::date_of;
#[cfg(feature = "store")]
pub(crate) use dedup::{CopyMatch, DedupIndex, DedupOutcome, note_hash};
#[cfg(feature = "store")]
pub(crate) use stored_games::{RowLocation, origin};
#[cfg(feature = "store")]
pub(crate) use symmetry::{composed_symmetry, rebased_copies, relative_symmetry};

pub(crate) use replayer::{GameReplayer, PlyReplay, RecordedPly, ReplayedGame};

#[cfg(all(test, feature = "store"))]
mod duplicate_tests;
#[cfg(all(test, feature = "store"))]
pub(crate) mod tests;
#[cfg(all(test, feature = "store"))]
mod thread_tests;
