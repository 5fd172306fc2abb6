//! `tafl solve --build-tables` and `--tables`: what is won with few pieces.

use std::io;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use tafl_analyzer::solver::tablebase::{Dtm, FileError, PieceCounts, Tablebases};
use tafl_rules::Game;

use crate::args::rules::TextFormat;
use crate::number::{Count, counted};
use crate::{Exit, Io, output};
use taflbase::Variant;

/// Makes tables and writes them into a folder.
pub(super) fn build(
    folder: &Path,
    variant: &Variant,
    pieces: u8,
    format: TextFormat,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    let started = Instant::now();
    let mut rows = Vec::new();
    let mut tables = match Tablebases::new(&variant.rules) {
        Ok(tables) => tables,
        Err(error) => {
            io.error(&error.to_string());
            return Ok(Exit::Error);
        }
    };
    for counts in Tablebases::plan(&variant.rules, pieces) {
        io.progress(&format!("{}: {} bytes", name(counts), Count(tables.bytes(counts))));
        // What is finished is kept, whatever happens to the next one.
        let made = tables.add(counts).map_err(|error| error.to_string());
        let saved = made.and_then(|()| save(&tables, folder, counts).map_err(|error| error.to_string()));
        if let Err(error) = saved {
            io.end_progress();
            io.error(&format!("{}: {error}", name(counts)));
            return Ok(Exit::Error);
        }
        rows.push(row(&tables, counts));
    }
    io.end_progress();
    let seconds = started.elapsed().as_secs_f64();
    match format {
        TextFormat::Json => {
            let answer = json!({ "variant": variant.name(), "tables": rows, "seconds": seconds });
            io.print(&format!("{answer:#}\n"))?;
        }
        TextFormat::Text => {
            let mut out = format!(
                "{:<26} {:>12} {:>12} {:>12} {:>8} {:>14}\n",
                "pieces", "won", "lost", "neither", "plies", "bytes"
            );
            for row in &rows {
                let count = |key: &str| Count(row[key].as_u64().unwrap_or(0));
                out.push_str(&format!(
                    "{:<26} {:>12} {:>12} {:>12} {:>8} {:>14}\n",
                    row["pieces"].as_str().unwrap_or_default(),
                    count("wins"),
                    count("losses"),
                    count("open"),
                    count("furthest"),
                    count("bytes"),
                ));
            }
            out.push_str("won and lost for the side to move; mirror images count once\n");
            io.print(&out)?;
        }
    }
    Ok(Exit::Ok)
}

/// Writes a table into a folder, whole or not at all.
fn save(tables: &Tablebases, folder: &Path, counts: PieceCounts) -> io::Result<()> {
    let Some((name, bytes)) = tables.file(counts) else { return Ok(()) };
    let path = folder.join(name);
    output::write_whole(&path, &bytes)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

fn row(tables: &Tablebases, counts: PieceCounts) -> Value {
    let stats = tables.stats(counts).unwrap_or_default();
    json!({
        "pieces": name(counts),
        "attackers": counts.attackers,
        "defenders": counts.defenders,
        "wins": stats.wins,
        "losses": stats.losses,
        "open": stats.open,
        "furthest": stats.furthest,
        "bytes": tables.bytes(counts),
    })
}

/// Returns what to call a table: `king, 2 attackers, 1 man`.
fn name(counts: PieceCounts) -> String {
    let men = match counts.defenders {
        0 => String::new(),
        n => format!(", {}", counted(n.into(), "man", "men")),
    };
    format!("king, {}{men}", counted(counts.attackers.into(), "attacker", "attackers"))
}

/// Looks a position up in the tables of a folder.
pub(super) fn look_up(folder: &Path, variant: &Variant, game: &Game) -> Result<Option<Dtm>, FileError> {
    Ok(Tablebases::load(&variant.rules, folder)?.probe_game(game))
}

/// Says what tables know.
pub(super) fn words(variant: &Variant, game: &Game, known: Dtm, format: TextFormat) -> String {
    let side = game.to_move();
    let (winner, plies) = match known {
        Dtm::Win(plies) => (Some(side), Some(plies)),
        Dtm::Loss(plies) => (Some(side.other()), Some(plies)),
        Dtm::Open => (None, None),
    };
    match (format, winner, plies) {
        (TextFormat::Json, _, _) => {
            let answer = json!({
                "variant": variant.name(),
                "position": game.setup().to_string(),
                "side": side.word(),
                "solved": true,
                "winner": winner.map(tafl_rules::Side::word),
                "plies": plies,
                "shortest": true,
                "from": "tables",
            });
            format!("{answer:#}\n")
        }
        (TextFormat::Text, Some(winner), Some(plies)) => {
            let plies = counted(plies.into(), "ply", "plies");
            format!("tables: the {winner} win within {plies}, and not sooner; history aside\n")
        }
        (TextFormat::Text, _, _) => {
            "tables: neither side can force a win, repetition and history aside\n".to_owned()
        }
    }
}
