//! Executions that read mutated inputs.

use tafl_parser::{
    Batch, Format, Parsed, PlayedMoves, ReadOptions, Record, Records, ReplayOptions, Replayer, Source,
    WriteGame, write_record,
};
use tafl_rules::Rng;
use tafl_tests::round_trip::writable_formats;

use super::input::SeedInputs;
use super::mutator::Mutator;
use super::run::Execution;

/// One of this number of executions also replays, writes, and reads back.
const THOROUGH: u64 = 16;
/// The number of inputs after which the replayer is replaced: it keeps the rules of every record that it replays.
const MAX_REPLAYS: u64 = 4096;

/// Executions that read mutated inputs.
pub(crate) struct Readings<'s> {
    seeds: &'s SeedInputs,
    seed: u64,
    mutator: Mutator,
    writing: Writing,
}

impl<'s> Readings<'s> {
    pub(crate) fn new(seeds: &'s SeedInputs, seed: u64) -> Readings<'s> {
        Readings { seeds, seed, mutator: Mutator::default(), writing: Writing::new() }
    }
}

/// Replays records and writes them.
struct Writing {
    replayer: Replayer,
    n_replayed: u64,
    written: String,
    writable: Vec<Format>,
}

impl Writing {
    fn new() -> Writing {
        Writing {
            replayer: Replayer::new(ReplayOptions::default()),
            n_replayed: 0,
            written: String::new(),
            writable: writable_formats(),
        }
    }

    /// Replays a record of a text, writes it in a random notation, and reads the result.
    fn rewrite(&mut self, text: &str, record: &Record, rng: &mut Rng) {
        self.n_replayed += 1;
        if self.n_replayed.is_multiple_of(MAX_REPLAYS) {
            self.replayer = Replayer::new(ReplayOptions::default());
        }
        let replay = self.replayer.replay(record);
        for found in &replay.diagnostics {
            assert!(!found.message(text).is_empty());
        }
        let rules = replay.rules.as_ref().map(|rules| rules.book.rules().to_string().into_boxed_str());
        let played = rules.and_then(|rules| PlayedMoves::new(record, &replay, rules));
        let format = self.writable[rng.below(self.writable.len())];
        self.written.clear();
        let game = WriteGame { record, played: played.as_ref().filter(|_| rng.below(4) > 0) };
        if write_record(game, format, &mut self.written).is_ok() {
            check(&Source::new(&self.written), &format.parse(&Source::new(&self.written)));
        }
    }
}

impl Execution for Readings<'_> {
    fn execute(&mut self, number: u64) -> &'static str {
        let mut rng = Rng::stream(self.seed, number);
        let likely = self.mutator.mutate(self.seeds, &mut rng);
        // A quarter is detected, a quarter has the notation of the file, and the others have any notation.
        let format = match rng.below(4) {
            0 => None,
            1 => likely,
            _ => rng.pick(&Format::ALL).copied(),
        };
        let options = ReadOptions { format, ..ReadOptions::default() };
        let mut records = open(self.mutator.text(), options);
        let name = records.format().map_or("unrecognized", Format::name);
        let is_thorough = number.is_multiple_of(THOROUGH);
        let mut texts = Vec::new();
        while let Some(batch) = next(&mut records) {
            for (source, parsed) in batch.parse() {
                check(&source, &parsed);
                if is_thorough {
                    messages(&source, &parsed);
                    texts.push(source.text.to_owned());
                }
            }
            if is_thorough && !batch.is_empty() {
                let (source, parsed) = batch.parse_one(rng.below(batch.len()));
                self.writing.rewrite(source.text, &parsed.value, &mut rng);
            }
        }
        if is_thorough {
            let batch = 1 + rng.below(40);
            let mut records = open(self.mutator.text(), ReadOptions { batch, ..options });
            let mut again = Vec::new();
            while let Some(batch) = next(&mut records) {
                again.extend(batch.sources().map(|source| source.text.to_owned()));
            }
            assert!(again == texts, "batches of {batch} bytes have other records: {again:?} and {texts:?}");
        }
        name
    }

    fn input(&self) -> String {
        self.mutator.text().escape_ascii().to_string()
    }

    fn recover(&mut self) {
        self.writing = Writing::new();
    }
}

fn open(text: &[u8], options: ReadOptions) -> Records<'_> {
    Records::new("-", text, options).expect("bytes in memory can be read")
}

fn next(records: &mut Records<'_>) -> Option<Batch> {
    records.next_batch().expect("bytes in memory can be read")
}

/// Checks that every finding is about a part of the text, and every move too.
fn check(source: &Source<'_>, parsed: &Parsed<Record>) {
    let is_part = |start: u32, end: u32| source.text.get(start as usize..end as usize).is_some();
    for found in &parsed.diagnostics {
        assert!(is_part(found.span.start, found.span.end), "{found:?} is about no part of the text");
    }
    for mv in parsed.value.lines().flat_map(|line| line.moves) {
        assert!(is_part(mv.span.start, mv.span.end), "{mv:?} is not a part of the text");
    }
}

/// Checks the messages of all findings.
fn messages(source: &Source<'_>, parsed: &Parsed<Record>) {
    for found in &parsed.diagnostics {
        assert!(!found.message(source.text).is_empty());
    }
}
