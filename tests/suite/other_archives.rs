//! The smaller archives, where they are at hand: logs of the Ashton competition, OpenTafl's files, Ludii's trials.

use std::fs;
use std::path::{Path, PathBuf};

use tafl_parser::replay::{Replay, ReplayOptions, Replayer, Soundness};
use tafl_parser::{Format, Source};
use tafl_rules::{Outcome, Reason};

/// Returns the files of a part of the archives, in order; nothing, and says so, where there are none.
fn files(part: &str, ending: &str) -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("TAFL_RECORDS").map(|folder| Path::new(&folder).join(part)) else {
        println!("skipped: TAFL_RECORDS is not set");
        return Vec::new();
    };
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    files
}

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
        assert_eq!(replay.verdict(), Soundness::Sound, "{}: {found:?}", path.display());
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
fn every_log_of_the_competition_shows_our_boards() {
    let files = files("ashton", "_gameLog.txt");
    let replays = replay_sound(&files, Format::AshtonLog);
    let draws = |replay: &&Replay| replay.recorded == Some(Outcome::draw(Reason::Repetition));
    println!("{} draws by repetition", replays.iter().filter(draws).count());
    assert!(files.is_empty() || replays.len() == 73);
}

#[test]
fn every_file_of_opentafl_is_sound_with_its_variations() {
    replay_sound(&files("otg", ".otg"), Format::OpenTafl);
}

#[test]
fn every_trial_of_ludii_has_our_moves_and_counts() {
    replay_sound(&files("ludii", ".txt"), Format::LudiiTrial);
}
