//! `tafl match`: plays a match between two players.

#[path = "match/text.rs"]
mod text;

pub(super) use text::counts;

use anyhow::Context;
use tafl_rules::Side;
use taflbase::App;
use taflbase::play::{PlayedPair, PlayerSpec, SavedPair};

use crate::args::play::MatchArgs;
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
pub(crate) fn run(args: &MatchArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let request = &args.request;
    protect_inputs(&[args.files.output.as_deref(), args.files.resume.as_deref()], &request.terms.openings)?;
    for name in [&request.first, &request.second] {
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
    let played = prepared.play(&mut series, &job, |played| {
        show(&played, prepared.players(), io);
        save(args.files.resume.as_deref(), played.series)
    });
    io.end_progress();
    played?;
    let pairs = series.first(request.pairs.get());
    if let (Some(output), Some(path)) = (output, &args.files.output) {
        let text = record_lines(prepared.records(pairs))?;
        output.complete(text.as_bytes()).with_context(|| path.display().to_string())?;
    }
    match args.files.format {
        TextFormat::Json => io.print(&json_pretty(&prepared.answer(pairs)))?,
        TextFormat::Text => io.print(&text::result(&prepared, pairs))?,
    }
    let is_clean = !pairs.iter().any(SavedPair::has_fault);
    Ok(if is_clean { Exit::Ok } else { Exit::Findings })
}

/// Shows the faults of a pair, and the result so far.
fn show(played: &PlayedPair<'_>, players: [&PlayerSpec; 2], io: &mut Io<'_>) {
    for (game, side) in played.pair.games.iter().zip(Side::ALL) {
        let Some(fault) = &game.fault else { continue };
        let loser = usize::from(fault.side != side.as_str());
        show_fault(played.number, &players[loser].text, fault, io);
    }
    let games = text::counts(played.tally.games());
    io.progress(&format!("pair {}: {games}", played.number + 1));
}
