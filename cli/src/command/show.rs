//! `tafl show`: draws a board or a game.

use std::slice;

use anyhow::Context;
use tafl_rules::counted;
use taflbase::escape::escape_path;
use taflbase::records::FindingRecord;
use taflbase::{App, ShowRequest, UnplayedPlies};

use crate::args::board::ShowArgs;
use crate::exit::Reported;
use crate::output::{file_named, write_whole};
use crate::records::write_finding;
use crate::target::protect_inputs;
use crate::variant::variant_of;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Fails if the game can't be found, or the picture can't be drawn or written.
pub(crate) fn run(args: &ShowArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let output = file_named(args.output.as_deref());
    let request = ShowRequest { ansi_colors: output.is_none() && io.has_colors(), ..args.request.clone() };
    let request = match output {
        Some(path) => request.for_file(path)?,
        None => request,
    };
    if let Some(game) = &request.game {
        protect_inputs(&[output], slice::from_ref(&game.path()))?;
    }
    // Prints notices about the rules; the request reads them again.
    variant_of(&request.rules, io).map_err(Reported)?;
    let (app, job, stdin) = (App::new().with_rules_files(), io.job(), io.take_stdin());
    let picture = request.run_with_stdin(Some(stdin), &app, &job)?;
    let exit = match picture.unplayed {
        Some(unplayed) => {
            let UnplayedPlies { played, written, file, game, is_end, finding } = unplayed;
            io.error(&if is_end {
                format!("only {played} of {written} moves can be played")
            } else {
                format!(
                    "{} can be played, but a word among them cannot be read",
                    counted(played as u64, "move", "moves")
                )
            });
            if let Some(finding) = finding {
                let record = FindingRecord { file: &file, game: Some(game), ..FindingRecord::default() };
                let mut text = String::new();
                write_finding(&finding.line(record), io.error_style(), &mut text);
                io.notice_always(text.trim_end());
            }
            Exit::Findings
        }
        None => Exit::Ok,
    };
    match output {
        Some(path) => {
            write_whole(path, &picture.bytes).with_context(|| format!("{}", path.display()))?;
            io.notice(&format!("{} written to {}", picture.format.as_str(), escape_path(path)));
        }
        None => io.write_bytes(&picture.bytes)?,
    }
    Ok(exit)
}
