//! The optional features of this build, and the messages about missing ones.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Whether this build has the database.
pub(crate) const HAS_DATABASE: bool = cfg!(feature = "database");

/// Whether this build has the web server.
const HAS_SERVE: bool = cfg!(feature = "serve");

/// Whether this build has the tools for language models.
const HAS_MCP: bool = cfg!(feature = "mcp");

/// The answer to `--version`.
pub(crate) const VERSION: &str = match (HAS_DATABASE, HAS_SERVE, HAS_MCP) {
    (true, true, true) => concat!(env!("CARGO_PKG_VERSION"), "\nwith: database, serve, mcp"),
    (true, true, false) => concat!(env!("CARGO_PKG_VERSION"), "\nwith: database, serve\nwithout: mcp"),
    (true, false, true) => concat!(env!("CARGO_PKG_VERSION"), "\nwith: database, mcp\nwithout: serve"),
    (true, false, false) => concat!(env!("CARGO_PKG_VERSION"), "\nwith: database\nwithout: serve, mcp"),
    (false, _, true) => concat!(env!("CARGO_PKG_VERSION"), "\nwith: mcp\nwithout: database, serve"),
    (false, _, false) => concat!(env!("CARGO_PKG_VERSION"), "\nwithout: database, serve, mcp"),
};

/// A part of the program that a build can lack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Feature {
    Database,
    Serve,
    Mcp,
}

/// The commands that need the database.
const DATABASE: [&str; 15] = [
    "import", "rows", "merge", "info", "verify", "compact", "export", "remove", "tag", "player", "search",
    "explore", "sql", "views", "report",
];

/// Returns a part of a help text about corpora, or an empty text in builds without the database.
pub(crate) const fn database_help(text: &'static str) -> &'static str {
    if HAS_DATABASE { text } else { "" }
}

/// Returns the message that something needs the database.
pub(crate) fn needs_database(what: &str) -> String {
    needs(what, Feature::Database)
}

fn needs(what: &str, feature: Feature) -> String {
    // The database and the server are in the default build. A build that has `mcp` shouldn't lose it.
    let options = if HAS_MCP || feature == Feature::Mcp { " --features mcp" } else { "" };
    let feature = match feature {
        Feature::Database => "the database",
        Feature::Serve => "the server",
        Feature::Mcp => "the feature `mcp`",
    };
    format!(
        "{what} needs {feature}, which this build of tafl does not have; `cargo install --path cli{options}` builds \
         a tafl with it"
    )
}

/// Returns the message about a command that this build does not have, or `None` for other errors.
pub(crate) fn missing_feature(error: &clap::Error) -> Option<String> {
    let name = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) if error.kind() == ErrorKind::InvalidSubcommand => name,
        _ => return None,
    };
    let command = format!("`tafl {name}`");
    match name.as_str() {
        "serve" if !HAS_SERVE => Some(needs(&command, Feature::Serve)),
        "mcp" if !HAS_MCP => Some(needs(&command, Feature::Mcp)),
        name if !HAS_DATABASE && DATABASE.contains(&name) => Some(needs_database(&command)),
        _ => None,
    }
}

#[cfg(all(test, feature = "database"))]
mod tests {
    use clap::Subcommand;

    use super::*;
    use crate::args::database::DatabaseCommand;

    #[test]
    fn the_commands_that_need_the_database_are_known_without_it() {
        let there = DatabaseCommand::augment_subcommands(clap::Command::new("tafl"));
        let names: Vec<&str> = there.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names, DATABASE);
    }
}
