//! Corpora with damaged files: every command says an error or an answer, reading changes nothing, and no damage is taken
//! over as if it were what was written.
//!
//! `TAFL_DAMAGE_SECONDS=600` goes on with other seeds for so long, `TAFL_DAMAGE_SEED` chooses where they begin.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tafl_cli::Exit;
use tafl_corpus::{MANIFEST_FILE, Manifest};
use tafl_rules::Rng;
use xxhash_rust::xxh3::xxh3_64;

use super::{RunOutput, run};

const GAMES: &str = "d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3\n\
                     d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White\n\
                     d2-e2 c4-c3 b4-b3 c3-c2\n";

/// Commands that read a corpus.
const READING: [&[&str]; 11] = [
    &["info", "CORPUS"],
    &["verify", "CORPUS"],
    &["verify", "CORPUS", "--deep"],
    &["search", "CORPUS", "capture"],
    &["search", "CORPUS", "pattern \"tT\" and ply>2", "--count"],
    &["explore", "CORPUS", "--variant", "brandubh7"],
    &["sql", "CORPUS", "select count(*), sum(plies) from games"],
    &["sql", "CORPUS", "select * from plies"],
    &["export", "CORPUS", "--to", "jsonl"],
    &["report", "balance", "CORPUS"],
    &["report", "health", "CORPUS"],
];

/// Commands that change one.
const WRITING: [&[&str]; 4] = [
    &["import", "CORPUS", "EXTRA", "--variant", "brandubh7"],
    &["remove", "CORPUS", "--query", "plies>10"],
    &["compact", "CORPUS"],
    &["compact", "CORPUS", "--reindex"],
];

/// Random choices.
struct Rolls(Rng);

impl Rolls {
    fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }
}

/// Where the corpora of a run lie.
struct Bench {
    folder: PathBuf,
}

impl Bench {
    /// Makes a sound corpus of three segments, with a copy, a removed game and rejected records.
    fn new(folder: &Path) -> Bench {
        let bench = Bench { folder: folder.to_owned() };
        fs::write(bench.path("extra"), GAMES.lines().nth(1).unwrap()).unwrap();
        fs::write(bench.path("nonsense"), "d1-d9 e4-e5\n").unwrap();
        fs::write(bench.path("all"), GAMES).unwrap();
        for (nth, game) in GAMES.lines().enumerate() {
            fs::write(bench.path(&format!("game{nth}")), game).unwrap();
        }
        for file in ["game0", "game1", "game2", "all", "nonsense"] {
            let (to, from) = (bench.path("sound"), bench.path(file));
            let words = ["import", &to, &from, "--variant", "brandubh7", "--as", "movelist"];
            assert_ne!(run(&words).exit, Exit::Error, "{file}");
        }
        assert_eq!(run(&["remove", &bench.path("sound"), "--query", "plies<5"]).exit, Exit::Ok);
        bench
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().expect("a path that is text").to_owned()
    }

    fn copy(&self) -> PathBuf {
        let to = self.folder.join("damaged");
        let _ = fs::remove_dir_all(&to);
        copy_folder(&self.folder.join("sound"), &to);
        to
    }

    fn run(&self, words: &[&str]) -> RunOutput {
        let (corpus, extra) = (self.path("damaged"), self.path("extra"));
        let word = |word: &&str| match *word {
            "CORPUS" => corpus.clone(),
            "EXTRA" => extra.clone(),
            other => other.to_owned(),
        };
        let words: Vec<String> = words.iter().map(word).collect();
        run(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let there = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy_folder(&path, &there),
            false => assert!(fs::copy(&path, &there).is_ok(), "{}", path.display()),
        }
    }
}

/// Returns the content of every file but the lock.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut left) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else if !path.ends_with("writer.lock") {
                found.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    found
}

/// Damages a file of a corpus, and says what was done.
fn damage(corpus: &Path, dice: &mut Rolls) -> String {
    let files: Vec<(PathBuf, Vec<u8>)> = contents(corpus).into_iter().collect();
    let manifest = corpus.join(MANIFEST_FILE);
    let (path, bytes) = match dice.below(4) {
        0 => (manifest.clone(), fs::read(&manifest).unwrap_or_default()),
        _ => files[dice.below(files.len())].clone(),
    };
    let name = path.strip_prefix(corpus).unwrap().display().to_string();
    let (what, damaged) = match dice.below(8) {
        _ if path == manifest && dice.below(4) > 0 => ("a word replaced", other_word(&bytes, dice)),
        0 | 1 => ("bits flipped", flipped(bytes, dice)),
        2 => ("cut", bytes[..dice.below(bytes.len() + 1)].to_vec()),
        3 => ("grown", [bytes, vec![dice.below(256) as u8; 1 + dice.below(300)]].concat()),
        4 => ("zeroed", zeroed(bytes, dice)),
        5 => ("another file", files[dice.below(files.len())].1.clone()),
        6 => ("empty", Vec::new()),
        _ => {
            fs::remove_file(&path).unwrap();
            return format!("{name}: deleted");
        }
    };
    fs::write(&path, damaged).unwrap();
    format!("{name}: {what}")
}

