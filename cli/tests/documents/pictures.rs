//! The pictures of the documents are what the program draws; `UPDATE=1` draws them again.
//!
//! Those of web pages are made by `docs/img/screenshots` with a browser, and are not compared.

use std::fs;

use super::root;
use super::sandbox::Sandbox;

/// Pictures that command lines make.
struct Made {
    commands: &'static [&'static str],
    /// The names of the pictures, and the files that become them.
    files: &'static [(&'static str, &'static str)],
}

const MADE: &[Made] = &[
    Made {
        commands: &["tafl show games/copenhagen.otg:1 -o end.svg"],
        files: &[("copenhagen.svg", "end.svg")],
    },
    Made {
        commands: &["tafl show games/hexentafl.skud:2 -o end.svg"],
        files: &[("hexentafl.svg", "end.svg")],
    },
    Made {
        commands: &["tafl explore corpus --variant brandubh7 --tree 3 --format svg -o openings.svg"],
        files: &[("openings.svg", "openings.svg")],
    },
    Made {
        commands: &[
            "tafl selfplay --variant hexentafl4 --games 60 --seed 7 --nodes 50 -o own.jsonl",
            "tafl report balance own.jsonl --variant hexentafl4 -o own/",
        ],
        files: &[
            ("report-winner.png", "own/pictures/hexentafl4-winner.png"),
            ("report-king.png", "own/pictures/hexentafl4-king.png"),
        ],
    },
];

/// What a browser is pointed at.
const SCREENSHOTS: &[&str] = &["annotate.png", "serve-explore.png", "serve-search.png"];

#[test]
fn the_pictures_are_what_the_program_draws() {
    let sandbox = Sandbox::new();
    let folder = root().join("docs/img");
    for Made { commands, files } in MADE {
        for command in *commands {
            sandbox.shell(command);
        }
        for (name, made) in *files {
            let drawn = fs::read(sandbox.path().join(made)).unwrap();
            if std::env::var_os("UPDATE").is_some() {
                fs::write(folder.join(name), &drawn).unwrap();
            }
            let is_same = fs::read(folder.join(name)).is_ok_and(|kept| kept == drawn);
            assert!(is_same, "docs/img/{name} is stale: run this test with UPDATE=1");
        }
    }
}

#[test]
fn it_is_known_how_every_picture_is_made() {
    let made: Vec<&str> = MADE.iter().flat_map(|made| made.files.iter().map(|(name, _)| *name)).collect();
    let script = fs::read_to_string(root().join("docs/img/screenshots")).unwrap();
    for entry in fs::read_dir(root().join("docs/img")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_shot = SCREENSHOTS.contains(&name.as_str()) && script.contains(&name);
        assert!(name == "screenshots" || is_shot || made.contains(&name.as_str()), "docs/img/{name}");
    }
}
