//! Smaller archives, if available: logs of the Ashton competition, OpenTafl files, and Ludii trials.

use std::fs;
use std::path::PathBuf;

use tafl_parser::{Format, Replay, ReplayOptions, Replayer, Soundness, Source};
use tafl_rules::{Outcome, Reason};
use tafl_tests::data;

/// Replays every file and asserts that each is sound.
fn replay_sound(files: &[PathBuf], format: Format) -> Vec<Replay> {
    let mut replayer = Replayer::new(ReplayOptions::default());
    let mut replays = Vec::new();
    for path in files {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let text = String::from_utf8_lossy(&bytes);
        let record = format.parse(&Source::new(&text)).value;
        let replay = replayer.replay(&record);
        let found: Vec<String> = replay
            .diagnostics
            .iter()
            .map(|found| format!("{} {}", found.code(), found.message(&text)))
            .collect();
        assert_eq!(replay.soundness(), Soundness::Sound, "{}: {found:?}", path.display());
        assert_eq!(replay.plies.len(), record.main().moves.len(), "{}", path.display());
        replays.push(replay);
    }
    println!(
        "{} files, {} plies",
        replays.len(),
        replays.iter().map(|replay| replay.plies.len()).sum::<usize>()
    );
    replays
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_log_of_the_competition_shows_our_boards() {
    let files = data::record_files("ashton", "_gameLog.txt");
    let replays = replay_sound(&files, Format::AshtonLog);
    let draws =
        |replay: &&Replay| replay.recorded.map(|end| end.outcome) == Some(Outcome::draw(Reason::Repetition));
    println!("{} draws by repetition", replays.iter().filter(draws).count());
    assert!(files.is_empty() || replays.len() == 73);
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_file_of_opentafl_is_sound_with_its_variations() {
    replay_sound(&data::record_files("otg", ".otg"), Format::OpenTafl);
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_trial_of_ludii_has_our_moves_and_counts() {
    replay_sound(&data::record_files("ludii", ".txt"), Format::LudiiTrial);
}
