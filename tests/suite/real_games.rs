//! The archives, if available: `TAFL_RECORDS` names their folder.
//!
//! The games are not in the repository; `fixtures/unexplained.tsv` lists the IDs of unexplained games.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tafl_parser::{
    Code, Format, ReadOptions, Record, Records, Replay, ReplayOptions, Replayer, RuleChoice, Severity,
    Soundness, tag,
};
use tafl_rules::catalog;
use tafl_tests::data;

const UNEXPLAINED: &str = include_str!("../fixtures/unexplained.tsv");

/// Variants with fewer than 99 % of games that can be played with all captures: the number per 1,000, and the reason.
const SHORT: &str = include_str!("../fixtures/short_variants.tsv");

/// The minimum number of games that must agree in moves, captures, endings, and winners, as found by a slow model.
const FLOOR: &[(&str, u32)] = &[
    ("aage-16", 9665),
    ("aage-4", 1530),
    ("aage-15", 1404),
    ("aage-2", 129),
    ("aage-51", 1541),
    ("aage-129", 1023),
    ("aage-53", 148),
    ("aage-7", 2643),
    ("aage-76", 1409),
    ("aage-5", 242),
    ("aage-8", 69),
    ("aage-64", 85),
];

/// Replays every game of a file.
fn replay_all(path: &Path, format: Format, hint: Option<&str>, mut each: impl FnMut(&Record, &Replay)) {
    let hint =
        hint.map(|name| RuleChoice::named(catalog::find(name).expect("the variant is in the catalog")));
    let mut replayer = Replayer::new(ReplayOptions { hint, ..ReplayOptions::default() });
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let name = path.to_string_lossy();
    let mut records = Records::new(&name, file, options).expect("the archive can be read");
    while let Some(batch) = records.next_batch().expect("the archive can be read") {
        for (_, parsed) in batch.parse() {
            let replay = replayer.replay(&parsed.value);
            each(&parsed.value, &replay);
        }
    }
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_game_of_the_tables_is_sound() {
    let folder = data::records("csv");
    for (file, variant, games) in
        [("copenhagen.csv", "copenhagen11", 1752), ("brandubh.csv", "brandubh7", 525)]
    {
        let mut sound = 0;
        replay_all(&folder.join(file), Format::MoveList, Some(variant), |_, replay| {
            sound += usize::from(replay.soundness() == Soundness::Sound);
        });
        println!("{file}: {sound} of {games} games are sound");
        assert_eq!(sound, games);
    }
}

/// The results for the games of a variant.
#[derive(Default)]
struct Tally {
    games: u32,
    /// Games played as written, or with reconstructed steps, in which all captures agree.
    agree: u32,
    sound: u32,
    explained: BTreeMap<Code, u32>,
    unexplained: u32,
}

impl Tally {
    fn add(&mut self, verdict: Soundness, agrees: bool) {
        self.games += 1;
        self.agree += u32::from(agrees);
        match verdict {
            Soundness::Sound => self.sound += 1,
            Soundness::Explained(code) => *self.explained.entry(code).or_default() += 1,
            Soundness::Unexplained(_) => self.unexplained += 1,
        }
    }
}

/// Returns whether all moves could be played and all captures agree; header counts, resignations, and the like are
/// ignored.
fn agrees(record: &Record, replay: &Replay) -> bool {
    let played = replay.plies.iter().filter(|ply| !ply.is_unwritten()).count();
    played == record.main().moves.len()
        && replay.diagnostics.iter().all(|found| match found.code().as_str() {
            "C004" | "E002" | "E003" | "E009" => true,
            _ => found.severity() == Severity::Note,
        })
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn games_of_the_play_site_agree_or_have_a_reason() {
    let path = data::records("aagenielsen/games.jsonl.gz");
    let listed: BTreeMap<&str, &str> = UNEXPLAINED
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let mut variants: BTreeMap<String, Tally> = BTreeMap::new();
    let mut unlisted = Vec::new();
    let mut met: BTreeSet<String> = BTreeSet::new();
    replay_all(&path, Format::AageNielsen, None, |record, replay| {
        let name = record.variant.as_ref().map(|variant| variant.text.to_string()).unwrap_or_default();
        let verdict = replay.soundness();
        variants.entry(name.clone()).or_default().add(verdict, agrees(record, replay));
        if let Soundness::Unexplained(code) = verdict
            && catalog::find(&name).is_some()
        {
            let id = record.tag(tag::ID).unwrap_or_default();
            match listed.get(id) {
                Some(line) if line.split('\t').next() == Some(code.as_str()) => _ = met.insert(id.to_owned()),
                Some(_) | None => unlisted.push(format!("{id}\t{code}\t{}", code.name())),
            }
        }
    });
    print(&variants);
    assert!(unlisted.is_empty(), "not in the list of games without a reason:\n{}", unlisted.join("\n"));
    let stale: Vec<&&str> = listed.keys().filter(|id| !met.contains(**id)).collect();
    assert!(stale.is_empty(), "listed without a reason, but they have one: {stale:?}");
    for (name, floor) in FLOOR {
        assert!(variants[*name].agree >= *floor, "{name}: {} of {floor}", variants[*name].agree);
    }
    let short: BTreeMap<&str, u32> =
        SHORT.lines().filter(|line| !line.starts_with('#')).map(short_line).collect();
    let mut low = Vec::new();
    for (name, tally) in variants.iter().filter(|(_, tally)| tally.games >= 20) {
        assert!(catalog::find(name).is_some(), "{name} has {} games and no rules", tally.games);
        let least = short.get(name.as_str()).copied().unwrap_or(990);
        if tally.agree * 1000 < tally.games * least {
            low.push(format!(
                "{name}: {} of {} ({})",
                tally.agree,
                tally.games,
                tally.agree * 1000 / tally.games
            ));
        }
    }
    assert!(low.is_empty(), "too few games agree:\n{}", low.join("\n"));
}

fn short_line(line: &str) -> (&str, u32) {
    let mut parts = line.split('\t');
    let name = parts.next().expect("a line has a name");
    (name, parts.next().and_then(|least| least.parse().ok()).expect("a line has a number"))
}

fn print(variants: &BTreeMap<String, Tally>) {
    let mut rows: Vec<(&String, &Tally)> = variants.iter().collect();
    rows.sort_by_key(|(name, tally)| (std::cmp::Reverse(tally.games), name.to_string()));
    println!("{:<10}{:>7}{:>7}{:>7}{:>7}  explained by", "variant", "games", "agree", "sound", "open");
    for (name, tally) in rows {
        let causes: Vec<String> = tally.explained.iter().map(|(code, n)| format!("{code} {n}")).collect();
        println!(
            "{name:<10}{:>7}{:>7}{:>7}{:>7}  {}",
            tally.games,
            tally.agree,
            tally.sound,
            tally.unexplained,
            causes.join(", ")
        );
    }
    let sum = |count: fn(&Tally) -> u32| variants.values().map(count).sum::<u32>();
    println!(
        "{:<10}{:>7}{:>7}{:>7}{:>7}",
        "all",
        sum(|tally| tally.games),
        sum(|tally| tally.agree),
        sum(|tally| tally.sound),
        sum(|tally| tally.unexplained)
    );
}
