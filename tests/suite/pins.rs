//! Results for the archives, game by game: replay, repair, and inference are compared with stored hashes.
//!
//! `TAFL_RECORDS` names the folder of the archives. `tests/fixtures/pins/*.tsv` has a line for each file or variant: counts,
//! and one hash of the lines of its games. The games are not in the repository. If a hash differs, write the lines of the
//! games with both versions and compare them:
//!
//! ```text
//! TAFL_PIN_DUMP=before cargo test -p tafl-tests --test suite pins
//! TAFL_PIN_DUMP=after cargo test -p tafl-tests --test suite pins
//! diff -r tests/before tests/after
//! ```
//!
//! The folder also contains the new fixtures: copy `*.tsv` to `tests/fixtures/pins` after explaining each difference.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use tafl_parser::{
    Diagnosis, Format, InferOptions, Inference, Probe, ReadOptions, Record, Records, RepairOptions,
    RepairStatus, Repairer, Replay, ReplayOptions, Replayer, RuleChoice, Soundness, Source, attribute, infer,
    probe, tag,
};
use tafl_rules::{Outcome, catalog};
use tafl_tests::data;
use tafl_tests::fnv::{fnv1a, fnv1a_from};

/// A file of the archives.
struct Archive {
    path: PathBuf,
    format: Format,
    /// The rules of records that name none.
    hint: Option<&'static str>,
    /// The name of the section in the fixture; records that name a variant have one section per variant.
    section: String,
}

/// Returns the archives.
fn archives() -> Vec<Archive> {
    let mut archives = Vec::new();
    let mut add = |folder: &str, ending: &str, format, hint: Option<&'static str>| {
        let paths = data::record_files(folder, ending);
        archives.extend(paths.into_iter().map(|path| Archive {
            path,
            format,
            hint,
            section: folder.to_owned(),
        }));
    };
    add("csv", "copenhagen.csv", Format::MoveList, Some("copenhagen11"));
    add("csv", "brandubh.csv", Format::MoveList, Some("brandubh7"));
    add("otg", ".otg", Format::OpenTafl, None);
    add("ludii", ".txt", Format::LudiiTrial, None);
    add("ashton", "_gameLog.txt", Format::AshtonLog, None);
    add("aagenielsen", "games.jsonl.gz", Format::AageNielsen, None);
    for csv in archives.iter_mut().filter(|archive| archive.hint.is_some()) {
        csv.section = format!("csv {}", csv.hint.unwrap_or_default());
    }
    archives
}

impl Archive {
    fn options(&self) -> ReplayOptions {
        let hint = self.hint.map(|name| RuleChoice::named(catalog::find(name).expect("a variant")));
        ReplayOptions { hint, ..ReplayOptions::default() }
    }

    /// Returns the text of each record with its name.
    fn texts(&self) -> Vec<(String, String)> {
        let file_name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = File::open(&self.path).unwrap_or_else(|error| panic!("{file_name}: {error}"));
        let options = ReadOptions { format: Some(self.format), ..ReadOptions::default() };
        let mut records = Records::new(&file_name, file, options).expect("the archive can be read");
        let mut texts = Vec::new();
        while let Some(batch) = records.next_batch().expect("the archive can be read") {
            for (source, parsed) in batch.parse() {
                let nth = texts.len() + 1;
                let id = parsed.value.tag(tag::ID).unwrap_or_default();
                texts.push((format!("{file_name}:{nth} {id}"), source.text.to_owned()));
            }
        }
        texts
    }

    fn section_of(&self, record: &Record) -> String {
        match &record.variant {
            Some(variant) if self.format == Format::AageNielsen => {
                format!("{} {}", self.section, variant.text)
            }
            Some(_) | None => self.section.clone(),
        }
    }
}

/// The lines and counts of each section.
#[derive(Default)]
struct Sections(BTreeMap<String, Section>);

#[derive(Default)]
struct Section {
    games: usize,
    counts: BTreeMap<String, usize>,
    hash: u64,
    /// The hashed lines, each with details that are not hashed.
    lines: String,
}

