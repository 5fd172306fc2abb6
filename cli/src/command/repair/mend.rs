//! A record, what is wrong with it, and what is done about it.

use tafl_parser::repair::{Diagnosis, Patch, PatchError, Standing, patch};
use tafl_parser::{Parsed, Record, Source};

use crate::args::repair::Apply;

/// What was done with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    /// It stays as it is.
    Nothing,
    /// It is written repaired.
    Repaired,
    /// It stays as it is, because its notation cannot say the repair.
    NotWritable(PatchError),
}

/// A record and what is done about it.
pub(super) struct Mended<'r> {
    pub(super) source: Source<'r>,
    pub(super) parsed: &'r Parsed<Record>,
    pub(super) diagnosis: &'r Diagnosis,
    pub(super) done: Done,
    /// The text that takes the record's place.
    pub(super) patch: Option<Patch>,
}

impl<'r> Mended<'r> {
    /// Decides what to do about a record.
    pub(super) fn new(
        source: Source<'r>,
        parsed: &'r Parsed<Record>,
        diagnosis: &'r Diagnosis,
        apply: Option<Apply>,
    ) -> Mended<'r> {
        let is_wanted = match (apply, diagnosis.standing) {
            (Some(_), Standing::Decided) | (Some(Apply::First), Standing::Ambiguous) => true,
            (Some(Apply::Sure) | None, Standing::Ambiguous)
            | (None, Standing::Decided)
            | (_, Standing::Sound | Standing::Explained(_) | Standing::Undecidable(_)) => false,
        };
        let first = diagnosis.repairs.first().filter(|_| is_wanted);
        let (done, patch) = match first.map(|repair| patch(&source, parsed, repair)) {
            None => (Done::Nothing, None),
            Some(Ok(patch)) => (Done::Repaired, Some(patch)),
            Some(Err(error)) => (Done::NotWritable(error), None),
        };
        Mended { source, parsed, diagnosis, done, patch }
    }

    /// Returns whether there is nothing to say about the record.
    pub(super) fn is_silent(&self) -> bool {
        matches!(self.diagnosis.standing, Standing::Sound | Standing::Explained(_))
    }
}
