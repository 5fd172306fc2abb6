//! The one loop over records: ordered, bounded, in parallel, with everything that can happen to an input.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tafl_parser::{Batch, FileFinding, Severity};

use super::{
    Finding, Input, InputFinding, ReadCounts, RecordAt, RecordEvent, RecordReader, RecordWorker, SkipReason,
    error_line, failure_line,
};
use crate::{Error, Job, Progress};

/// An item of a batch: its event, and whether it shows that the input has moves.
struct Item<T> {
    event: RecordEvent<T>,
    has_moves: bool,
}

impl RecordReader<'_> {
    /// Answers all records. `worker` creates what a thread needs; `take` gets the events one at a time, each with the number
    /// of its input.
    ///
    /// A worker that panics is replaced. If the settings require moves, the answers about a file of a folder are held back
    /// until one of its records has a move.
    ///
    /// # Errors
    ///
    /// Fails if the job is stopped or `take` fails. Nothing is read afterwards.
    pub fn process<W: RecordWorker, E: From<Error> + Send>(
        &self,
        job: &Job,
        worker: impl Fn() -> W + Sync,
        take: impl FnMut(usize, RecordEvent<W::Answer>) -> Result<(), E> + Send,
    ) -> Result<ReadCounts, E> {
        let mut delivery = Delivery {
            take,
            counts: ReadCounts::default(),
            input: None,
            is_counted: false,
            has_moves: false,
            held: Vec::new(),
        };
        self.each_batch(
            job,
            &worker,
            |current, nth, batch| self.answer_batch(job, current, &worker, nth, batch),
            |step| {
                delivery.turn_to(step.input)?;
                match step.answer {
                    Ok(items) => delivery.batch(items, self.waits(step.input))?,
                    Err(error) => delivery.end_unreadable(error)?,
                }
                let proportion = self.proportion();
                let done = delivery.counts.records;
                job.report(&Progress { done, unit: "games", proportion, detail: "" });
                Ok::<(), E>(())
            },
        )?;
        job.check()?;
        delivery.end_input()?;
        Ok(delivery.counts)
    }

    /// Returns whether an input has to show moves before anything of it is passed on.
    fn waits(&self, nth: usize) -> bool {
        self.settings.needs_moves && self.is_found(&self.inputs.list[nth])
    }

    fn answer_batch<W: RecordWorker>(
        &self,
        job: &Job,
        current: &mut W,
        worker: &impl Fn() -> W,
        nth: usize,
        batch: &Batch,
    ) -> Vec<Item<W::Answer>> {
        let input = &self.inputs.list[nth];
        if batch.findings().iter().any(|found| self.is_skipped_for(input, found.kind.code())) {
            let event = RecordEvent::Skipped(SkipReason::UnrecognizedFormat);
            return vec![Item { event, has_moves: true }];
        }
        current.enter(batch);
        let is_found = self.is_found(input);
        let mut items = Vec::with_capacity(batch.len() + batch.findings().len() + 1);
        for place in places(batch) {
            if job.is_over() {
                return items;
            }
            let at = match place {
                BatchItem::Finding(found) => {
                    let event = self.finding(input, batch, found);
                    items.push(Item { event, has_moves: batch.is_wrapped() });
                    continue;
                }
                BatchItem::Record(at) => RecordAt { batch, nth: at, input: nth, is_found },
            };
            let event = match catch_unwind(AssertUnwindSafe(|| current.record(at))) {
                Ok(answer) => RecordEvent::Record(answer),
                Err(_) => {
                    *current = worker();
                    current.enter(batch);
                    failed(at)
                }
            };
            let has_moves = matches!(event, RecordEvent::Failed(..)) || current.has_moves();
            items.push(Item { event, has_moves });
        }
        let end = current.end(batch).map(RecordEvent::Record);
        let awaited = batch.is_wrapped().then_some(RecordEvent::Awaited);
        items.extend(end.into_iter().chain(awaited).map(|event| Item { event, has_moves: false }));
        items
    }

    fn finding<T>(&self, input: &Input, batch: &Batch, found: &FileFinding) -> RecordEvent<T> {
        let is_record_line = batch.is_wrapped();
        // Of record lines, the batch has the name of the original, and the finding has the line of the stream.
        let file = if is_record_line { input.name() } else { batch.name().to_owned() };
        let finding = Finding::of_file(found);
        let error = (finding.level == Severity::Error).then(|| error_line(&file, batch, found));
        RecordEvent::Finding(Box::new(InputFinding { file, finding, error, is_record_line }))
    }
}

