//! What this program was built with, and what is said where something was left out.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Whether corpora can be made, read and asked.
pub(crate) const HAS_DATABASE: bool = cfg!(feature = "database");

/// Whether a corpus can be shown in the browser.
const HAS_SERVE: bool = cfg!(feature = "serve");

/// The answer to `--version`.
pub(crate) const VERSION: &str = match (HAS_DATABASE, HAS_SERVE) {
    (true, true) => concat!(env!("CARGO_PKG_VERSION"), "\nwith: database, serve"),
    (true, false) => concat!(env!("CARGO_PKG_VERSION"), "\nwith: database\nwithout: serve"),
    (false, _) => concat!(env!("CARGO_PKG_VERSION"), "\nwithout: database, serve"),
};

/// The commands that need the database.
const DATABASE: [&str; 12] = [
    "import", "rows", "merge", "info", "verify", "compact", "export", "remove", "search", "explore", "sql",
    "report",
];

/// Returns a part of a help text that is about corpora; nothing where the database was left out.
pub(crate) const fn of_database(text: &'static str) -> &'static str {
    if HAS_DATABASE { text } else { "" }
}

/// Says that something needs the database, and how to get it.
pub(crate) fn needs_database(what: &str) -> String {
    needs(what, "database")
}

fn needs(what: &str, feature: &str) -> String {
    format!(
        "{what} needs the {feature}, which was left out when this tafl was built; `cargo install --path cli` builds one \
         that has it"
    )
}

/// Returns what is to be said where a mistake on the command line is a command that was left out.
pub(crate) fn left_out(mistake: &clap::Error) -> Option<String> {
    let name = match mistake.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) if mistake.kind() == ErrorKind::InvalidSubcommand => name,
        _ => return None,
    };
    let command = format!("`tafl {name}`");
    match name.as_str() {
        "serve" if !HAS_SERVE => Some(needs(&command, "server")),
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
