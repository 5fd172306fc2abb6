//! What the commands that play share: players, notes of games, records, files to go on from.

pub(crate) mod note;
pub(crate) mod record;
pub(crate) mod spec;
pub(crate) mod state;
pub(crate) mod summary;