/// Passes events on in order, and holds back those of an input that has shown no move yet.
struct Delivery<T, F> {
    take: F,
    counts: ReadCounts,
    /// The number of the input that is read.
    input: Option<usize>,
    /// Whether it is among the files that were read.
    is_counted: bool,
    /// Whether it has shown a move, or need not.
    has_moves: bool,
    held: Vec<RecordEvent<T>>,
}

impl<T, E, F: FnMut(usize, RecordEvent<T>) -> Result<(), E>> Delivery<T, F> {
    fn turn_to(&mut self, input: usize) -> Result<(), E> {
        if self.input != Some(input) {
            self.end_input()?;
            (self.input, self.is_counted, self.has_moves) = (Some(input), false, false);
        }
        Ok(())
    }

    fn batch(&mut self, items: Vec<Item<T>>, waits: bool) -> Result<(), E> {
        let Some(input) = self.input else { return Ok(()) };
        let is_skipped = |item: &Item<T>| matches!(item.event, RecordEvent::Skipped(_));
        if !self.is_counted && !items.iter().any(is_skipped) {
            self.is_counted = true;
            self.counts.files += 1;
        }
        for item in items {
            self.has_moves |= !waits || item.has_moves;
            if !self.has_moves {
                self.held.push(item.event);
                continue;
            }
            for event in std::mem::take(&mut self.held) {
                self.deliver(input, event)?;
            }
            self.deliver(input, item.event)?;
        }
        Ok(())
    }

    /// Skips the input if none of its answers were passed on.
    fn end_input(&mut self) -> Result<(), E> {
        if self.held.is_empty() {
            Ok(())
        } else {
            self.drop_held(RecordEvent::Skipped(SkipReason::NoRecords))
        }
    }

    /// Ends an input that can't be read, or not to its end.
    fn end_unreadable(&mut self, error: io::Error) -> Result<(), E> {
        self.drop_held(RecordEvent::Unreadable(error))
    }

    /// Passes on the reason why the rest of an input is not answered. Of the events that were held back, only problems of the
    /// file are reported.
    fn drop_held(&mut self, reason: RecordEvent<T>) -> Result<(), E> {
        let held = std::mem::take(&mut self.held);
        let Some(input) = self.input else { return Ok(()) };
        self.deliver(input, reason)?;
        for event in held {
            if let RecordEvent::Finding(mut found) = event {
                found.error = None;
                self.deliver(input, RecordEvent::Finding(found))?;
            }
        }
        Ok(())
    }

    fn deliver(&mut self, input: usize, event: RecordEvent<T>) -> Result<(), E> {
        self.counts.add(&event);
        (self.take)(input, event)
    }
}

/// An item of a batch.
enum BatchItem<'b> {
    /// The record with this number.
    Record(usize),
    /// A finding in place of a record, or about the file.
    Finding(&'b FileFinding),
}

/// Returns everything in a batch, in the order of the stream.
fn places(batch: &Batch) -> Vec<BatchItem<'_>> {
    let findings = batch.findings().iter().map(|found| (found.base, BatchItem::Finding(found)));
    let records = batch.sources().enumerate().map(|(nth, source)| (source.base, BatchItem::Record(nth)));
    let mut places: Vec<(u64, BatchItem<'_>)> = findings.chain(records).collect();
    if !batch.is_wrapped() {
        places.sort_by_key(|(base, _)| *base);
    }
    places.into_iter().map(|(_, place)| place).collect()
}

