//! `tafl demo`.

use std::fs;

use tafl_cli::Exit;

use super::run;

#[test]
fn the_demo_fits_on_a_screen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("try");
    let ran = run(&["demo", path.to_str().unwrap()]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Ok, ""));
    assert!(ran.text().lines().count() <= 40, "{}", ran.text());
    let shown =
        ["error[L001]: illegal move", "= help:", "repair, ply", "[t]", "a b c d e f g", "balance.html"];
    for text in shown {
        assert!(ran.text().contains(text), "{text} in {}", ran.text());
    }
    assert!(fs::metadata(path.join("balance.html")).unwrap().len() > 500);
}

#[test]
fn the_tour_prints_its_commands_and_leaves_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("try");
    let ran = run(&["demo", "--tour", path.to_str().unwrap()]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Ok, ""));
    let commands: Vec<&str> = ran.text().lines().filter_map(|line| line.strip_prefix("$ tafl ")).collect();
    let wanted = [
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
    for command in wanted {
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
    // Only the folder itself is named by its whole path; what commands say is as it looks from inside.
    assert_eq!(ran.text().matches(path.to_str().unwrap()).count(), 2, "{}", ran.text());
}

#[test]
fn sound_samples_are_sound_and_broken_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    assert_eq!(run(&["demo", path]).exit, Exit::Ok);
    for entry in fs::read_dir(folder.path().join("games")).unwrap() {
        let file = entry.unwrap().path();
        let ran = run(&["validate", file.to_str().unwrap()]);
        let is_broken = file.to_str().unwrap().contains("broken");
        assert_eq!(ran.exit, if is_broken { Exit::Findings } else { Exit::Ok }, "{}", ran.text());
    }
}
