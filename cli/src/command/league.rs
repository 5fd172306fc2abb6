//! `tafl league`: plays a league of several players, and rates them.

mod text;

use taflbase::play::SavedPair;
use taflbase::{App, json_pretty};

use crate::args::play::LeagueArgs;
use crate::args::rules::TextFormat;
use crate::output::Output;
use crate::saved_series::{
    SeriesFile, SeriesPart, check, read_or_begin, record_lines, show_faults, show_few_openings, show_notices,
};
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if a player or the rules are unknown, a file can't be read or written, or a program doesn't start.
pub(crate) fn run(args: &LeagueArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let request = &args.request;
    check(&request.players, &request.terms, &args.files, io)?;
    let (app, job) = (App::new().with_rules_files(), io.job());
    let prepared = request.clone().prepare(&app, &job, Some(io.take_stdin()))?;
    show_notices(prepared.notices(), io);
    if prepared.has_few_openings() {
        show_few_openings(prepared.n_rounds(), io);
    }
    let output = Output::begin(args.files.output.as_deref())?;
    let mut series = read_or_begin(args.files.resume.as_deref(), &prepared.settings())?;
    let n_pairs = prepared.n_pairs();
    let n_saved = series.played.len() as u64;
    let file = SeriesFile::new(args.files.resume.as_deref(), SeriesPart::Pair, n_saved, n_pairs, io);
    let played = prepared.play(&mut series, &job, |played| {
        show_faults(played.number, played.pair, played.players, io);
        file.save(played.series)
    });
    io.end_progress();
    played?;
    let pairs = series.first(n_pairs);
    if let Some(output) = output {
        output.complete(record_lines(prepared.records(pairs))?.as_bytes())?;
    }
    let answer = prepared.answer(pairs);
    match args.files.format {
        TextFormat::Json => io.print(&json_pretty(&answer))?,
        TextFormat::Text => io.print(&text::result(&answer))?,
    }
    let is_clean = !pairs.iter().any(SavedPair::has_fault);
    Ok(if is_clean { Exit::Ok } else { Exit::Findings })
}
