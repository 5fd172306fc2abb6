//! Repair of known faults in sound games.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, ensure};
use tafl_parser::{RepairOptions, RepairStatus, Repairer, ReplayOptions, Severity, Soundness, Source};
use tafl_tests::faults::TestGame;
use tafl_tests::measure::repair::{GamesByVariant, RepairMeasurement, most_frequent, random_games};
use taflbase::records::{ReplayConfig, ReplayWorker, RequestedRules};

use crate::material::{Material, materials};
use crate::options::{Options, OutputFormat};

/// Repairs known faults, and prints the outcomes.
///
/// # Errors
///
/// Returns an error if a file can't be read or contains too few sound games of variants of the catalog.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    options.progress("looking for sound games");
    let games =
        if options.input.is_empty() { random_games(options.faults as usize) } else { of_files(options)? };
    ensure!(!games.is_empty(), "too few sound games of variants of the catalog");
    let measurement =
        RepairMeasurement { faults: options.faults, seed: options.seed, threads: options.threads() };
    let stats = measurement.run(&games, |done, all| {
        if done % 1000 == 0 {
            options.progress(&format!("{done} of {all} faults"));
        }
    });
    if let Some(path) = &options.misses {
        std::fs::write(path, stats.misses().join("\n") + "\n").with_context(|| path.display().to_string())?;
    }
    match options.format {
        OutputFormat::Json => println!("{:#}", stats.json()),
        OutputFormat::Text => print!("{}", stats.text()),
    }
    Ok(())
}

/// Returns sound games of the most frequent variants in files.
fn of_files(options: &Options) -> anyhow::Result<GamesByVariant> {
    let config = options.replay_config()?;
    let mut games: BTreeMap<&'static str, Vec<TestGame>> = BTreeMap::new();
    for material in materials(options)? {
        collect(&material, &config, &mut games)?;
    }
    Ok(most_frequent(games, options.faults as usize))
}

fn collect(
    material: &Material,
    config: &Arc<ReplayConfig>,
    games: &mut BTreeMap<&'static str, Vec<TestGame>>,
) -> anyhow::Result<()> {
    let mut worker = ReplayWorker::new(config);
    worker.prepare(RequestedRules::of_name(Path::new(&material.name)));
    let mut repairer = Repairer::new(ReplayOptions::default(), RepairOptions::default());
    material.batches(|batch| {
        for (_, parsed) in batch.parse() {
            let replayed = worker.replay(parsed);
            let is_sound = replayed.replay.soundness() == Soundness::Sound
                && replayed.worst().is_none_or(|severity| severity == Severity::Note);
            let game = TestGame::new(&replayed.record, &replayed.replay).filter(|_| is_sound);
            let Some(game) = game else { continue };
            // The list of moves must be sound, too.
            let sound = game.sound();
            let again = repairer.repair(&Source::new(&sound.text), &sound.parsed);
            if again.status == RepairStatus::Sound {
                games.entry(game.variant).or_default().push(game);
            }
        }
    })?;
    Ok(())
}
