//! `tafl bench repair`: known faults put into sound games, and how many of them are mended.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tafl_parser::repair::fault::{Dice, Fault, Specimen};
use tafl_parser::repair::{RepairOptions, Repairer, Standing};
use tafl_parser::replay::{Choice, ReplayOptions, Replayer, Soundness};
use tafl_parser::{Parsed, Source, parallel};
use tafl_rules::Rng;
use tafl_rules::{AnyRulebook, catalog};
use taflbase::records::{ReplayConfig, ReplayWorker, RequestedRules};

use super::input::Material;
use super::mended::{Case, Cause, Table};
use crate::Io;
use crate::args::tools::BenchArgs;
use crate::random_game::play;

/// The variants of which the program plays games where no files are given.
const OWN: [&str; 10] = [
    "brandubh7",
    "ardri7",
    "cyngesheall7",
    "tablut9_wtf",
    "seabattle9",
    "copenhagen11",
    "fetlar11",
    "tawlbwrdd11",
    "berserk11",
    "hexentafl4",
];
/// The most games of each that the program plays.
const GAMES: usize = 30;
/// The most plies of a game that the program plays.
const MOST_PLIES: usize = 120;
/// The fewest games of a variant in files that make it worth a row.
const FEWEST: usize = 10;
/// The most variants that are measured.
const MOST_VARIANTS: usize = 16;

