//! Millions of games: import, search, reports, server.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::{list, number, number_after};
use crate::child::{self, Input, Server, peak_of};
use crate::figure::{Measurement, SectionFindings};
use crate::workspace::Workspace;

/// Creates a corpus of random games and searches it.
pub(super) fn positions(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    workspace.fresh("positions")?;
    let answer = found.run(&mut measure_corpus(workspace, workspace.size(5, 1)))?.json()?;
    for line in list(&answer, "lines")? {
        let name = line["name"].as_str().unwrap_or_default();
        let values = &line["values"];
        let mut add = |id: &str, what: String, key: &str, unit| -> Result<(), String> {
            let rounds = number(line, "/n")? as usize;
            let figure =
                Measurement::new(format!("corpus.{id}"), what, number(values, &format!("/{key}"))?, unit);
            found.add(figure.with_rounds(rounds));
            Ok(())
        };
        match name {
            "import, 1 thread, a fifth of the games" => {
                add("import.1", format!("{name}, CPU time"), "by cpu", "plies/s")?;
                add("import.1.wall", format!("{name}, wall time"), "rate", "plies/s")?;
            }
            "import, 2 threads" => add("import.2", format!("{name}, wall time"), "rate", "plies/s")?,
            _ if name.starts_with("compaction") => {
                add("compaction", format!("{name}, CPU time"), "by cpu", "plies/s")?;
                add("compaction.wall", format!("{name}, wall time"), "rate", "plies/s")?;
            }
            "everything" => add("bytes", format!("bytes per position, {name}"), "size", "B")?,
            "position index: all but the tables" => {
                add("index", format!("bytes per position, {name}"), "size", "B")?
            }
            _ if name.starts_with("peak memory of the import") => {
                found.add(Measurement::new("corpus.memory", name, 1e6 * number(values, "/most")?, "bytes"));
            }
            _ if values.get("p99").is_some() => {
                let known = QUERIES.iter().find(|(words, _)| *words == name);
                let (_, id) = known.ok_or_else(|| format!("unknown query of `measure corpus`: {name}"))?;
                for (key, words) in [("p50", "p50"), ("p99", "p99"), ("cpu p99", "p99 CPU time")] {
                    add(&format!("{id}.{}", key.replace(' ', "_")), format!("{name}: {words}"), key, "ms")?;
                }
            }
            _ => {}
        }
    }
    let [one, two] = ["corpus.import.1.wall", "corpus.import.2"].map(|id| found.value(id));
    if let (Some(one), Some(two)) = (one, two) {
        found.add(Measurement::new(
            "corpus.scaling",
            "import, two threads (all games) to one (a fifth of the games), wall time",
            two / one,
            "times",
        ));
    }
    found.note(
        "Random games of seven variants, Copenhagen almost half, four of five with a frequent opening. Queries follow a \
         compaction (`tafl compact`) and are about positions of the games; files in memory, two threads.",
    );
    Ok(found)
}

/// Returns the command that creates the corpus of random games, if it is not there, and searches it.
fn measure_corpus(workspace: &Workspace, rounds: u64) -> Command {
    let mut command = workspace.tool("measure", &["corpus", "-j", "2", "--format", "json", "--compact"]);
    let n_positions = workspace.size(10_000_000, 100_000);
    command.args(["--positions", &n_positions.to_string(), "--rounds", &rounds.to_string(), "--dir"]);
    command.arg(positions_folder(workspace));
    command
}

/// Returns the folder of the corpus of random games.
fn positions_folder(workspace: &Workspace) -> PathBuf {
    workspace.scratch.join("positions")
}

/// The names of queries in the answer of `measure corpus`, and the names of their figures.
const QUERIES: [(&str, &str); 11] = [
    ("position, first 10 hits", "exact"),
    ("position, all hits counted", "exact_all"),
    ("position of an opening, all hits counted", "exact_opening"),
    ("6 changed cells, all hits", "pattern"),
    ("6 cells as at the start, first 10", "pattern_start"),
    ("6 cells as at the start, all hits", "pattern_start_all"),
    ("2x3 cells anywhere, all hits", "pattern_block"),
    ("explorer, any position", "explorer"),
    ("explorer, openings", "explorer_opening"),
    ("explorer, openings, without its tables", "explorer_slow"),
    ("explorer opened", "explorer_open"),
];

