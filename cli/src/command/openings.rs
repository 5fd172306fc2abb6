//! `tafl openings`: finds balanced openings.

use std::fmt::Write as _;
use std::fs;

use anyhow::Context as _;
use tafl_reports::percent_text;
use taflbase::App;
use taflbase::analyzer::{OpeningSet, OpeningSets};

use crate::args::play::{FindOpeningsArgs, OpeningsArgs, OpeningsCommand};
use crate::exit::Reported;
use crate::output::{Output, write_whole};
use crate::variant::require_rules;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or a file can't be read or written.
pub(crate) fn run(args: &OpeningsArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let OpeningsCommand::Find(args) = &args.command;
    find(args, io)
}

fn find(args: &FindOpeningsArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    require_rules(&args.request.rules, io).map_err(Reported)?;
    let (app, job) = (App::new().with_rules_files(), io.job());
    let mut prepared = args.request.clone().prepare(&app)?;
    let output = Output::begin(args.output.as_deref())?;
    if let Some(path) = args.resume.as_deref().filter(|path| path.exists()) {
        let name = path.display().to_string();
        let content = fs::read_to_string(path).with_context(|| name.clone())?;
        prepared.resume(&name, &content)?;
    }
    let result = prepared.run(&job, |set| {
        let Some(path) = &args.resume else { return Ok(()) };
        write_whole(path, file(set).as_bytes()).map_err(|error| {
            taflbase::Error::new(taflbase::ErrorKind::Io, format!("{}: {error}", path.display()))
        })
    });
    io.end_progress();
    result?;
    let set = prepared.set();
    if let Some(output) = output {
        output.complete(file(&set).as_bytes())?;
    }
    io.print(&text(&set))?;
    Ok(if set.openings.is_empty() { Exit::Findings } else { Exit::Ok })
}

/// Returns the content of a file with one set.
fn file(set: &OpeningSet) -> String {
    OpeningSets { sets: vec![set.clone()] }.to_string()
}

fn text(set: &OpeningSet) -> String {
    let progress = &set.progress;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "openings      {} found in {} rounds ({} candidates, {} tested)",
        set.openings.len(),
        progress.rounds,
        progress.candidates,
        progress.tested
    );
    if let Some(share) = progress.trials.share() {
        let games = progress.trials.games;
        let _ =
            writeln!(out, "tests         the attackers score {} % in {games} games", percent_text(share, 0));
    }
    let series = set.series();
    if let (Some(share), Some(error)) = (series.share(), series.standard_error()) {
        let _ = writeln!(
            out,
            "second series the attackers score {} % in {} games, {} without a winner (standard error {:.1} %)",
            percent_text(share, 1),
            series.games,
            series.undecided,
            100.0 * error
        );
        let (attackers, defenders) = set.openings.iter().fold((0, 0), |(attackers, defenders), one| {
            (attackers + one.random.attackers, defenders + one.random.defenders)
        });
        let all = set.openings.len() as f64;
        let _ = writeln!(
            out,
            "random moves  {:.1} by the attackers and {:.1} by the defenders per opening",
            f64::from(attackers) / all,
            f64::from(defenders) / all
        );
    } else {
        out.push_str("finding       no balanced opening within the limits of the search\n");
    }
    out
}
