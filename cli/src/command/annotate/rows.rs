//! Annotated games as rows of the corpus' table of evaluations.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tafl_analyzer::annotate::notes::Known;
use tafl_analyzer::annotate::{PlyNote, PositionNote};
use tafl_corpus::evals::{self, EvalRow, Run};
use tafl_corpus::id::GameId;
use tafl_rules::Side;

use super::{Annotated, Provenance};
use crate::stored::Selection;

/// The rows of a game, with the engine that made them.
pub(super) type RowsOfGame = (String, Vec<EvalRow>);

/// So many rows are gathered before they are written.
const FULL: usize = 200_000;

/// Rows of a corpus that are still to be written, by engine: weights differ between rules.
pub(super) struct Rows<'p> {
    corpus: Option<PathBuf>,
    provenance: &'p Provenance,
    waiting: BTreeMap<String, Vec<EvalRow>>,
    n_waiting: usize,
}

impl<'p> Rows<'p> {
    /// Returns a place for rows; without a corpus it keeps none.
    pub(super) fn new(games: Option<&Selection>, provenance: &'p Provenance) -> Rows<'p> {
        let corpus = games.map(|games| games.path().to_owned());
        Rows { corpus, provenance, waiting: BTreeMap::new(), n_waiting: 0 }
    }

    /// Takes the rows of a game.
    ///
    /// # Errors
    ///
    /// As [`Rows::write`].
    pub(super) fn add(&mut self, rows: Option<RowsOfGame>) -> anyhow::Result<()> {
        let Some((engine, rows)) = rows.filter(|_| self.corpus.is_some()) else { return Ok(()) };
        self.n_waiting += rows.len();
        self.waiting.entry(engine).or_default().extend(rows);
        if self.n_waiting >= FULL { self.write() } else { Ok(()) }
    }

    /// Writes the rows.
    ///
    /// # Errors
    ///
    /// Fails when somebody else writes into the corpus, or a file cannot be written.
    pub(super) fn write(&mut self) -> anyhow::Result<()> {
        let Some(corpus) = &self.corpus else { return Ok(()) };
        for (engine, rows) in std::mem::take(&mut self.waiting) {
            let Provenance { limits, thresholds, curves } = self.provenance;
            let run =
                Run { engine, limits: limits.clone(), curves: format!("{curves}; thresholds {thresholds}") };
            evals::add(corpus, "tafl annotate", &run, &rows)?;
        }
        self.n_waiting = 0;
        Ok(())
    }
}

/// Returns the rows of a game of a corpus, with the engine.
pub(super) fn of(game: &Annotated) -> Option<RowsOfGame> {
    let id = game.played.id?;
    let rows = game.notes.plies.iter().enumerate().map(|(nth, ply)| row(game, id, (nth, ply)));
    Some((game.notes.engine.clone(), rows.collect()))
}

fn row(game: &Annotated, id: GameId, (nth, ply): (usize, &PlyNote)) -> EvalRow {
    let (before, after) = (&game.notes.positions[nth], &game.notes.positions[nth + 1]);
    let shape = game.start.shape();
    EvalRow {
        game: id,
        ply: u16::try_from(nth + 1).unwrap_or(u16::MAX),
        side: ply.side,
        score_before: score(before),
        score_after: score(after),
        win_before: win(before),
        win_after: win(after),
        ended: match &after.known {
            Known::Ended(outcome) => Some(outcome.winner_word()),
            Known::Searched(_) | Known::NotSearched(_) => None,
        },
        expected_before: before.expectation.map(|part| part.for_side(Side::Attackers)),
        expected_after: after.expectation.map(|part| part.for_side(Side::Attackers)),
        loss: ply.loss,
        judgement: ply.loss.map(|_| ply.judgement.word()),
        best: before.evaluation().map(|evaluation| evaluation.best().moves[0].text(shape)),
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
