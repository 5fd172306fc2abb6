//! `tafl selfplay`: games of the engine against itself, as records.

use std::ops::ControlFlow;

use anyhow::Context;
use serde_json::{Value, json};
use tafl_analyzer::Limits;
use tafl_analyzer::engine::{Engine, Options};
use tafl_analyzer::play::{Proofs, SelfPlay, Temperature, Terms, run_jobs};
use tafl_rules::AnyRulebook;

use crate::args::play::SelfplayArgs;
use crate::exit::Said;
use crate::output::{Output, file_named};
use crate::play::note::GameNote;
use crate::play::record::{self, Heading};
use crate::play::state::State;
use crate::variant::variant_of;
use crate::{Exit, Io};
use taflbase::Variant;
use taflbase::engine::move_limits_text as words;

mod jobs;

/// The state is saved after so many games, and at the end.
const SAVE_EVERY: usize = 16;

/// Runs the command.
///
/// # Errors
///
/// Fails when there are no such rules, or a file cannot be read or written.
pub(crate) fn run(args: &SelfplayArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(path) = &args.jobs {
        return jobs::run(args, path, io);
    }
    let Some(variant) = variant_of(&args.variant, io).map_err(Said)? else {
        io.error("say by which rules: --variant NAME or --rules STRING");
        return Ok(Exit::Error);
    };
    let book = AnyRulebook::compile(&variant.rules)?;
    let series = series(&Setting::of(args), &book);
    let path = file_named(args.output.as_deref());
    let output = Output::begin(path)?;
    let mut state = State::<GameNote>::open(args.resume.as_deref(), asked(args, &variant, &series))?;
    play(args, &series, &mut state, io)?;
    let wanted = usize::try_from(args.games).unwrap_or(usize::MAX);
    let games = &state.played[..state.played.len().min(wanted)];
    let text = records(args, games, (&variant, &book))?;
    match (output, path) {
        (Some(output), Some(path)) => {
            output.complete(text.as_bytes()).with_context(|| path.display().to_string())?
        }
        _ => io.print(&text)?,
    }
    Ok(Exit::Ok)
}

/// Everything that games depend on besides their rules.
struct Setting {
    limits: Limits,
    opening_plies: u32,
    temperature_plies: u32,
    temperature: u32,
    plies: u32,
    play_out: bool,
    seed: u64,
}

impl Setting {
    /// Returns what the command line says.
    fn of(args: &SelfplayArgs) -> Setting {
        Setting {
            limits: args.limits.limits(),
            opening_plies: args.opening_plies,
            temperature_plies: args.temperature_plies,
            temperature: args.temperature,
            plies: args.plies,
            play_out: args.play_out,
            seed: args.seed,
        }
    }

    /// Adds the record of a game, which has a number from 0, to a text of JSON lines.
    fn record(
        &self,
        (number, game): (u64, &GameNote),
        (variant, book): (&Variant, &AnyRulebook),
        out: &mut String,
    ) -> anyhow::Result<()> {
        let engine = identity(book);
        let heading = Heading {
            id: format!("selfplay-{}-{}", self.seed, number + 1),
            event: "tafl selfplay",
            attackers: &engine,
            defenders: &engine,
            more: &[("limits", words(&self.limits)), ("seed", self.seed.to_string())],
        };
        record::add(&record::record(game, &heading, (variant, book)), out)?;
        Ok(())
    }
}

fn series(setting: &Setting, book: &AnyRulebook) -> SelfPlay {
    let proofs = if setting.play_out { Proofs::Play } else { Proofs::End };
    let hundredths = f64::from(setting.temperature);
    SelfPlay {
        temperature: Temperature { plies: setting.temperature_plies, hundredths },
        opening_plies: setting.opening_plies,
        terms: Terms { plies: Some(setting.plies), proofs, stop: None },
        seed: setting.seed,
        ..SelfPlay::new(book, setting.limits.clone())
    }
}

/// Returns everything that the games depend on.
fn asked(args: &SelfplayArgs, variant: &Variant, series: &SelfPlay) -> Value {
    json!({
        "engine": identity(&series.book),
        "rules": variant.rules.to_string(),
        "limits": words(&series.limits),
        "opening_plies": args.opening_plies,
        "temperature": [args.temperature_plies, args.temperature],
        "plies": args.plies,
        "play_out": args.play_out,
        "seed": args.seed,
    })
}

fn identity(book: &AnyRulebook) -> String {
    Engine::new(book, Options { mebibytes: 0, ..Options::default() }).identity().to_string()
}

fn play(
    args: &SelfplayArgs,
    series: &SelfPlay,
    state: &mut State<GameNote>,
    io: &mut Io<'_>,
) -> anyhow::Result<()> {
    let shape = series.book.shape();
    let mut failed = None;
    let numbers = state.played.len() as u64..args.games;
    let work = |number| GameNote::of(&series.game(number), shape);
    run_jobs(numbers, args.threads, work, |number, note| {
        io.progress(&format!("game {} of {}: {}", number + 1, args.games, note.ending));
        state.played.push(note);
        let is_due = state.played.len().is_multiple_of(SAVE_EVERY) || number + 1 == args.games;
        if let Some(Err(error)) = args.resume.as_deref().filter(|_| is_due).map(|path| state.save(path)) {
            failed = Some(error);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    io.end_progress();
    failed.map_or(Ok(()), |error| Err(error.into()))
}

fn records(
    args: &SelfplayArgs,
    games: &[GameNote],
    (variant, book): (&Variant, &AnyRulebook),
) -> anyhow::Result<String> {
    let setting = Setting::of(args);
    let mut out = String::new();
    for (number, game) in (0..).zip(games) {
        setting.record((number, game), (variant, book), &mut out)?;
    }
    Ok(out)
}
