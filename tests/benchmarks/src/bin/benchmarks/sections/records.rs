//! Replay of archives of real games.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::figure::{Measurement, SectionFindings};
use crate::workspace::Workspace;

/// Findings that are not about moves and captures: counts in headers, and ends that a site does not declare, or declares
/// differently.
const ABOUT_ENDS: [&str; 4] = ["C004", "E002", "E003", "E009"];

const UNKNOWN_VARIANT: &str = "H004";

/// The minimum number of games of the variants that are counted.
const MIN_GAMES: u64 = 20;

#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    games: u64,
    sound: u64,
    /// All moves are played, and all captures are as written.
    agree: u64,
    /// Neither sound nor explained, in variants of the catalog.
    unexplained: u64,
    /// In variants outside the catalog.
    unknown: u64,
}

impl Tally {
    fn add(&mut self, line: &Value) {
        let findings = || line["findings"].as_array().into_iter().flatten();
        let mut serious = findings().filter(|finding| finding["severity"] != "note");
        let is_unknown = findings().any(|finding| finding["code"] == UNKNOWN_VARIANT);
        let agrees = line["plies"].as_u64() >= line["moves"].as_u64()
            && serious.all(|finding| finding["code"].as_str().is_some_and(|code| ABOUT_ENDS.contains(&code)));
        self.games += 1;
        self.sound += u64::from(line["verdict"] == "sound");
        self.agree += u64::from(agrees);
        self.unexplained += u64::from(line["verdict"] == "unexplained" && !is_unknown);
        self.unknown += u64::from(is_unknown);
    }
}

/// Replays the archives.
pub(super) fn archives(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    // The folder of the logs also has a table without games.
    for (id, part, files, what) in [
        ("csv", "csv", "", "move lists, Copenhagen and Brandubh"),
        ("aagenielsen", "aagenielsen/games.jsonl.gz", "", "the play site's archive"),
        ("ashton", "ashton", "/*_gameLog.txt", "logs of the Ashton Tablut competition"),
    ] {
        let Some(path) = workspace.archive(part) else {
            found.leave_out(format!("{what}: TAFL_RECORDS names no folder with {part}"));
            continue;
        };
        let run =
            found.run(&mut workspace.tafl(&["validate", "--format", "jsonl", "-q", &(path + files)]))?;
        add_archive(&mut found, id, what, &run.stdout);
    }
    found.note(
        "Tests check these figures: tests/fixtures/unexplained.tsv lists every game without a reason, and short_variants.tsv \
         every variant in which fewer than 99 of 100 games agree, with the reason.",
    );
    Ok(found)
}

/// Adds the figures of an archive from the answer of `tafl validate`.
fn add_archive(found: &mut SectionFindings, id: &str, what: &str, answer: &str) {
    let (mut all, mut variants) = (Tally::default(), BTreeMap::<String, Tally>::new());
    for line in answer.lines() {
        let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
        if line.get("taflbase_validation").is_some() {
            all.add(&line);
            variants.entry(line["variant"].as_str().unwrap_or("?").to_owned()).or_default().add(&line);
        }
    }
    let mut add = |name: &str, words: &str, value: f64, unit| {
        found.add(Measurement::new(format!("records.{id}.{name}"), format!("{what}: {words}"), value, unit));
    };
    add("games", "games", all.games as f64, "games");
    add("sound", "fully sound", all.sound as f64, "games");
    add("agree", "all moves played, all captures agree", all.agree as f64, "games");
    add("unexplained", "unexplained, in variants of the catalog", all.unexplained as f64, "games");
    add("unknown", "of variants outside the catalog", all.unknown as f64, "games");
    add("share", "sound", 100.0 * (all.sound as f64 / all.games.max(1) as f64), "%");
    let large: Vec<&Tally> = variants.values().filter(|tally| tally.games >= MIN_GAMES).collect();
    let good = large.iter().filter(|tally| tally.agree * 100 >= tally.games * 99).count();
    if large.len() > 2 {
        let words = format!("variants with {MIN_GAMES} games or more");
        add("large", &words, large.len() as f64, "variants");
        add("variants", &format!("{words} in which 99 of 100 agree"), good as f64, "variants");
    }
}
