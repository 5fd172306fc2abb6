//! `tafl eval`: what a position is worth, and what to play.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tafl_analyzer::engine::{Engine, Options};
use tafl_analyzer::{Line, SearchReport};
use tafl_rules::{Game, Move, RepetitionMode, Shape, Side};

use crate::args::engine::EvalArgs;
use crate::args::rules::TextFormat;
use crate::exit::Said;
use crate::number::counted;
use crate::variant::{print_error, variant_of};
use crate::{Exit, Io};
use taflbase::{Variant, play_moves};

/// Runs the command.
///
/// # Errors
///
/// Fails when the answer cannot be written.
pub(crate) fn run(args: &EvalArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let Some(variant) = variant_of(&args.variant, io).map_err(Said)? else {
        io.error("say by which rules: --variant NAME or --rules STRING");
        return Ok(Exit::Error);
    };
    let game = match stand(args, &variant) {
        Ok(game) => game,
        Err(error) => return Ok(print_error(&error, io)),
    };
    let book = match variant.compile(&game.setup()) {
        Ok(book) => book,
        Err(error) => return Ok(print_error(&error, io)),
    };
    let options = Options { mebibytes: args.hash as usize, threads: args.threads, ..Options::default() };
    let limits = args.limits.limits(args.lines);
    let side = game.to_move();
    let found = Engine::new(&book, options).search_with_info(&game, &limits, |report| {
        let line = &report.lines[0];
        let best = words(game.shape(), &line.moves[..1]);
        io.progress(&format!("depth {}: {} {best}", report.depth.0, line.score.for_side(side)));
    });
    io.end_progress();
    let report = match found {
        Ok(report) => report,
        Err(why) => {
            io.error(&why.to_string());
            return Ok(Exit::Error);
        }
    };
    match args.format {
        TextFormat::Json => io.print(&format!("{:#}\n", as_json(&variant, &game, &report)))?,
        TextFormat::Text => io.print(&as_text(&game, &report))?,
    }
    Ok(Exit::Ok)
}

/// Returns the game in which the position stands.
fn stand(args: &EvalArgs, variant: &Variant) -> taflbase::Result<Game> {
    let setup = variant.setup(args.place.position.as_deref())?;
    let book = variant.compile(&setup)?;
    let side = variant.side(args.place.side.map(Side::from));
    let mut game = Game::from_setup(&book, &setup, side, RepetitionMode::Enforce)
        .expect("the position was read for the board of the rules");
    play_moves(&mut game, &args.moves)?;
    Ok(game)
}

/// Returns moves as `d1-d3 f4-f2`.
fn words(shape: Shape, moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.text(shape)).collect::<Vec<_>>().join(" ")
}

fn as_text(game: &Game, report: &SearchReport) -> String {
    let side = game.to_move();
    let mut out = String::new();
    for line in &report.lines {
        let score = line.score.for_side(side).to_string();
        let _ = writeln!(out, "{score:>16}  {}", words(game.shape(), &line.moves));
    }
    let speed = report.nodes.0 as f64 / report.time.as_secs_f64().max(1e-9) / 1e6;
    let _ = writeln!(
        out,
        "for the {side}, who move; depth {}, {} in {:.2} s ({speed:.2} million a second)",
        report.depth.0,
        counted(report.nodes.0, "position", "positions"),
        report.time.as_secs_f64(),
    );
    out
}

fn as_json(variant: &Variant, game: &Game, report: &SearchReport) -> Value {
    let side = game.to_move();
    let line = |line: &Line| {
        let score = line.score.for_side(side);
        let score_of = |side: Side| line.score.for_side(side);
        let win = score.distance().map(|_| {
            let winner = Side::ALL.into_iter().find(|side| score_of(*side).value() > 0);
            winner.map(Side::word)
        });
        json!({
            "moves": words(game.shape(), &line.moves).split(' ').collect::<Vec<_>>(),
            "score": if score.is_decisive() { Value::Null } else { json!(f64::from(score.value()) / 100.0) },
            "wins": win,
            "plies": score.distance(),
        })
    };
    json!({
        "variant": variant.name(),
        "position": game.setup().to_string(),
        "side": side.word(),
        "lines": report.lines.iter().map(line).collect::<Vec<_>>(),
        "depth": report.depth.0,
        "nodes": report.nodes.0,
        "seconds": report.time.as_secs_f64(),
        "engine": format!("taflbase {}", env!("CARGO_PKG_VERSION")),
    })
}