/// Imports an archive of real games, with one thread and with two.
pub(super) fn import(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let Some(file) = workspace.archive("aagenielsen/games.jsonl.gz") else {
        found.leave_out("real games imported: TAFL_RECORDS names no folder with aagenielsen/");
        return Ok(found);
    };
    let mut rates = [Vec::new(), Vec::new(), Vec::new()];
    let mut plies = 0.0;
    for _ in 0..workspace.size(3, 1) {
        for threads in ["1", "2"] {
            let folder = workspace.fresh("real")?;
            let run = found.run(&mut workspace.tafl(&["import", "-j", threads, "-q", &folder, &file]))?;
            let info = found.run(&mut workspace.tafl(&["info", "--format", "json", &folder]))?.json()?;
            plies = number(&info, "/plies")?;
            if threads == "1" {
                rates[0].push(plies / run.cpu.as_secs_f64());
                rates[1].push(plies / run.wall.as_secs_f64());
            } else {
                rates[2].push(plies / run.wall.as_secs_f64());
            }
        }
    }
    let words = format!("{} plies of an archive", crate::format::number(plies));
    found.add(Measurement::median(
        "import.cpu",
        format!("{words}, one thread, CPU time"),
        &rates[0],
        "plies/s",
    ));
    found.add(Measurement::median(
        "import.1",
        format!("{words}, one thread, wall time"),
        &rates[1],
        "plies/s",
    ));
    found.add(Measurement::median(
        "import.2",
        format!("{words}, two threads, wall time"),
        &rates[2],
        "plies/s",
    ));
    if let (Some(one), Some(two)) = (found.value("import.1"), found.value("import.2")) {
        found.add(Measurement::new("import.scaling", "two threads to one, wall time", two / one, "times"));
    }
    found.note("From a compressed file to an indexed corpus, including the start of the program and the rejected records.");
    Ok(found)
}

/// Measures reports.
pub(super) fn reports(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let games = workspace.size(1_000_000, 10_000);
    let (mut seconds, mut cpu, mut peak) = (Vec::new(), Vec::new(), 0);
    for _ in 0..workspace.size(3, 1) {
        let words = ["memory", &games.to_string(), "10000"];
        let run = found.run(&mut workspace.tool("balance_bench", &words))?;
        let took =
            run.stdout.split_once("measured in ").map(|(_, rest)| rest.split(';').next().unwrap_or(rest));
        seconds.push(took.and_then(duration).ok_or("balance_bench printed no time")?);
        cpu.push(run.cpu.as_secs_f64());
        peak = peak.max(run.peak);
    }
    let what = format!("balance of {games} simulated games in memory, five variants");
    found.add(Measurement::median("reports.million", format!("{what}: wall time"), &seconds, "s"));
    found.add(Measurement::median(
        "reports.million.cpu",
        format!("{what}: CPU time, making the games included"),
        &cpu,
        "s",
    ));
    found.add(Measurement::new(
        "reports.million.memory",
        format!("{what}: peak memory"),
        peak as f64,
        "bytes",
    ));
    let Some(corpus) = real_corpus(workspace, &mut found)? else { return Ok(found) };
    let page = workspace.fresh("balance.html")?;
    let run = found.run(&mut workspace.tafl(&["report", "balance", &corpus, "-q", "-o", &page]))?;
    let what = "tafl report balance, the play site's archive, every variant, a page with plots and boards";
    found.add(Measurement::new("reports.balance", format!("{what}: CPU time"), run.cpu.as_secs_f64(), "s"));
    found.add(Measurement::new(
        "reports.balance.wall",
        format!("{what}: wall time"),
        run.wall.as_secs_f64(),
        "s",
    ));
    Ok(found)
}

/// Returns the seconds of a duration as the standard library prints it: `3.25s`, `812.5ms`.
fn duration(text: &str) -> Option<f64> {
    let end = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.')?;
    let value: f64 = text[..end].parse().ok()?;
    match text[end..].trim() {
        "s" => Some(value),
        "ms" => Some(value / 1e3),
        "µs" => Some(value / 1e6),
        _ => None,
    }
}

