//! `tafl solve --build-tables`: builds tablebases.

use std::path::Path;

use tafl_rules::Count;
use taflbase::engine::BuildTablesRequest;
use taflbase::{App, Error, ErrorKind, StreamRequest, json_pretty};

use crate::args::rules::TextFormat;
use crate::args::solve::SolveArgs;
use crate::output::write_whole;
use crate::{Exit, Io};

/// Builds tablebases and writes each into a folder as soon as it is built.
pub(super) fn build(folder: &Path, args: &SolveArgs, app: &App, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let rules = args.request.position.rules.clone();
    let request = BuildTablesRequest { rules, pieces: args.pieces };
    let built = request.run(app, &io.job(), &mut |table| {
        let path = folder.join(&table.file_name);
        write_whole(&path, &table.bytes).map_err(|error| {
            let message = format!("{}: {}: {error}", table.entry.pieces, path.display());
            Error::new(ErrorKind::Io, message)
        })
    });
    io.end_progress();
    let summary = built?;
    match args.format {
        TextFormat::Json => io.print(&json_pretty(&summary))?,
        TextFormat::Text => {
            let mut out = format!(
                "{:<26} {:>12} {:>12} {:>12} {:>8} {:>14}\n",
                "pieces", "won", "lost", "neither", "plies", "bytes"
            );
            for table in &summary.tables {
                out.push_str(&format!(
                    "{:<26} {:>12} {:>12} {:>12} {:>8} {:>14}\n",
                    table.pieces,
                    Count(table.wins),
                    Count(table.losses),
                    Count(table.open),
                    Count(table.furthest.into()),
                    Count(table.bytes),
                ));
            }
            out.push_str("won and lost for the side to move; symmetric positions count once\n");
            io.print(&out)?;
        }
    }
    Ok(Exit::Ok)
}
