//! `tafl openings`: finds balanced openings.

use std::fmt::Write as _;
use std::fs;

use anyhow::Context as _;
use tafl_reports::percent_text;
use tafl_rules::counted;
use taflbase::App;
use taflbase::analyzer::{OpeningSet, OpeningSets};
use taflbase::escape::escape_path;

use crate::args::play::{FindOpeningsArgs, OpeningsArgs, OpeningsCommand};
use crate::exit::Reported;
use crate::output::Output;
use crate::saved_series::{SeriesFile, SeriesPart};
use crate::target::is_same_file;
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
    // If both options name the same file, it is written after every round, so it needs no other writer.
    let output = match (&args.output, &args.resume) {
        (Some(output), Some(resume)) if is_same_file(output, resume) => None,
        (output, _) => Output::begin(output.as_deref())?,
    };
    if let Some(path) = args.resume.as_deref().filter(|path| path.exists()) {
        let name = path.display().to_string();
        let content = fs::read_to_string(path).with_context(|| name.clone())?;
        prepared.resume(&name, &content)?;
    }
    let (n_saved, n_rounds) = (prepared.set().progress.rounds.into(), args.request.rounds.get());
    let saved = SeriesFile::new(args.resume.as_deref(), SeriesPart::Round, n_saved, n_rounds, io);
    let result = prepared.run(&job, |set| saved.write(set.progress.rounds.into(), || file(set).into_bytes()));
    io.end_progress();
    result?;
    let set = prepared.set();
    io.print(&text(&set))?;
    if set.openings.is_empty() {
        // A file without openings would replace those of an earlier search.
        if let (Some(path), Some(_)) = (&args.output, output) {
            let why = "no balanced opening was found; try more --rounds, another --seed, or more --nodes";
            io.notice(&format!("{} is not written: {why}", escape_path(path)));
        }
        return Ok(Exit::Findings);
    }
    if let Some(output) = output {
        output.complete(file(&set).as_bytes())?;
    }
    Ok(Exit::Ok)
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
        "openings      {} found in {} ({} candidates, {} tested)",
        set.openings.len(),
        counted(progress.rounds.into(), "round", "rounds"),
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
