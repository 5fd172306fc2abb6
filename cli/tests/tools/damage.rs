//! Corpora with damaged files: each command reports an error or gives the same answer as without the damage, reading changes no
//! file, and writing does not copy damaged data.
//!
//! `TAFL_DAMAGE_SECONDS=600` runs for ten minutes, and `TAFL_DAMAGE_SEED` sets the first seed.

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

const GAMES: &str = "b4-b5 c4-c5 d6-c6 e4-e1 a4-c4xc5 d5-g5 c6-g6xg5 d4-e4 g6-e6 d3-a3 b5-e5 e4-e3 c4-c3 e1-e2 g4-g3 e2-e1 d7-e7 a3-a4 e6-f6 a4-a3 f6-d6 a3-a5 d6-f6 a5-a6 c3-d3 e3-e2\n\
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

/// Commands that change a corpus.
const WRITING: [&[&str]; 4] = [
    &["import", "CORPUS", "EXTRA", "--variant", "brandubh7"],
    &["remove", "CORPUS", "--query", "plies>10"],
    &["compact", "CORPUS"],
    &["compact", "CORPUS", "--reindex"],
];

/// A folder with a sound corpus, a damaged copy of it, and input files.
struct CorpusFixture {
    folder: PathBuf,
}

impl CorpusFixture {
    /// Creates the sound corpus: three segments with a copy, a removed game, and rejected records.
    fn new(folder: &Path) -> CorpusFixture {
        let fixture = CorpusFixture { folder: folder.to_owned() };
        fs::write(fixture.path("extra"), GAMES.lines().nth(1).unwrap()).unwrap();
        fs::write(fixture.path("nonsense"), "d1-d9 e4-e5\n").unwrap();
        fs::write(fixture.path("again"), GAMES.lines().next().unwrap()).unwrap();
        for (nth, game) in GAMES.lines().enumerate() {
            fs::write(fixture.path(&format!("game{nth}")), game).unwrap();
        }
        for file in ["game0", "game1", "game2", "again", "nonsense"] {
            let (to, from) = (fixture.path("sound"), fixture.path(file));
            let args = ["import", &to, &from, "--variant", "brandubh7", "--as", "movelist"];
            assert_ne!(run(&args).exit, Exit::Error, "{file}");
        }
        assert_eq!(run(&["remove", &fixture.path("sound"), "--query", "plies<5"]).exit, Exit::Ok);
        fixture
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().expect("the path is UTF-8").to_owned()
    }

    /// Replaces the damaged corpus by a copy of the sound one, and returns its path.
    fn copy(&self) -> PathBuf {
        let to = self.folder.join("damaged");
        let _ = fs::remove_dir_all(&to);
        copy_folder(&self.folder.join("sound"), &to);
        to
    }

    /// Runs the program on the damaged corpus.
    fn run(&self, args: &[&str]) -> RunOutput {
        let (corpus, extra) = (self.path("damaged"), self.path("extra"));
        let argument = |arg: &&str| match *arg {
            "CORPUS" => corpus.clone(),
            "EXTRA" => extra.clone(),
            other => other.to_owned(),
        };
        let args: Vec<String> = args.iter().map(argument).collect();
        run(&args.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            assert!(fs::copy(&path, &target).is_ok(), "{}", path.display());
        }
    }
}

/// Returns the contents of all files except the lock.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("writer.lock") {
                found.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    found
}

/// Damages a file of a corpus, and returns a description of the damage.
fn damage(corpus: &Path, rng: &mut Rng) -> String {
    let files: Vec<(PathBuf, Vec<u8>)> = contents(corpus).into_iter().collect();
    let manifest = corpus.join(MANIFEST_FILE);
    let (path, bytes) = match rng.below(4) {
        0 => (manifest.clone(), fs::read(&manifest).unwrap_or_default()),
        _ => files[rng.below(files.len())].clone(),
    };
    let name = path.strip_prefix(corpus).unwrap().display().to_string();
    let (what, damaged) = match rng.below(8) {
        _ if path == manifest && rng.below(4) > 0 => ("a token replaced", with_token_replaced(&bytes, rng)),
        0 | 1 => ("bits flipped", with_bits_flipped(bytes, rng)),
        2 => ("cut", bytes[..rng.below(bytes.len() + 1)].to_vec()),
        3 => ("grown", [bytes, vec![rng.below(256) as u8; 1 + rng.below(300)]].concat()),
        4 => ("zeroed", with_zeros(bytes, rng)),
        5 => ("another file", files[rng.below(files.len())].1.clone()),
        6 => ("empty", Vec::new()),
        _ => {
            fs::remove_file(&path).unwrap();
            return format!("{name}: deleted");
        }
    };
    fs::write(&path, damaged).unwrap();
    format!("{name}: {what}")
}

fn with_bits_flipped(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    for _ in 0..[1, 1, 3, 20][rng.below(4)] {
        let at = rng.below(bytes.len().max(1));
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << rng.below(8);
        }
    }
    bytes
}

