//! The records for an inference, and the answer about them by name.

use std::collections::HashMap;

use tafl_parser::{Batch, Contradiction, Record, RulesGroup, StartOrigin, VariantFit, tag};
use tafl_rules::Shape;

use super::answer::{
    ContradictingGame, ExplainedVariant, InferredGroup, InferredOption, RecordName, RuleChange, StartEvidence,
};
use crate::records::{Input, RecordAt, RecordReader, RecordWorker};

/// The records that were read, and their names.
pub(super) struct InferenceInput {
    files: Vec<String>,
    /// The numbers of files by their names.
    numbers: HashMap<String, usize>,
    /// The file, the number in it, and the name of each record.
    names: Vec<(usize, u64, Option<String>)>,
    pub(super) records: Vec<Record>,
}

impl InferenceInput {
    pub(super) fn of(reader: &RecordReader<'_>) -> InferenceInput {
        let files: Vec<String> = reader.inputs.list.iter().map(Input::name).collect();
        let numbers = files.iter().cloned().zip(0..).collect();
        InferenceInput { files, numbers, names: Vec::new(), records: Vec::new() }
    }

    pub(super) fn add(&mut self, input: usize, read: ReadRecord) {
        let file = read.original.map_or(input, |name| self.file(name));
        self.names.push((file, read.game, read.record.tag(tag::ID).map(str::to_owned)));
        self.records.push(read.record);
    }

    /// Returns the number of a file that record lines name.
    fn file(&mut self, name: String) -> usize {
        let next = self.files.len();
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.files.push(name);
        }
        number
    }

    pub(super) fn name(&self, nth: usize) -> RecordName {
        let (file, game, id) = &self.names[nth];
        RecordName { file: self.files[*file].clone(), game: *game, id: id.clone() }
    }

    pub(super) fn group(&self, group: RulesGroup) -> InferredGroup {
        let shape = group.rules.shape();
        InferredGroup {
            agreeing: group.n_agreeing,
            base: group.base,
            catalog: group.catalog.into_iter().map(|one| self.variant(one, shape)).collect(),
            changes: group.changes.into_iter().map(RuleChange::from).collect(),
            contradictions: group.contradictions.iter().map(|one| self.contradiction(one, shape)).collect(),
            first_mover: group.rules.first_mover.as_str(),
            options: group.options.into_iter().map(InferredOption::from).collect(),
            records: group.records.iter().map(|nth| self.name(*nth)).collect(),
            rules: group.rules.to_string(),
            shared: group.n_shared,
            start: match group.start {
                StartOrigin::Given => StartEvidence::Given,
                StartOrigin::Catalog => StartEvidence::Catalog,
                StartOrigin::Derived { seen, mirrored, unknown } => {
                    StartEvidence::Derived { mirrored, seen, unknown }
                }
            },
            shape,
        }
    }

    fn variant(&self, one: VariantFit, shape: Shape) -> ExplainedVariant {
        ExplainedVariant {
            agreeing: one.n_agreeing,
            contradicting: one.n_contradicting,
            first: one.first.map(|first| self.contradiction(&first, shape)),
            variants: one.variants,
        }
    }

    fn contradiction(&self, one: &Contradiction, shape: Shape) -> ContradictingGame {
        let RecordName { file, game, id } = self.name(one.record);
        let fault = &one.fault;
        let (message, rule) = (fault.describe(shape), fault.rule());
        ContradictingGame { fault: fault.name(), file, game, id, message, ply: one.ply, rule }
    }
}

/// A record, its number in its file, and the file that a record line names.
pub(super) struct ReadRecord {
    original: Option<String>,
    game: u64,
    record: Record,
}

/// Returns records as they are.
pub(super) struct KeepWorker;

impl RecordWorker for KeepWorker {
    type Answer = ReadRecord;

    fn enter(&mut self, _: &Batch) {}

    fn record(&mut self, at: RecordAt<'_>) -> ReadRecord {
        let (source, parsed) = at.parse();
        let original = at.batch.is_wrapped().then(|| at.batch.name().to_owned());
        ReadRecord { original, game: source.ordinal, record: parsed.value }
    }
}
