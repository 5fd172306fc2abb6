//! Verification: whether the files of a corpus are as written, and whether the games follow the rules.

mod best_moves;

use std::collections::HashSet;
use std::path::Path;

use tafl_rules::{CanonicalKey, Events, Facts};

use crate::cancel::CancelCheck;
use crate::error::{CorpusError, FileFault, Result};
use crate::folder::Corpus;
use crate::id::GameId;
use crate::ingest::ReplayedGame;
use crate::ingest::SegmentBuffer;
use crate::manifest::Manifest;
use crate::move_log::MoveLog;
use crate::rebuild::{each_game, unplayable};
use crate::replay_setups::{ReplaySetup, ReplaySetups};
use crate::row::{GameRow, PlyRow, RecordVerdict};
use crate::segment::Segment;
use crate::segment_files::{GAMES_FILE, MOVE_LOG_FILE, OPENINGS_FILE, PLIES_FILE};

use best_moves::EvalBestMoves;

/// The depth of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VerifyDepth {
    /// Check that every file has the content that was written.
    #[default]
    Files,
    /// Also replay all games, check the best moves of their evaluations, and compare the move log and the index with the
    /// tables.
    Replay,
}

/// The extent of a check, and its faults.
#[derive(Debug, Default)]
pub struct VerifyReport {
    /// The number of files that were read.
    pub files: u64,
    /// The size of these files.
    pub bytes: u64,
    /// The number of games that were replayed.
    pub games: u64,
    /// The faults; empty if the corpus is sound.
    pub faults: Vec<CorpusError>,
}

/// Checks a corpus.
///
/// # Errors
///
/// Fails if there is no corpus, its manifest is damaged or of a newer version, or the work was canceled. All other
/// faults are in the report.
pub fn verify(path: &Path, depth: VerifyDepth, cancel: CancelCheck<'_>) -> Result<VerifyReport> {
    let manifest = Manifest::read(path)?;
    let mut report = VerifyReport::default();
    for (folder, file) in manifest.files() {
        cancel.check()?;
        report.files += 1;
        report.bytes = report.bytes.saturating_add(file.size);
        report.faults.extend(file.check(&path.join(folder)).err());
    }
    if !report.faults.is_empty() || depth == VerifyDepth::Files {
        return Ok(report);
    }
    let corpus = Corpus::open(path)?;
    let mut setups = ReplaySetups::default();
    let mut seen: HashSet<GameId> = HashSet::new();
    let best_moves = match EvalBestMoves::of(&corpus, cancel) {
        Ok(best_moves) => best_moves,
        Err(error @ CorpusError::Canceled) => return Err(error),
        Err(error) => {
            report.faults.push(error);
            EvalBestMoves::default()
        }
    };
    for segment in corpus.segments() {
        let checked = check_segment(segment, &mut setups, &best_moves, |row, game| {
            cancel.check()?;
            report.games += 1;
            Ok(!segment.is_removed(row) && !seen.insert(game))
        });
        match checked {
            Ok(faults) => report.faults.extend(faults),
            Err(error @ CorpusError::Canceled) => return Err(error),
            Err(error) => report.faults.push(error),
        }
    }
    report.faults.extend(corpus.late_copies().err());
    report.faults.extend(corpus.rejected().err());
    Ok(report)
}

/// The maximum number of faults that are reported for a segment. More of them add no information.
const MAX_FAULTS: usize = 20;

fn check_segment(
    segment: &Segment,
    setups: &mut ReplaySetups,
    best_moves: &EvalBestMoves,
    mut is_double: impl FnMut(u32, GameId) -> Result<bool>,
) -> Result<Vec<CorpusError>> {
    let (mut faults, mut eval_faults) = (Vec::new(), Vec::new());
    let mut buffer = SegmentBuffer::new(segment.number());
    let games = segment.folder().join(GAMES_FILE);
    let plies_file = segment.folder().join(PLIES_FILE);
    each_game(segment, |at, row, plies| {
        let replay_setup = setups.of(&row).ok_or_else(|| unplayable(segment, at))?;
        if is_double(at, row.game)? {
            let fault = FileFault::Play { row: at as usize, ply: 0, what: "another game has the same ID" };
            faults.push(CorpusError::damaged(&games, fault));
        }
        if let Some((ply, what)) = check_game(replay_setup, &row, &plies) {
            let fault = FileFault::Play { row: at as usize, ply, what };
            faults.push(CorpusError::damaged(&plies_file, fault));
        }
        if !segment.is_removed(at) && eval_faults.len() < MAX_FAULTS {
            eval_faults.extend(best_moves.faults(replay_setup, &row, &plies));
        }
        buffer.add(replay_setup.prepare(row, plies));
        Ok(())
    })?;
    let draft = buffer.into_draft();
    let path = segment.folder().join(MOVE_LOG_FILE);
    let on_disk = std::fs::read(&path).map_err(CorpusError::io(&path))?;
    if on_disk != draft.move_log {
        faults.push(CorpusError::damaged(&path, FileFault::Differs("its games differ")));
    }
    // The other files are compared with those of the right move log.
    let move_log = MoveLog::from_bytes(draft.move_log).map_err(|error| CorpusError::damaged(&path, error))?;
    let folder = segment.index_folder();
    let keys = draft.keys.iter().map(|key| CanonicalKey(*key));
    match crate::index::is_as_built(&folder, &move_log, keys, &draft.rows) {
        Ok(true) => {}
        Ok(false) => faults.push(CorpusError::damaged(&folder, FileFault::Differs("its terms differ"))),
        Err(error) => faults.push(error.of_folder(&folder)),
    }
    if !crate::openings::is_as_built(segment.folder(), &move_log, &draft.keys, &draft.rows)? {
        let path = segment.folder().join(OPENINGS_FILE);
        faults
            .push(CorpusError::damaged(&path, FileFault::Differs("its counts of frequent positions differ")));
    }
    faults.extend(eval_faults);
    faults.truncate(MAX_FAULTS);
    Ok(faults)
}

/// Returns the ply at which the tables and the rules differ, and how.
fn check_game(replay_setup: &ReplaySetup, row: &GameRow, plies: &[PlyRow]) -> Option<(usize, &'static str)> {
    let steps = ReplaySetup::steps(plies);
    let replayer = replay_setup.replayer(row.first);
    let game = replayer.game()?;
    let replayed: ReplayedGame = replayer.play(game, &steps);
    if replayed.n_forced > 0 && row.verdict == RecordVerdict::Sound {
        return Some((0, "a ply of a sound game is illegal, or has other captures"));
    }
    let differing =
        plies.iter().zip(&replayed.plies).zip(&replayed.keys[1..]).position(|((ply, played), key)| {
            let without_events = Facts { events: Events::NONE, ..played.facts };
            // Corpora of 0.1.0 lack the events of plies that the rules do not allow.
            let is_right = ply.facts == played.facts || replayed.n_forced > 0 && ply.facts == without_events;
            (ply.key, ply.n_moves) != (*key, played.n_moves) || !is_right
        });
    if let Some(ply) = differing {
        return Some((ply + 1, "key, number of moves or facts differ from those of the rules"));
    }
    let ids = [row.game_id(), row.game_id().of_record(row.source.as_deref(), row.place)];
    let is_right = replay_setup.line(row.first, plies).id == row.line && ids.contains(&row.game);
    (!is_right).then_some((0, "the IDs of game and line differ from those computed from the rows"))
}
