//! The commands about corpora. They are left out of a build without the database.

pub(crate) mod compact;
pub(crate) mod edit;
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod info;
pub(crate) mod merge;
pub(crate) mod remove;
pub(crate) mod report;
pub(crate) mod rows;
pub(crate) mod search;
pub(crate) mod sql;
pub(crate) mod verify;
pub(crate) mod views;

use crate::args::database::DatabaseCommand;
use crate::{Exit, Io};

/// Runs a command.
///
/// # Errors
///
/// Returns an error if the command does.
pub(crate) fn run(command: &DatabaseCommand, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    match command {
        DatabaseCommand::Import(args) => import::run(args, io),
        DatabaseCommand::Rows(args) => rows::run(args, io),
        DatabaseCommand::Merge(args) => merge::run(args, io),
        DatabaseCommand::Info(args) => info::run(args, io),
        DatabaseCommand::Verify(args) => verify::run(args, io),
        DatabaseCommand::Compact(args) => compact::run(args, io),
        DatabaseCommand::Export(args) => export::run(args, io),
        DatabaseCommand::Remove(args) => remove::run(args, io),
        DatabaseCommand::Tag(args) => edit::tag(args, io),
        DatabaseCommand::Player(args) => edit::player(args, io),
        DatabaseCommand::Search(args) => search::run(args, io),
        DatabaseCommand::Explore(args) => explore::run(args, io),
        DatabaseCommand::Sql(args) => sql::run(args, io),
        DatabaseCommand::Views(args) => views::run(args, io),
        DatabaseCommand::Report(args) => report::run(args, io),
    }
}
