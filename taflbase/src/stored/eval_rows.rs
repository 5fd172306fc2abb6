//! Annotated games as rows of the corpus' table of evaluations.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tafl_analyzer::{KnownResult, PositionNote};
use tafl_corpus::{EvalRow, EvalRun, add_evals};
use tafl_rules::Side;

use super::{GameId, StoredSelection};
use crate::Result;
use crate::engine::{AnnotatedGame, AnnotationProvenance};

/// The rows of a game, with the engine that made them.
pub(crate) type EvalRows = (String, Vec<EvalRow>);

/// The number of rows that are gathered before they are written.
const BLOCK: usize = 200_000;

/// Rows that are still to be written into a corpus, by engine: weights differ between rules.
pub(crate) struct EvalTable {
    corpus: Option<PathBuf>,
    limits: String,
    curves: String,
    waiting: BTreeMap<String, Vec<EvalRow>>,
    n_waiting: usize,
}

impl EvalTable {
    /// Creates a table of evaluations made in one run; without a corpus it keeps no rows.
    pub(crate) fn new(games: Option<&StoredSelection>, provenance: &AnnotationProvenance) -> EvalTable {
        let AnnotationProvenance { limits, thresholds, curves } = provenance;
        EvalTable {
            corpus: games.map(|games| games.path().to_owned()),
            limits: limits.clone(),
            curves: format!("{curves}; thresholds {thresholds}"),
            waiting: BTreeMap::new(),
            n_waiting: 0,
        }
    }

    /// Adds the rows of a game, and writes the rows if there are many.
    pub(crate) fn add(&mut self, rows: Option<EvalRows>) -> Result<()> {
        let Some((engine, rows)) = rows.filter(|_| self.corpus.is_some()) else { return Ok(()) };
        self.n_waiting += rows.len();
        self.waiting.entry(engine).or_default().extend(rows);
        if self.n_waiting >= BLOCK { self.write() } else { Ok(()) }
    }

    /// Writes the rows that are still to be written.
    pub(crate) fn write(&mut self) -> Result<()> {
        let Some(corpus) = &self.corpus else { return Ok(()) };
        for (engine, rows) in std::mem::take(&mut self.waiting) {
            let run = EvalRun { engine, limits: self.limits.clone(), curves: self.curves.clone() };
            add_evals(corpus, "tafl annotate", &run, &rows)?;
        }
        self.n_waiting = 0;
        Ok(())
    }
}

/// Returns the rows of a game of a corpus, with the engine.
pub(crate) fn eval_rows(game: &AnnotatedGame) -> Option<EvalRows> {
    let id = game.game.id?;
    let rows = (0..game.notes.plies.len()).map(|nth| row(game, id, nth));
    Some((game.notes.engine.clone(), rows.collect()))
}

/// Returns the row of a ply, counted from 0.
fn row(game: &AnnotatedGame, id: GameId, nth: usize) -> EvalRow {
    let ply = &game.notes.plies[nth];
    let (before, after) = (&game.notes.positions[nth], &game.notes.positions[nth + 1]);
    let shape = game.shape();
    EvalRow {
        game: id,
        ply: u16::try_from(nth + 1).unwrap_or(u16::MAX),
        side: ply.side,
        score_before: score(before),
        score_after: score(after),
        win_before: win(before),
        win_after: win(after),
        ended: match &after.known {
            KnownResult::Ended(outcome) => Some(outcome.winner_name()),
            KnownResult::Searched(_) | KnownResult::NotSearched(_) => None,
        },
        expected_before: before.expectation.map(|part| part.for_side(Side::Attackers)),
        expected_after: after.expectation.map(|part| part.for_side(Side::Attackers)),
        loss: ply.loss,
        judgement: ply.loss.map(|_| ply.judgement.as_str()),
        best: before.evaluation().map(|evaluation| evaluation.best().moves[0].display(shape).to_string()),
        depth: before.evaluation().map(|evaluation| u16::from(evaluation.depth.0)),
    }
}

fn score(note: &PositionNote) -> Option<i16> {
    let score = note.evaluation()?.score().for_side(Side::Attackers);
    (!score.is_decisive()).then(|| score.value())
}

fn win(note: &PositionNote) -> Option<i16> {
    let win = note.win().filter(|win| win.plies > 0)?;
    let plies = i16::try_from(win.plies).unwrap_or(i16::MAX);
    Some(if win.winner == Side::Attackers { plies } else { -plies })
}
