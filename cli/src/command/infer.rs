//! `tafl infer`: by which rules games were played.

mod json;
mod text;

use std::collections::HashMap;
use std::num::NonZeroUsize;

use tafl_parser::infer::{InferOptions, Inference, infer};
use tafl_parser::reader::Batch;
use tafl_parser::record::tag;
use tafl_parser::{Record, Severity};
use taflbase::escape::escape;
use taflbase::records::{ReadSettings, RecordAt, RecordEvent, RecordWorker};

use crate::args::records::InferArgs;
use crate::args::rules::TextFormat;
use crate::exit::Said;
use crate::variant::variant_named;
use crate::{Exit, Io, records};

/// A record, and what people call it.
struct Named {
    file: usize,
    /// The number of the record in its file, from 1.
    game: u64,
    id: Option<String>,
    record: Record,
}

/// The records that were read.
struct Games {
    files: Vec<String>,
    /// The numbers of files by their names.
    numbers: HashMap<String, usize>,
    list: Vec<Named>,
}

impl Games {
    /// Returns the number of a file that record lines name.
    fn file(&mut self, name: String) -> usize {
        let next = self.files.len();
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.files.push(name);
        }
        number
    }

    /// Returns `games.csv, game 12, id X` as a terminal may show it.
    fn name(&self, nth: usize) -> String {
        let named = &self.list[nth];
        let file = &self.files[named.file];
        escape(&match &named.id {
            Some(id) => format!("{file}, game {}, id {id}", named.game),
            None => format!("{file}, game {}", named.game),
        })
    }
}

/// Runs the command.
///
/// # Errors
///
/// Fails when the rules that were hinted at are not known, or the answer cannot be written.
pub(crate) fn run(args: &InferArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let hint = match &args.variant_hint {
        Some(text) => Some(variant_named(text, io).map_err(Said)?.rules),
        None => None,
    };
    let (games, is_incomplete) = read(args, io)?;
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let options =
        InferOptions { hint, threads: args.threads.unwrap_or_else(cores), ..InferOptions::default() };
    let records: Vec<&Record> = games.list.iter().map(|named| &named.record).collect();
    io.progress(&format!("{} games", records.len()));
    let found = infer(&records, &options);
    io.end_progress();
    match args.format {
        TextFormat::Text => io.print(&text::answer(&found, &games, args.limit))?,
        TextFormat::Json => io.print(&format!("{:#}\n", json::answer(&found, &games)))?,
    }
    Ok(if is_incomplete { Exit::Error } else { exit(&found) })
}

fn exit(found: &Inference) -> Exit {
    let is_explained = found.undecidable.is_empty()
        && !found.groups.is_empty()
        && found.groups.iter().all(|group| group.contradictions.is_empty());
    if is_explained { Exit::Ok } else { Exit::Findings }
}

/// A record, its number in its file, and the file that a record line names.
struct Read {
    original: Option<String>,
    game: u64,
    record: Record,
}

/// Reads records and keeps them.
struct Keeper;

impl RecordWorker for Keeper {
    type Answer = Read;

    fn enter(&mut self, _: &Batch) {}

    fn record(&mut self, at: RecordAt<'_>) -> Read {
        let (source, parsed) = at.parse();
        let original = at.batch.is_wrapped().then(|| at.batch.name().to_owned());
        Read { original, game: source.ordinal, record: parsed.value }
    }
}

/// Reads all records; returns also whether something could not be read.
fn read(args: &InferArgs, io: &mut Io<'_>) -> anyhow::Result<(Games, bool)> {
    let settings = ReadSettings { format: args.notation, threads: args.threads, ..ReadSettings::default() };
    let reader = records::open_with(&args.paths, settings, io);
    let files: Vec<String> = reader.inputs.list.iter().map(|input| input.name()).collect();
    let numbers = files.iter().cloned().zip(0..).collect();
    let mut games = Games { files, numbers, list: Vec::new() };
    let counts = reader.process(
        &io.job(),
        || Keeper,
        |nth, event| -> anyhow::Result<()> {
            match event {
                RecordEvent::Record(Read { original, game, record }) => {
                    let file = original.map_or(nth, |name| games.file(name));
                    let id = record.tag(tag::ID).map(str::to_owned);
                    games.list.push(Named { file, game, id, record });
                }
                RecordEvent::Finding(found) => {
                    let finding = &found.finding;
                    if finding.level == Severity::Error {
                        io.error(&format!(
                            "{}: {} ({}); `tafl validate` says more",
                            found.file, finding.name, finding.code
                        ));
                    }
                }
                event => records::show_event(&reader, nth, &event, io),
            }
            Ok(())
        },
    )?;
    let is_incomplete = records::read_exit(&reader, &counts) == Exit::Error || counts.file_errors > 0;
    Ok((games, is_incomplete))
}
