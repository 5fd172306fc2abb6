//! The accuracy of repair, inference, and intervals.

use serde_json::Value;

use super::{list, number};
use crate::figure::{Measurement, SectionFindings};
use crate::workspace::Workspace;

/// Measures the repair of known faults.
pub(super) fn repair(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let n_faults = workspace.size(20, 2).to_string();
    let words = ["repair", "--seed", "11", "--format", "json", "--faults", &n_faults];
    let answer = found.run(&mut workspace.tool("measure", &words))?.json()?;
    add_repair(&mut found, &answer, ("own", "generated games"))?;
    let files: Vec<String> = ["csv/copenhagen.csv", "csv/brandubh.csv", "aagenielsen/games.jsonl.gz"]
        .iter()
        .filter_map(|part| workspace.archive(part))
        .collect();
    if files.is_empty() {
        found.leave_out("faults in human games: TAFL_RECORDS names no folder with them");
        return Ok(found);
    }
    let mut command = workspace.tool("measure", &words);
    command.args(files.iter().flat_map(|file| ["--input", file]));
    let answer = found.run(&mut command)?.json()?;
    add_repair(&mut found, &answer, ("real", "human games"))?;
    Ok(found)
}

fn add_repair(found: &mut SectionFindings, answer: &Value, (id, games): (&str, &str)) -> Result<(), String> {
    let all = &answer["all"];
    let n = number(all, "/n")?;
    let mut add = |name: &str, what: &str, value: f64, unit| {
        let what = format!("{games}, {} faults: {what}", crate::format::number(n));
        found.add(Measurement::new(format!("repair.{id}.{name}"), what, value, unit));
    };
    add(
        "fixed",
        "decided correctly, of the distinguishable ones",
        100.0 * number(all, "/fixed_of_decidable")?,
        "%",
    );
    add(
        "first",
        "the true game is the first suggestion, including ambiguous ones",
        100.0 * number(all, "/first_of_seen")?,
        "%",
    );
    add(
        "same",
        "the true game or a mirror image of it is the first suggestion",
        100.0 * number(all, "/same_of_seen")?,
        "%",
    );
    add("false", "repaired to a different game", 100.0 * number(all, "/false_of_seen")?, "%");
    add("time", "for a record", number(all, "/milliseconds")?, "ms");
    let sound = &answer["sound_games"];
    let touched = number(sound, "/n")? - number(sound, "/unseen")?;
    let what = format!("{games}, of {} sound games: changed", crate::format::number(number(sound, "/n")?));
    found.add(Measurement::new(format!("repair.{id}.sound"), what, touched, "games"));
    Ok(())
}

/// Measures the inference of hidden rules.
pub(super) fn infer(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    if workspace.quick {
        found.leave_out("inference: not part of a quick run");
        return Ok(found);
    }
    let words = ["infer", "--format", "json"];
    let answer = found.run(&mut workspace.tool("measure", &words))?.json()?;
    add_inference(&mut found, &answer, ("own", "random rules, 200 games each"))?;
    match workspace.archive("aagenielsen/games.jsonl.gz") {
        Some(file) => {
            let answer = found.run(workspace.tool("measure", &words).args(["--input", &file]))?.json()?;
            add_inference(
                &mut found,
                &answer,
                ("real", "the thirty largest variants of an archive, up to 200 games each"),
            )?;
        }
        None => found.leave_out("variants of an archive: TAFL_RECORDS names no folder with aagenielsen/"),
    }
    Ok(found)
}

fn add_inference(
    found: &mut SectionFindings,
    answer: &Value,
    (id, games): (&str, &str),
) -> Result<(), String> {
    let rows = list(answer, "infer")?;
    let sum = |key: &str| rows.iter().filter_map(|row| row[key].as_f64()).sum::<f64>();
    let all =
        |key: &str| rows.iter().filter_map(|row| row[key].as_array()).map(Vec::len).sum::<usize>() as f64;
    let (decidable, recovered) = (sum("decidable"), sum("recovered"));
    let mut add = |name: &str, what: &str, value: f64, unit| {
        found.add(Measurement::new(format!("infer.{id}.{name}"), format!("{games}: {what}"), value, unit));
    };
    add("decidable", "distinguishable options", decidable, "options");
    add("recovered", "of these recovered", recovered, "options");
    add("share", "recovered", 100.0 * recovered / decidable.max(1.0), "%");
    add("undecided", "of these reported as undecided", all("undecided"), "options");
    add("contested", "of these, catalog entries that the games contradict", all("contested"), "options");
    add("wrong", "of these wrong", all("wrong"), "options");
    Ok(())
}

/// Measures the coverage of intervals.
pub(super) fn statistics(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let leagues = workspace.size(300, 5);
    let run = found.run(&mut workspace.tool("coverage", &[&leagues.to_string()]))?;
    let mut lines = run.stdout.lines().map(cells);
    let headings = lines.next().unwrap_or_default();
    let place = |heading: &str| headings.iter().position(|cell| *cell == heading);
    // Leagues with other true advantages have no figure of the common balance.
    let has_balance = |row: &Vec<&str>| {
        place("balance covered").and_then(|at| row.get(at)).is_some_and(|cell| cell.ends_with('%'))
    };
    let rows: Vec<Vec<&str>> = lines.filter(has_balance).collect();
    let column = |heading: &str| -> Vec<f64> {
        let Some(at) = place(heading) else { return Vec::new() };
        rows.iter().filter_map(|row| row.get(at)?.trim_end_matches(" %").parse().ok()).collect()
    };
    let (held, bias, error) = (column("advantage covered"), column("bias"), column("error ratio"));
    if held.is_empty() {
        return Err("coverage printed no table".to_owned());
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let n = held.len() as u64 * leagues;
    let what = format!(
        "{} leagues: 95 % intervals of the advantage that contain the true value",
        crate::format::number(n as f64)
    );
    found.add(range(Measurement::new("statistics.held", what, mean(&held), "%"), &held));
    let what = "bias of the advantage, true value -0.25 (natural logarithm of odds)";
    found.add(range(Measurement::new("statistics.bias", what, mean(&bias), ""), &bias));
    let what = "ratio of the stated to the actual error";
    found.add(range(Measurement::new("statistics.error", what, mean(&error), "times"), &error));
    let chance = 196.0 * (0.95 * 0.05 / leagues as f64).sqrt();
    found.note(format!(
        "Means over {} kinds of leagues; the ranges are those of the kinds. With {leagues} leagues of a kind, the coverage of one \
         kind differs by up to {chance:.1} points by chance; statistics.md has a thousand of each.",
        held.len()
    ));
    Ok(found)
}

/// Returns the cells of a row of a Markdown table.
fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

fn range(figure: Measurement, values: &[f64]) -> Measurement {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    figure.with_range(values.len(), least, most)
}
