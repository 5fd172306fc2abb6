//! `tafl tag` and `tafl player`: edits of stored games.

use tafl_rules::{Count, counted};
use taflbase::database::{OnCorpus, PlayerAliasesAnswer, PlayerAliasesRequest};
use taflbase::escape::escape;
use taflbase::{App, Request, json_line};

use crate::args::database::edit::{PlayerArgs, PlayerCommand, TagArgs};
use crate::args::rules::TextFormat;
use crate::{Exit, Io};

/// Runs `tafl tag`.
///
/// # Errors
///
/// Returns an error if the corpus is missing, another program writes to it, the query or a tag is wrong, or a file is damaged or
/// cannot be written.
pub(crate) fn tag(args: &TagArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let answer = args.request.clone().run(&App::new(), &io.job())?;
    io.print(&match args.format {
        TextFormat::Json => json_line(&answer),
        TextFormat::Text => {
            format!("{} of {} changed\n", Count(answer.changed), counted(answer.games, "game", "games"))
        }
    })?;
    if answer.games > 0 {
        return Ok(Exit::Ok);
    }
    io.notices(&answer.notes);
    Ok(Exit::Findings)
}

/// Runs `tafl player`.
///
/// # Errors
///
/// Returns an error if the corpus is missing, another program writes to it, a name is unknown or wrong, or a file is damaged or
/// cannot be written.
pub(crate) fn player(args: &PlayerArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let app = App::new();
    let (answer, format) = match &args.command {
        PlayerCommand::Merge(args) => (args.request.clone().run(&app, &io.job())?, args.format),
        PlayerCommand::Split(args) => (args.request.clone().run(&app, &io.job())?, args.format),
        PlayerCommand::Aliases(args) => {
            let request = OnCorpus { corpus: args.corpus.clone(), request: PlayerAliasesRequest {} };
            let answer = request.run(&app, &io.job())?;
            io.print(&match args.format {
                TextFormat::Json => json_line(&answer),
                TextFormat::Text => names(&answer),
            })?;
            return Ok(Exit::Ok);
        }
    };
    io.print(&match format {
        TextFormat::Json => json_line(&answer),
        TextFormat::Text => format!("{} changed\n", counted(answer.changed, "game", "games")),
    })?;
    Ok(Exit::Ok)
}

fn names(answer: &PlayerAliasesAnswer) -> String {
    let names: Vec<_> = answer.aliases.iter().map(|one| (escape(&one.alias), escape(&one.name))).collect();
    let width = names.iter().map(|(alias, _)| alias.chars().count()).max().unwrap_or(0);
    names.iter().map(|(alias, name)| format!("{alias:width$}  {name}\n")).collect()
}
