//! Runs the examples of the help texts in a folder with the files that they name.

use std::process::Command;

use super::sandbox::Sandbox;

/// Creates the files and folders that the examples name, from the samples.
const PREPARE: &str = r#"
mv corpus games.corpus
cp games/brandubh.csv games.csv
tafl convert --to opentafl games.csv -o games.otg
cp games/copenhagen.otg game.otg
cp -r games old
cp -r games old-games
cp games/seabattle.jsonl games.jsonl
cp games/seabattle.jsonl archive.jsonl
gzip -k games.csv games.jsonl archive.jsonl
echo '{"taflbase_job":1,"variant":"brandubh7","seed":7,"games":2,"nodes":50}' > jobs.jsonl
echo '{"id":1,"variant":"brandubh7","nodes":50}' > queries.jsonl
mkdir -p parts .local/share/man/man1 .local/share/bash-completion/completions
tafl import parts/0 games/tablut.pgn
cp -r parts/0 part-0.corpus
cp -r parts/0 one.corpus
for name in part-1 other; do cp -r games.corpus $name.corpus; done
printf '[attackers:sven77]\n[defenders:Odd]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n\n' > sven.otg
printf '[attackers:Odd]\n[defenders:S. Svensson]\n[variant:brandubh7]\n\n1. d1-c1 d3-c3\n' >> sven.otg
tafl import games.corpus sven.otg
tafl player merge games.corpus 'Sven Svensson' sven77 'S. Svensson'
tafl solve --variant brandubh7 --side defenders --position /7/t5t/7/3K3/3T3/1t5/7/ --certificate proof.txt
tafl report balance games.corpus -o balance.html
"#;

/// Parts of examples that are skipped, with the reason.
const SKIPPED: &[(&str, &str)] = &[
    ("tafl serve", "does not end by itself"),
    ("tafl bench", "measures for minutes"),
    ("tafl calibrate", "needs hundreds of games"),
    ("tafl eval --variant brandubh7\n", "searches for five seconds"),
    ("--make net", "trains for minutes"),
    ("--make data", "plays for minutes"),
    ("--plies 7", "searches for minutes"),
    ("--pieces 4", "generates a tablebase for half a minute"),
    ("0a1b2c3d4e5f6071", "does not name an existing game"),
];

/// Returns the subcommands listed in the help of a command.
fn subcommands(help: &str) -> Vec<String> {
    // The top level has several groups of commands.
    let is_end = |line: &&str| matches!(*line, "Arguments:" | "Options:");
    let has_list = help.contains("\nCommands:\n") || help.contains("\nRecords:\n");
    let list = help.lines().skip_while(|line| !line.starts_with("Usage:")).filter(|_| has_list);
    let list = list.take_while(|line| !is_end(line));
    let names = list
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(ToOwned::to_owned).collect()
}

/// Returns the examples of a help text, with continuation lines joined.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
    let mut found: Vec<String> = Vec::new();
    for line in lines.take_while(|line| !line.trim().is_empty()) {
        let is_new = line.strip_prefix("  ").is_some_and(|line| !line.starts_with(' '));
        match found.last_mut() {
            Some(last) if !is_new => {
                let joined = format!("{} {}", last.trim_end_matches('\\'), line.trim());
                *last = joined;
            }
            _ => found.push(line.trim().to_owned()),
        }
    }
    found
}

/// Returns an example with small limits for the engine.
fn with_small_limits(example: &str) -> String {
    let mut words: Vec<String> = example.split(' ').map(ToOwned::to_owned).collect();
    for at in 1..words.len() {
        let max = match words[at - 1].as_str() {
            "--nodes" => 100,
            "--games" => 4,
            "--time" => 1,
            _ => continue,
        };
        words[at] = words[at].parse().map_or(max, |number: u64| number.min(max)).to_string();
    }
    words.join(" ")
}

#[test]
fn every_help_example_works() {
    let prepared = Sandbox::new();
    let ran = prepared.shell(PREPARE);
    assert!(prepared.path().join("balance.html").exists(), "{}", ran.stderr);
    let mut commands = subcommands(&prepared.shell("tafl --help").stdout);
    for group in commands.clone() {
        let help = prepared.shell(&format!("tafl {group} --help")).stdout;
        commands.extend(subcommands(&help).into_iter().map(|name| format!("{group} {name}")));
    }
    assert!(commands.len() > 40, "{commands:?}");
    let (mut failures, mut n_ran) = (Vec::new(), 0);
    for name in commands {
        let examples = examples(&prepared.shell(&format!("tafl {name} --help")).stdout);
        let group = name.split(' ').next().expect("a command has a name");
        let has_own_example = examples.iter().any(|example| example.contains(&format!("tafl {name}")));
        let is_group = name == group && ["report", "rules"].contains(&group);
        if !has_own_example && !is_group {
            failures.push(format!("tafl {name}: the help has no example of this command"));
        }
        let folder = tempfile::tempdir().unwrap();
        let copied =
            Command::new("cp").args(["-r", "."]).arg(folder.path()).current_dir(prepared.path()).status();
        assert!(copied.unwrap().success());
        for example in examples {
            if SKIPPED.iter().any(|(part, _)| format!("{example}\n").contains(part)) {
                continue;
            }
            let command = with_small_limits(&example);
            let ran = Sandbox::shell_in(folder.path(), &command);
            n_ran += 1;
            if ran.code == Some(2) || ran.stderr.contains("error: ") {
                failures.push(format!("tafl {name}: {command}\n{}", ran.stderr));
            }
        }
    }
    assert!(n_ran > 70, "{n_ran}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
