//! `tafl selfplay`: plays games of the engine against itself.

use taflbase::App;

use crate::args::play::SelfplayArgs;
use crate::exit::Reported;
use crate::output::{Output, file_named};
use crate::saved_series::{SeriesFile, SeriesPart, read_or_begin, record_lines};
use crate::target::keep_apart;
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
    keep_apart(&[("--resume", args.resume.as_deref()), ("-o", file_named(args.output.as_deref()))])?;
    require_rules(&args.request.rules, io).map_err(Reported)?;
    let (app, job) = (App::new().with_rules_files(), io.job());
    let prepared = args.request.clone().prepare(&app)?;
    let output = Output::begin(file_named(args.output.as_deref()))?;
    let mut series = read_or_begin(args.resume.as_deref(), &prepared.settings())?;
    let wanted = args.request.games.get();
    let n_saved = series.played.len() as u64;
    let file = SeriesFile::new(args.resume.as_deref(), SeriesPart::Game, n_saved, wanted, io);
    let played = prepared.play(&mut series, &job, |series| {
        let n_played = series.played.len();
        let is_due = n_played.is_multiple_of(SAVE_EVERY) || n_played as u64 == wanted;
        if is_due { file.save(series) } else { Ok(()) }
    });
    io.end_progress();
    played?;
    let games = (0..).zip(series.first(wanted));
    let text = record_lines(games.map(|(number, game)| prepared.record(number, game)))?;
    match output {
        Some(output) => output.complete(text.as_bytes())?,
        None => io.print(&text)?,
    }
    Ok(Exit::Ok)
}