fn flipped(mut bytes: Vec<u8>, dice: &mut Rolls) -> Vec<u8> {
    for _ in 0..[1, 1, 3, 20][dice.below(4)] {
        let at = dice.below(bytes.len().max(1));
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << dice.below(8);
        }
    }
    bytes
}

fn zeroed(mut bytes: Vec<u8>, dice: &mut Rolls) -> Vec<u8> {
    let at = dice.below(bytes.len() + 1);
    let end = bytes.len().min(at + [4, 64, 4096][dice.below(3)]);
    bytes[at..end].fill(0);
    bytes
}

/// Replaces a word, a number or a sign of JSON.
fn other_word(bytes: &[u8], dice: &mut Rolls) -> Vec<u8> {
    const WORDS: [&str; 16] = [
        "0",
        "1",
        "2",
        "17",
        "-1",
        "4294967295",
        "18446744073709551615",
        "1e400",
        "\"\"",
        "null",
        "[]",
        "{}",
        "\"../../x\"",
        "\"/etc/hostname\"",
        "",
        "true",
    ];
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut words: Vec<&str> = text.split_inclusive(|sign: char| ",:[]{}\n".contains(sign)).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let at = dice.below(words.len());
    let old = words[at].trim_end_matches(|sign: char| ",:[]{}\n".contains(sign));
    let new = format!("{}{}", WORDS[dice.below(WORDS.len())], &words[at][old.len()..]);
    words[at] = &new;
    words.concat().into_bytes()
}

/// Makes the checksums of the manifest those of the files, so that readers see what lies behind them.
fn mend(corpus: &Path) {
    let path = corpus.join(MANIFEST_FILE);
    let Ok(Ok(mut manifest)) = fs::read(&path).map(|bytes| serde_json::from_slice::<Value>(&bytes)) else {
        return;
    };
    let segments = manifest.get_mut("segments").and_then(Value::as_array_mut);
    for segment in segments.into_iter().flatten() {
        let folder = corpus.join("segments").join(segment["name"].as_str().unwrap_or_default());
        mend_below(segment, &folder);
    }
    mend_below(&mut manifest, corpus);
    // A file that is not a manifest is rejected even if its checksum is right.
    if let Ok(manifest) = serde_json::from_value::<Manifest>(manifest) {
        fs::write(&path, sealed(manifest)).unwrap();
    }
}

/// Returns the text of a manifest with its own checksum: that of the text with zeros in its place.
fn sealed(mut manifest: Manifest) -> String {
    let zeros = "0".repeat(16);
    manifest.checksum.clone_from(&zeros);
    let text = serde_json::to_string_pretty(&manifest).unwrap() + "\n";
    let at = text.rfind(&zeros).unwrap();
    let sum = format!("{:016x}", xxh3_64(text.as_bytes()));
    [&text[..at], &sum, &text[at + zeros.len()..]].concat()
}

