//! A corpus of random games: the speed of the import, the size, and the speed of searches.

mod queries;
mod random_games;

use std::fs;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};
use tafl_corpus::{CancelCheck, Compaction, Corpus, compact};
use tafl_rules::Count;

use crate::options::{Options, OutputFormat, profile};
use crate::timing::{Elapsed, timed};
use random_games::RandomGame;

/// A line of results.
#[derive(Debug)]
pub(super) struct ResultLine {
    name: String,
    /// The names and values of the measurements, in the order of the line.
    values: Vec<(&'static str, f64)>,
    unit: &'static str,
    /// The number of measurements, or the measured amount.
    n: u64,
}

impl ResultLine {
    /// Returns the line of times, in milliseconds.
    fn times(name: &str, times: &[Elapsed]) -> ResultLine {
        let sorted = |of: fn(&Elapsed) -> Duration| {
            let mut times: Vec<Duration> = times.iter().map(of).collect();
            times.sort_unstable();
            times
        };
        let (wall, cpu) = (sorted(|took| took.wall), sorted(|took| took.cpu));
        let at = |times: &[Duration], share: f64| {
            let index = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len().max(1)) - 1;
            times.get(index).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
        };
        let values = vec![
            ("p50", at(&wall, 0.5)),
            ("p99", at(&wall, 0.99)),
            ("cpu p50", at(&cpu, 0.5)),
            ("cpu p99", at(&cpu, 0.99)),
        ];
        ResultLine { name: name.to_owned(), values, unit: "ms", n: times.len() as u64 }
    }

    /// Returns the line of a rate, by wall time and by CPU time.
    fn rate(name: &str, (amount, unit): (u64, &'static str), took: Elapsed) -> ResultLine {
        let rate = |time: Duration| amount as f64 / time.as_secs_f64();
        let values = vec![("rate", rate(took.wall)), ("by cpu", rate(took.cpu))];
        ResultLine { name: name.to_owned(), values, unit, n: amount }
    }

    fn one(name: &str, (value, number, unit): (&'static str, f64, &'static str), n: u64) -> ResultLine {
        ResultLine { name: name.to_owned(), values: vec![(value, number)], unit, n }
    }

    fn json(&self) -> Value {
        let values: serde_json::Map<String, Value> =
            self.values.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        json!({ "name": self.name, "n": self.n, "unit": self.unit, "values": values })
    }

    fn text(&self) -> String {
        let number = |value: f64| match value {
            value if value >= 1000.0 => Count(value.round() as u64).to_string(),
            value if value >= 10.0 => format!("{value:.1}"),
            value => format!("{value:.3}"),
        };
        let values: Vec<String> =
            self.values.iter().map(|(name, value)| format!("{name} {:>9}", number(*value))).collect();
        let n = Count(self.n);
        format!("{:<44} {n:>12}  {} {}", self.name, values.join("  "), self.unit)
    }
}

/// Measures, and prints the results.
///
/// # Errors
///
/// Fails when the folder cannot be written, or contains other files, or the corpus has no games.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let folder = Folder::of(options)?;
    let path = folder.path.join("corpus");
    let mut lines = Vec::new();
    if !path.join("manifest.json").is_file() {
        create(options, &path, &mut lines)?;
    }
    let corpus = Corpus::open(&path)?;
    anyhow::ensure!(corpus.n_games() > 0, "{}: there are no games to search for", path.display());
    options.progress("sizes");
    sizes(&corpus, &mut lines)?;
    lines.extend(queries::warm(&corpus, options)?);
    if options.drop_caches {
        drop_caches().context("the file cache cannot be dropped")?;
        lines.extend(queries::cold(&corpus, options, drop_caches)?);
    }
    if let Some(bytes) = peak() {
        lines.push(ResultLine::one("peak memory of the whole run", ("most", bytes as f64 / 1e6, "MB"), 1));
    }
    let text = match options.format {
        OutputFormat::Json => {
            let lines: Vec<Value> = lines.iter().map(ResultLine::json).collect();
            let value = json!({
                "version": env!("CARGO_PKG_VERSION"),
                "profile": profile(),
                "seed": options.seed,
                "threads": options.threads(),
                "lines": lines,
            });
            format!("{value:#}\n")
        }
        OutputFormat::Text => lines.iter().map(|line| line.text() + "\n").collect::<String>(),
    };
    print!("{text}");
    Ok(())
}

