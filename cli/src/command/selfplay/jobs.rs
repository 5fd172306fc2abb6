//! `tafl selfplay --jobs`: each line in is a job, each game of it a record line out.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use tafl_parser::parallel;
use tafl_parser::reader::{ERROR_LINE_VERSION, ErrorLine, RECORD_LINE_VERSION, RecordLine};
use tafl_rules::AnyRulebook;

use super::{Setting, series};
use crate::args::play::SelfplayArgs;
use crate::play::note::GameNote;
use crate::{Exit, Io};
use taflbase::engine::MoveLimits;
use taflbase::{Bounded, Variant};

/// The version of jobs that are read.
const VERSION: u32 = 1;

/// The most bytes that a job may have.
const LONGEST: u64 = 1 << 20;

/// The most games that a job may ask for: its answers are held in memory together.
const MOST_GAMES: u64 = 10_000;

/// The code of a line that is no job.
const BAD_LINE: &str = "T019";

/// A job: which games to play, and how. What is not said is as the command line says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Job {
    taflbase_job: u32,
    /// A name or a rules string.
    variant: Option<String>,
    rules: Option<String>,
    seed: Option<u64>,
    /// The number of the only game, from 1.
    game: Option<u64>,
    /// How many games, from the first one on.
    games: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u8>,
    opening_plies: Option<u32>,
    temperature_plies: Option<u32>,
    temperature: Option<u32>,
    plies: Option<u32>,
    play_out: Option<bool>,
}

/// Runs the command for jobs.
///
/// # Errors
///
/// Fails when the file cannot be read, or an answer cannot be written.
pub(super) fn run(args: &SelfplayArgs, path: &Path, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let input: Box<dyn Read + Send + '_> = match path == Path::new("-") {
        true => Box::new(io.take_stdin()),
        false => Box::new(File::open(path).with_context(|| path.display().to_string())?),
    };
    let mut input = BufReader::new(input);
    let mut number = 0;
    let mut failed = None;
    let next = || {
        let mut line = Vec::new();
        match read_line(&mut input, &mut line) {
            Ok(0) => None,
            Ok(_) => {
                number += 1;
                Some((number, line))
            }
            Err(error) => {
                failed = Some(error);
                None
            }
        }
    };
    let work = |(number, line): (u64, Vec<u8>)| answer(args, number, &line);
    let mut exit = Exit::Ok;
    let mut result = Ok(());
    let sink = |(text, how): (Vec<u8>, Exit)| {
        exit = exit.and(how);
        result = io.write_bytes(&text).and_then(|()| io.flush());
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    parallel::in_order(args.threads, next, work, sink);
    result?;
    match failed {
        Some(error) => Err(error).with_context(|| path.display().to_string()),
        None => Ok(exit),
    }
}

/// Reads a line; of one that is too long, only the beginning is kept.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<usize> {
    let count = input.by_ref().take(LONGEST).read_until(b'\n', line)?;
    if count as u64 == LONGEST && !line.ends_with(b"\n") {
        let mut rest = Vec::new();
        while input.by_ref().take(LONGEST).read_until(b'\n', &mut rest)? > 0 && !rest.ends_with(b"\n") {
            rest.clear();
        }
    }
    Ok(count)
}

fn answer(args: &SelfplayArgs, number: u64, line: &[u8]) -> (Vec<u8>, Exit) {
    let mut out = Vec::new();
    match play(args, line, &mut out) {
        Ok(()) => (out, Exit::Ok),
        Err(error) => {
            out.clear();
            let error = ErrorLine {
                taflbase_error: ERROR_LINE_VERSION,
                source: None,
                place: None,
                line: number,
                code: BAD_LINE.into(),
                message: format!("{error:#}").into(),
            };
            error.write(&mut out);
            (out, Exit::Findings)
        }
    }
}

fn play(args: &SelfplayArgs, line: &[u8], out: &mut Vec<u8>) -> anyhow::Result<()> {
    let job: Job = serde_json::from_slice(line).context("this is no job")?;
    anyhow::ensure!(
        job.taflbase_job == VERSION,
        "jobs of version {} are not known, only version {VERSION}",
        job.taflbase_job
    );
    anyhow::ensure!(job.nodes != Some(0) && job.depth != Some(0), "`nodes` and `depth` are numbers from 1");
    let text = job.variant.as_ref().or(job.rules.as_ref());
    let text = text.or(args.variant.variant.as_ref()).or(args.variant.rules.as_ref());
    let text = text.context("say by which rules: `variant` or `rules`")?;
    let variant = Variant::find(text)?;
    let book = AnyRulebook::compile(&variant.rules)?;
    let numbers = match (job.game, job.games) {
        (Some(game), None) if game > 0 => game - 1..game,
        (None, games) => 0..games.unwrap_or(1),
        (Some(_), _) => anyhow::bail!("`game` is a number from 1 and goes without `games`"),
    };
    anyhow::ensure!(numbers.end - numbers.start <= MOST_GAMES, "a job has at most {MOST_GAMES} games");
    let setting = setting(args, &job);
    let series = series(&setting, &book);
    let source = format!("selfplay-{}", setting.seed);
    for number in numbers {
        let note = GameNote::of(&series.game(number), book.shape());
        let mut text = String::new();
        setting.record((number, &note), (&variant, &book), &mut text)?;
        let line = RecordLine {
            taflbase_record: RECORD_LINE_VERSION,
            input: None,
            source: source.as_str().into(),
            place: number + 1,
            offset: 0,
            ordinal: number + 1,
            format: Some("jsonl".into()),
            variant: None,
            replaced: false,
            text: text.trim_end().into(),
        };
        line.write(out);
    }
    Ok(())
}

/// Returns how the games of a job are played. Time is no limit: the same job has the same answer.
fn setting(args: &SelfplayArgs, job: &Job) -> Setting {
    let own = Setting::of(args);
    let nodes = job.nodes.and_then(|nodes| Bounded::new(nodes).ok());
    let depth = job.depth.and_then(|depth| Bounded::new(depth.into()).ok());
    let limits = MoveLimits {
        nodes: nodes.or(args.limits.nodes.filter(|_| depth.is_none())),
        depth: depth.or(args.limits.depth.filter(|_| nodes.is_none())),
        time: None,
    };
    Setting {
        limits: limits.limits(),
        opening_plies: job.opening_plies.unwrap_or(own.opening_plies).min(100),
        temperature_plies: job.temperature_plies.unwrap_or(own.temperature_plies).min(1000),
        temperature: job.temperature.unwrap_or(own.temperature).clamp(1, 100_000),
        plies: job.plies.unwrap_or(own.plies).clamp(1, 100_000),
        play_out: job.play_out.unwrap_or(own.play_out),
        seed: job.seed.unwrap_or(own.seed),
    }
}
