//! `tafl solve`: solves positions and writes proofs.

mod check;
mod tables;
mod text;

use anyhow::Context as _;
use taflbase::engine::{SolveResult, SolvedPosition};
use taflbase::escape::escape_path;
use taflbase::{App, json_pretty};

use crate::args::rules::TextFormat;
use crate::args::solve::SolveArgs;
use crate::exit::Reported;
use crate::output::write_whole;
use crate::variant::require_rules;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the position can't be solved, or the answer can't be written.
pub(crate) fn run(args: &SolveArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(path) = &args.check {
        return check::run(path, args.format, io);
    }
    let app = App::new().with_rules_files();
    require_rules(&args.request.position.rules, io).map_err(Reported)?;
    if let Some(folder) = &args.build_tables {
        return tables::build(folder, args, &app, io);
    }
    let solved = args.request.solve(args.certificate.is_some(), &app, &io.job());
    io.end_progress();
    let solved = solved?;
    match args.format {
        TextFormat::Json => io.print(&json_pretty(&solved.answer()))?,
        TextFormat::Text => io.print(&match &solved.result {
            SolveResult::Tables(known) => text::tables(solved.game().to_move(), *known),
            SolveResult::Search { solution, is_shortest } => {
                text::solution(solved.game(), solution, *is_shortest, &args.request)
            }
        })?,
    }
    write_certificate(&solved, args, io)
}

/// Writes the proof to a file, if one is requested. The file is written atomically.
fn write_certificate(solved: &SolvedPosition, args: &SolveArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let Some(path) = &args.certificate else { return Ok(Exit::Ok) };
    let Some(certificate) = solved.certificate() else {
        io.notice(&format!("{}: not written, because nothing is proven", escape_path(path)));
        return Ok(Exit::Ok);
    };
    write_whole(path, certificate.to_string().as_bytes()).with_context(|| path.display().to_string())?;
    Ok(Exit::Ok)
}
