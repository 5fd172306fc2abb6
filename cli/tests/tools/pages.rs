//! `tafl man` and `tafl completions`.

use std::fs;

use tafl_cli::Exit;

use super::run;

#[test]
fn there_is_a_page_for_each_command() {
    let page = run(&["man"]);
    assert!(page.text().contains(".TH tafl 1"), "{}", page.text());
    let below = run(&["man", "rules", "diff"]);
    assert!(below.text().contains(".TH tafl-rules-diff 1") && below.text().contains("tafl rules diff"));
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(&["man", "-o", folder.path().to_str().unwrap()]).exit, Exit::Ok);
    for name in ["tafl", "tafl-validate", "tafl-move", "tafl-rules", "tafl-rules-explain"] {
        assert!(fs::metadata(folder.path().join(format!("{name}.1"))).unwrap().len() > 200, "{name}");
    }
}

#[test]
fn completions_know_every_command() {
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
