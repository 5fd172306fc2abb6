//! The smaller archives: logs of the Ashton competition, OpenTafl files, and Ludii trials.

use std::fs;
use std::path::PathBuf;

use tafl_parser::{Format, ReplayOptions, Replayer, Soundness, Source};
use tafl_tests::data;

/// Replays every file, and asserts that each is sound and played to its end.
fn replay_sound(files: &[PathBuf], format: Format) {
    let mut replayer = Replayer::new(ReplayOptions::default());
    let mut n_plies = 0;
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
        n_plies += replay.plies.len();
    }
    println!("{} files, {n_plies} plies", files.len());
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_log_of_the_competition_is_sound() {
    let files = data::record_files("ashton", "_gameLog.txt");
    assert_eq!(files.len(), 73);
    replay_sound(&files, Format::AshtonLog);
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_file_of_opentafl_is_sound_with_its_variations() {
    replay_sound(&data::record_files("otg", ".otg"), Format::OpenTafl);
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_trial_of_ludii_is_sound() {
    replay_sound(&data::record_files("ludii", ".txt"), Format::LudiiTrial);
}
