//! Compares the images of the documents with those that the program draws; `UPDATE=1` updates them.
//!
//! The script `docs/img/screenshots` makes the screenshots of web pages with a browser. They are not compared.

use std::fs;

use super::root;
use super::sandbox::Sandbox;

/// Images that command lines draw.
struct GeneratedImages {
    commands: &'static [&'static str],
    /// The names of the images in `docs/img`, and the files that the commands write.
    files: &'static [(&'static str, &'static str)],
}

const GENERATED: &[GeneratedImages] = &[
    GeneratedImages {
        commands: &["tafl show games/copenhagen.otg:1 -o end.svg"],
        files: &[("copenhagen.svg", "end.svg")],
    },
    GeneratedImages {
        commands: &["tafl show games/hexentafl.skud:2 -o end.svg"],
        files: &[("hexentafl.svg", "end.svg")],
    },
    GeneratedImages {
        commands: &["tafl explore corpus --variant brandubh7 --tree 3 --format svg -o openings.svg"],
        files: &[("openings.svg", "openings.svg")],
    },
    GeneratedImages {
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

/// The images made by `docs/img/screenshots`.
const SCREENSHOTS: &[&str] = &["annotate.png", "serve-explore.png", "serve-search.png"];

#[test]
fn generated_images_are_up_to_date() {
    let sandbox = Sandbox::new();
    let folder = root().join("docs/img");
    for GeneratedImages { commands, files } in GENERATED {
        for command in *commands {
            sandbox.shell(command);
        }
        for (name, file) in *files {
            let drawn = fs::read(sandbox.path().join(file)).unwrap();
            if std::env::var_os("UPDATE").is_some() {
                fs::write(folder.join(name), &drawn).unwrap();
            }
            let is_same = fs::read(folder.join(name)).is_ok_and(|stored| stored == drawn);
            assert!(is_same, "docs/img/{name} is stale: run this test with UPDATE=1");
        }
    }
}

#[test]
fn every_image_has_a_source() {
    let generated: Vec<&str> =
        GENERATED.iter().flat_map(|images| images.files.iter().map(|(name, _)| *name)).collect();
    let script = fs::read_to_string(root().join("docs/img/screenshots")).unwrap();
    for entry in fs::read_dir(root().join("docs/img")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_screenshot = SCREENSHOTS.contains(&name.as_str()) && script.contains(&name);
        assert!(
            name == "screenshots" || is_screenshot || generated.contains(&name.as_str()),
            "docs/img/{name}"
        );
    }
}
