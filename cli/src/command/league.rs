//! `tafl league`: plays a league of several players, and rates them.

mod text;

use anyhow::Context;
use tafl_rules::Side;
use taflbase::App;
use taflbase::play::{PlayedLeaguePair, PlayerSpec, SavedPair};

use crate::args::play::LeagueArgs;
use crate::args::rules::TextFormat;
use crate::exit::Reported;
use crate::number::counted;
use crate::output::{Output, json_pretty};
use crate::saved_series::{read_or_begin, record_lines, save, show_fault};
use crate::target::protect_inputs;
use crate::variant::variant_named;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if a player or the rules are unknown, a file can't be read or written, or a program doesn't start.
pub(crate) fn run(args: &LeagueArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let request = &args.request;
    protect_inputs(&[args.files.output.as_deref(), args.files.resume.as_deref()], &request.terms.openings)?;
    for name in &request.players {
        PlayerSpec::read(name)?;
    }
    for name in request.terms.variants() {
        variant_named(name, io).map_err(Reported)?;
    }
    let (app, job) = (App::new().with_rules_files(), io.job());
    let prepared = request.clone().prepare(&app, &job, Some(io.take_stdin()))?;
    if prepared.n_skipped() > 0 {
        let games = counted(prepared.n_skipped() as u64, "game", "games");
        io.notice(&format!("skipped {games} of --openings on other boards"));
    }
    let output = Output::begin(args.files.output.as_deref())?;
    let mut series = read_or_begin(args.files.resume.as_deref(), &prepared.settings())?;
    let n_pairs = prepared.n_pairs();
    let played = prepared.play(&mut series, &job, |played| {
        show_faults(&played, io);
        io.progress(&format!("pair {} of {n_pairs}", played.number + 1));
        save(args.files.resume.as_deref(), played.series)
    });
    io.end_progress();
    played?;
    let pairs = series.first(n_pairs);
    if let (Some(output), Some(path)) = (output, &args.files.output) {
        let text = record_lines(prepared.records(pairs))?;
        output.complete(text.as_bytes()).with_context(|| path.display().to_string())?;
    }
    let answer = prepared.answer(pairs);
    match args.files.format {
        TextFormat::Json => io.print(&json_pretty(&answer))?,
        TextFormat::Text => io.print(&text::result(&answer))?,
    }
    let is_clean = !pairs.iter().any(SavedPair::has_fault);
    Ok(if is_clean { Exit::Ok } else { Exit::Findings })
}

/// Shows the faults of a pair.
fn show_faults(played: &PlayedLeaguePair<'_>, io: &mut Io<'_>) {
    for (game, side) in played.pair.games.iter().zip(Side::ALL) {
        let Some(fault) = &game.fault else { continue };
        let loser = &played.players[usize::from(fault.side != side.as_str())].text;
        show_fault(played.number, loser, fault, io);
    }
}
