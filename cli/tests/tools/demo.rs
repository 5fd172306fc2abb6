//! `tafl demo`.

use std::fs;

use tafl_cli::Exit;

use super::run;

#[test]
fn the_demo_fits_on_a_screen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("try");
    let output = run(&["demo", path.to_str().unwrap()]);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""));
    assert!(output.text().lines().count() <= 40, "{}", output.text());
    let shown =
        ["error[L001]: illegal move", "= help:", "repair, ply", "[t]", "a b c d e f g", "balance.html"];
    for text in shown {
        assert!(output.text().contains(text), "{text} in {}", output.text());
    }
    assert!(fs::metadata(path.join("balance.html")).unwrap().len() > 500);
}

#[test]
fn the_tour_prints_its_commands_and_creates_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("try");
    let output = run(&["demo", "--tour", path.to_str().unwrap()]);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""));
    let commands: Vec<&str> = output.text().lines().filter_map(|line| line.strip_prefix("$ tafl ")).collect();
    let expected = [
        "validate games",
        "repair games/",
        "convert --to opentafl",
        "show games/",
        "move --variant",
        "rules diff",
        "import corpus games",
        "search corpus 'pattern corner",
        "explore corpus --variant brandubh7",
        "sql corpus 'SELECT",
        "report balance corpus -o balance.html",
    ];
    for command in expected {
        assert!(commands.iter().any(|line| line.starts_with(command)), "{command} in {commands:?}");
    }
    for result in [
        "all.otg",
        "end.svg",
        "game.svg",
        "games/brandubh-broken.csv",
        "corpus/manifest.json",
        "balance.html",
    ] {
        assert!(fs::metadata(path.join(result)).unwrap().len() > 500, "{result}");
    }
    // Only the folder itself has its full path in the output; other paths are relative to it.
    assert_eq!(output.text().matches(path.to_str().unwrap()).count(), 2, "{}", output.text());
}

#[test]
fn a_folder_with_blanks_is_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Bo's games");
    let output = run(&["demo", path.to_str().unwrap()]);
    let quoted = path.to_str().unwrap().replace('\'', r"'\''");
    assert!(output.text().contains(&format!("$ cd '{quoted}'\n")), "{}", output.text());
}

#[test]
fn only_broken_samples_have_findings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    assert_eq!(run(&["demo", path]).exit, Exit::Ok);
    for entry in fs::read_dir(folder.path().join("games")).unwrap() {
        let file = entry.unwrap().path();
        let output = run(&["validate", file.to_str().unwrap()]);
        let is_broken = file.to_str().unwrap().contains("broken");
        assert_eq!(output.exit, if is_broken { Exit::Findings } else { Exit::Ok }, "{}", output.text());
    }
}