fn failed<T>(at: RecordAt<'_>) -> RecordEvent<T> {
    let (name, line, ordinal) = match at.batch.sources().nth(at.nth) {
        Some(source) => (source.name, source.line, source.ordinal),
        None => (at.batch.name(), 1, 1),
    };
    RecordEvent::Failed(failure_line(name, line), at.order(ordinal))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::ReadSettings;
    use super::*;

    /// Answers with the number of moves; fails at records that contain `panic`.
    struct CountMoves(usize);

    impl RecordWorker for CountMoves {
        type Answer = usize;

        fn enter(&mut self, _: &Batch) {}

        fn record(&mut self, at: RecordAt<'_>) -> usize {
            let (source, parsed) = at.parse();
            assert!(!source.text.contains("panic"), "on purpose");
            self.0 = parsed.value.main().moves.len();
            self.0
        }

        fn has_moves(&self) -> bool {
            self.0 > 0
        }
    }

    fn events(reader: &RecordReader<'_>) -> (Vec<String>, ReadCounts) {
        let mut events = Vec::new();
        let counts = reader.process::<_, Error>(
            &Job::default(),
            || CountMoves(0),
            |input, event| {
                events.push(match event {
                    RecordEvent::Record(moves) => format!("{input}: {moves}"),
                    RecordEvent::Finding(found) => format!("{input}: {}", found.finding.name),
                    RecordEvent::Failed(line, _) => format!("{input}: failed at line {}", line.line),
                    RecordEvent::Skipped(reason) => format!("{input}: {reason:?}"),
                    RecordEvent::Unreadable(_) => format!("{input}: unreadable"),
                    RecordEvent::Awaited => format!("{input}: awaited"),
                });
                Ok(())
            },
        );
        (events, counts.unwrap())
    }

    #[test]
    fn a_worker_that_panics_costs_one_record() {
        let text = Cursor::new("d1-d3 d7-d5\n\nd1-d3 {panic}\n\nd1-d3 d7-d5 d2-c2\n");
        let settings =
            ReadSettings { format: Some(tafl_parser::Format::MoveList), ..ReadSettings::default() };
        let reader = RecordReader::new(&["-".into()], settings).with_stdin(Box::new(text));
        let (events, counts) = events(&reader);
        assert_eq!(events, ["0: 2", "0: failed at line 3", "0: 3"]);
        assert_eq!((counts.records, counts.failed, counts.files), (3, 1, 1));
    }

    #[test]
    fn files_of_a_folder_without_records_are_skipped() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in
            [("a.csv", "d1-d3 d7-d5\n"), ("b.bin", "\0\u{1}\u{2}\0\0"), ("c.csv", "# nothing\n")]
        {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let reader = RecordReader::new(&[folder.path().to_owned()], ReadSettings::default());
        let (events, counts) = events(&reader);
        assert_eq!(events[..2], ["0: 2", "1: UnrecognizedFormat"]);
        assert_eq!((counts.skipped, counts.records), (2, 1));
    }

    #[test]
    fn an_unreadable_file_is_not_also_skipped() {
        let mut events = Vec::new();
        let mut delivery = Delivery {
            take: |_, event: RecordEvent<usize>| {
                events.push(format!("{event:?}"));
                Ok::<(), Error>(())
            },
            counts: ReadCounts::default(),
            input: None,
            is_counted: false,
            has_moves: false,
            held: Vec::new(),
        };
        delivery.turn_to(0).unwrap();
        delivery.batch(vec![Item { event: RecordEvent::Record(0), has_moves: false }], true).unwrap();
        delivery.end_unreadable(io::Error::other("broken")).unwrap();
        delivery.turn_to(1).unwrap();
        delivery.end_input().unwrap();
        let counts = delivery.counts;
        assert_eq!((counts.unreadable, counts.skipped, counts.records), (1, 0, 0));
        assert!(matches!(&*events, [only] if only.contains("Unreadable")), "{events:?}");
    }

    #[test]
    fn a_canceled_job_ends_with_an_error() {
        let job = Job::default();
        job.cancel_token().cancel();
        let reader = RecordReader::new(&["-".into()], ReadSettings::default())
            .with_stdin(Box::new(Cursor::new("d1-d3 d7-d5\n")));
        let result = reader.process::<_, Error>(&job, || CountMoves(0), |_, _| Ok(()));
        assert_eq!(result.unwrap_err().kind, crate::ErrorKind::Canceled);
    }
}
