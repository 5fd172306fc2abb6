//! `tafl verify`: checks whether a corpus is undamaged.

use tafl_rules::counted;
use taflbase::database::VerifyAnswer;
use taflbase::escape::escape;
use taflbase::{App, Request, json_line};

use crate::args::database::corpus::VerifyArgs;
use crate::args::rules::TextFormat;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the corpus is missing, or has a newer version.
pub(crate) fn run(args: &VerifyArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let answer = args.request.clone().run(&App::new(), &io.job())?;
    io.print(&match args.format {
        TextFormat::Text => text(&answer, args.request.deep),
        TextFormat::Json => json_line(&answer),
    })?;
    Ok(if answer.faults.is_empty() { Exit::Ok } else { Exit::Findings })
}

fn text(answer: &VerifyAnswer, is_deep: bool) -> String {
    let mut out: String = answer.faults.iter().map(|fault| format!("{}\n", escape(fault))).collect();
    let files = counted(answer.files, "file", "files");
    let bytes = counted(answer.bytes, "byte", "bytes");
    let games = if is_deep {
        format!(", {}", counted(answer.games, "game played", "games played"))
    } else {
        String::new()
    };
    let verdict = match answer.faults.len() {
        0 => "no damage".to_owned(),
        faults => counted(faults as u64, "fault", "faults"),
    };
    out += &format!("{files}, {bytes}{games}: {verdict}\n");
    out
}
