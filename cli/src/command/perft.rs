//! `tafl perft`: counts the sequences of legal moves.

use std::fmt::Write as _;
use std::time::Instant;

use serde_json::{Map, Value, json};
use tafl_rules::perft::Leaves;
use tafl_rules::{AnyRulebook, Setup, Side};

use crate::args::rules::{PerftArgs, TextFormat};
use crate::exit::Said;
use crate::variant::{print_error, variant_named};
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Fails when the answer cannot be written.
pub(crate) fn run(args: &PerftArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let variant = variant_named(&args.variant, io).map_err(Said)?;
    let setup = match variant.setup(args.position.as_deref()) {
        Ok(setup) => setup,
        Err(error) => return Ok(print_error(&error, io)),
    };
    let book = match variant.compile(&setup) {
        Ok(book) => book,
        Err(error) => return Ok(print_error(&error, io)),
    };
    let side = variant.side(args.side.map(Side::from));
    let begin = Instant::now();
    let counts = count(&book, args, &setup, side);
    let seconds = begin.elapsed().as_secs_f64();
    match args.format {
        TextFormat::Json => {
            let mut value = json!({
                "variant": variant.name(),
                "position": setup.to_string(),
                "side": side.word(),
                "depth": args.depth,
                "leaves": if args.played { "played" } else { "counted" },
                "nodes": counts.nodes,
                "seconds": seconds,
            });
            if args.divide {
                let moves = counts.moves.into_iter().map(|(mv, nodes)| (mv, nodes.into()));
                value["moves"] = Value::Object(moves.collect::<Map<_, _>>());
            }
            io.print(&format!("{value:#}\n"))?;
        }
        TextFormat::Text => {
            let mut out = String::new();
            for (mv, nodes) in &counts.moves {
                let _ = writeln!(out, "{mv} {nodes}");
            }
            let _ = writeln!(out, "{}", counts.nodes);
            io.print(&out)?;
            let speed = counts.nodes as f64 / seconds.max(1e-9) / 1e6;
            io.notice(&format!("{seconds:.3} s, {speed:.1} million nodes a second"));
        }
    }
    Ok(Exit::Ok)
}

/// How many sequences there are, and how many begin with each move where that was asked for.
struct Counts {
    nodes: u64,
    moves: Vec<(String, u64)>,
}

fn count(book: &AnyRulebook, args: &PerftArgs, setup: &Setup, side: Side) -> Counts {
    let leaves = if args.played { Leaves::Played } else { Leaves::Bulk };
    let depth = u32::from(args.depth);
    if !args.divide || depth == 0 {
        return Counts { nodes: book.perft(setup, side, depth, leaves), moves: Vec::new() };
    }
    let moves = book.divide(setup, side, depth, leaves);
    Counts {
        nodes: moves.iter().map(|(_, nodes)| nodes).sum(),
        moves: moves.into_iter().map(|(mv, nodes)| (mv.text(book.shape()), nodes)).collect(),
    }
}