impl Sections {
    /// Adds a game: the line is hashed, the details are only written to the dump.
    fn add(&mut self, section: &str, counted: &[&str], line: &str, details: &str) {
        let section = self.0.entry(section.to_owned()).or_default();
        section.games += 1;
        for word in counted {
            *section.counts.entry((*word).to_owned()).or_default() += 1;
        }
        let line_bytes = line.bytes().chain(*b"\n");
        section.hash = match section.games {
            1 => fnv1a(line_bytes),
            _ => fnv1a_from(section.hash, line_bytes),
        };
        let _ = writeln!(section.lines, "{line}{details}");
    }

    /// Compares the sections with a fixture, and writes everything to the folder in `TAFL_PIN_DUMP`, if it is set.
    fn compare(&self, name: &str, expected: &str) {
        let mut found = String::new();
        for (name, section) in &self.0 {
            let counts: Vec<String> = section.counts.iter().map(|(word, n)| format!("{word} {n}")).collect();
            let _ = writeln!(
                found,
                "{name}\t{} games\t{}\t{:016x}",
                section.games,
                counts.join(", "),
                section.hash
            );
        }
        if let Some(folder) = std::env::var_os("TAFL_PIN_DUMP").map(PathBuf::from) {
            let lines: String =
                self.0.iter().map(|(name, section)| format!("# {name}\n{}", section.lines)).collect();
            let write = |file: &Path, text: &str| fs::write(file, text).expect("the folder can be written");
            fs::create_dir_all(&folder).expect("the folder can be made");
            write(&folder.join(format!("{name}.tsv")), &found);
            write(&folder.join(format!("{name}.lines")), &lines);
        }
        let other: Vec<String> = found
            .lines()
            .filter(|line| expected.lines().all(|other| other != *line))
            .map(|line| format!("now    {line}"))
            .chain(
                expected
                    .lines()
                    .filter(|line| found.lines().all(|other| other != *line))
                    .map(|line| format!("before {line}")),
            )
            .collect();
        assert!(
            other.is_empty(),
            "{name}: differs from the fixture (see the module comment):\n{}",
            other.join("\n")
        );
    }
}

fn verdict_of(replay: &Replay) -> String {
    match replay.soundness() {
        Soundness::Sound => "sound".to_owned(),
        Soundness::Explained(code) => format!("explained-{code}"),
        Soundness::Unexplained(code) => format!("unexplained-{code}"),
    }
}

fn outcome_of(outcome: Option<Outcome>) -> String {
    outcome.map_or_else(|| "-".to_owned(), |outcome| outcome.to_string())
}

/// Returns a hash of the plies: moves, captures, and the indices of the written moves.
fn hash_of_plies(replay: &Replay) -> u64 {
    let mut text = String::new();
    for ply in &replay.plies {
        let _ = write!(text, "{}-{}", ply.mv.from.index(), ply.mv.to.index());
        for cell in ply.captured.iter() {
            let _ = write!(text, "x{}", cell.index());
        }
        let _ = write!(text, " {:?} {:?} {};", ply.side, ply.written, ply.goes_on);
    }
    fnv1a(text.bytes())
}

