//! The groups of commands in the program's help.

use std::fmt::Write;

use clap::Command;

/// The width of the names, so that the descriptions line up in all groups.
const NAME_WIDTH: usize = 11;

/// The groups, each with its commands in the order of the help.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Records", &["validate", "repair", "convert", "replay", "infer", "lines"]),
    ("Boards and rules", &["show", "move", "rules", "perft"]),
    (
        "Engine",
        &[
            "eval",
            "solve",
            "annotate",
            "puzzles",
            "match",
            "league",
            "openings",
            "selfplay",
            "calibrate",
            "tune",
            "bench",
        ],
    ),
    (
        "Corpus",
        &[
            "import", "search", "explore", "report", "sql", "views", "info", "export", "verify", "remove",
            "tag", "player", "merge", "compact", "rows",
        ],
    ),
    ("Integration", &["serve", "engine", "analyze", "mcp", "completions", "man", "demo", "help"]),
];

/// Replaces the list of commands in the help by groups; clap has one list of subcommands.
pub(super) fn group(mut command: Command) -> Command {
    command.build();
    let styles = command.get_styles().clone();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (title, names) in GROUPS {
        let commands: Vec<&Command> = names.iter().filter_map(|name| command.find_subcommand(name)).collect();
        if commands.is_empty() {
            continue;
        }
        write!(text, "\n{heading}{title}:{heading:#}\n").expect("texts take everything");
        for below in commands {
            let (name, about) = (below.get_name(), below.get_about().map(ToString::to_string));
            writeln!(text, "  {literal}{name:NAME_WIDTH$}{literal:#}  {}", about.unwrap_or_default())
                .expect("texts take everything");
        }
    }
    write!(text, "\n{heading}Options:{heading:#}\n{{options}}{{after-help}}").expect("texts take everything");
    command.help_template(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn every_command_is_in_one_group() {
        let mut command = Cli::command();
        command.build();
        let there: BTreeSet<&str> = command.get_subcommands().map(Command::get_name).collect();
        let mut grouped = BTreeSet::new();
        for name in GROUPS.iter().flat_map(|(_, names)| *names) {
            assert!(grouped.insert(*name), "{name} is in two groups");
        }
        let missing: Vec<_> = there.difference(&grouped).collect();
        assert!(missing.is_empty(), "in no group: {missing:?}");
        if cfg!(all(feature = "serve", feature = "mcp")) {
            assert_eq!(there, grouped);
        }
    }
}