/// Games by variant.
type Herd = Vec<(&'static str, Vec<Specimen>)>;

/// Measures, and returns the table.
///
/// # Errors
///
/// Fails when a file cannot be read, or holds no sound games of a variant of the catalog.
pub(super) fn run(
    args: &BenchArgs,
    config: &Arc<ReplayConfig>,
    threads: NonZeroUsize,
    io: &mut Io<'_>,
) -> anyhow::Result<Table> {
    io.progress("looking for sound games");
    let herd =
        if args.input.is_empty() { own(GAMES.min(args.faults as usize)) } else { of_files(args, config)? };
    anyhow::ensure!(!herd.is_empty(), "there are too few sound games of variants of the catalog");
    let mut questions = questions(&herd, args);
    let n_questions = questions.len();
    let mut table = Table::new(args.seed, threads);
    let begin = Instant::now();
    let idle: Mutex<Vec<Repairer>> = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    questions.reverse();
    let work = |question: Question| {
        let fresh = || Repairer::new(ReplayOptions::default(), RepairOptions::default());
        let mut repairer = lock().pop().unwrap_or_else(fresh);
        let case = question.ask(&herd, &mut repairer, args.seed);
        lock().push(repairer);
        case
    };
    let mut done = 0;
    parallel::in_order(
        threads,
        || questions.pop(),
        work,
        |case| {
            done += 1;
            if done % 100 == 0 {
                io.progress(&format!("{done} of {n_questions} faults"));
            }
            if let Some(case) = case {
                table.add(case);
            }
            ControlFlow::Continue(())
        },
    );
    table.wall = begin.elapsed();
    Ok(table)
}

/// A game and what is done to it.
struct Question {
    variant: usize,
    specimen: usize,
    /// The fault; nothing to leave the game as it is.
    fault: Option<Fault>,
    nth: u64,
}

fn questions(herd: &Herd, args: &BenchArgs) -> Vec<Question> {
    let mut questions = Vec::new();
    for (variant, (_, specimens)) in herd.iter().enumerate() {
        for nth in 0..args.faults as usize {
            let specimen = nth % specimens.len();
            for fault in Fault::ALL {
                questions.push(Question { variant, specimen, fault: Some(fault), nth: nth as u64 });
            }
            questions.push(Question { variant, specimen, fault: None, nth: nth as u64 });
        }
    }
    questions
}

impl Question {
    /// Puts the fault into the game, has it repaired, and says what came of it.
    fn ask(&self, herd: &Herd, repairer: &mut Repairer, seed: u64) -> Option<Case> {
        let (variant, specimens) = &herd[self.variant];
        let specimen = &specimens[self.specimen];
        let kind = self.fault.map_or(99, |fault| fault as u64);
        let mut dice = Dice::new(seed ^ (self.variant as u64) << 40 ^ kind << 32 ^ self.nth << 8);
        let injured = match self.fault {
            Some(fault) => specimen.injure(fault, &mut dice)?,
            None => specimen.sound(),
        };
        let source = Source::new(&injured.text);
        let begin = Instant::now();
        let diagnosis = repairer.repair(&source, &injured.parsed);
        let time = begin.elapsed();
        let is_right = |nth: usize| {
            let repair = diagnosis.repairs.get(nth);
            repair.is_some_and(|repair| specimen.is(repair))
        };
        let listed = (0..diagnosis.repairs.len()).find(|nth| is_right(*nth));
        let cause = match (diagnosis.standing, listed) {
            (Standing::Sound, _) => Cause::Unseen,
            (Standing::Explained(_), _) => Cause::Explained,
            (Standing::Decided, Some(0)) => Cause::Fixed,
            (Standing::Decided, _) => Cause::False,
            (Standing::Ambiguous, Some(0)) => Cause::First,
            (Standing::Ambiguous, Some(_)) => Cause::Listed,
            (Standing::Ambiguous, None) => Cause::Unlisted,
            (Standing::Undecidable(_), _) => Cause::NotFound,
        };
        let words = || -> String {
            let repairs = diagnosis.repairs.iter().take(4).map(|repair| {
                let edits: Vec<String> = repair.edits.iter().map(|edit| edit.words()).collect();
                format!("{:.3} {:.2} {}", repair.confidence, repair.cost, edits.join(" + "))
            });
            repairs.collect::<Vec<_>>().join(" | ")
        };
        let is_shown = !matches!(cause, Cause::Fixed | Cause::Unseen);
        let shown = is_shown.then(|| format!("{}\n    {:?} {}", injured.text, diagnosis.standing, words()));
        Some(Case { variant, fault: self.fault, cause, time, shown })
    }
}

/// Returns so many games of each variant that the program plays.
fn own(n_games: usize) -> Herd {
    let mut herd = Herd::new();
    for name in OWN {
        let Some(named) = catalog::find(name) else { continue };
        let Ok(book) = AnyRulebook::compile(&named.rules()) else { continue };
        let mut dice = Rng::new(1);
        let options = ReplayOptions { rules: Some(Choice::named(named)), ..ReplayOptions::default() };
        let mut replayer = Replayer::new(options);
        let games = (0..n_games).filter_map(|_| {
            let record = play(&book, &mut dice, MOST_PLIES).record(book.shape());
            let replay = replayer.replay(&record);
            Specimen::new(&record, &replay)
        });
        herd.push((named.name, games.collect()));
    }
    herd
}

/// Returns the sound games of files: of the variants with the most of them, spread over the files.
fn of_files(args: &BenchArgs, config: &Arc<ReplayConfig>) -> anyhow::Result<Herd> {
    let mut games: BTreeMap<&'static str, Vec<Specimen>> = BTreeMap::new();
    for material in super::input::materials(args)? {
        collect(&material, config, &mut games)?;
    }
    let mut herd: Herd = games.into_iter().filter(|(_, games)| games.len() >= FEWEST).collect();
    herd.sort_by_key(|(name, games)| (std::cmp::Reverse(games.len()), *name));
    herd.truncate(MOST_VARIANTS);
    for (_, games) in &mut herd {
        let step = (games.len() / args.faults.max(1) as usize).max(1);
        *games = std::mem::take(games).into_iter().step_by(step).collect();
    }
    Ok(herd)
}

fn collect(
    material: &Material,
    config: &Arc<ReplayConfig>,
    games: &mut BTreeMap<&'static str, Vec<Specimen>>,
) -> anyhow::Result<()> {
    let mut worker = ReplayWorker::new(config);
    worker.prepare(RequestedRules::of_name(material.name.as_ref()));
    let mut options = Repairer::new(ReplayOptions::default(), RepairOptions::default());
    material.batches(|batch| {
        for (_, parsed) in batch.parse() {
            let judged = worker.replay(Parsed { value: parsed.value, diagnostics: parsed.diagnostics });
            let is_sound = judged.replay.verdict() == Soundness::Sound && judged.worst().is_none_or(is_note);
            let specimen = Specimen::new(&judged.record, &judged.replay).filter(|_| is_sound);
            let Some(specimen) = specimen else { continue };
            // As a list of moves, too.
            let plain = specimen.sound();
            let again = options.repair(&Source::new(&plain.text), &plain.parsed);
            if again.standing == Standing::Sound {
                games.entry(specimen.variant).or_default().push(specimen);
            }
        }
    })?;
    Ok(())
}

fn is_note(severity: tafl_parser::Severity) -> bool {
    severity == tafl_parser::Severity::Note
}

/// Returns a time in milliseconds.
pub(super) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
