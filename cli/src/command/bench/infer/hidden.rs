//! Games whose rules are known here, and hidden from inference.

use std::collections::BTreeMap;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use tafl_parser::Record;
use tafl_parser::infer::values;
use tafl_parser::reader::{ReadOptions, Records};
use tafl_rules::Rng;
use tafl_rules::{AnyRulebook, RuleSet, Shape, catalog};

use crate::random_game::play;

/// So many games are taken of each variant.
const GAMES: usize = 200;
/// So many variants of an archive, and so many random rule sets.
const VARIANTS: usize = 30;
/// The most plies of a game that the program plays.
const MOST_PLIES: usize = 80;
/// Rules by which so many games last fewer plies in the mean are no game and passed over.
const TRIED: usize = 10;
const LEAST_PLIES: usize = 10;
/// In so many of 100 cases an option is turned.
const TURNED: u64 = 12;
/// The largest board on which the program plays; larger ones take minutes.
const LARGEST: usize = 81;

/// Games by rules that are hidden.
pub(super) struct Hidden {
    pub(super) name: String,
    pub(super) rules: RuleSet,
    pub(super) records: Vec<Record>,
}

/// Returns games of the variants that files have most of.
pub(super) fn of_files(paths: &[PathBuf]) -> anyhow::Result<Vec<Hidden>> {
    let mut variants: BTreeMap<&'static str, Vec<Record>> = BTreeMap::new();
    for path in paths {
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| name.clone())?;
        let mut records = Records::new(&name, file, ReadOptions::default()).with_context(|| name.clone())?;
        while let Some(batch) = records.next_batch().with_context(|| name.clone())? {
            for (_, parsed) in batch.parse() {
                let record = parsed.value;
                let named = record.variant.as_ref().and_then(|variant| catalog::find(&variant.text));
                if let Some(named) = named.filter(|_| !record.main().moves.is_empty()) {
                    variants.entry(named.name).or_default().push(record);
                }
            }
        }
    }
    let mut variants: Vec<(&'static str, Vec<Record>)> = variants.into_iter().collect();
    variants.sort_by_key(|(name, records)| (std::cmp::Reverse(records.len()), *name));
    variants.truncate(VARIANTS);
    let hidden = variants.into_iter().filter_map(|(name, records)| {
        let n = records.len();
        let every: Vec<Record> = match n {
            ..=GAMES => records,
            _ => (0..GAMES).map(|nth| records[nth * n / GAMES].clone()).collect(),
        };
        Some(Hidden { name: name.to_owned(), rules: catalog::find(name)?.rules(), records: every })
    });
    Ok(hidden.collect())
}

/// Returns games that the program plays by random rules.
pub(super) fn own(threads: NonZeroUsize) -> anyhow::Result<Vec<Hidden>> {
    let next = AtomicUsize::new(0);
    let played: Mutex<Vec<(usize, Hidden)>> = Mutex::new(Vec::new());
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
    anyhow::ensure!(!played.is_empty(), "no random rules can be played");
    Ok(played.into_iter().map(|(_, hidden)| hidden).collect())
}

fn play_by_random_rules(nth: usize) -> Option<Hidden> {
    let mut dice = Rng::new(nth as u64 + 1000);
    let (name, rules, book) = loop {
        let (name, rules) = random_rules(&mut dice)?;
        let Ok(book) = AnyRulebook::compile(&rules) else { continue };
        let plies: usize = (0..TRIED).map(|_| play(&book, &mut dice, MOST_PLIES).plies.len()).sum();
        if plies >= TRIED * LEAST_PLIES {
            break (name, rules, book);
        }
    };
    let records = (0..GAMES).map(|_| play(&book, &mut dice, MOST_PLIES).record(book.shape())).collect();
    Some(Hidden { name: format!("{}: {name}", nth + 1), rules, records })
}

/// Returns the rules of a published variant with some options turned at random.
fn random_rules(dice: &mut Rng) -> Option<(&'static str, RuleSet)> {
    let is_small = |shape: Shape| shape.n_cells() <= LARGEST;
    let bases: Vec<_> = catalog::published().filter(|variant| is_small(variant.rules().shape())).collect();
    let base = *dice.pick(&bases)?;
    let mut rules = base.rules();
    let names: Vec<&str> = values(&rules).into_iter().map(|(name, _)| name).collect();
    for name in names {
        if dice.next_u64() % 100 >= TURNED {
            continue;
        }
        let turned = values(&rules).into_iter().find(|(other, _)| *other == name);
        if let Some((_, rules_of)) = turned.as_ref().and_then(|(_, list)| dice.pick(&list[1..])) {
            rules = rules_of.clone();
        }
    }
    Some((base.name, rules))
}
