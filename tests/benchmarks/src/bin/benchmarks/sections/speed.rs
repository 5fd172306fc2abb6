//! Parsing, replay, and perft: speed, compared with another program, and memory.

use serde_json::Value;

use super::{list, number};
use crate::child::Input;
use crate::figure::{Measurement, Peer, SectionFindings};
use crate::workspace::Workspace;

/// Measures reading alone.
pub(super) fn parse(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let (rounds, size) = (workspace.size(21, 3).to_string(), workspace.size(16, 1).to_string());
    let own = ["parse", "--format", "json", "--rounds", &rounds, "--size", &size];
    let answer = found.run(&mut workspace.tool("measure", &own))?.json()?;
    for figure in list(&answer, "figures")? {
        let kind = notation(figure);
        found.add(bytes(figure, &format!("parse.{kind}"), &format!("{kind}, generated games"))?);
    }
    match workspace.archive("csv/copenhagen.csv") {
        Some(file) => {
            let real = ["parse", "--format", "json", "--rounds", "101", "--input", &file];
            let answer = found.run(&mut workspace.tool("measure", &real))?.json()?;
            let name = "move list, 1,752 human games, 0.6 MB";
            found.add(bytes(&list(&answer, "figures")?[0], "parse.movelist.real", name)?);
        }
        None => found.leave_out("human games: TAFL_RECORDS names no folder with csv/copenhagen.csv"),
    }
    found.note("One thread, medians of CPU time.");
    Ok(found)
}

/// Returns the notation of the file that a figure is about.
fn notation(figure: &Value) -> &'static str {
    let is_otn = figure["name"].as_str().is_some_and(|name| name.ends_with(".otg"));
    if is_otn { "opentafl" } else { "movelist" }
}

/// Returns the variant that a comparison is about.
fn variant(what: &str) -> &'static str {
    if what.contains("brandubh") { "brandubh" } else { "copenhagen" }
}

fn bytes(figure: &Value, id: &str, what: &str) -> Result<Measurement, String> {
    let value = Measurement::new(id, what, number(figure, "/median_by_cpu")?, "MB/s");
    Ok(value.with_rounds(number(figure, "/rounds")? as usize))
}

/// Measures replay, with parsing and without, beside the crate `hnefatafl`.
pub(super) fn replay(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let rounds = workspace.size(15, 1).to_string();
    let files: Vec<String> = ["csv/copenhagen.csv", "csv/brandubh.csv"]
        .iter()
        .filter_map(|file| workspace.archive(file))
        .collect();
    if files.is_empty() {
        found.leave_out("human games: TAFL_RECORDS names no folder with csv/; random games stand for them");
    }
    let mut words = vec!["--only", "replay", "--format", "json", "--rounds", &rounds];
    words.extend(files.iter().map(String::as_str));
    let answer = found.run(&mut workspace.tool("tafl-peers", &words))?.json()?;
    for comparison in list(&answer, "comparisons")? {
        let what = comparison["what"].as_str().unwrap_or_default();
        let variant = variant(what);
        let (mode, words) = if what.contains("parsing included") {
            ("parsed", "parsing included")
        } else {
            ("played", "moves parsed before")
        };
        let games = number(comparison, "/taflbase/found/games")?;
        let name = format!("{variant}, {} games, {words}", crate::format::number(games));
        side_by_side(&mut found, comparison, (&format!("replay.{variant}.{mode}"), &name), "plies/s")?;
    }
    found.note("Every move, capture and result is checked. One thread, alternating in one process; medians of CPU time.");
    Ok(found)
}

/// Counts leaves, beside the crate `hnefatafl`.
pub(super) fn perft(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let rounds = workspace.size(5, 1).to_string();
    let answer = found
        .run(
            &mut workspace.tool("tafl-peers", &["--only", "perft", "--format", "json", "--rounds", &rounds]),
        )?
        .json()?;
    for comparison in list(&answer, "comparisons")? {
        let what = comparison["what"].as_str().unwrap_or_default();
        let variant = variant(what);
        let (mode, words) =
            if what.contains("in bulk") { ("bulk", "in bulk") } else { ("played", "each leaf played") };
        let leaves = number(comparison, "/amount")?;
        let name = format!("{variant}, {} leaves, {words}", crate::format::number(leaves));
        side_by_side(&mut found, comparison, (&format!("perft.{variant}.{mode}"), &name), "leaves/s")?;
    }
    found.note("One thread, alternating in one process; medians of CPU time; both count the same.");
    Ok(found)
}

