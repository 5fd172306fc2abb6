//! The best moves of stored evaluations, to check them against the rules.

use std::collections::HashMap;

use polars::prelude::DataType;

use crate::cancel::CancelCheck;
use crate::error::{CorpusError, FileFault, Result};
use crate::eval_file::EvalFile;
use crate::evals::read_columns;
use crate::folder::Corpus;
use crate::id::GameId;
use crate::parquet::guarded;
use crate::replay_setups::ReplaySetup;
use crate::row::{GameRow, PlyRow};

/// The columns that are read.
const COLUMNS: [&str; 3] = ["game", "ply", "best"];

/// The largest number in the column `ply`. All later plies have it too, so the positions of such rows are unknown.
const MAX_PLY: i64 = u16::MAX as i64;

/// The best moves of the evaluations of all runs, by the games that have them.
#[derive(Debug, Default)]
pub(super) struct EvalBestMoves {
    by_game: HashMap<GameId, Vec<EvalBestMove>>,
    files: Vec<EvalFile>,
}

/// The best move of an evaluation.
#[derive(Debug)]
struct EvalBestMove {
    /// The number of the ply before which it is the best move, from 1.
    ply: usize,
    text: Box<str>,
    file: usize,
    row: usize,
}

impl EvalBestMoves {
    /// Reads the best moves of a corpus.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged, or that the work was canceled.
    pub(super) fn of(corpus: &Corpus, cancel: CancelCheck<'_>) -> Result<EvalBestMoves> {
        let mut found = EvalBestMoves { by_game: HashMap::new(), files: corpus.eval_files().to_vec() };
        for (number, file) in corpus.eval_files().iter().enumerate() {
            cancel.check()?;
            found.add(number, file)?;
        }
        found.by_game.values_mut().for_each(|moves| moves.sort_by_key(|best| best.ply));
        Ok(found)
    }

    fn add(&mut self, number: usize, file: &EvalFile) -> Result<()> {
        let table = read_columns(file, &COLUMNS)?;
        let read = || {
            let (games, plies) = (table.column("game")?.i64()?, table.column("ply")?.cast(&DataType::Int64)?);
            let values = games.iter().zip(plies.i64()?.iter()).zip(table.column("best")?.str()?.iter());
            for (row, ((game, ply), best)) in values.enumerate() {
                let (Some(game), Some(ply), Some(best)) = (game, ply, best) else { continue };
                if ply < MAX_PLY {
                    let ply = usize::try_from(ply).unwrap_or(0);
                    let best = EvalBestMove { ply, text: best.into(), file: number, row };
                    self.by_game.entry(GameId::from_i64(game)).or_default().push(best);
                }
            }
            Ok(())
        };
        guarded(read).map_err(|error| CorpusError::table(file.path(), error))
    }

    /// Returns a fault for each best move of a game that is not legal in its position. A game with a ply that the rules do not
    /// allow is not checked, because the positions after such a ply have no history.
    pub(super) fn faults(
        &self,
        replay_setup: &ReplaySetup,
        row: &GameRow,
        plies: &[PlyRow],
    ) -> Vec<CorpusError> {
        let Some(moves) = self.by_game.get(&row.game) else { return Vec::new() };
        let replayer = replay_setup.replayer(row.first);
        let Some(game) = replayer.game() else { return Vec::new() };
        let (mut rest, mut illegal) = (&moves[..], Vec::new());
        let replayed = replayer.play_observed(game, &ReplaySetup::steps(plies), |ply, game| {
            let (here, later) = rest.split_at(rest.partition_point(|best| best.ply <= ply));
            rest = later;
            let is_legal = |text: &str| game.parse_move(text).is_ok_and(|mv| game.is_legal(mv));
            illegal.extend(here.iter().filter(|best| best.ply != ply || !is_legal(&best.text)));
        });
        if replayed.n_forced > 0 {
            return Vec::new();
        }
        // The game ends before these plies.
        illegal.extend(rest);
        illegal.into_iter().map(|best| self.fault(best, row.game)).collect()
    }

    fn fault(&self, best: &EvalBestMove, game: GameId) -> CorpusError {
        let EvalBestMove { ply, text, file, row } = best;
        let fault = FileFault::BestMove { row: *row, game, ply: *ply, mv: text.to_string() };
        CorpusError::damaged(self.files[*file].path(), fault)
    }
}
