//! Annotated games from the corpus' table of evaluations: the way back from its rows.
//!
//! The table keeps what figures need. The moves after the best one, motifs, and what solvers proved are not in it.

use std::time::Duration;

use tafl_analyzer::{
    Depth, Evaluation, Expectation, GameNotes, Judgement, KnownResult, NoSearchReason, Nodes, Phase, PlyNote,
    PositionNote, Score, SearchCounts, SearchLine, SearchReport,
};
use tafl_corpus::{EvalRow, EvalRun};
use tafl_parser::ReplayPly;
use tafl_rules::{Cell, Move, Outcome, Reason, Setup, Shape, Side};

use crate::records::ReplayedRecord;

/// The evaluation that a row has of the position before or after its ply.
struct StoredEvaluation<'r> {
    to_move: Side,
    chain: Option<Cell>,
    score: Option<i16>,
    win: Option<i16>,
    expected: Option<f64>,
    ended: Option<&'static str>,
    best: Option<&'r str>,
    depth: Option<u16>,
}

/// Returns the notes of a game from its rows; none if they are about other plies than those of the game.
pub(super) fn notes(replayed: &ReplayedRecord, run: &EvalRun, rows: &[EvalRow]) -> Option<GameNotes> {
    let start = replayed.start()?;
    let played = replayed.replay.plies.get(..rows.len())?;
    let is_same = |(nth, row, ply): (u16, &EvalRow, &ReplayPly)| row.ply == nth && row.side == ply.side;
    if !(1..).zip(rows).zip(played).all(|((nth, row), ply)| is_same((nth, row, ply))) {
        return None;
    }
    let mut n_captured = 0;
    let mut positions = Vec::with_capacity(rows.len() + 1);
    for nth in 0..=rows.len() {
        let phase = phase(&start, n_captured, nth);
        positions.push(position(replayed, &evaluation_at(replayed, rows, nth)?, phase));
        n_captured += played.get(nth).map_or(0, |ply| ply.captured.len());
    }
    let plies: Vec<PlyNote> = (0..rows.len())
        .map(|nth| ply(played[nth].mv, (&rows[nth], start.shape()), [&positions[nth], &positions[nth + 1]]))
        .collect();
    let curve = run.curves.split(';').next().unwrap_or_default().to_owned();
    let sides = GameNotes::summarize(&plies);
    let searches = SearchCounts::default();
    Some(GameNotes { positions, plies, sides, engine: run.engine.clone(), curve, stopped: None, searches })
}

/// Returns the evaluation of the position after a number of plies.
fn evaluation_at<'r>(
    replayed: &ReplayedRecord,
    rows: &'r [EvalRow],
    nth: usize,
) -> Option<StoredEvaluation<'r>> {
    let last = nth.checked_sub(1).and_then(|nth| rows.get(nth));
    let ended = last.and_then(|row| row.ended);
    let ply = nth.checked_sub(1).and_then(|nth| replayed.replay.plies.get(nth)).filter(|ply| ply.goes_on);
    let chain_of = |to_move: Side| ply.filter(|ply| ply.side == to_move).map(|ply| ply.mv.to);
    Some(match (rows.get(nth), last) {
        (Some(row), _) => StoredEvaluation {
            to_move: row.side,
            chain: chain_of(row.side),
            score: row.score_before,
            win: row.win_before,
            expected: row.expected_before,
            ended,
            best: row.best.as_deref(),
            depth: row.depth,
        },
        (None, Some(row)) => StoredEvaluation {
            to_move: replayed.replay.to_move.unwrap_or(row.side.other()),
            chain: None,
            score: row.score_after,
            win: row.win_after,
            expected: row.expected_after,
            ended,
            best: None,
            depth: None,
        },
        (None, None) => return None,
    })
}

fn position(replayed: &ReplayedRecord, at: &StoredEvaluation<'_>, phase: Phase) -> PositionNote {
    let shape = replayed.shape();
    let known = match (at.ended, score(at)) {
        (Some(word), _) => KnownResult::Ended(ended(replayed, word)),
        (None, Some(score)) => {
            let best = at.best.zip(shape).and_then(|(text, shape)| Move::parse(text, shape).ok());
            let line = SearchLine { score: score.of(Side::Attackers), moves: best.into_iter().collect() };
            let depth = Depth(at.depth.and_then(|depth| u8::try_from(depth).ok()).unwrap_or_default());
            let report =
                SearchReport { lines: vec![line], depth, nodes: Nodes(0), time: Duration::ZERO, hashfull: 0 };
            KnownResult::Searched(Evaluation::of(at.to_move, &report))
        }
        (None, None) => KnownResult::NotSearched(NoSearchReason::NotStored),
    };
    let expectation = at.expected.map(Expectation::of_attackers);
    PositionNote { to_move: at.to_move, chain: at.chain, known, phase, expectation }
}

/// Returns the attackers' score.
fn score(at: &StoredEvaluation<'_>) -> Option<Score> {
    let plies = |win: i16| win.unsigned_abs().min(Score::MAX_PLY);
    match (at.win, at.score) {
        (Some(win), _) if win > 0 => Some(Score::win_in(plies(win))),
        (Some(win), _) => Some(Score::loss_in(plies(win))),
        (None, Some(score)) => Some(Score::evaluation(score.into())),
        (None, None) => None,
    }
}

fn ended(replayed: &ReplayedRecord, word: &str) -> Outcome {
    let winner = word.parse::<Side>().ok();
    let same = replayed.replay.outcome.filter(|outcome| outcome.winner == winner);
    same.unwrap_or(Outcome { winner, reason: Reason::Unknown })
}

fn phase(start: &Setup, n_captured: usize, nth: usize) -> Phase {
    let all = start.pieces().count().max(1);
    Phase { left: all.saturating_sub(n_captured) as f64 / all as f64, ply: nth as u32 }
}

fn ply(mv: Move, (row, shape): (&EvalRow, Shape), [from, to]: [&PositionNote; 2]) -> PlyNote {
    let is_best = row.best.as_deref().and_then(|text| Move::parse(text, shape).ok()) == Some(mv);
    let part = |note: &PositionNote| note.expectation.map(|expectation| expectation.for_side(row.side));
    let word = row.judgement.unwrap_or(Judgement::Good.as_str());
    PlyNote {
        mv,
        side: row.side,
        loss: row.loss,
        judgement: Judgement::ALL.into_iter().find(|known| known.as_str() == word).unwrap_or(Judgement::Good),
        best_expectation: row
            .loss
            .zip(part(from).zip(part(to)))
            .map(|(loss, (before, after))| best_expectation(is_best, loss, before, after)),
        is_best,
        is_confirmed: false,
        missed_win: from.win_missed_by(row.side, to),
        proven_win: None,
        only: None,
        motifs: Vec::new(),
    }
}

/// Returns the mover's expectation with the best move. Annotation takes it from the position before, and where a loss
/// was confirmed after the better move; the loss is then the difference to the position after it.
fn best_expectation(is_best: bool, loss: f64, before: f64, after: f64) -> f64 {
    match (is_best, loss > 0.0) {
        (true, _) => before,
        (false, true) => after + loss,
        (false, false) => before.min(after),
    }
}
