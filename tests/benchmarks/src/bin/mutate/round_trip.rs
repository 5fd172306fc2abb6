//! Executions that write random records and read them back, without naming the notation.

use std::collections::HashSet;

use tafl_parser::{
    DiagnosticKind, Format, LossFinding, Lost, PlayedMoves, ReadOptions, Record, Records, ReplayOptions,
    Replayer, Severity, WriteGame, write_record,
};
use tafl_rules::{Coord, Rng, Side};

use super::generator::Generator;
use super::run::Execution;

/// The number of records after which the replayer is replaced: it keeps the rules of every record that it replays.
const MAX_REPLAYS: u64 = 4096;

/// Executions that write random records and read them back.
pub(crate) struct RoundTrips {
    seed: u64,
    generator: Generator,
    replayer: Replayer,
    writable: Vec<Format>,
    n_replayed: u64,
    text: String,
    losses: HashSet<Lost>,
}

/// Returns the written text of an execution.
pub(crate) fn describe(seed: u64, number: u64) -> String {
    let mut trips = RoundTrips::new(seed);
    let (record, format) = trips.write(number);
    format!("{format}, losses {:?}:\n{}\n{record:#?}", trips.losses, trips.text)
}

impl RoundTrips {
    pub(crate) fn new(seed: u64) -> RoundTrips {
        RoundTrips {
            seed,
            generator: Generator::new(),
            replayer: Replayer::new(ReplayOptions::default()),
            writable: Format::ALL.into_iter().filter(|format| format.is_writable()).collect(),
            n_replayed: 0,
            text: String::new(),
            losses: HashSet::new(),
        }
    }

    /// Writes a random record in a random notation. The text is empty if the notation cannot express the game.
    fn write(&mut self, number: u64) -> (Record, Format) {
        let mut rng = Rng::stream(self.seed, number);
        let record = self.generator.record(&mut rng);
        let format = self.writable[rng.below(self.writable.len())];
        self.n_replayed += 1;
        if self.n_replayed.is_multiple_of(MAX_REPLAYS) {
            self.recover();
        }
        let replay = self.replayer.replay(&record);
        let rules = replay.rules.as_ref().map(|rules| rules.book.rules().to_string().into_boxed_str());
        let played = rules.and_then(|rules| PlayedMoves::new(&record, &replay, rules));
        self.text.clear();
        self.losses.clear();
        let losses =
            write_record(WriteGame { record: &record, played: played.as_ref() }, format, &mut self.text);
        for loss in losses.into_iter().flatten() {
            if let DiagnosticKind::Loss(loss) = loss.kind {
                self.losses.extend(lost(&loss));
            }
        }
        (record, format)
    }
}

/// Returns the part of a record that a loss is about.
fn lost(loss: &LossFinding) -> Option<Lost> {
    match loss {
        LossFinding::NotExpressible { what, .. }
        | LossFinding::Changed { what, .. }
        | LossFinding::NeedsRules { what, .. } => Some(*what),
        LossFinding::IllegalTail { .. } => Some(Lost::Captures),
        _ => None,
    }
}

impl Execution for RoundTrips {
    fn execute(&mut self, number: u64) -> &'static str {
        let (record, format) = self.write(number);
        if self.text.is_empty() {
            return "not expressible";
        }
        let again = read(&self.text, format);
        let comparison = Comparison { record: &record, again: &again, format, losses: &self.losses };
        comparison.check_headers();
        comparison.check_moves();
        comparison.check_result();
        // What was read has nothing that the notation loses.
        let mut text = String::new();
        let losses = write_record(WriteGame { record: &again, played: None }, format, &mut text);
        let losses = losses.unwrap_or_else(|error| panic!("{format}: {error}"));
        let losses =
            losses.iter().map(|loss| loss.message(&text)).filter(|message| !message.contains("needs"));
        let losses: Vec<String> = losses.collect();
        assert!(losses.is_empty(), "{format}: writing it again loses {losses:?}");
        assert!(read(&text, format) == again, "{format}: writing it again changes it:\n{text}");
        format.name()
    }

    fn input(&self) -> String {
        self.text.clone()
    }

    fn recover(&mut self) {
        self.replayer = Replayer::new(ReplayOptions::default());
    }
}

/// Reads the only record of a text, whose notation must be detected.
fn read(text: &str, format: Format) -> Record {
    let open = |options| Records::new("-", text.as_bytes(), options).expect("bytes in memory can be read");
    let mut records = open(ReadOptions::default());
    let found = records.format();
    if !is_recognizable(format, found) {
        records = open(ReadOptions { format: Some(format), ..ReadOptions::default() });
    } else {
        assert!(found == Some(format), "{format}: detected as {found:?}");
    }
    let mut read = Vec::new();
    while let Some(batch) = records.next_batch().expect("bytes in memory can be read") {
        assert!(batch.findings().is_empty(), "{format}: {:?}", batch.findings());
        read.extend(batch.parse().map(|(_, parsed)| parsed));
    }
    assert!(read.len() == 1, "{format}: {} records instead of one", read.len());
    let mut parsed = read.remove(0);
    let mut errors = parsed.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    if let Some(error) = errors.next() {
        panic!("{format}: {}", error.message(text));
    }
    parsed.value.forget_places();
    parsed.value
}

/// Returns false if a text of a notation has nothing that only this notation has: without a board, HEN is a list of moves,
/// and without moves, a game of Cyngesheall is one of OpenTafl.
fn is_recognizable(format: Format, found: Option<Format>) -> bool {
    match format {
        Format::Hen => found == Some(Format::Hen),
        Format::Cyngesheall => found != Some(Format::OpenTafl),
        _ => true,
    }
}

