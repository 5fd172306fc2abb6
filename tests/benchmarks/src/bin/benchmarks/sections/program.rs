//! The program itself: start-up time, size, and the time of tests and builds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::child::{self, Input};
use crate::figure::{Measurement, SectionFindings};
use crate::workspace::{Workspace, target};

/// Measures the start of the program, and its size.
pub(super) fn start(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    found.commands.push("tafl --version".to_owned());
    let mut times = Vec::new();
    for _ in 0..workspace.size(301, 11) {
        let mut command = workspace.tafl(&["--version"]);
        let begun = Instant::now();
        let status = command.stdout(Stdio::null()).status().map_err(|error| format!("tafl: {error}"))?;
        if !status.success() {
            return Err(format!("tafl --version ended with {status}"));
        }
        times.push(1e3 * begun.elapsed().as_secs_f64());
    }
    found.add(Measurement::median(
        "program.start",
        "tafl --version, from start to end, wall time",
        &times,
        "ms",
    ));
    let program = workspace.tafl(&[]).get_program().to_owned();
    let program = PathBuf::from(program);
    found.add(Measurement::new(
        "program.size",
        "the program, built for release",
        size_of(&program)?,
        "bytes",
    ));
    Ok(found)
}

/// Returns the size of a file in bytes.
fn size_of(file: &Path) -> Result<f64, String> {
    let metadata = fs::metadata(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(metadata.len() as f64)
}

/// Measures tests of the rules and their dependents after a file of the rules was touched, and counts the tests of the suite. A
/// change of code costs more, depending on the function; it would need a modified source file.
pub(super) fn tests(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let words = ["test", "--locked", "-p", "tafl-rules", "-p", "tafl-parser", "-p", "tafl-analyzer"];
    let mut seconds = Vec::new();
    for nth in 0..3 {
        let file = workspace.root.join("rules/src/lib.rs");
        let touched = fs::OpenOptions::new()
            .append(true)
            .open(&file)
            .and_then(|file| file.set_modified(std::time::SystemTime::now()));
        touched.map_err(|error| format!("{}: {error}", file.display()))?;
        let run = found.run_to_any_end(cargo(workspace).args(words), Input::NONE)?;
        if run.code != Some(0) {
            return Err(format!("a test fails: {}", run.stdout.lines().last().unwrap_or_default()));
        }
        // The first round builds the dependencies.
        if nth > 0 {
            seconds.push(run.wall.as_secs_f64());
        }
    }
    let what =
        "cargo test of rules, parser and analyzer after a file of rules was saved unchanged, warm, wall time";
    found.add(Measurement::median("tests.warm", what, &seconds, "s"));
    if std::env::var_os("TAFL_ORACLE").is_none() {
        found.leave_out("cases, perft lines and games of independent models: TAFL_ORACLE is not set");
        return Ok(found);
    }
    let suite = ["test", "--locked", "--workspace", "--test", "suite"];
    // Cargo also exits with an error if a test fails, which is a figure here.
    let run = found.run_to_any_end(cargo(workspace).args(suite), Input::NONE)?;
    if !run.stdout.contains("test result:") {
        return Err("the suite does not build".to_owned());
    }
    let count = |words: &str| {
        let lines = run.stdout.lines().filter(|line| line.starts_with("test result:"));
        lines
            .filter_map(|line| line.split(words).next()?.rsplit(' ').next()?.parse::<f64>().ok())
            .sum::<f64>()
    };
    found.add(Measurement::new(
        "tests.suite",
        "tests of the suite that pass, with archives and models",
        count(" passed"),
        "tests",
    ));
    found.add(Measurement::new(
        "tests.suite.failed",
        "tests of the suite that fail",
        count(" failed"),
        "tests",
    ));
    found.add(Measurement::new(
        "tests.suite.time",
        "the suite, wall time, its build included",
        run.wall.as_secs_f64(),
        "s",
    ));
    Ok(found)
}

fn cargo(workspace: &Workspace) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(&workspace.root);
    command
}

/// Builds the README's first command in an empty folder.
pub(super) fn cold(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let folder = workspace.fresh("cold")?;
    // Packages are fetched before, so that the build time does not include the network.
    child::run(cargo(workspace).args(["fetch", "--locked"]), Input::NONE)?.success()?;
    let words = ["build", "--locked", "--bin", "tafl"];
    let run =
        found.run_to_any_end(cargo(workspace).args(words).env("CARGO_TARGET_DIR", &folder), Input::NONE)?;
    workspace.fresh("cold")?;
    if run.code != Some(0) {
        return Err("the program does not build".to_owned());
    }
    found.add(Measurement::new(
        "cold.wall",
        "cargo build --bin tafl, dev profile, nothing built before, wall time",
        run.wall.as_secs_f64(),
        "s",
    ));
    found.add(Measurement::new("cold.cpu", "the same, CPU time", run.cpu.as_secs_f64(), "s"));
    found.note("Built in an empty folder, with packages already fetched.");
    Ok(found)
}

/// Returns the size of a program without symbols, which the linker leaves in it after optimizing all crates together; `.ci/release`
/// removes them in the same way.
fn stripped_size(program: &Path) -> Result<f64, String> {
    let stripped = program.with_extension("stripped");
    let status = Command::new("strip").arg("-o").arg(&stripped).arg(program).status();
    match status.map_err(|error| format!("strip: {error}"))? {
        status if status.success() => size_of(&stripped),
        status => Err(format!("strip ended with {status}")),
    }
}

/// Builds the programs that `.ci/release` packages.
pub(super) fn distribution(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let folder = target(&workspace.root);
    let name = format!("tafl{}", std::env::consts::EXE_SUFFIX);
    let words = ["build", "--profile", "distribution", "--locked", "-p", "tafl-cli"];
    let build = |found: &mut SectionFindings, more: &[&str]| {
        let run = found.run_to_any_end(cargo(workspace).args(words).args(more), Input::NONE)?;
        if run.code == Some(0) { Ok(()) } else { Err("a packaged program does not build".to_owned()) }
    };
    build(&mut found, &[])?;
    let size = stripped_size(&folder.join("distribution").join(&name))?;
    found.add(Measurement::new("distribution.size", "the program in the archives", size, "bytes"));
    let static_target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    if !cfg!(target_os = "linux") {
        found.leave_out("the static program: it is built on Linux");
        return Ok(found);
    }
    build(&mut found, &["--no-default-features", "--target", &static_target])?;
    let size = stripped_size(&folder.join(static_target).join("distribution").join(name))?;
    found.add(Measurement::new(
        "distribution.static",
        "the static program without the database",
        size,
        "bytes",
    ));
    Ok(found)
}
