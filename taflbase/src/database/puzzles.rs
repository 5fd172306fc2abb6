//! The puzzles of a corpus: the file that `tafl puzzles --store` writes, and the choice of one of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use std::{fmt, fs, io};

use quick_cache::sync::Cache;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_analyzer::PuzzleTheme;
use tafl_rules::split_mix;

use super::corpus_cache::MAX_CORPORA;
use super::{CorpusRequest, CorpusSnapshot};
use crate::engine::PuzzleAnswer;
use crate::escape::escape;
use crate::{App, Error, ErrorKind, Job, Result};

/// Choose a puzzle of a corpus
///
/// With a key, it is the puzzle of this position; with a day, that of the day; otherwise, the seed chooses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PuzzleRequest {
    /// The key of the position, 16 hexadecimal digits
    pub key: Option<String>,
    /// A day, such as 2026-11-24: everyone gets the same puzzle
    pub day: Option<String>,
    /// The seed of the choice
    pub seed: u64,
    /// Only puzzles of this variant
    pub variant: Option<String>,
    /// Only puzzles with this theme
    pub theme: Option<String>,
}

/// A puzzle, and the puzzles that it was chosen from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChosenPuzzle {
    /// The puzzle; null if no puzzle fits, or if the corpus has none.
    pub puzzle: Option<PuzzleAnswer>,
    /// The share of the puzzles of its variant that took the engine fewer positions, from 0 to 1.
    pub harder_than: Option<f64>,
    /// The number of puzzles that fit.
    pub total: u64,
    /// The number of puzzles of each variant.
    pub variants: BTreeMap<String, u64>,
    /// The number of puzzles with each theme.
    pub themes: BTreeMap<String, u64>,
}

/// The file of puzzles in the folder of a corpus.
const PUZZLES_FILE: &str = "puzzles.jsonl";

/// Returns the file of a corpus in which `tafl puzzles --store` keeps puzzles.
pub fn puzzles_file(corpus: &Path) -> PathBuf {
    corpus.join(PUZZLES_FILE)
}

/// The puzzles of a file.
#[derive(Debug)]
struct PuzzleSet {
    /// The state of the file when it was read: its length and the time of its last change; `None` if there is no file.
    read_at: Option<(u64, Option<SystemTime>)>,
    puzzles: Vec<PuzzleAnswer>,
}

/// The puzzles of the corpora that requests named last. A file that has changed is read again.
pub(crate) struct PuzzleSets(Cache<PathBuf, Arc<PuzzleSet>>);

impl Default for PuzzleSets {
    fn default() -> PuzzleSets {
        PuzzleSets(Cache::new(MAX_CORPORA))
    }
}

impl fmt::Debug for PuzzleSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PuzzleSets").field(&self.0.len()).finish()
    }
}

impl PuzzleSets {
    fn open(&self, corpus: &Path) -> Result<Arc<PuzzleSet>> {
        let path = puzzles_file(corpus);
        let read_at = match fs::metadata(&path) {
            Ok(found) => Some((found.len(), found.modified().ok())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unreadable(&error)),
        };
        if let Some(set) = self.0.get(&path).filter(|set| set.read_at == read_at) {
            return Ok(set);
        }
        let puzzles = if read_at.is_none() { Vec::new() } else { read_puzzles(&path)? };
        let set = Arc::new(PuzzleSet { read_at, puzzles });
        self.0.insert(path, Arc::clone(&set));
        Ok(set)
    }
}

fn unreadable(error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("{PUZZLES_FILE} cannot be read: {error}"))
}

fn read_puzzles(path: &Path) -> Result<Vec<PuzzleAnswer>> {
    let text = fs::read_to_string(path).map_err(|error| unreadable(&error))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
    lines
        .map(|(nth, line)| {
            let wrong = |problem: String| {
                let message = format!("line {} of {PUZZLES_FILE}: {problem}", nth + 1);
                Error::new(ErrorKind::CorpusDamaged, message)
                    .with_help("create the puzzles again with `tafl puzzles CORPUS --nodes 5000 --store`")
            };
            let puzzle: PuzzleAnswer =
                serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            match puzzle.taflbase_puzzle {
                PuzzleAnswer::VERSION => Ok(puzzle),
                other => Err(wrong(format!("unsupported version {other} of a puzzle"))),
            }
        })
        .collect()
}

