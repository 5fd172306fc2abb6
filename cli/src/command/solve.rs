//! `tafl solve`: who wins, with a proof.

mod check;
mod tables;
mod words;

use std::path::Path;

use tafl_analyzer::Limits;
use tafl_analyzer::Nodes;
use tafl_analyzer::solver::{self, Budget, Certificate, Origin, Proof, Solution, Verdict};
use tafl_rules::{Game, RepetitionMode};

use crate::args::rules::TextFormat;
use crate::args::solve::SolveArgs;
use crate::exit::Said;
use crate::output::write_whole;
use crate::variant::{print_error, variant_of};
use crate::{Exit, Io};
use taflbase::escape::escape_path;
use taflbase::{Variant, play_moves};

/// Where neither positions nor time are limited.
const NODES: u64 = 2_000_000;

/// Runs the command.
///
/// # Errors
///
/// Fails when the answer cannot be written.
pub(crate) fn run(args: &SolveArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(path) = &args.check {
        return check::run(path, args.format, io);
    }
    let Some(variant) = variant_of(&args.variant, io).map_err(Said)? else {
        io.error("say by which rules: --variant NAME or --rules STRING");
        return Ok(Exit::Error);
    };
    if let Some(folder) = &args.build_tables {
        return tables::build(folder, &variant, args.pieces, args.format, io);
    }
    let Some((game, origin)) = stand(args, &variant, io) else { return Ok(Exit::Error) };
    if let Some(folder) = &args.tables {
        match tables::look_up(folder, &variant, &game) {
            Ok(Some(known)) if args.certificate.is_none() => {
                io.print(&tables::words(&variant, &game, known, args.format))?;
                return Ok(Exit::Ok);
            }
            Ok(_) => {}
            Err(error) => {
                io.error(&error.to_string());
                return Ok(Exit::Error);
            }
        }
    }
    let budget = budget(args);
    let solution = solver::solve_telling(&game, &budget, |goals| io.progress(&words::progress(goals)));
    io.end_progress();
    let mut solution = match solution {
        Ok(solution) => solution,
        Err(why) => {
            io.error(&why.to_string());
            return Ok(Exit::Error);
        }
    };
    let mut is_shortest = false;
    if args.shortest
        && let Some(proof) = solution.proof.take()
    {
        let (proof, sure) = solver::shortest(&game, proof, &budget)?;
        is_shortest = sure;
        solution.verdict = Verdict::Win { side: proof.side, plies: proof.plies };
        solution.proof = Some(proof);
    }
    match args.format {
        TextFormat::Json => {
            io.print(&format!("{:#}\n", words::json(&variant, &game, &solution, is_shortest)))?;
        }
        TextFormat::Text => io.print(&words::text(&game, &solution, is_shortest, args.plies))?,
    }
    match (&args.certificate, &solution.proof) {
        (Some(path), Some(proof)) => write(path, &variant, origin, proof, io),
        (Some(path), None) => {
            io.notice(&format!("{}: not written, nothing is proven", escape_path(path)));
            Ok(Exit::Ok)
        }
        (None, _) => Ok(Exit::Ok),
    }
}

fn budget(args: &SolveArgs) -> Budget {
    let says_nothing = args.nodes.is_none() && args.time.is_none();
    let limits = Limits {
        nodes: args.nodes.or(says_nothing.then_some(NODES)).map(Nodes),
        time: args.time,
        ..Limits::default()
    };
    let goal = args.goal.map(tafl_rules::Side::from);
    Budget { limits, mebibytes: args.hash as usize, plies: args.plies, goal }
}

/// Returns the game in which the position stands, and how it came there. What is wrong has been said where there is none.
fn stand(args: &SolveArgs, variant: &Variant, io: &mut Io<'_>) -> Option<(Game, Origin)> {
    let setup =
        variant.setup(args.place.position.as_deref()).map_err(|error| print_error(&error, io)).ok()?;
    let book = variant.compile(&setup).map_err(|error| print_error(&error, io)).ok()?;
    let to_move = variant.side(args.place.side.map(tafl_rules::Side::from));
    let mut game = Game::from_setup(&book, &setup, to_move, RepetitionMode::Enforce)
        .expect("the position was read for the board of the rules");
    let moves = play_moves(&mut game, &args.moves).map_err(|error| print_error(&error, io)).ok()?;
    Some((game, Origin { start: setup, to_move, moves }))
}

/// Writes the proof into a file, which is there whole or not at all.
fn write(
    path: &Path,
    variant: &Variant,
    origin: Origin,
    proof: &Proof,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    let certificate = Certificate { rules: variant.rules.clone(), origin, proof: proof.clone() };
    match write_whole(path, certificate.text().as_bytes()) {
        Ok(()) => Ok(Exit::Ok),
        Err(error) => {
            io.error(&format!("{}: {error}", path.display()));
            Ok(Exit::Error)
        }
    }
}

/// Returns whether a solution says who wins or that nobody does.
fn is_solved(solution: &Solution) -> bool {
    solution.verdict != Verdict::Unknown
}
