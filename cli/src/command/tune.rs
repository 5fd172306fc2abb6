//! `tafl tune`: trains weights and networks on games.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter};

use anyhow::{Context as _, bail};
use tafl_rules::{Count, counted};
use taflbase::engine::{
    LabeledPositions, PreparedData, TrainingDataAnswer, TrainingEpoch, TuneAnswer, TuneProduct,
};
use taflbase::escape::escape_path;
use taflbase::records::RecordEvent;
use taflbase::{App, Job, json_pretty};

use crate::args::rules::TextFormat;
use crate::args::tune::TuneArgs;
use crate::exit::Reported;
use crate::output::{Output, reject_stdout};
use crate::target::{keep_apart, protect_inputs};
use crate::variant::require_rules;
use crate::{Exit, Io, records};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if a file can't be written, the rules are unknown, or the data are unusable.
pub(crate) fn run(args: &TuneArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let request = &args.request;
    if request.make == TuneProduct::Data {
        return make_data(args, io);
    }
    if request.make == TuneProduct::Weights || !request.paths.is_empty() {
        require_rules(&request.rules, io).map_err(Reported)?;
    }
    let prepared = request.clone().prepare(&App::new().with_rules_files())?;
    protect_inputs(
        &[Some(args.output.as_path()), args.keep.as_deref()],
        &[&request.paths[..], &request.positions[..]].concat(),
    )?;
    keep_apart(&[("-o", Some(args.output.as_path())), ("--keep", args.keep.as_deref())])?;
    let output = Output::begin(Some(&args.output))?;
    let kept = Output::begin(args.keep.as_deref())?;
    let reader = records::open_with(&request.paths, request.settings(), io);
    let job = io.job();
    let positions = prepared.label(&reader, &job, |nth, event| -> anyhow::Result<()> {
        if let RecordEvent::Unreadable(_) = event {
            records::show_event(&reader, nth, &event, io);
        }
        Ok(())
    });
    io.end_progress();
    let positions = positions?;
    if !request.paths.is_empty() {
        let (read, used) = (Count(positions.games.read), Count(positions.games.used));
        io.notice(&format!("{used} of {read} games ended under these rules"));
    }
    if let (Some(kept), Some(path)) = (kept, &args.keep) {
        keep(&positions, kept).with_context(|| path.display().to_string())?;
    }
    let tuned = prepared.train(&positions, &job);
    io.end_progress();
    let tuned = tuned?;
    if let Some(output) = output {
        output.complete(&tuned.file)?;
    }
    print_answer(&tuned.answer, args.format, io)?;
    Ok(records::read_exit(&reader, &positions.counts))
}

/// Writes training data to the output, after the games that it already contains.
fn make_data(args: &TuneArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let prepared = args.request.clone().prepare_data(&App::new().with_rules_files())?;
    reject_stdout(Some(&args.output))?;
    if args.keep.is_some() {
        bail!("--make data writes all labeled positions to the file of -o; leave out --keep");
    }
    let job = io.job();
    let path = escape_path(&args.output);
    io.handle_stop_signals()
        .set(format!("stopped: {path} has the complete games so far; run the command again to go on"));
    let answer = append_games(args, prepared, &job).with_context(|| args.output.display().to_string());
    io.end_progress();
    print_answer(&TuneAnswer::Data(answer?), args.format, io)?;
    Ok(Exit::Ok)
}

fn append_games(args: &TuneArgs, prepared: PreparedData, job: &Job) -> anyhow::Result<TrainingDataAnswer> {
    let earlier = match fs::read(&args.output) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    // The existing file is read before it is changed, so that no other file is overwritten.
    let run = prepared.begin(&earlier)?;
    let file = OpenOptions::new().create(true).append(true).open(&args.output)?;
    file.set_len(run.kept() as u64)?;
    Ok(run.write(&mut BufWriter::new(file), job)?)
}

fn print_answer(answer: &TuneAnswer, format: TextFormat, io: &mut Io<'_>) -> anyhow::Result<()> {
    Ok(io.print(&match format {
        TextFormat::Text => text(answer),
        TextFormat::Json => json_pretty(answer),
    })?)
}

fn keep(positions: &LabeledPositions, mut output: Output) -> std::io::Result<()> {
    positions.write(&mut output)?;
    output.finish()
}

fn text(answer: &TuneAnswer) -> String {
    match answer {
        TuneAnswer::Weights(answer) => format!(
            "{}\n{} for training, {} held out: error {:.4}, before {:.4}\n",
            answer.terms(),
            counted(answer.positions as u64, "position", "positions"),
            answer.held_out,
            answer.error,
            answer.error_before
        ),
        TuneAnswer::Data(answer) => format!(
            "{} from {}, {} with changed rules; attackers won {}, defenders {}, drawn or unfinished {}\n",
            counted(answer.positions, "position", "positions"),
            counted(answer.games, "game", "games"),
            Count(answer.games_with_changed_rules),
            Count(answer.attackers_won),
            Count(answer.defenders_won),
            Count(answer.drawn),
        ),
        TuneAnswer::Net(answer) => {
            answer.epochs.iter().map(epoch_line).chain([format!("{}\n", answer.training)]).collect()
        }
    }
}

fn epoch_line(epoch: &TrainingEpoch) -> String {
    format!(
        "epoch {}: error {:.4} in training, {:.4} on held-out positions; of the terms {:.4}, of the search {:.4}\n",
        epoch.epoch, epoch.train_error, epoch.error, epoch.error_of_terms, epoch.error_of_search
    )
}