impl PuzzleRequest {
    /// Checks the parameters, and returns the request with the name of the variant as in the stored puzzles. Variants and themes
    /// of stored puzzles are accepted even if the catalog and the program don't have them.
    fn resolved(self, set: &PuzzleSet, app: &App) -> Result<PuzzleRequest> {
        let is_stored = |text: &str| set.puzzles.iter().any(|puzzle| puzzle.variant == text);
        let variant = match self.variant {
            Some(text) if !is_stored(&text) => {
                let rules = app.rules().named(&text, &[]).map_err(|error| error.of("variant"))?;
                Some(rules.variant.name())
            }
            variant => variant,
        };
        if let Some(theme) = &self.theme {
            let themes = PuzzleTheme::ALL.map(PuzzleTheme::as_str);
            let is_stored = |theme: &String| set.puzzles.iter().any(|puzzle| puzzle.themes.contains(theme));
            if !themes.contains(&theme.as_str()) && !is_stored(theme) {
                let message = format!("unknown theme `{}`", escape(theme));
                let help = format!("expected {}", themes.join(", "));
                return Err(Error::parameter("theme", message).with_help(help));
            }
        }
        if let Some(key) = self.key.as_ref().filter(|key| !has_shape(key, "xxxxxxxxxxxxxxxx")) {
            let message = format!("`key` must have 16 hexadecimal digits, not `{}`", escape(key));
            return Err(Error::parameter("key", message));
        }
        if let Some(day) = self.day.as_ref().filter(|day| !has_shape(day, "dddd-dd-dd")) {
            let message = format!("`day` must be a date such as 2026-11-24, not `{}`", escape(day));
            return Err(Error::parameter("day", message));
        }
        Ok(PuzzleRequest { variant, ..self })
    }

    fn fits(&self, puzzle: &PuzzleAnswer) -> bool {
        self.variant.as_ref().is_none_or(|variant| puzzle.variant == *variant)
            && self.theme.as_ref().is_none_or(|theme| puzzle.themes.contains(theme))
    }

    fn choose(&self, set: &PuzzleSet) -> ChosenPuzzle {
        let fitting: Vec<&PuzzleAnswer> = set.puzzles.iter().filter(|puzzle| self.fits(puzzle)).collect();
        let puzzle = match (&self.key, &self.day) {
            (Some(key), _) => set.puzzles.iter().find(|puzzle| puzzle.key.eq_ignore_ascii_case(key)),
            (None, Some(day)) => by_lot(&fitting, hash(day)),
            (None, None) => by_lot(&fitting, split_mix(self.seed)),
        };
        let mut chosen = ChosenPuzzle {
            puzzle: puzzle.cloned(),
            harder_than: puzzle.map(|puzzle| set.harder_than(puzzle)),
            total: fitting.len() as u64,
            ..ChosenPuzzle::default()
        };
        for puzzle in &set.puzzles {
            *chosen.variants.entry(puzzle.variant.clone()).or_default() += 1;
            for theme in &puzzle.themes {
                *chosen.themes.entry(theme.clone()).or_default() += 1;
            }
        }
        chosen
    }
}

/// Returns whether a text has the shape of another one, in which `x` is a hexadecimal digit, and `d` a decimal one.
fn has_shape(text: &str, shape: &str) -> bool {
    let fits = |(symbol, expected): (char, char)| match expected {
        'x' => symbol.is_ascii_hexdigit(),
        'd' => symbol.is_ascii_digit(),
        _ => symbol == expected,
    };
    text.chars().count() == shape.len() && text.chars().zip(shape.chars()).all(fits)
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0, |hash, byte| split_mix(hash ^ u64::from(byte)))
}

/// Returns the puzzle whose key, mixed with the lot, is the least: a puzzle that is added changes few choices.
fn by_lot<'p>(puzzles: &[&'p PuzzleAnswer], lot: u64) -> Option<&'p PuzzleAnswer> {
    puzzles.iter().copied().min_by_key(|puzzle| split_mix(lot ^ hash(&puzzle.key)))
}

impl PuzzleSet {
    fn harder_than(&self, puzzle: &PuzzleAnswer) -> f64 {
        let same = || self.puzzles.iter().filter(|other| other.variant == puzzle.variant);
        let easier = same().filter(|other| other.difficulty.nodes < puzzle.difficulty.nodes).count();
        easier as f64 / same().count().max(1) as f64
    }
}

