//! Executions that write records and read them back, without naming the notation.

use std::path::PathBuf;

use tafl_parser::{Format, ReadOptions, Record, Records};
use tafl_rules::Rng;
use tafl_tests::random_record::RandomRecords;
use tafl_tests::round_trip::{RoundTrip, RoundTrips, writable_formats};

use super::run::Execution;

/// The records that are written.
enum RecordSource<'r> {
    /// Random ones, which depend on a seed, each in a random notation.
    Random { seed: u64, generator: RandomRecords },
    /// Given ones, each in every notation.
    Given(&'r [Record]),
}

/// Executions that write records and read them back.
pub(crate) struct RoundTripRuns<'r> {
    source: RecordSource<'r>,
    trips: RoundTrips,
    writable: Vec<Format>,
}

impl RoundTripRuns<'_> {
    /// Returns executions with random records.
    pub(crate) fn random(seed: u64) -> RoundTripRuns<'static> {
        RoundTripRuns::of(RecordSource::Random { seed, generator: RandomRecords::new() })
    }

    fn of(source: RecordSource<'_>) -> RoundTripRuns<'_> {
        RoundTripRuns { source, trips: RoundTrips::default(), writable: writable_formats() }
    }

    /// Returns the record of an execution and its notation.
    fn record(&mut self, number: u64) -> (Record, Format) {
        match &mut self.source {
            RecordSource::Random { seed, generator } => {
                let mut rng = Rng::stream(*seed, number);
                let record = generator.record(&mut rng);
                (record, self.writable[rng.below(self.writable.len())])
            }
            RecordSource::Given(records) => {
                let n_formats = self.writable.len();
                (records[number as usize / n_formats].clone(), self.writable[number as usize % n_formats])
            }
        }
    }

    /// Returns the written text of an execution.
    pub(crate) fn describe(&mut self, number: u64) -> String {
        let (record, format) = self.record(number);
        self.trips.write(&record, format);
        format!("{format}, losses {:?}:\n{}\n{record:#?}", self.trips.losses(), self.trips.text())
    }
}

impl<'r> RoundTripRuns<'r> {
    /// Returns executions with given records; there are [`n_executions`] of them.
    pub(crate) fn given(records: &'r [Record]) -> RoundTripRuns<'r> {
        RoundTripRuns::of(RecordSource::Given(records))
    }
}

/// Returns the number of round trips of all records in all notations.
pub(crate) fn n_executions(records: &[Record]) -> u64 {
    (records.len() * writable_formats().len()) as u64
}

impl Execution for RoundTripRuns<'_> {
    fn execute(&mut self, number: u64) -> &'static str {
        let (record, format) = self.record(number);
        match self.trips.check(&record, format) {
            Ok(RoundTrip::Same) => format.name(),
            Ok(RoundTrip::NotExpressible) => "not expressible",
            Err(difference) => panic!("{difference}"),
        }
    }

    fn input(&self) -> String {
        self.trips.text().to_owned()
    }

    fn recover(&mut self) {
        self.trips.recover();
    }
}

/// Reads the records of files that validate, and returns the number of the others.
///
/// # Errors
///
/// Returns an error if a file cannot be read.
pub(crate) fn read_valid(paths: &[PathBuf]) -> Result<(Vec<Record>, u64), String> {
    let (mut valid, mut n_others) = (Vec::new(), 0);
    let mut trips = RoundTrips::default();
    for path in paths {
        let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let file = std::fs::File::open(path).map_err(|error| fail(&error))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let records = Records::new(&name, file, ReadOptions::default());
        // Archives also have descriptions.
        let Ok(mut records) = records else { continue };
        while let Some(batch) = records.next_batch().map_err(|error| fail(&error))? {
            for (_, parsed) in batch.parse() {
                let record = parsed.value;
                if trips.is_valid(&record) {
                    valid.push(record);
                } else {
                    n_others += 1;
                }
            }
        }
    }
    Ok((valid, n_others))
}
