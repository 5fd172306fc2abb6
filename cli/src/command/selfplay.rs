//! `tafl selfplay`: plays games of the engine against itself.

use std::fs;

use anyhow::Context;
use tafl_parser::{Format, WriteGame, write_record};
use taflbase::App;
use taflbase::play::{GameSeries, SavedGame};

use crate::args::play::SelfplayArgs;
use crate::exit::Reported;
use crate::output::{Output, file_named, write_whole};
use crate::variant::require_rules;
use crate::{Exit, Io};

mod jobs;

/// The number of games after which the series is saved.
const SAVE_EVERY: usize = 16;

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or a file can't be read or written.
pub(crate) fn run(args: &SelfplayArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(path) = &args.jobs {
        return jobs::run(args, path, io);
    }
    require_rules(&args.request.rules, io).map_err(Reported)?;
    let (app, job) = (App::new().with_rules_files(), io.job());
    let prepared = args.request.clone().prepare(&app)?;
    let path = file_named(args.output.as_deref());
    let output = Output::begin(path)?;
    let settings = prepared.settings();
    let mut series: GameSeries<SavedGame> = match args.resume.as_deref().filter(|path| path.exists()) {
        Some(path) => {
            let name = path.display().to_string();
            let content = fs::read(path).with_context(|| name.clone())?;
            GameSeries::read(&name, &content, &settings)?
        }
        None => GameSeries::new(&settings),
    };
    let wanted = args.request.games.get();
    let played = prepared.play(&mut series, &job, |series| {
        let n_played = series.played.len();
        let is_due = n_played.is_multiple_of(SAVE_EVERY) || n_played as u64 == wanted;
        let Some(path) = args.resume.as_deref().filter(|_| is_due) else { return Ok(()) };
        write_whole(path, &series.to_bytes()).map_err(|error| {
            taflbase::Error::new(taflbase::ErrorKind::Io, format!("{}: {error}", path.display()))
        })
    });
    io.end_progress();
    played?;
    let mut text = String::new();
    for (number, game) in (0..).zip(series.first(wanted)) {
        let record = prepared.record(number, game);
        write_record(WriteGame { record: &record, played: None }, Format::Jsonl, &mut text)?;
    }
    match (output, path) {
        (Some(output), Some(path)) => {
            output.complete(text.as_bytes()).with_context(|| path.display().to_string())?
        }
        _ => io.print(&text)?,
    }
    Ok(Exit::Ok)
}
