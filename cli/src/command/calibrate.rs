//! `tafl calibrate`: curves from games, with how far they can be believed.

mod diagram;
mod draw;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use tafl_analyzer::annotate::calibrate::{Calibration, CalibrationOrigin, CalibrationSample, calibrate};
use tafl_analyzer::annotate::context::limits_text;
use tafl_analyzer::annotate::curves::{CurveFit, Curves, POOLED};
use tafl_analyzer::annotate::{Annotator, Known, Settings, Thresholds, annotator::Confirm};
use tafl_rules::Side;

use crate::args::annotate::CalibrateArgs;
use crate::command::annotate::open_log;
use crate::command::annotate::source::{FoundGame, GameReplayWorker, Source, each, threads};
use crate::number::{Count, counted};
use crate::output::{Output, file_named};
use crate::target::spare;
use crate::{Exit, Io, records};
use taflbase::escape::escape;

/// What a game gives.
struct Drawn {
    variant: String,
    engine: String,
    samples: Vec<CalibrationSample>,
    /// Whether the game has a result.
    is_finished: bool,
}

/// What all games give.
#[derive(Default)]
struct Basket {
    by_variant: BTreeMap<String, Vec<CalibrationSample>>,
    engines: BTreeMap<String, u64>,
    games: u64,
    unfinished: u64,
    positions: u64,
}

/// Runs the command.
///
/// # Errors
///
/// Fails when the input is no corpus or the cache no cache, when there are too few games, and when something cannot be
/// written.
pub(crate) fn run(args: &CalibrateArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let config = records::replay_config(&args.input.variant, io)?;
    let source = Source::new(&args.input, args.judge.query.as_deref(), io)?;
    let log = open_log(&args.judge, source.stored(), io)?;
    let limits = args.judge.limits.limits(1);
    let settings =
        Settings { limits, thresholds: Thresholds::default(), confirm: Confirm::Nothing, prove: None };
    // Only scores are asked for; which curves there are does not matter.
    let curves = Curves::built_in();
    let annotator = Annotator::new(&settings, &curves, log.as_ref());
    let path = file_named(args.output.as_deref());
    spare(&[path, args.diagram.as_deref()], &args.input.paths)?;
    let (output, drawing) = (Output::begin(path)?, Output::begin(args.diagram.as_deref())?);
    let mut basket = Basket::default();
    let mut exit = if source.is_incomplete() { Exit::Error } else { Exit::Ok };
    let work =
        |worker: &mut GameReplayWorker, game: FoundGame| draw::draw(worker.replay(game)?, &annotator, args);
    each(
        (&source, threads(&args.input)),
        io,
        || GameReplayWorker::new(&config),
        work,
        |io, drawn| {
            match drawn {
                Ok(drawn) => basket.add(drawn),
                Err(trouble) => {
                    io.error(&trouble.text);
                    exit = exit.and(Exit::Error);
                }
            }
            let share = source
                .share(basket.games)
                .map_or_else(String::new, |share| format!(" ({:.0} %)", share * 100.0));
            io.progress(&format!("{}{share}", counted(basket.games, "game", "games")));
            Ok(())
        },
    )?;
    let origin = basket.origin(args, &source, limits_text(&settings.limits));
    let Some(found) = calibrate(&basket.by_variant, &origin) else {
        io.error(&format!(
            "curves need finished games that both sides won, here are {} positions of {}",
            Count(basket.positions),
            counted(basket.games - basket.unfinished, "finished game", "finished games")
        ));
        return Ok(Exit::Error);
    };
    if let (Some(output), Some(path)) = (drawing, &args.diagram) {
        save((output, path), &diagram::svg(&found))?;
    }
    match (output, path) {
        (Some(output), Some(path)) => {
            save((output, path), &found.curves.to_string())?;
            io.print(&table(&found, &basket))?;
        }
        _ => {
            io.print(&found.curves.to_string())?;
            io.notice(table(&found, &basket).trim_end());
        }
    }
    Ok(exit)
}

fn save((output, path): (Output, &Path), text: &str) -> anyhow::Result<()> {
    output.complete(text.as_bytes()).with_context(|| path.display().to_string())
}

impl Basket {
    /// Takes what a game gives; games get numbers in their order, so that what is held out does not depend on threads.
    fn add(&mut self, drawn: Drawn) {
        self.games += 1;
        self.unfinished += u64::from(!drawn.is_finished);
        if drawn.samples.is_empty() {
            return;
        }
        self.positions += drawn.samples.len() as u64;
        *self.engines.entry(drawn.engine).or_default() += 1;
        let game = self.games;
        let samples = drawn.samples.into_iter().map(|sample| CalibrationSample { game, ..sample });
        self.by_variant.entry(drawn.variant).or_default().extend(samples);
    }

    fn origin(&self, args: &CalibrateArgs, source: &Source, limits: String) -> CalibrationOrigin {
        let engine = match self.engines.len() {
            1 => self.engines.keys().next().cloned().unwrap_or_default(),
            // Weights differ between rules.
            n => format!(
                "{} and {} others",
                self.engines.keys().next().map_or("none", String::as_str),
                n.max(1) - 1
            ),
        };
        let names = args.source.clone().unwrap_or_else(|| source.names());
        let about = format!(
            "{names}; {} finished games, {} positions a game, seed {}",
            self.games - self.unfinished,
            args.per_game,
            args.seed
        );
        CalibrationOrigin { engine, limits, source: about, seed: args.seed }
    }
}

/// Returns what was found as a table for people.
fn table(found: &Calibration, basket: &Basket) -> String {
    let mut out = format!(
        "{} games, {} of them unfinished and left out, {} positions\n",
        Count(basket.games),
        Count(basket.unfinished),
        Count(basket.positions)
    );
    out.push_str(&format!(
        "{:<24} {:<9} {:>6} {:>9}  {:<22} {:>6}  {}\n",
        "curve", "to move", "games", "positions", "Brier score", "base", "calibration error"
    ));
    for variant in found.curves.variants() {
        for side in Side::ALL {
            let CurveFit { games, positions, brier, brier_of_base, ece } = variant.by[side].reliability;
            out.push_str(&format!(
                "{:<24} {:<9} {games:>6} {positions:>9}  {:.3} ({:.3} to {:.3})  {brier_of_base:>6.3}  {:.3} ({:.3} to {:.3})\n",
                escape(&variant.variant),
                side.word(),
                brier.value,
                brier.low,
                brier.high,
                ece.value,
                ece.low,
                ece.high,
            ));
        }
    }
    let (proven, right) = found.proven;
    out.push_str(&format!(
        "wins found by search: {} positions, {} of them were won by that side\n",
        Count(proven),
        Count(right)
    ));
    if !basket.by_variant.is_empty() && found.curves.variants().len() == 1 {
        out.push_str(&format!("no variant has games enough for curves of its own: all use `{POOLED}`\n"));
    }
    out
}

/// Returns what an engine says of a position of a game, if it could look.
fn score(known: &Known) -> Option<tafl_analyzer::PovScore> {
    match known {
        Known::Searched(evaluation) => Some(evaluation.score()),
        Known::Ended(_) | Known::NotSearched(_) => None,
    }
}