/// Returns the hashed line of a replay: verdict, plies, outcomes, and findings with their places.
fn replay_line(name: &str, replay: &Replay) -> String {
    let mut line = format!(
        "{name}\t{}\t{} plies {:016x}\t{}\t{}\t{:?}\t",
        verdict_of(replay),
        replay.plies.len(),
        hash_of_plies(replay),
        outcome_of(replay.outcome),
        outcome_of(replay.recorded.map(|end| end.outcome)),
        replay.to_move,
    );
    for found in &replay.diagnostics {
        let _ = write!(line, " {}@{}-{}", found.code(), found.span.start, found.span.end);
    }
    line
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_game_of_the_archives_is_replayed_as_before() {
    let archives = archives();
    let mut sections = Sections::default();
    let is_dumped = std::env::var_os("TAFL_PIN_DUMP").is_some();
    for archive in archives {
        let mut replayer = Replayer::new(archive.options());
        for (name, text) in archive.texts() {
            let record = archive.format.parse(&Source::new(&text)).value;
            let replay = replayer.replay(&record);
            let (line, mut details) = (replay_line(&name, &replay), String::new());
            for found in replay.diagnostics.iter().filter(|_| is_dumped) {
                let _ = write!(details, "\t{}", found.message(&text));
            }
            let verdict = verdict_of(&replay);
            let mut codes: Vec<&str> = replay.diagnostics.iter().map(|found| found.code().as_str()).collect();
            codes.push(&verdict);
            codes.sort_unstable();
            codes.dedup();
            sections.add(&archive.section_of(&record), &codes, &line, &details);
        }
    }
    sections.compare("replay", include_str!("../fixtures/pins/replay.tsv"));
}

/// Returns the text of a record with one of six faults; `None` if it is too short.
fn damaged(text: &str, record: &Record, nth: usize) -> Option<String> {
    let moves = &record.main().moves;
    let n = moves.len();
    if n < 6 {
        return None;
    }
    let at = nth.wrapping_mul(7919) % (n - 2);
    let place = |at: usize| moves[at].span.start as usize..moves[at].span.end as usize;
    let step = place(at).start..place(at + 1).start;
    let (before, after) = (&text[..step.start], &text[step.end..]);
    let word = &text[place(at)];
    let other_word = |change: &dyn Fn(char) -> Option<char>| {
        let found = word.char_indices().find_map(|(nth, c)| Some((nth, c, change(c)?)))?;
        let (nth, c, other) = found;
        let rest = &text[place(at).start + nth + c.len_utf8()..];
        Some(format!("{}{other}{rest}", &text[..place(at).start + nth]))
    };
    match nth % 6 {
        0 => Some(format!("{before}{after}")),
        1 => Some(format!("{before}{0}{0}{after}", &text[step])),
        2 => other_word(&|c| Some(char::from(b'1' + (c.to_digit(10)? % 9) as u8))),
        3 => {
            other_word(&|c| c.is_ascii_lowercase().then(|| if c == 'k' { 'a' } else { (c as u8 + 1).into() }))
        }
        4 => {
            let next = place(at + 1);
            let between = &text[place(at).end..next.start];
            Some(format!("{before}{}{between}{word}{}", &text[next.clone()], &text[next.end..]))
        }
        _ => match word.split_once('x') {
            Some((plain, _)) => Some(format!("{before}{plain}{}", &text[place(at).end..])),
            None => Some(format!("{before}{word}x{}{}", &word[..2], &text[place(at).end..])),
        },
    }
}

fn repair_line(name: &str, found: &Diagnosis) -> (String, &'static str) {
    let (standing, why) = match found.status {
        RepairStatus::Sound => ("sound", String::new()),
        RepairStatus::Explained(code) => ("explained", code.to_string()),
        RepairStatus::Decided => ("decided", String::new()),
        RepairStatus::Ambiguous => ("ambiguous", String::new()),
        RepairStatus::Undecidable(why) => ("undecidable", format!("{why:?}")),
    };
    let mut line = format!("{name}\t{standing} {why}\t{}+{}", found.repairs.len(), found.n_more);
    for repair in found.repairs.iter().take(4) {
        let edits: Vec<String> = repair.edits.iter().map(|edit| edit.to_string()).collect();
        let _ = write!(line, "\t{:.6} {:.6} {}", repair.cost, repair.confidence, edits.join(" + "));
    }
    (line, standing)
}

/// One of this number of sound games of the play site is repaired with a damaged text.
const DAMAGED: usize = 25;
/// One of this number of unsound games is repaired.
const UNSOUND: usize = 4;

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn damaged_games_and_unsound_ones_are_repaired_as_before() {
    let archives = archives();
    let mut sections = Sections::default();
    let options = RepairOptions { budget: 150_000, ..RepairOptions::default() };
    for archive in archives {
        let mut replayer = Replayer::new(archive.options());
        let mut repairer = Repairer::new(archive.options(), options);
        let every = if archive.format == Format::AageNielsen { DAMAGED } else { 1 };
        let mut n_unsound = 0;
        for (nth, (name, text)) in archive.texts().into_iter().enumerate() {
            let source = Source::new(&text);
            let parsed = archive.format.parse(&source);
            let is_sound = replayer.replay(&parsed.value).soundness() == Soundness::Sound;
            n_unsound += usize::from(!is_sound);
            let broken = match is_sound {
                true if nth % every == 0 => damaged(&text, &parsed.value, nth / every),
                false if n_unsound % UNSOUND == 0 => Some(text.clone()),
                true | false => None,
            };
            let Some(broken) = broken else { continue };
            let source = Source::new(&broken);
            let found = repairer.repair(&source, &archive.format.parse(&source));
            let (line, standing) = repair_line(&name, &found);
            let counted = [if is_sound { "damaged" } else { "unsound" }, standing];
            sections.add(archive.section.split(' ').next().unwrap_or_default(), &counted, &line, "");
        }
    }
    sections.compare("repair", include_str!("../fixtures/pins/repair.tsv"));
}

/// The number of games of a variant from which rules are inferred.
const INFERRED: usize = 16;
/// One of this number of unsound games is attributed to other rules.
const ATTRIBUTED: usize = 25;

fn inference_line(name: &str, found: &Inference) -> String {
    let mut line = format!("{name}\t{} undecidable", found.undecidable.len());
    for group in &found.groups {
        let _ = write!(
            line,
            "\t{:?} {} {} {:?} {}",
            group.records, group.n_shared, group.n_agreeing, group.base, group.rules
        );
        for option in &group.options {
            let fitting: Vec<&str> = option.fitting().collect();
            let _ = write!(line, " {}={}", option.option, fitting.join("|"));
        }
        for found in &group.contradictions {
            let fault = &found.fault;
            let _ = write!(line, " {}:{}:{}:{:?}", found.record, found.ply, fault.name(), fault.rule());
        }
    }
    line
}

fn probe_line(name: &str, (probes, n_agreeing): &(Vec<Probe>, usize)) -> String {
    let mut line = format!("{name}\t{n_agreeing} agree\t");
    for probe in probes {
        let _ = write!(line, " {}={}", probe.option, probe.value);
        for other in &probe.others {
            let _ = write!(line, ",{}:{}:{}:{}", other.value, other.games, other.against, other.in_favor);
        }
    }
    line
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn games_are_attributed_to_the_same_rules_as_before() {
    let archives = archives();
    let mut sections = Sections::default();
    let mut variants: BTreeMap<&'static str, Vec<Record>> = BTreeMap::new();
    let mut n_unsound = 0;
    for archive in archives {
        let mut replayer = Replayer::new(archive.options());
        for (name, text) in archive.texts() {
            let record = archive.format.parse(&Source::new(&text)).value;
            let replay = replayer.replay(&record);
            let Some(rules) = &replay.rules else { continue };
            n_unsound += usize::from(replay.soundness() != Soundness::Sound);
            if replay.soundness() != Soundness::Sound && n_unsound % ATTRIBUTED == 0 {
                let found = attribute(&record, rules.book.rules());
                let rules: Vec<String> = found.iter().map(|one| one.rules.to_string()).collect();
                let count = if found.is_empty() { "no other rules" } else { "other rules" };
                sections.add("attribute", &[count], &format!("{name}\t{}", rules.join("\t")), "");
            }
            if let Some(variant) = rules.variant.filter(|_| !record.main().moves.is_empty()) {
                variants.entry(variant).or_default().push(record);
            }
        }
    }
    for (variant, records) in variants.iter().filter(|(_, records)| records.len() >= 20) {
        let n = records.len();
        let some: Vec<&Record> = (0..INFERRED).map(|nth| &records[nth * n / INFERRED]).collect();
        let found = infer(&some, &InferOptions::default());
        sections.add("infer", &[], &inference_line(variant, &found), "");
        let rules = catalog::find(variant).expect("the variant is in the catalog").rules();
        sections.add("probe", &[], &probe_line(variant, &probe(&some, &rules, NonZeroUsize::MIN)), "");
    }
    sections.compare("infer", include_str!("../fixtures/pins/infer.tsv"));
}
