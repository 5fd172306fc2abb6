//! Games of files, for commands that want what was played and not what was written.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use tafl_parser::reader::Batch;
use taflbase::records::{
    ReadSettings, RecordAt, RecordEvent, RecordWorker, ReplayConfig, ReplayWorker, ReplayedRecord,
};

use crate::{Exit, Io, records};

/// Returns what `keep` makes of the games of files, and how reading went.
///
/// # Errors
///
/// Fails when nothing can be written.
pub(crate) fn read<T: Send>(
    paths: &[PathBuf],
    keep: &(dyn Fn(&ReplayedRecord) -> Option<T> + Sync),
    io: &mut Io<'_>,
) -> anyhow::Result<(Vec<T>, Exit)> {
    let settings = ReadSettings { threads: Some(NonZeroUsize::MIN), ..ReadSettings::default() };
    let reader = records::open_with(paths, settings, io);
    let config = Arc::new(ReplayConfig::default());
    let mut games = Vec::new();
    let worker = || Keeper { replay: ReplayWorker::new(&config), keep };
    let counts = reader.process(&io.job(), worker, |nth, event| -> anyhow::Result<()> {
        match event {
            RecordEvent::Record(found) => games.extend(found),
            RecordEvent::Unreadable(_) => records::show_event(&reader, nth, &event, io),
            _ => {}
        }
        Ok(())
    })?;
    io.end_progress();
    Ok((games, records::read_exit(&reader, &counts)))
}

/// Replays games and keeps what is wanted of them.
struct Keeper<'k, T> {
    replay: ReplayWorker,
    keep: &'k (dyn Fn(&ReplayedRecord) -> Option<T> + Sync),
}

impl<T: Send> RecordWorker for Keeper<'_, T> {
    type Answer = Option<T>;

    fn enter(&mut self, batch: &Batch) {
        self.replay.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> Option<T> {
        (self.keep)(&self.replay.replay(at.parse().1))
    }
}
