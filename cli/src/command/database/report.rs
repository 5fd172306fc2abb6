//! `tafl report`: writes reports as documents.

mod source;
mod verify;
mod write;

use anyhow::bail;
use taflbase::App;
use taflbase::database::{ReportAnswer, ReportRequest};

use crate::args::database::report::ReportArgs;
use crate::exit::Reported;
use crate::output::file_named;
use crate::target::protect_inputs;
use crate::variant::variant_named;
use crate::{Exit, Io};
use source::ReportSource;

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the games cannot be read, a query is wrong, a variant is unknown, or the report cannot be written.
pub(crate) fn run(args: &ReportArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(file) = &args.verify {
        return verify::run(file, args.corpus.as_deref(), io);
    }
    let Some(request) = &args.command else {
        bail!("no report given; `tafl report --help` lists the reports");
    };
    protect_inputs(&[file_named(args.target.output.as_deref())], request.sources())?;
    let (answer, exit) = make(request, io)?;
    write::write(&answer.report, &args.target, io)?;
    Ok(exit)
}

/// Creates a report, and returns the exit: a report without games or figures is a finding, and an unreadable file is an error.
fn make(request: &ReportRequest, io: &mut Io<'_>) -> anyhow::Result<(ReportAnswer, Exit)> {
    let sources = match request {
        ReportRequest::Balance(request) if request.selfplay_options.selfplay => {
            if let Some(text) = &request.games.variant {
                // The notices about the rules are printed.
                variant_named(text, io).map_err(Reported)?;
            }
            if request.selfplay_options.human.is_empty() {
                Vec::new()
            } else {
                vec![ReportSource::open(&request.selfplay_options.human, io)?]
            }
        }
        request if request.is_without_games() => Vec::new(),
        ReportRequest::Compare(request) => {
            let open = |path| ReportSource::open(std::slice::from_ref(path), io);
            request.sources.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?
        }
        _ => vec![ReportSource::open(request.sources(), io)?],
    };
    let corpora: Vec<_> = sources.iter().map(|source| source.corpus.clone()).collect();
    let answer = request.clone().make(&corpora, &App::new().with_rules_files(), &io.job());
    io.end_progress();
    let answer = answer?;
    io.notices(&answer.notes);
    let exit = if answer.games == 0 || answer.report.sections.is_empty() { Exit::Findings } else { Exit::Ok };
    Ok((answer, sources.iter().fold(exit, |exit, source| exit.and(source.exit))))
}