/// Returns a corpus of the archives of real games, creating it if necessary.
fn real_corpus(workspace: &Workspace, found: &mut SectionFindings) -> Result<Option<String>, String> {
    let folder = workspace.scratch.join("real");
    let path = folder.to_string_lossy().into_owned();
    // An interrupted import leaves a corpus without games.
    let info = child::run(&mut workspace.tafl(&["info", "--format", "json", &path]), Input::NONE)?;
    if info.json().ok().and_then(|info| info["games"].as_u64()).unwrap_or(0) == 0 {
        let Some(file) = workspace.archive("aagenielsen/games.jsonl.gz") else {
            found.leave_out("a corpus of real games: TAFL_RECORDS names no folder with aagenielsen/");
            return Ok(None);
        };
        found.run(&mut workspace.tafl(&["import", "-q", &path, &file]))?;
    }
    Ok(Some(path))
}

/// Requests per second to the server.
const RATE: &str = "500";

/// Puts a load on the server: requests to the explorer of the corpus of random games.
pub(super) fn server(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let corpus = random_corpus(workspace, &mut found)?;
    let info = found.run(&mut workspace.tafl(&["info", "--format", "json", &corpus]))?.json()?;
    for (id, unit) in [("games", "games"), ("plies", "plies")] {
        let value = number(&info, &format!("/{id}"))?;
        found.add(Measurement::new(format!("server.{id}"), format!("the corpus: {id}"), value, unit));
    }
    let (mut server, address) = start(workspace.tafl(&["serve", &corpus, "--port", "0"]))?;
    let seconds = workspace.size(30, 3).to_string();
    let words = [&address, "--rate", RATE, "--seconds", &seconds];
    let run = found.run(&mut workspace.tool("serve_load", &words))?;
    let peak = peak_of(server.0.id());
    if let Ok(Some(status)) = server.0.try_wait() {
        return Err(format!("the server ended with {status}"));
    }
    for (id, words, unit) in [("p50", "p50", "ms"), ("p99", "p99", "ms"), ("max", "max", "ms")] {
        let value = number_after(&run.stdout, words).ok_or("the load printed no times")?;
        found.add(Measurement::new(
            format!("server.{id}"),
            format!("explorer, {RATE} requests per second: {words}"),
            value,
            unit,
        ));
    }
    let failed = run.stdout.lines().find_map(|line| line.strip_suffix(" requests failed")?.parse().ok());
    let failed: f64 = failed.ok_or("the load printed no failures")?;
    found.add(Measurement::new("server.failed", "requests that failed", failed, "requests"));
    found.add(Measurement::new("server.memory", "memory of the server", peak as f64, "bytes"));
    found.note(
        "Server and load on the same machine. The time of each request is scheduled in advance, so waiting counts.",
    );
    Ok(found)
}

/// Returns the corpus of random games, creating it if necessary.
fn random_corpus(workspace: &Workspace, found: &mut SectionFindings) -> Result<String, String> {
    let corpus = positions_folder(workspace).join("corpus");
    if !corpus.join("manifest.json").is_file() {
        found.run(&mut measure_corpus(workspace, 1))?;
    }
    Ok(corpus.to_string_lossy().into_owned())
}

/// Starts the server and returns its address.
fn start(mut command: Command) -> Result<(Server, String), String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let child: Child = command.spawn().map_err(|error| format!("tafl serve: {error}"))?;
    let mut server = Server(child);
    let mut line = String::new();
    if let Some(stdout) = server.0.stdout.take() {
        BufReader::new(stdout).read_line(&mut line).map_err(|error| format!("tafl serve: {error}"))?;
    }
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    if address.is_empty() { Err("tafl serve gave no address".to_owned()) } else { Ok((server, address)) }
}

impl SectionFindings {
    /// Returns the value of a figure that was found before.
    fn value(&self, id: &str) -> Option<f64> {
        self.figures.iter().find(|figure| figure.id() == id).map(Measurement::value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_the_library_are_read() {
        assert_eq!(
            ["3.25s", "812.5ms", "10.0µs", "2"].map(duration),
            [Some(3.25), Some(0.8125), Some(1e-5), None]
        );
    }
}
