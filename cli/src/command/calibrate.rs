//! `tafl calibrate`: fits curves to games, with measures of their reliability.

mod diagram;

use tafl_analyzer::{
    CALIBRATION_PLIES, Calibration, CalibrationBin, CurveEstimate, CurveFit, HeldOutReliability, POOLED,
};
use tafl_rules::{Count, Side, counted};
use taflbase::App;
use taflbase::engine::CalibrateAnswer;
use taflbase::escape::escape;

use crate::args::annotate::CalibrateArgs;
use crate::command::annotate::{exit_of_inputs, kept_evaluations, open_games, show_cache};
use crate::number::Signed;
use crate::output::{Output, file_named};
use crate::target::{keep_apart, protect_inputs};
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the input is not a corpus or the cache not a cache, or if something can't be written.
pub(crate) fn run(args: &CalibrateArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (app, job) = (App::new().with_rules_files(), io.job());
    let games = open_games(&args.games, &app, io)?;
    let (path, diagram) = (file_named(args.output.as_deref()), args.diagram.as_deref());
    protect_inputs(&[path, diagram], &args.games.paths)?;
    let cache = args.request.evaluation.cache.as_deref();
    keep_apart(&[("--cache", cache), ("-o", path), ("--diagram", diagram)])?;
    let cache = args.request.evaluation.open_cache(&games, &app)?;
    show_cache(cache.as_ref(), io);
    io.handle_stop_signals().set(format!("stopped: {}", kept_evaluations(cache.as_ref())));
    let (output, drawing) = (Output::begin(path)?, Output::begin(diagram)?);
    let mut exit = exit_of_inputs(&games);
    let answer = args.request.run_on(&games, &app, &job, |failure| {
        io.error(&failure.message);
        exit = exit.and(Exit::Error);
    })?;
    io.end_progress();
    let Some(found) = &answer.calibration else {
        io.error(&format!(
            "not enough games: curves need finished games won by both sides, and the input has {} positions of {}",
            Count(answer.positions),
            counted(answer.games - answer.unfinished, "finished game", "finished games")
        ));
        return Ok(Exit::Error);
    };
    if let Some(drawing) = drawing {
        drawing.complete(diagram::svg(found).as_bytes())?;
    }
    match output {
        Some(output) => {
            output.complete(found.curves.to_string().as_bytes())?;
            io.print(&table(found, &answer))?;
        }
        None => {
            io.print(&found.curves.to_string())?;
            io.notice(table(found, &answer).trim_end());
        }
    }
    Ok(exit)
}

/// Returns the answer as a table.
fn table(found: &Calibration, answer: &CalibrateAnswer) -> String {
    let mut out = format!(
        "{} games, {} of them unfinished and not used, {} positions\n",
        Count(answer.games),
        Count(answer.unfinished),
        Count(answer.positions)
    );
    out.push_str(&format!(
        "{:<24} {:<9} {:>6} {:>9}  {:<22} {:>6}  {:>17}  {:>9}  {}\n",
        "curve",
        "to move",
        "games",
        "positions",
        "Brier score",
        "base",
        "calibration error",
        "by chance",
        "excess"
    ));
    for variant in found.curves.variants() {
        for side in Side::ALL {
            let fit = variant.by[side].reliability;
            let CurveFit { games, positions, brier, brier_of_base, ece, ece_by_chance } = fit;
            let by_chance = ece_by_chance.map_or("-".to_owned(), |chance| format!("{chance:.3}"));
            let excess = fit.ece_beyond_chance().map_or("-".to_owned(), |excess| {
                format!(
                    "{:.3} ({:.3} to {:.3})",
                    Signed(excess.value),
                    Signed(excess.low),
                    Signed(excess.high)
                )
            });
            out.push_str(&format!(
                "{:<24} {:<9} {games:>6} {positions:>9}  {:.3} ({:.3} to {:.3})  {brier_of_base:>6.3}  {:>17.3}  {by_chance:>9}  {excess}\n",
                escape(&variant.variant),
                side.as_str(),
                brier.value,
                brier.low,
                brier.high,
                ece.value,
            ));
        }
    }
    out.push_str(&held_out_table(found));
    out.push_str(&ply_table(found));
    let (proven, right) = found.proven;
    out.push_str(&format!(
        "wins found by search: {} positions, {} of them were won by that side\n",
        Count(proven),
        Count(right)
    ));
    if answer.variants > 0 && found.curves.variants().len() == 1 {
        out.push_str(&format!("no variant has enough games for its own curves: all use `{POOLED}`\n"));
    }
    out
}

/// Returns the skill, the log loss, and the slope of each curve on held-out games.
fn held_out_table(found: &Calibration) -> String {
    let mut out = format!(
        "{:<24} {:<9} {:<23} {:<23} {}\n",
        "curve", "to move", "Brier skill", "log loss", "calibration slope"
    );
    let text = |CurveEstimate { value, low, high }: CurveEstimate| {
        if value.is_nan() { "-".to_owned() } else { format!("{value:.3} ({low:.3} to {high:.3})") }
    };
    for (variant, held_out) in &found.held_out {
        for side in Side::ALL {
            let HeldOutReliability { skill, log_loss, slope, .. } = held_out[side];
            out.push_str(&format!(
                "{:<24} {:<9} {:<23} {:<23} {}\n",
                escape(variant),
                side.as_str(),
                text(skill),
                text(log_loss),
                text(slope)
            ));
        }
    }
    out
}

/// Returns the predicted and the observed results by range of plies.
fn ply_table(found: &Calibration) -> String {
    let mut out = format!(
        "{:<24} {:<9} {:>8} {:>9}  {:>9}  {}\n",
        "curve", "to move", "plies", "positions", "predicted", "observed result of the attackers"
    );
    for (variant, held_out) in &found.held_out {
        for side in Side::ALL {
            let ranges = held_out[side].plies.iter().enumerate().filter(|(_, range)| range.positions > 0);
            for (nth, CalibrationBin { positions, expected, result }) in ranges {
                let last = CALIBRATION_PLIES.get(nth + 1).map(|next| (next - 1).to_string());
                let plies = format!("{}-{}", CALIBRATION_PLIES[nth], last.unwrap_or_default());
                out.push_str(&format!(
                    "{:<24} {:<9} {plies:>8} {positions:>9}  {expected:>9.3}  {:.3} ({:.3} to {:.3})\n",
                    escape(variant),
                    side.as_str(),
                    result.value,
                    result.low,
                    result.high,
                ));
            }
        }
    }
    out
}