/// The folder of the corpus. A temporary folder is removed at the end.
struct Folder {
    path: PathBuf,
    is_temporary: bool,
}

impl Folder {
    fn of(options: &Options) -> anyhow::Result<Folder> {
        let Some(path) = &options.dir else {
            let path = std::env::temp_dir().join(format!("tafl-measure-{}", std::process::id()));
            return Ok(Folder { path, is_temporary: true });
        };
        fs::create_dir_all(path).with_context(|| path.display().to_string())?;
        Ok(Folder { path: path.clone(), is_temporary: false })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_temporary {
            // If the folder cannot be removed, the system clears it with other temporary files.
            drop(fs::remove_dir_all(&self.path));
        }
    }
}

/// Creates the corpus: a part of it on one thread, for the rate, then all of it.
fn create(options: &Options, path: &Path, lines: &mut Vec<ResultLine>) -> anyhow::Result<()> {
    let threads = options.threads();
    options.progress("playing games");
    let rules = random_games::rules();
    let (games, took) = timed(|| random_games::games(&rules, options.positions, (options.seed, threads)));
    let plies = |games: &[RandomGame]| games.iter().map(|game| game.moves.len() as u64).sum::<u64>();
    let all = plies(&games);
    lines.push(ResultLine::rate("games played for it", (all, "plies/s"), took));
    if threads.get() > 1 {
        options.progress("import, one thread");
        let part = &games[..games.len() / 5];
        let aside = path.with_file_name("part");
        let (made, took) = timed(|| random_games::import(&aside, part, (&rules, NonZeroUsize::MIN)));
        made?;
        fs::remove_dir_all(&aside)?;
        let name = "import, 1 thread, a fifth of the games";
        lines.push(ResultLine::rate(name, (plies(part), "plies/s"), took));
    }
    options.progress(&format!("import, {threads} threads"));
    let (made, took) = timed(|| random_games::import(path, &games, (&rules, threads)));
    made?;
    lines.push(ResultLine::rate(&format!("import, {threads} threads"), (all, "plies/s"), took));
    if let Some(bytes) = peak() {
        let name = "peak memory of the import, its input included";
        lines.push(ResultLine::one(name, ("most", bytes as f64 / 1e6, "MB"), 1));
    }
    if options.compact {
        options.progress("compaction");
        let (done, took) = timed(|| compact(path, "measure", Compaction::Needed, CancelCheck::NEVER));
        let done = done?;
        let name = format!("compaction of {} segments into {}", done.before, done.after);
        lines.push(ResultLine::rate(&name, (all, "plies/s"), took));
    }
    Ok(())
}

/// Adds the bytes per position of each part of the corpus.
fn sizes(corpus: &Corpus, lines: &mut Vec<ResultLine>) -> anyhow::Result<()> {
    let positions: u64 =
        corpus.manifest().segments.iter().map(|segment| segment.plies + u64::from(segment.games)).sum();
    let mut parts: Vec<(String, u64)> = Vec::new();
    for file in corpus.manifest().segments.iter().flat_map(|segment| &segment.files) {
        let part = file.path.split('/').next().unwrap_or(&file.path);
        match parts.iter_mut().find(|(name, _)| name == part) {
            Some((_, bytes)) => *bytes += file.size,
            None => parts.push((part.to_owned(), file.size)),
        }
    }
    let line = |name: &str, bytes: u64| {
        ResultLine::one(
            name,
            ("size", bytes as f64 / positions.max(1) as f64, "bytes per position"),
            positions,
        )
    };
    for (part, bytes) in &parts {
        lines.push(line(part, *bytes));
    }
    let is_table = |name: &str| name.ends_with(".parquet");
    let index = parts.iter().filter(|(name, _)| !is_table(name)).map(|(_, bytes)| bytes).sum();
    lines.push(line("position index: all but the tables", index));
    lines.push(line("everything", parts.iter().map(|(_, bytes)| bytes).sum()));
    Ok(())
}

/// Drops the system's cache of files, which needs the rights of root.
fn drop_caches() -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).open("/proc/sys/vm/drop_caches")?;
    file.write_all(b"1\n")
}

/// Returns the peak memory of this process in bytes, if the system reports it.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