/// A record and what was read from its text; differences must be listed losses.
struct Comparison<'r> {
    record: &'r Record,
    again: &'r Record,
    format: Format,
    losses: &'r HashSet<Lost>,
}

impl Comparison<'_> {
    /// Returns whether none of the parts is lost, so that differences are errors.
    fn is_kept(&self, parts: &[Lost]) -> bool {
        !parts.iter().any(|part| self.losses.contains(part) || self.losses.contains(&Lost::Controls))
    }

    fn check_headers(&self) {
        let Comparison { record, again, format, .. } = *self;
        let text =
            |written: &Option<tafl_parser::Written>| written.as_ref().map(|written| written.text.clone());
        if self.is_kept(&[Lost::Tags]) {
            let tags = |record: &Record| {
                let mut tags: Vec<_> =
                    record.tags.iter().map(|tag| (tag.name.to_owned(), tag.value.to_owned())).collect();
                tags.sort();
                tags
            };
            assert!(
                tags(again) == tags(record),
                "{format}: tags {:?} instead of {:?}",
                tags(again),
                tags(record)
            );
        }
        // A notation of one variant implies it.
        let implies_variant = matches!(format, Format::Ftzm | Format::SkudPaiSho);
        if self.is_kept(&[Lost::Variant]) && record.variant.is_some() && !implies_variant {
            let (new, old) = (text(&again.variant), text(&record.variant));
            assert!(new == old, "{format}: variant {new:?} instead of {old:?}");
        }
        if self.is_kept(&[Lost::Rules]) && record.rules.is_some() {
            let (new, old) = (text(&again.rules), text(&record.rules));
            assert!(new == old, "{format}: rules {new:?} instead of {old:?}");
        }
        // A notation of positions has the last one in place of the moves.
        // The generator has no start but that of the variant, which the notation of Skud Pai Sho implies.
        if self.is_kept(&[Lost::Start, Lost::Moves, Lost::HexBoard, Lost::Pieces])
            && record.start.is_some()
            && format != Format::SkudPaiSho
        {
            let setup = |record: &Record| record.start.as_ref().map(|start| start.setup.to_string());
            assert!(
                setup(again) == setup(record),
                "{format}: start {:?} instead of {:?}",
                setup(again),
                setup(record)
            );
        }
        // The generator names no side but that of the rules, which a notation may omit.
        if self.is_kept(&[Lost::FirstMover, Lost::Moves]) && record.first_mover.is_some() {
            assert!(
                again.first_mover.is_none_or(|side| Some(side) == record.first_mover),
                "{format}: first mover {:?}",
                again.first_mover
            );
        }
    }

    fn check_moves(&self) {
        let Comparison { record, again, format, .. } = *self;
        if self.is_kept(&[Lost::Moves, Lost::Cells, Lost::MovesAfterEnding, Lost::TakenBack]) {
            let moves =
                |record: &Record| record.main().moves.iter().map(|mv| (mv.from, mv.to)).collect::<Vec<_>>();
            assert!(moves(again) == moves(record), "{format}: other moves");
            if self.is_kept(&[Lost::Captures]) && again.capture_style == record.capture_style {
                assert!(captures(again) == captures(record), "{format}: other captures");
            }
        }
        if self.is_kept(&[Lost::Variations, Lost::Moves]) {
            let (new, old) = (again.n_lines(), record.n_lines());
            assert!(new == old, "{format}: {new} lines of moves instead of {old}");
        }
        if self.is_kept(&[Lost::Comments, Lost::Variations, Lost::Moves]) {
            let comments = |record: &Record| {
                let comments = record.comments.iter().map(|comment| (comment.place, comment.text.to_owned()));
                comments.collect::<Vec<_>>()
            };
            let (new, old) = (comments(again), comments(record));
            assert!(new == old, "{format}: comments {new:?} instead of {old:?}");
        }
    }

    fn check_result(&self) {
        let Comparison { record, again, format, .. } = *self;
        if self.is_kept(&[Lost::Result]) {
            let verdict = |record: &Record| record.result.map(|result| result.verdict);
            let (new, old) = (verdict(again), verdict(record));
            assert!(new == old || old.is_none(), "{format}: result {new:?} instead of {old:?}");
        }
        if self.is_kept(&[Lost::Reason, Lost::Result]) {
            let reason = |record: &Record| record.result.and_then(|result| result.reason);
            let (new, old) = (reason(again), reason(record));
            assert!(new == old || old.is_none(), "{format}: reason {new:?} instead of {old:?}");
        }
        if self.is_kept(&[Lost::Ending]) {
            let ending =
                |record: &Record| record.ending.map(|ending| (ending.kind, ending.side, ending.after));
            let (new, mut old) = (ending(again), ending(record));
            // The result tells the side, too.
            if let (Some((_, None, _)), Some((_, side, _))) = (new, &mut old)
                && again.result.is_some_and(|result| result.verdict.winner() == side.map(Side::other))
            {
                *side = None;
            }
            assert!(new == old, "{format}: ending {new:?} instead of {old:?}");
        }
    }
}

/// Returns the captured cells of each move of the main line, in order of the cells.
fn captures(record: &Record) -> Vec<Vec<Coord>> {
    let cells = record.main().moves.iter().map(|mv| {
        let mut cells: Vec<Coord> = record.captures_of(mv).iter().map(|capture| capture.cell).collect();
        cells.sort_by_key(|cell| (cell.file, cell.rank));
        cells
    });
    cells.collect()
}