impl CorpusRequest for PuzzleRequest {
    type Answer = ChosenPuzzle;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, app: &App, _: &Job) -> Result<ChosenPuzzle> {
        let set = app.puzzle_sets().open(corpus.corpus().path())?;
        Ok(self.resolved(&set, app)?.choose(&set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = r#"{"taflbase_puzzle":1,"variant":"brandubh7","rules":"dim:7","position":"/7/","side":"defenders",
        "key":"0000000000000001","solution":["d4-d1"],"plies":3,"second":0.4,"themes":["escape"],
        "difficulty":{"nodes":50,"depth":3},"verified":{"by":"solver","nodes":null,"within":3},"game":"a:1","number":null,"after_ply":4,
        "engine":"e","limits":"l"}"#;

    fn puzzle(key: u64, variant: &str, theme: &str, nodes: u64) -> PuzzleAnswer {
        let mut puzzle: PuzzleAnswer = serde_json::from_str(PUZZLE).unwrap();
        puzzle.key = format!("{key:016x}");
        puzzle.variant = variant.to_owned();
        puzzle.themes = vec![theme.to_owned()];
        puzzle.difficulty.nodes = nodes;
        puzzle
    }

    fn set() -> PuzzleSet {
        let puzzles = (0..60).map(|key| {
            puzzle(key, if key % 3 == 0 { "a" } else { "b" }, if key % 2 == 0 { "x" } else { "y" }, key)
        });
        PuzzleSet { read_at: Some((1, None)), puzzles: puzzles.collect() }
    }

    fn chosen(request: PuzzleRequest) -> ChosenPuzzle {
        request.choose(&set())
    }

    #[test]
    fn conditions_restrict_the_choice() {
        let request = |seed| PuzzleRequest {
            seed,
            variant: Some("a".into()),
            theme: Some("y".into()),
            ..PuzzleRequest::default()
        };
        let keys: Vec<String> = (0..40)
            .map(|seed| {
                let found = chosen(request(seed));
                assert_eq!((found.total, found.variants["b"], found.themes["x"]), (10, 40, 30));
                let puzzle = found.puzzle.unwrap();
                assert!(puzzle.variant == "a" && puzzle.themes == ["y"]);
                puzzle.key
            })
            .collect();
        let different: std::collections::HashSet<&String> = keys.iter().collect();
        assert!(different.len() > 5, "{different:?}");
        let none = PuzzleRequest { theme: Some("z".into()), ..PuzzleRequest::default() };
        assert_eq!((chosen(none.clone()).puzzle, chosen(none).total), (None, 0));
    }

    #[test]
    fn a_day_has_one_puzzle_and_a_key_names_one() {
        let day = |day: &str| chosen(PuzzleRequest { day: Some(day.into()), ..PuzzleRequest::default() });
        assert_eq!(day("2026-11-24"), day("2026-11-24"));
        assert!((1..20).any(|n| day(&format!("2026-11-{n}")).puzzle != day("2026-11-24").puzzle));
        let found = chosen(PuzzleRequest { key: Some(format!("{:016x}", 30)), ..PuzzleRequest::default() });
        assert_eq!(found.puzzle.unwrap().key, format!("{:016x}", 30));
        // Of the puzzles 0, 3, ..., 57 of its variant, ten are easier.
        assert_eq!(found.harder_than, Some(0.5));
    }

    #[test]
    fn parameters_are_resolved_and_checked() {
        let resolved = |json: &str| {
            let request: PuzzleRequest = serde_json::from_str(json).unwrap();
            request.resolved(&set(), &App::new()).map_err(|error| (error.kind, error.parameter))
        };
        let variant =
            |text: &str| resolved(&format!(r#"{{"variant": "{text}"}}"#)).map(|found| found.variant);
        assert_eq!(variant("brandubh"), Ok(Some("brandubh7".to_owned())));
        // The puzzles have this name.
        assert_eq!(variant("a"), Ok(Some("a".to_owned())));
        assert_eq!(variant("zzz"), Err((ErrorKind::UnknownVariant, Some("variant".into()))));
        for right in [r#"{"theme": "x"}"#, r#"{"theme": "no-move"}"#, r#"{"key": "00ABcdef00000000"}"#] {
            assert!(resolved(right).is_ok(), "{right}");
        }
        assert!(resolved(r#"{"day": "2026-11-24"}"#).is_ok());
        for (wrong, name) in [
            (r#"{"theme": "zzz"}"#, "theme"),
            (r#"{"key": "zz"}"#, "key"),
            (r#"{"key": "+000000000000001"}"#, "key"),
            (r#"{"day": "foo"}"#, "day"),
            (r#"{"day": "2026-11-2é"}"#, "day"),
        ] {
            assert_eq!(resolved(wrong).unwrap_err(), (ErrorKind::BadParameter, Some(name.into())), "{wrong}");
        }
    }

    #[test]
    fn the_puzzles_of_few_corpora_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let sets = PuzzleSets::default();
        for n in 0..10 * MAX_CORPORA {
            assert!(sets.open(&folder.path().join(n.to_string())).unwrap().puzzles.is_empty());
        }
        assert!(sets.0.len() <= 2 * MAX_CORPORA, "{}", sets.0.len());
    }

    #[cfg(unix)]
    #[test]
    fn an_unreadable_state_of_the_file_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("no-folder");
        fs::write(&file, "").unwrap();
        let error = PuzzleSets::default().open(&file).unwrap_err();
        assert!(error.kind == ErrorKind::Io && error.message.contains(PUZZLES_FILE), "{error:?}");
    }

    #[test]
    fn a_file_is_read_again_when_it_changes_and_other_versions_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let sets = PuzzleSets::default();
        assert_eq!(sets.open(folder.path()).unwrap().puzzles.len(), 0);
        let line = PUZZLE.replace('\n', " ");
        fs::write(puzzles_file(folder.path()), format!("{line}\n")).unwrap();
        assert_eq!(sets.open(folder.path()).unwrap().puzzles.len(), 1);
        fs::write(puzzles_file(folder.path()), format!("{line}\n{line}\n")).unwrap();
        assert_eq!(sets.open(folder.path()).unwrap().puzzles.len(), 2);
        let newer = line.replace("\"taflbase_puzzle\":1", "\"taflbase_puzzle\":2");
        fs::write(puzzles_file(folder.path()), format!("{line}\n{newer}\n")).unwrap();
        let error = sets.open(folder.path()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::CorpusDamaged);
        assert!(error.message.contains("line 2") && error.message.contains("version 2"), "{error:?}");
    }
}
