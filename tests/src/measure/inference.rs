//! Inference of rules that are known to the measurement and hidden from the search.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use tafl_parser::{InferOptions, ReadOptions, Record, Records, infer, option_values, probe};
use tafl_rules::{AnyRulebook, Rng, RuleSet, Shape, catalog};

use super::recovery::RuleRecovery;
use super::spread;
use crate::random_game::play;

/// The maximum number of games of each variant.
const GAMES: usize = 200;
/// The maximum number of variants of an archive, and the number of random rule sets.
const VARIANTS: usize = 30;
/// The maximum number of plies of a random game.
const MAX_PLIES: usize = 80;
/// The number of games that are played first. Rules under which they have fewer than [`MIN_PLIES`] plies on average are
/// replaced: such games show nothing.
const TRIED: usize = 10;
/// The minimum mean number of plies of the first games.
const MIN_PLIES: usize = 10;
/// The percentage of options that differ from a published variant.
const CHANGED: usize = 12;
/// The maximum number of cells of boards for random games, because larger ones take minutes.
const MAX_CELLS: usize = 81;

/// Games by rules that are hidden from inference.
#[derive(Debug)]
pub struct HiddenRules {
    /// The name of the variant.
    pub name: String,
    /// The true rules.
    pub rules: RuleSet,
    /// The games, without their rules.
    pub records: Vec<Record>,
}

impl HiddenRules {
    /// Infers the rules of the games, and compares them with the true ones.
    pub fn recover(&self, threads: NonZeroUsize) -> RuleRecovery {
        let records: Vec<&Record> = self.records.iter().collect();
        let begin = Instant::now();
        let options = InferOptions { without: Some(self.rules.clone()), threads, ..InferOptions::default() };
        let found = infer(&records, &options);
        let seconds = begin.elapsed().as_secs_f64();
        let (probes, n_agreeing) = probe(&records, &self.rules, threads);
        RuleRecovery::compare(&self.name, records.len(), &found, (&probes, n_agreeing), seconds)
    }
}

/// Returns games of the most frequent variants in files.
///
/// # Errors
///
/// Fails if a file can't be read; the error names it.
pub fn of_files(paths: &[PathBuf]) -> io::Result<Vec<HiddenRules>> {
    let mut variants: BTreeMap<&'static str, Vec<Record>> = BTreeMap::new();
    for path in paths {
        read(path, &mut variants)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    }
    let mut variants: Vec<(&'static str, Vec<Record>)> = variants.into_iter().collect();
    variants.sort_by_key(|(name, records)| (std::cmp::Reverse(records.len()), *name));
    variants.truncate(VARIANTS);
    let hidden = variants.into_iter().filter_map(|(name, records)| {
        let rules = catalog::find(name)?.rules();
        Some(HiddenRules { name: name.to_owned(), rules, records: spread(records, GAMES) })
    });
    Ok(hidden.collect())
}

fn read(path: &Path, variants: &mut BTreeMap<&'static str, Vec<Record>>) -> io::Result<()> {
    let name = path.display().to_string();
    let mut records = Records::new(&name, File::open(path)?, ReadOptions::default())?;
    while let Some(batch) = records.next_batch()? {
        for (_, parsed) in batch.parse() {
            let record = parsed.value;
            let named = record.variant.as_ref().and_then(|variant| catalog::find(&variant.text));
            if let Some(named) = named.filter(|_| !record.main().moves.is_empty()) {
                variants.entry(named.name).or_default().push(record);
            }
        }
    }
    Ok(())
}

/// Returns random games by random rules.
pub fn random_games(threads: NonZeroUsize) -> Vec<HiddenRules> {
    let next = AtomicUsize::new(0);
    let played: Mutex<Vec<(usize, HiddenRules)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.get() {
            scope.spawn(|| {
                while let Some(nth) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|nth| *nth < VARIANTS)
                {
                    let found = play_by_random_rules(nth);
                    played.lock().unwrap_or_else(PoisonError::into_inner).extend(found.map(|one| (nth, one)));
                }
            });
        }
    });
    let mut played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
    played.sort_by_key(|(nth, _)| *nth);
    played.into_iter().map(|(_, hidden)| hidden).collect()
}

fn play_by_random_rules(nth: usize) -> Option<HiddenRules> {
    let mut rng = Rng::new(nth as u64 + 1000);
    let (name, rules, book) = loop {
        let (name, rules) = random_rules(&mut rng)?;
        let Ok(book) = AnyRulebook::compile(&rules) else { continue };
        let plies: usize = (0..TRIED).map(|_| play(&book, &mut rng, MAX_PLIES).plies.len()).sum();
        if plies >= TRIED * MIN_PLIES {
            break (name, rules, book);
        }
    };
    let records = (0..GAMES).map(|_| play(&book, &mut rng, MAX_PLIES).record(book.shape())).collect();
    Some(HiddenRules { name: format!("{}: {name}", nth + 1), rules, records })
}

/// Returns the rules of a published variant with random changes.
fn random_rules(rng: &mut Rng) -> Option<(&'static str, RuleSet)> {
    let is_small = |shape: Shape| shape.n_cells() <= MAX_CELLS;
    let bases: Vec<_> = catalog::published().filter(|variant| is_small(variant.rules().shape())).collect();
    let base = *rng.pick(&bases)?;
    let mut rules = base.rules();
    let names: Vec<&str> = option_values(&rules).into_iter().map(|(name, _)| name).collect();
    for name in names {
        if !rng.percent(CHANGED) {
            continue;
        }
        let changed = option_values(&rules).into_iter().find(|(other, _)| *other == name);
        if let Some((_, rules_of)) = changed.as_ref().and_then(|(_, list)| rng.pick(&list[1..])) {
            rules = rules_of.clone();
        }
    }
    Some((base.name, rules))
}
