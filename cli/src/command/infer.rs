//! `tafl infer`: by which rules games were played.

mod json;
mod text;

use std::collections::HashMap;
use std::num::NonZeroUsize;

use tafl_parser::Record;
use tafl_parser::infer::{InferOptions, Inference, infer};
use tafl_parser::reader::Batch;
use tafl_parser::record::tag;

use crate::args::records::{InferArgs, InputArgs};
use crate::args::rules::{TextFormat, VariantArgs};
use crate::exit::Said;
use crate::pipeline::Plan;
use crate::variant::variant_named;
use crate::{Exit, Io};
use taflbase::escape::escape;

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

/// Reads all records; returns also whether something could not be read.
fn read(args: &InferArgs, io: &mut Io<'_>) -> anyhow::Result<(Games, bool)> {
    let input = InputArgs {
        paths: args.paths.clone(),
        notation: args.notation,
        variant: VariantArgs { variant: None, rules: None },
        threads: args.threads,
        record_lines: false,
    };
    let plan = Plan::new(&input, io);
    let files: Vec<String> = plan.inputs.list.iter().map(|input| input.name()).collect();
    let numbers = files.iter().cloned().zip(0..).collect();
    let mut games = Games { files, numbers, list: Vec::new() };
    let mut is_incomplete = plan.inputs.is_incomplete;
    let parse = |(): &mut (), _: &_, batch: &Batch| {
        let codes: Vec<_> = batch.findings().iter().map(|found| found.kind.code()).collect();
        let records: Vec<(u64, Record)> =
            batch.parse().map(|(source, parsed)| (source.ordinal, parsed.value)).collect();
        (codes, batch.is_wrapped().then(|| batch.name().to_owned()), records)
    };
    plan.read(
        io,
        || (),
        parse,
        |io, step| {
            let input = &plan.inputs.list[step.input];
            match step.answer {
                Err(error) => {
                    is_incomplete = true;
                    io.error(&format!("{}: {error}", input.name()));
                }
                Ok((codes, original, records)) => {
                    let file = match original {
                        Some(name) => games.file(name),
                        None => step.input,
                    };
                    if let Some(code) =
                        codes.iter().find(|code| code.severity() == tafl_parser::Severity::Error)
                    {
                        let name = escape(&input.name());
                        if input.is_passed_over(*code) {
                            io.notice(&format!("passed over {name}: it holds no known notation"));
                        } else {
                            is_incomplete = true;
                            io.error(&format!("{name}: {} ({code}); `tafl validate` says more", code.name()));
                        }
                    }
                    games.list.extend(records.into_iter().map(|(game, record)| Named {
                        file,
                        game,
                        id: record.tag(tag::ID).map(str::to_owned),
                        record,
                    }));
                }
            }
            Ok(())
        },
    )?;
    Ok((games, is_incomplete))
}
