//! `tafl man` and `tafl completions`.

use std::fs;

use tafl_cli::Exit;

use super::run;

#[test]
fn each_command_has_a_man_page() {
    let page = run(&["man"]);
    assert!(page.text().contains(".TH tafl 1"), "{}", page.text());
    let subcommand = run(&["man", "rules", "diff"]);
    assert!(
        subcommand.text().contains(".TH tafl-rules-diff 1") && subcommand.text().contains("tafl rules diff")
    );
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&["man", "-o", folder.path().to_str().unwrap()]).exit, Exit::Ok);
    for name in ["tafl", "tafl-validate", "tafl-move", "tafl-rules", "tafl-rules-explain"] {
        assert!(fs::metadata(folder.path().join(format!("{name}.1"))).unwrap().len() > 200, "{name}");
    }
}

#[test]
fn completions_include_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]);
        assert_eq!(script.exit, Exit::Ok);
        for command in
            ["validate", "convert", "replay", "move", "show", "rules", "perft", "bench", "demo", "infer"]
        {
            assert!(script.text().contains(command), "{shell}: {command}");
        }
    }
}

/// Returns the names of all commands, from the help text of the program.
fn command_names() -> Vec<String> {
    let help = run(&["--help"]);
    // The groups of commands are between the usage and the options.
    let list = help.text().lines().skip_while(|line| !line.starts_with("Usage:"));
    let list = list.take_while(|line| *line != "Options:");
    let names = list.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).map(ToOwned::to_owned).collect()
}

#[test]
fn every_command_has_valid_examples_and_help_within_80_columns() {
    let names = command_names();
    assert!(names.len() > 30, "{names:?}");
    for name in names.iter().filter(|name| *name != "help") {
        let help = run(&[name, "--help"]);
        let (mut n_examples, mut previous) = (0, String::new());
        for line in help.text().lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
            // A source line that is too long is wrapped, which leaves a single word on the next line.
            let is_text = !line.starts_with(' ') && !line.ends_with(['.', ':']) && !line.is_empty();
            let is_wrapped = is_text && previous.chars().count() > 60 && line.chars().count() < 12;
            assert!(!is_wrapped, "{name}: {previous} / {line}");
            line.clone_into(&mut previous);
        }
        let joined = help.text().replace("\\\n", " ");
        // The command may follow a pipe.
        let examples = joined
            .lines()
            .filter(|line| line.starts_with("  ") && !line.contains('<'))
            .filter_map(|line| line.split(" | ").map(str::trim).find(|part| part.starts_with("tafl ")));
        for line in examples {
            let args = super::docs::shell_words(line);
            assert_eq!(tafl_cli::check_args(&args), Ok(()), "{name}: {line}");
            n_examples += 1;
        }
        assert!(n_examples > 0, "{name} has no example");
    }
}
