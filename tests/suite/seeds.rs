//! The stored inputs of the fuzz targets: each is run by its target, and violates no property.

use std::fs;
use std::path::Path;

use tafl_analyzer::Tablebases;
use tafl_rules::catalog;
use tafl_tests::targets::{TARGETS, run};

#[test]
fn stored_inputs_satisfy_all_properties() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    for target in TARGETS {
        assert!(fuzz.join(format!("targets/{}.rs", target.name)).is_file(), "{} has no program", target.name);
        let mut count = 0;
        for entry in fs::read_dir(fuzz.join("seeds").join(target.name)).expect("every target has seeds") {
            let path = entry.unwrap().path();
            // The output names the seed of a failure.
            println!("{}", path.display());
            run(target.name, &fs::read(&path).unwrap());
            count += 1;
        }
        assert!(count > 2, "{} has {count} seeds", target.name);
    }
}

#[test]
fn every_program_is_a_known_target() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for entry in fs::read_dir(fuzz.join("targets")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        // The tests of `tafl-cli` run the seeds of this target.
        let is_of_cli = name == "conversation";
        assert!(is_of_cli || TARGETS.iter().any(|target| target.name == name), "{name}");
        assert!(manifest.contains(&format!("path = \"targets/{name}.rs\"")), "{name}");
    }
}

/// A table that is rejected at once would not exercise the code that reads beyond its header.
#[test]
fn the_stored_table_is_used() {
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/files/table");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.tafltable"), &fs::read(seed).unwrap()[1..]).unwrap();
    let tables = Tablebases::load(&catalog::find("brandubh7").unwrap().rules(), folder.path());
    assert_eq!(tables.unwrap().max_pieces(), 2);
}