/// Adds our speed with the peer's, and their ratio as a separate measurement.
fn side_by_side(
    found: &mut SectionFindings,
    comparison: &Value,
    (id, name): (&str, &str),
    unit: &'static str,
) -> Result<(), String> {
    let ratio = number(comparison, "/ratio/median")?;
    let rounds = number(comparison, "/rounds")? as usize;
    let peer = Peer {
        name: "hnefatafl 0.0.2".to_owned(),
        value: number(comparison, "/hnefatafl/per_second")?,
        ratio,
    };
    found.add(Measurement::new(id, name, number(comparison, "/taflbase/per_second")?, unit).with_peer(peer));
    let times = Measurement::new(format!("{id}.ratio"), format!("{name}: ratio"), ratio, "times");
    let (least, most) = (number(comparison, "/ratio/least")?, number(comparison, "/ratio/greatest")?);
    found.add(times.with_range(rounds, least, most));
    Ok(())
}

/// Measures replay on two threads.
pub(super) fn scaling(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let (rounds, size) = (workspace.size(11, 1).to_string(), workspace.size(16, 1).to_string());
    let words = ["replay", "-j", "2", "--format", "json", "--rounds", &rounds, "--size", &size];
    let answer = found.run(&mut workspace.tool("measure", &words))?.json()?;
    for figure in list(&answer, "figures")? {
        let kind = notation(figure);
        let threads = number(figure, "/threads")?;
        let name = format!("{kind}, {threads} thread{}, wall time", if threads > 1.0 { "s" } else { "" });
        let id = format!("scaling.{kind}.{threads}");
        let (least, most) = (number(figure, "/slowest")?, number(figure, "/fastest")?);
        let rounds = number(figure, "/rounds")? as usize;
        found.add(
            Measurement::new(id, name, number(figure, "/median")?, "plies/s").with_range(rounds, least, most),
        );
        if threads > 1.0 {
            let ratio = number(figure, "/ratio")?;
            found.add(Measurement::new(
                format!("scaling.{kind}"),
                format!("{kind}, two threads to one"),
                ratio,
                "times",
            ));
        }
    }
    found.note("Wall-clock time, which other programs on the machine increase.");
    Ok(found)
}

/// Measures the memory of commands that read a stream of little and of much.
pub(super) fn memory(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let games = found.run(&mut workspace.tool("tafl-peers", &["--made", "copenhagen"]))?.stdout;
    let megabytes = games.len() as f64 / 1e6;
    for (id, words) in [
        (
            "validate",
            &["validate", "-", "--as", "movelist", "--variant", "copenhagen11", "--limit", "0", "-q"][..],
        ),
        (
            "convert",
            &[
                "convert",
                "-",
                "--as",
                "movelist",
                "--variant",
                "copenhagen11",
                "--to",
                "jsonl",
                "-q",
                "-o",
                "/dev/null",
            ],
        ),
    ] {
        for (size, much) in [("little", workspace.size(10, 1)), ("much", workspace.size(300, 10))] {
            let times = (much as f64 / megabytes).ceil() as usize;
            let run = found.run_with(&mut workspace.tafl(words), Input { text: &games, times })?;
            let what = format!("tafl {id}, {much} MB through standard input, peak memory");
            found.add(Measurement::new(format!("memory.{id}.{size}"), what, run.peak as f64, "bytes"));
            if size == "much" {
                let speed = much as f64 / run.cpu.as_secs_f64().max(0.01);
                let what = format!("tafl {id}, {much} MB, per second of CPU time, all threads");
                found.add(Measurement::new(format!("memory.{id}.speed"), what, speed, "MB/s"));
            }
        }
    }
    Ok(found)
}
