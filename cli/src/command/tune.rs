//! `tafl tune`: what games teach the evaluation.

mod games;

use std::fs;
use std::sync::Arc;

use anyhow::Context;
use serde_json::json;
use tafl_analyzer::{
    CompiledNet, EpochReport, NetChoice, Network, SampleError, SearchOptions, TrainConfig, TrainingSample,
    Tuning, Weights, read_samples, train, tune, write_samples,
};
use tafl_rules::{AnyRulebook, with_rulebook};

use crate::args::rules::TextFormat;
use crate::args::tune::{Product, TuneArgs};
use crate::exit::Reported;
use crate::number::counted;
use crate::output::Output;
use crate::target::protect_inputs;
use crate::variant::{NO_RULES, variant_of};
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Fails when the rules are not known, a file cannot be read or written, or there is too little to learn from.
pub(crate) fn run(args: &TuneArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let Some(variant) = variant_of(&args.variant, io).map_err(Reported)? else {
        io.error(NO_RULES);
        return Ok(Exit::Error);
    };
    let book = match AnyRulebook::compile(&variant.rules) {
        Ok(book) => book,
        Err(error) => {
            io.error(&error.to_string());
            return Ok(Exit::Error);
        }
    };
    let Some(net) = choose_net(args.net.as_deref(), &book, io) else { return Ok(Exit::Error) };
    let options = SearchOptions { mebibytes: 2, net, ..SearchOptions::default() };
    protect_inputs(
        &[Some(args.output.as_path()), args.keep.as_deref()],
        &[&args.paths[..], &args.positions[..]].concat(),
    )?;
    let output = Output::begin(Some(&args.output))?;
    let kept = Output::begin(args.keep.as_deref())?;
    let (mut samples, exit) = games::labeled(args, (&variant, &book), &options, io)?;
    for path in &args.positions {
        let file = fs::File::open(path).map_err(SampleError::from);
        match file.and_then(|mut file| read_samples(&mut file, book.shape())) {
            Ok(found) => games::append(&mut samples, found),
            Err(error) => {
                io.error(&format!("{}: {error}", path.display()));
                return Ok(Exit::Error);
            }
        }
    }
    if let (Some(mut kept), Some(path)) = (kept, &args.keep) {
        let written = write_samples(&mut kept, book.shape(), &samples).and_then(|()| kept.finish());
        written.with_context(|| path.display().to_string())?;
    }
    let made = match args.make {
        Product::Weights => weights(args, &book, &samples, io),
        Product::Net => network(args, &book, &samples, io),
    };
    let (Some(made), Some(output)) = (made, output) else { return Ok(Exit::Error) };
    output.complete(&made.file).with_context(|| args.output.display().to_string())?;
    io.print(&made.answer)?;
    Ok(exit)
}

/// Returns the network that the command line asks for; nothing where that was refused and said.
fn choose_net(word: Option<&str>, book: &AnyRulebook, io: &mut Io<'_>) -> Option<NetChoice> {
    let path = match word {
        None => return Some(NetChoice::BuiltIn),
        Some("none") => return Some(NetChoice::Terms),
        Some(path) => path,
    };
    let net = match fs::read(path) {
        Ok(bytes) => Network::from_bytes(&bytes).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let fits = net.and_then(|net| {
        with_rulebook!(book, book => CompiledNet::new(&net, book).map(|_| ()).map_err(|error| error.to_string()))
            .map(|()| net)
    });
    match fits {
        Ok(net) => Some(NetChoice::Given(Arc::new(net))),
        Err(error) => {
            io.error(&format!("{path}: {error}"));
            None
        }
    }
}

/// What was learned.
struct Made {
    /// The bytes of the file.
    file: Vec<u8>,
    /// What is said about it.
    answer: String,
}

/// The first line of a file of weights.
const WEIGHTS: &str = "# taflbase weights 1";

/// Fits weights; nothing where that cannot be done, which has been said.
fn weights(args: &TuneArgs, book: &AnyRulebook, samples: &[TrainingSample], io: &mut Io<'_>) -> Option<Made> {
    let before = Weights::of_rules(book.rules());
    let tuning = Tuning { outcome: args.outcome, held_out: args.held_out, ..Tuning::default() };
    let tuned = match tune(book, samples, &before, &tuning) {
        Ok(tuned) => tuned,
        Err(error) => {
            io.error(&error.to_string());
            return None;
        }
    };
    let (shown, held_out) = tuned.counts;
    let terms = tuned.weights.to_string().replace(',', "\n");
    let text = format!(
        "{WEIGHTS}\n# rules: {}\n# training: {shown} positions, outcome {}, held out {held_out}: {:.4}, before {:.4}\n{terms}\n",
        book.rules(),
        args.outcome,
        tuned.after,
        tuned.before
    );
    let answer = match args.format {
        TextFormat::Text => format!(
            "{terms}\n{} learned from, {held_out} held out: error {:.4}, before {:.4}\n",
            counted(shown as u64, "position", "positions"),
            tuned.after,
            tuned.before
        ),
        TextFormat::Json => {
            let answer = json!({
                "made": "weights",
                "positions": shown,
                "held_out": held_out,
                "error": tuned.after,
                "error_before": tuned.before,
                "weights": tuned.weights.to_string(),
            });
            format!("{answer:#}\n")
        }
    };
    Some(Made { file: text.into_bytes(), answer })
}

/// Trains a network; nothing where that cannot be done, which has been said.
fn network(args: &TuneArgs, book: &AnyRulebook, samples: &[TrainingSample], io: &mut Io<'_>) -> Option<Made> {
    let config = TrainConfig {
        seed: args.seed,
        epochs: args.epochs as usize,
        outcome: args.outcome,
        held_out: args.held_out,
        ..TrainConfig::default()
    };
    let mut reports: Vec<EpochReport> = Vec::new();
    let found = train(book, samples, &config, |report| {
        io.progress(&format!("epoch {}: error {:.4}", report.epoch, report.held_out.outcome));
        reports.push(*report);
    });
    io.end_progress();
    let net = match found {
        Ok(net) => net,
        Err(error) => {
            io.error(&error.to_string());
            return None;
        }
    };
    let answer = match args.format {
        TextFormat::Text => {
            reports.iter().map(line).chain([format!("{}\n", net.provenance.training)]).collect()
        }
        TextFormat::Json => format!("{:#}\n", as_json(&net, &reports)),
    };
    Some(Made { file: net.to_bytes(), answer })
}

fn line(report: &EpochReport) -> String {
    format!(
        "epoch {}: error {:.4} on what it saw, {:.4} on what was held out; against results {:.4}, the search's {:.4}\n",
        report.epoch, report.train_loss, report.held_out.loss, report.held_out.outcome, report.search.outcome
    )
}

fn as_json(net: &Network, reports: &[EpochReport]) -> serde_json::Value {
    let epoch = |report: &EpochReport| {
        json!({
            "epoch": report.epoch,
            "error_shown": report.train_loss,
            "error": report.held_out.loss,
            "error_of_results": report.held_out.outcome,
            "error_of_results_by_search": report.search.outcome,
            "held_out": report.held_out.count,
        })
    };
    json!({
        "made": "net",
        "net": format!("{:016x}", net.hash()),
        "training": net.provenance.training,
        "epochs": reports.iter().map(epoch).collect::<Vec<_>>(),
    })
}
