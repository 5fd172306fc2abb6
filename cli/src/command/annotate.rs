//! `tafl annotate`: annotates games with evaluations and judgments.

mod html;
mod otn;
mod output;
mod page;
mod text;

use std::time::Duration;

use tafl_rules::{Count, Side, counted};
use taflbase::engine::{
    AnnotateItem, AnnotatedGame, AnnotationProvenance, AnnotationTotals, EvalCache, GameInput, GameStream,
    UnknownRulesAnswer,
};
use taflbase::escape::{escape, escape_path};
use taflbase::{App, json_line, json_pretty};

use crate::args::annotate::{AnnotateArgs, AnnotateFormat};
use crate::exit::Reported;
use crate::output::{Output, file_named};
use crate::records::show_problem;
use crate::target::{keep_apart, protect_inputs};
use crate::variant::variant_of;
use crate::{Exit, Io};

use output::Sink;

/// The output about a game.
struct AnnotatedText {
    text: String,
    /// The entry of the list of pages, for formats that have a page for each game.
    page: Option<page::PageEntry>,
    /// The reason why the annotation ends before the record.
    early_end: Option<String>,
}

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the input is not a corpus, the cache is not a cache, or the output can't be written.
pub(crate) fn run(args: &AnnotateArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (app, job) = (App::new().with_rules_files(), io.job());
    let games = open_games(&args.games, &app, io)?;
    let (output, summary) = (file_named(args.output.as_deref()), args.summary.as_deref());
    protect_inputs(&[output, summary], &args.games.paths)?;
    let cache = args.request.evaluation.cache.as_deref();
    keep_apart(&[("--cache", cache), ("-o", output), ("--summary", summary)])?;
    let format = output::format_of(args)?;
    let games = output::limit_for_page(games, output, format);
    let run = args.request.begin(&games, &app, &job)?;
    show_cache(run.cache(), io);
    let is_stdout = output.is_none();
    let is_json = matches!(format, AnnotateFormat::Json | AnnotateFormat::Jsonl);
    let mut sink = Sink::new(output, format)?;
    let summary = Output::begin(summary)?;
    let mut exit = exit_of_inputs(&games);
    let make = |game| written(&game, format, run.provenance());
    let message = io.handle_stop_signals();
    message.set(format!("stopped: {}", kept_evaluations(run.cache())));
    let totals = run.run(&games, &job, make, |item, totals| -> anyhow::Result<()> {
        let games = counted(totals.games, "game", "games");
        message.set(format!("stopped after {games}: {}", kept_evaluations(run.cache())));
        match item {
            AnnotateItem::Game(written) => {
                let written = written?;
                if let Some(why) = &written.early_end {
                    // The name of a file in it may come from a record line.
                    io.notice(&escape(why));
                    exit = exit.and(Exit::Findings);
                }
                sink.take(&written, io)?;
            }
            AnnotateItem::UnknownRules(game) => {
                let help = if game.is_readable() { "; name them with --variant" } else { "" };
                io.notice(&escape(&format!("{}: {}{help}", game.name(), game.obstacle())));
                exit = exit.and(Exit::Findings);
                if is_json {
                    let text = json_line(&UnknownRulesAnswer::of(&game));
                    sink.take(&AnnotatedText { text, page: None, early_end: None }, io)?;
                }
            }
            AnnotateItem::Failed(failure) => {
                exit = exit.and(if failure.is_file { Exit::Error } else { Exit::Findings });
                match failure.error.filter(|_| is_json) {
                    Some(error) => sink.write_error(&error, io)?,
                    None => io.error(&failure.message),
                }
                return Ok(());
            }
        }
        if is_stdout {
            // A reader may wait for this game, and a client may send the next record only after the answer.
            io.flush()?;
        }
        Ok(())
    })?;
    io.end_progress();
    sink.finish(io, totals.games)?;
    let time = run.elapsed();
    if let Some(summary) = summary {
        summary.complete(json_pretty(&totals.summary(run.provenance(), time)).as_bytes())?;
    }
    io.notice(&sentence(&totals, time));
    Ok(exit)
}

/// Opens the games of a command. Missing inputs and errors in the rules are reported on standard error.
///
/// # Errors
///
/// Returns an error if the rules are wrong or the corpus can't be opened.
pub(super) fn open_games(
    input: &GameInput,
    app: &App,
    io: &mut Io<'_>,
) -> anyhow::Result<GameStream<'static>> {
    variant_of(&input.rules, io).map_err(Reported)?;
    let job = io.job();
    let games = input.open(app, &job, Some(io.take_stdin()))?;
    for problem in games.inputs().into_iter().flat_map(|inputs| &inputs.problems) {
        show_problem(problem, io);
    }
    io.notices(games.notes());
    Ok(games)
}

/// Returns the exit of a command before the first game: missing inputs are an error, and a query without games is a finding.
pub(super) fn exit_of_inputs(games: &GameStream<'_>) -> Exit {
    if games.is_incomplete() {
        Exit::Error
    } else if games.notes().is_empty() {
        Exit::Ok
    } else {
        Exit::Findings
    }
}

/// Returns the part of the line of a stopped command that names the evaluations which the next run can use. Each one is
/// written to the cache when it is known.
pub(super) fn kept_evaluations(cache: Option<&EvalCache>) -> String {
    match cache {
        Some(cache) => {
            format!(
                "the evaluations so far are in {}; run the command again to go on",
                escape_path(cache.path())
            )
        }
        None => "no evaluations are kept; run the command again, with --cache FILE to keep them".to_owned(),
    }
}

/// Reports the content of a cache of evaluations.
pub(super) fn show_cache(cache: Option<&EvalCache>, io: &mut Io<'_>) {
    let Some(cache) = cache else { return };
    let name = escape_path(cache.path());
    if cache.lost_bytes() > 0 {
        let bytes = counted(cache.lost_bytes(), "byte", "bytes");
        io.notice(&format!("{name}: dropped {bytes} of incomplete or damaged evaluations"));
    }
    if cache.n_evaluations() > 0 {
        io.notice(&format!("{name}: found {}", counted(cache.n_evaluations(), "evaluation", "evaluations")));
    }
}

fn written(
    game: &AnnotatedGame,
    format: AnnotateFormat,
    provenance: &AnnotationProvenance,
) -> anyhow::Result<AnnotatedText> {
    Ok(AnnotatedText {
        text: match format {
            AnnotateFormat::Text => text::write(game, provenance),
            AnnotateFormat::Json | AnnotateFormat::Jsonl => json_line(&game.answer(provenance)),
            AnnotateFormat::OpenTafl => otn::write_otn(game, provenance)?,
            AnnotateFormat::Html => html::write(game, provenance),
        },
        page: (format == AnnotateFormat::Html).then(|| page::PageEntry::of(game)),
        early_end: game.early_end().map(|why| format!("{}: {why}", game.game.name())),
    })
}

/// Returns the totals of all games in a line.
fn sentence(totals: &AnnotationTotals, time: Duration) -> String {
    format!(
        "{}, {}; blunders: attackers {}, defenders {}; {}, {} from the cache, {:.1} s",
        counted(totals.games, "game", "games"),
        counted(totals.plies(), "ply", "plies"),
        Count(totals.blunders(Side::Attackers)),
        Count(totals.blunders(Side::Defenders)),
        counted(totals.searches.made, "search", "searches"),
        Count(totals.searches.reused),
        time.as_secs_f64(),
    )
}