fn mend_below(value: &mut Value, folder: &Path) {
    if let Some(bytes) =
        value.get("path").and_then(Value::as_str).and_then(|path| fs::read(folder.join(path)).ok())
    {
        value["size"] = json!(bytes.len());
        value["xxh3"] = json!(format!("{:016x}", xxh3_64(&bytes)));
        return;
    }
    match value {
        Value::Array(parts) => parts.iter_mut().for_each(|part| mend_below(part, folder)),
        Value::Object(parts) => parts.iter_mut().for_each(|(_, part)| mend_below(part, folder)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns the files that a corpus has; nothing where that cannot be known, and so all must stay.
fn named(corpus: &Path) -> Option<HashSet<PathBuf>> {
    let manifest = Manifest::read(corpus).ok()?;
    let files = manifest.files().map(|(folder, file)| corpus.join(folder).join(&file.path));
    Some(files.chain([corpus.join(MANIFEST_FILE)]).collect())
}

/// The records of a corpus in any order, or nothing where they cannot be had.
fn records(bench: &Bench) -> Option<Vec<String>> {
    let ran = bench.run(&["export", "CORPUS", "--to", "jsonl"]);
    let mut lines: Vec<String> = ran.text().lines().map(str::to_owned).collect();
    lines.sort();
    (ran.exit == Exit::Ok).then_some(lines)
}

/// What is counted, so that rounds that damage nothing fail.
#[derive(Debug, Default)]
struct Tally {
    rounds: u32,
    errors: u32,
    answers: u32,
    found_by_verify: u32,
}

/// A round: damages a corpus, reads it in every way, and writes into it.
fn round(bench: &Bench, seed: u64, wanted: &BTreeMap<usize, Vec<String>>, tally: &mut Tally) {
    let mut dice = Rolls(Rng::new(seed));
    let corpus = bench.copy();
    let (sound, of_sound) = (contents(&corpus), named(&corpus).expect("a sound manifest"));
    let mut what = vec![damage(&corpus, &mut dice)];
    if dice.below(4) == 0 {
        what.push(damage(&corpus, &mut dice));
    }
    let is_mended = dice.below(2) == 0;
    if is_mended {
        mend(&corpus);
    }
    let (before, named) = (contents(&corpus), named(&corpus));
    // The files that a removal leaves for readers do not belong to the corpus any more.
    let is_damaged = of_sound.iter().any(|path| before.get(path) != sound.get(path));
    let case =
        format!("seed {seed}, {what:?}, checksums {}", if is_mended { "mended" } else { "as they were" });
    let mut ran = |words: &[&str]| {
        let ran = catch_unwind(AssertUnwindSafe(|| bench.run(words)));
        let ran = ran.unwrap_or_else(|_| panic!("{words:?} panics: {case}"));
        assert!(ran.exit != Exit::Error || ran.stderr.contains("error"), "{words:?} says no error: {case}");
        assert!(!ran.stderr.contains("panicked"), "{words:?}: {case}\n{}", ran.stderr);
        match ran.exit {
            Exit::Error => tally.errors += 1,
            Exit::Ok | Exit::Findings => tally.answers += 1,
        }
        ran.exit
    };
    for words in READING {
        let exit = ran(words);
        if words[0] == "verify" && is_damaged && !is_mended {
            assert_ne!(exit, Exit::Ok, "nothing was found: {case}");
            tally.found_by_verify += 1;
        }
    }
    assert!(contents(&corpus) == before, "reading changed the corpus: {case}");
    let nth = dice.below(WRITING.len());
    let exit = ran(WRITING[nth]);
    if exit == Exit::Error {
        let after = contents(&corpus);
        // A file that a sound manifest does not name is what a killed writer left, and goes.
        let has_stayed = |(path, bytes): (&PathBuf, &Vec<u8>)| {
            let is_left = is_mended && named.as_ref().is_some_and(|named| !named.contains(path));
            is_left || after.get(path) == Some(bytes)
        };
        assert!(before.iter().all(has_stayed), "a failure left a mark: {case}");
    } else if !is_mended && ran(&["verify", "CORPUS", "--deep"]) == Exit::Ok {
        // Whatever was damaged is as it was, or was told: it is not what was written.
        let found = records(bench).unwrap_or_else(|| panic!("sound, and cannot be exported: {case}"));
        assert!(found == wanted[&nth], "damage was taken over by {:?}: {case}", WRITING[nth]);
    }
    tally.rounds += 1;
}

#[test]
fn a_repaired_manifest_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let bench = Bench::new(folder.path());
    let corpus = bench.copy();
    let side = Manifest::read(&corpus).unwrap().rejected[0].file.path.clone();
    let text = fs::read_to_string(corpus.join(&side)).unwrap();
    fs::write(corpus.join(&side), format!("{text} ")).unwrap();
    assert_eq!(bench.run(&["verify", "CORPUS"]).exit, Exit::Findings);
    mend(&corpus);
    assert!(Manifest::read(&corpus).is_ok());
    assert_eq!(bench.run(&["verify", "CORPUS"]).exit, Exit::Ok);
}

#[test]
fn damage_is_reported_and_never_copied() {
    let folder = tempfile::tempdir().unwrap();
    let bench = Bench::new(folder.path());
    let mut wanted = BTreeMap::new();
    for (nth, words) in WRITING.iter().enumerate() {
        bench.copy();
        assert_eq!(bench.run(words).exit, Exit::Ok, "{words:?}");
        wanted.insert(nth, records(&bench).expect("a sound corpus"));
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("TAFL_DAMAGE_SEED").unwrap_or(0);
    let until = Instant::now() + Duration::from_secs(number("TAFL_DAMAGE_SECONDS").unwrap_or(0));
    let mut tally = Tally::default();
    while tally.rounds < 24 || Instant::now() < until {
        round(&bench, seed + u64::from(tally.rounds), &wanted, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.errors > tally.rounds && tally.answers > tally.rounds, "{tally:?}");
    assert!(tally.found_by_verify > tally.rounds / 2, "{tally:?}");
}
