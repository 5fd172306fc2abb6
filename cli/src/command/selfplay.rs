//! `tafl selfplay`: games of the engine against itself, as records.

use std::io::Write as _;
use std::ops::ControlFlow;

use anyhow::Context;
use serde_json::{Value, json};
use tafl_analyzer::engine::{Engine, Options};
use tafl_analyzer::play::{Proofs, SelfPlay, Temperature, Terms, in_order};
use tafl_rules::AnyRulebook;

use super::match_::words;
use crate::args::play::SelfplayArgs;
use crate::exit::Said;
use crate::output::Output;
use crate::play::note::GameNote;
use crate::play::record::{self, Heading};
use crate::play::state::State;
use crate::variant::Variant;
use crate::{Exit, Io};

/// The state is saved after so many games, and at the end.
const SAVE_EVERY: usize = 16;

/// Runs the command.
///
/// # Errors
///
/// Fails when there are no such rules, or a file cannot be read or written.
pub(crate) fn run(args: &SelfplayArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let Some(variant) = Variant::of(&args.variant, io).map_err(Said)? else {
        io.error("say by which rules: --variant NAME or --rules STRING");
        return Ok(Exit::Error);
    };
    let book = AnyRulebook::compile(&variant.rules)?;
    let series = series(args, &book);
    let mut state = State::<GameNote>::open(args.resume.as_deref(), asked(args, &variant, &series))?;
    play(args, &series, &mut state, io)?;
    let wanted = usize::try_from(args.games).unwrap_or(usize::MAX);
    let games = &state.played[..state.played.len().min(wanted)];
    let text = records(args, games, (&variant, &book))?;
    match &args.output {
        Some(path) => {
            let saved = Output::create(path).and_then(|mut output| {
                output.write_all(text.as_bytes())?;
                output.finish()
            });
            saved.with_context(|| path.display().to_string())?;
        }
        None => io.print(&text)?,
    }
    Ok(Exit::Ok)
}

fn series(args: &SelfplayArgs, book: &AnyRulebook) -> SelfPlay {
    let proofs = if args.play_out { Proofs::Play } else { Proofs::End };
    let temperature = Temperature { plies: args.temperature_plies, hundredths: f64::from(args.temperature) };
    SelfPlay {
        temperature,
        opening_plies: args.opening_plies,
        terms: Terms { plies: Some(args.plies), proofs, stop: None },
        seed: args.seed,
        ..SelfPlay::new(book, args.limits.limits())
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
    in_order(numbers, args.threads, work, |number, note| {
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
    let engine = identity(book);
    let limits = words(&args.limits.limits());
    let mut out = String::new();
    for (number, game) in games.iter().enumerate() {
        let heading = Heading {
            id: format!("selfplay-{}-{}", args.seed, number + 1),
            event: "tafl selfplay",
            attackers: &engine,
            defenders: &engine,
            more: &[("limits", limits.clone()), ("seed", args.seed.to_string())],
        };
        record::add(&record::record(game, &heading, (variant, book)), &mut out)?;
    }
    Ok(out)
}