fn with_zeros(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let at = rng.below(bytes.len() + 1);
    let end = bytes.len().min(at + [4, 64, 4096][rng.below(3)]);
    bytes[at..end].fill(0);
    bytes
}

/// Replaces a token of a JSON text.
fn with_token_replaced(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    const TOKENS: [&str; 16] = [
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
    let mut parts: Vec<&str> = text.split_inclusive(|symbol: char| ",:[]{}\n".contains(symbol)).collect();
    if parts.is_empty() {
        return Vec::new();
    }
    let at = rng.below(parts.len());
    let old = parts[at].trim_end_matches(|symbol: char| ",:[]{}\n".contains(symbol));
    let new = format!("{}{}", TOKENS[rng.below(TOKENS.len())], &parts[at][old.len()..]);
    parts[at] = &new;
    parts.concat().into_bytes()
}

/// Updates the checksums in the manifest, so that commands read the damaged data.
fn update_checksums(corpus: &Path) {
    let path = corpus.join(MANIFEST_FILE);
    let Ok(Ok(mut manifest)) = fs::read(&path).map(|bytes| serde_json::from_slice::<Value>(&bytes)) else {
        return;
    };
    let segments = manifest.get_mut("segments").and_then(Value::as_array_mut);
    for segment in segments.into_iter().flatten() {
        // The checksums of blocks would reject the damaged data; without them, files have one checksum each.
        if let Some(files) = segment["files"].as_array_mut() {
            files.retain(|file| file["path"] != "checksums.bin");
        }
        let folder = corpus.join("segments").join(segment["name"].as_str().unwrap_or_default());
        update_file_checksums(segment, &folder);
    }
    update_file_checksums(&mut manifest, corpus);
    // A file that is not a manifest is rejected even if its checksum is right.
    if let Ok(manifest) = serde_json::from_value::<Manifest>(manifest) {
        fs::write(&path, with_checksum(manifest)).unwrap();
    }
}

/// Returns the text of a manifest with its checksum, which is computed with zeros in its place.
fn with_checksum(mut manifest: Manifest) -> String {
    let zeros = "0".repeat(16);
    manifest.checksum.clone_from(&zeros);
    let text = serde_json::to_string_pretty(&manifest).unwrap() + "\n";
    let at = text.rfind(&zeros).unwrap();
    let sum = format!("{:016x}", xxh3_64(text.as_bytes()));
    [&text[..at], &sum, &text[at + zeros.len()..]].concat()
}

/// Updates the checksums and sizes of all files listed in a part of the manifest.
fn update_file_checksums(value: &mut Value, folder: &Path) {
    if let Some(bytes) =
        value.get("path").and_then(Value::as_str).and_then(|path| fs::read(folder.join(path)).ok())
    {
        value["size"] = json!(bytes.len());
        value["xxh3"] = json!(format!("{:016x}", xxh3_64(&bytes)));
        return;
    }
    match value {
        Value::Array(parts) => parts.iter_mut().for_each(|part| update_file_checksums(part, folder)),
        Value::Object(parts) => parts.iter_mut().for_each(|(_, part)| update_file_checksums(part, folder)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns the files listed in the manifest, or `None` if the manifest is damaged.
fn listed_files(corpus: &Path) -> Option<HashSet<PathBuf>> {
    let manifest = Manifest::read(corpus).ok()?;
    let files = manifest.files().map(|(folder, file)| corpus.join(folder).join(&file.path));
    Some(files.chain([corpus.join(MANIFEST_FILE)]).collect())
}

/// Returns the records of the damaged corpus, sorted, or `None` if they cannot be exported.
fn records(fixture: &CorpusFixture) -> Option<Vec<String>> {
    let output = fixture.run(&["export", "CORPUS", "--to", "jsonl"]);
    let mut lines: Vec<String> = output.text().lines().map(str::to_owned).collect();
    lines.sort();
    (output.exit == Exit::Ok).then_some(lines)
}

/// The answers of commands without damage.
struct SoundAnswers {
    /// The answers of the reading commands.
    reading: Vec<String>,
    /// The records after each writing command.
    after_writing: BTreeMap<usize, Vec<String>>,
}

impl SoundAnswers {
    fn of(fixture: &CorpusFixture) -> SoundAnswers {
        fixture.copy();
        let reading = READING.map(|args| fixture.run(args).text().to_owned()).to_vec();
        let mut after_writing = BTreeMap::new();
        for (nth, args) in WRITING.iter().enumerate() {
            fixture.copy();
            assert_eq!(fixture.run(args).exit, Exit::Ok, "{args:?}");
            after_writing.insert(nth, records(fixture).expect("the corpus is sound"));
        }
        SoundAnswers { reading, after_writing }
    }
}

/// The numbers of outcomes, so that the test fails if no round has an effect.
#[derive(Debug, Default)]
struct DamageCounts {
    rounds: u32,
    errors: u32,
    successes: u32,
    found_by_verify: u32,
}

/// Damages a corpus, runs every reading command, and runs a writing one.
fn check_round(fixture: &CorpusFixture, seed: u64, expected: &SoundAnswers, counts: &mut DamageCounts) {
    let mut rng = Rng::new(seed);
    let corpus = fixture.copy();
    let (sound, sound_files) = (contents(&corpus), listed_files(&corpus).expect("the manifest is sound"));
    let mut damages = vec![damage(&corpus, &mut rng)];
    if rng.below(4) == 0 {
        damages.push(damage(&corpus, &mut rng));
    }
    let has_updated_checksums = rng.below(2) == 0;
    if has_updated_checksums {
        update_checksums(&corpus);
    }
    let (before, listed) = (contents(&corpus), listed_files(&corpus));
    // Obsolete files that remain for concurrent readers are not part of the corpus.
    let is_damaged = sound_files.iter().any(|path| before.get(path) != sound.get(path));
    let case = format!(
        "seed {seed}, {damages:?}, checksums {}",
        if has_updated_checksums { "updated" } else { "unchanged" }
    );
    let mut run_checked = |args: &[&str]| {
        let output = catch_unwind(AssertUnwindSafe(|| fixture.run(args)));
        let output = output.unwrap_or_else(|_| panic!("{args:?} panics: {case}"));
        assert!(
            output.exit != Exit::Error || output.stderr.contains("error"),
            "{args:?} prints no error: {case}"
        );
        assert!(!output.stderr.contains("panicked"), "{args:?}: {case}\n{}", output.stderr);
        match output.exit {
            Exit::Error => counts.errors += 1,
            Exit::Ok | Exit::Findings => counts.successes += 1,
        }
        (output.exit, output.text().to_owned())
    };
    for (args, right) in READING.into_iter().zip(&expected.reading) {
        let (exit, answer) = run_checked(args);
        if args[0] != "verify" && exit != Exit::Error && !has_updated_checksums {
            assert!(
                answer == *right,
                "{args:?} depends on the damage: {case}\n{answer}\ninstead of\n{right}"
            );
        }
        if args[0] == "verify" && is_damaged && !has_updated_checksums {
            assert_ne!(exit, Exit::Ok, "verify found no damage: {case}");
            counts.found_by_verify += 1;
        }
    }
    assert!(contents(&corpus) == before, "reading changed the corpus: {case}");
    let nth = rng.below(WRITING.len());
    let (exit, _) = run_checked(WRITING[nth]);
    if exit == Exit::Error {
        let after = contents(&corpus);
        // A writer may remove files that a sound manifest does not list: a killed writer left them.
        let is_unchanged = |(path, bytes): (&PathBuf, &Vec<u8>)| {
            let is_unlisted =
                has_updated_checksums && listed.as_ref().is_some_and(|listed| !listed.contains(path));
            is_unlisted || after.get(path) == Some(bytes)
        };
        assert!(before.iter().all(is_unchanged), "a failed command changed a file: {case}");
    } else if !has_updated_checksums && run_checked(&["verify", "CORPUS", "--deep"]).0 == Exit::Ok {
        // No error was reported, so the records must be the same as without the damage.
        let found = records(fixture).unwrap_or_else(|| panic!("a sound corpus cannot be exported: {case}"));
        assert!(found == expected.after_writing[&nth], "damage was copied by {:?}: {case}", WRITING[nth]);
    }
    counts.rounds += 1;
}

#[test]
fn a_manifest_with_updated_checksums_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = CorpusFixture::new(folder.path());
    let corpus = fixture.copy();
    let rejected_file = Manifest::read(&corpus).unwrap().rejected[0].file.path.clone();
    let text = fs::read_to_string(corpus.join(&rejected_file)).unwrap();
    fs::write(corpus.join(&rejected_file), format!("{text} ")).unwrap();
    assert_eq!(fixture.run(&["verify", "CORPUS"]).exit, Exit::Findings);
    update_checksums(&corpus);
    assert!(Manifest::read(&corpus).is_ok());
    assert_eq!(fixture.run(&["verify", "CORPUS"]).exit, Exit::Ok);
}

#[test]
fn damage_is_reported_and_never_copied() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = CorpusFixture::new(folder.path());
    let expected = SoundAnswers::of(&fixture);
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("TAFL_DAMAGE_SEED").unwrap_or(0);
    let deadline = Instant::now() + Duration::from_secs(number("TAFL_DAMAGE_SECONDS").unwrap_or(0));
    let mut counts = DamageCounts::default();
    while counts.rounds < 24 || Instant::now() < deadline {
        check_round(&fixture, seed + u64::from(counts.rounds), &expected, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.errors > counts.rounds && counts.successes > counts.rounds, "{counts:?}");
    assert!(counts.found_by_verify > counts.rounds / 2, "{counts:?}");
}
