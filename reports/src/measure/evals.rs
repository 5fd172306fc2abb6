//! Statistics of evaluations: drama, changes of lead, decisive points, and error rates.

use std::collections::HashMap;

use tafl_analyzer::Judgement;
use tafl_corpus::{Corpus, Result, TableFile};
use tafl_rules::{BySide, Side};

use super::games::{GameFacts, Games};
use super::tables::{self, table_error};
use crate::stats::dyadic::SharedPlayers;
use crate::stats::quantile::Summary;
use crate::stats::ratio::{RatioOfSums, clustered_rate};
use crate::stats::{NotEstimable, Rate};

/// Statistics of the evaluated games of a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct EvalFindings {
    /// The number of evaluated games with a winner.
    pub games: u64,
    /// The mean deficit of the eventual winner over the plies of a game: 0 for never behind, 1 for always
    /// lost.
    pub drama: Option<Summary>,
    /// The number of changes of lead in a game; within 0.05 of even the lead does not change.
    pub lead_changes: Option<Summary>,
    /// The proportion of a game after which the winner's expected score stayed at 0.8 or more.
    pub decided: Option<Summary>,
    /// The proportion of blunders among each side's evaluated plies.
    pub blunders: BySide<Option<Rate>>,
    /// The proportion of mistakes.
    pub mistakes: BySide<Option<Rate>>,
    /// The proportion of inaccuracies.
    pub inaccuracies: BySide<Option<Rate>>,
    /// The mean loss of a ply for each side, from 0 to 1; its interval is over games.
    pub loss: BySide<Option<RatioOfSums>>,
}

/// An evaluated ply.
#[derive(Debug, Clone, Copy)]
struct EvaluatedPly {
    ply: u32,
    side: Side,
    /// The attackers' expectation after the ply.
    after: Option<f64>,
    /// The decrease in the mover's expectation, from 0 to 1.
    loss: Option<f64>,
    judgement: Option<Judgement>,
}

/// Returns the statistics of the evaluations of a variant. If several engines evaluated a game, the last file
/// counts.
///
/// # Errors
///
/// Returns the path of a damaged file.
pub fn eval_findings(
    corpus: &Corpus,
    games: &Games,
    variant: u32,
) -> Result<std::result::Result<EvalFindings, NotEstimable>> {
    let own = games.rows.iter().filter(|game| game.variant == variant && !game.has_other_start());
    let own: HashMap<i64, &GameFacts> = own.map(|game| (game.id, game)).collect();
    let mut evaluated: HashMap<i64, Vec<EvaluatedPly>> = HashMap::new();
    for table in corpus.eval_tables()? {
        read_table(&table, &own, &mut evaluated)?;
    }
    if evaluated.is_empty() {
        return Ok(Err(NotEstimable::NoEvaluations));
    }
    Ok(Ok(findings(&own, evaluated)))
}

fn read_table(
    table: &TableFile,
    own: &HashMap<i64, &GameFacts>,
    evaluated: &mut HashMap<i64, Vec<EvaluatedPly>>,
) -> Result<()> {
    let frame = table.read_columns(&["game", "ply", "side", "expected_after", "loss", "judgement"])?;
    let mut take = || {
        let (game, ply) = (tables::integers(&frame, "game")?, tables::counts(&frame, "ply")?);
        let (side, judgement) = (tables::texts(&frame, "side")?, tables::texts(&frame, "judgement")?);
        let after = tables::numbers(&frame, "expected_after")?;
        let loss = tables::numbers(&frame, "loss")?;
        let mut fresh: HashMap<i64, Vec<EvaluatedPly>> = HashMap::new();
        for row in 0..frame.height() {
            let Some(number) = game.get(row).filter(|number| own.contains_key(number)) else { continue };
            fresh.entry(number).or_default().push(EvaluatedPly {
                ply: ply.get(row).unwrap_or(0),
                side: if side.get(row) == Some("defenders") { Side::Defenders } else { Side::Attackers },
                after: after.get(row).filter(|number| number.is_finite()),
                loss: loss.get(row).filter(|number| number.is_finite()),
                judgement: judgement.get(row).and_then(judgement_named),
            });
        }
        evaluated.extend(fresh);
        Ok(())
    };
    take().map_err(|error| table_error(table.path(), &error))
}

/// Returns the judgement with a name in a table of evaluations.
pub(super) fn judgement_named(name: &str) -> Option<Judgement> {
    Judgement::ALL.into_iter().find(|judgement| judgement.as_str() == name)
}

fn findings(own: &HashMap<i64, &GameFacts>, evaluated: HashMap<i64, Vec<EvaluatedPly>>) -> EvalFindings {
    let (mut drama, mut changes, mut decided) = (Vec::new(), Vec::new(), Vec::new());
    // For each judgement, the hits and the plies of each game.
    let mut counts = BySide::from_fn(|_: Side| [const { Vec::new() }; Judgement::ALL.len()]);
    let mut losses = BySide::from_fn(|_: Side| Vec::new());
    let mut all: Vec<(i64, Vec<EvaluatedPly>)> = evaluated.into_iter().collect();
    all.sort_by_key(|(game, _)| *game);
    let players = |game: &i64| own.get(game).and_then(|game| game.pair());
    let shared = SharedPlayers::of(all.iter().map(|(game, _)| players(game)));
    for (at, (game, mut plies)) in (0..).zip(all) {
        plies.sort_by_key(|ply| ply.ply);
        for side in Side::ALL {
            let judged = plies.iter().filter(|ply| ply.side == side && ply.judgement.is_some());
            let all = judged.clone().count() as u64;
            for (judgement, of_games) in Judgement::ALL.into_iter().zip(&mut counts[side]) {
                let hits = judged.clone().filter(|ply| ply.judgement == Some(judgement)).count() as u64;
                of_games.push((hits, all));
            }
            let lost: Vec<f64> = judged.filter_map(|ply| ply.loss).collect();
            losses[side].push((lost.iter().sum::<f64>(), lost.len() as f64));
        }
        let Some(winner) = own.get(&game).and_then(|game| game.winner()) else { continue };
        if let Some(curve) = curve_statistics(&plies, winner) {
            drama.push((at, curve.drama));
            changes.push((at, curve.changes));
            decided.push((at, curve.decided));
        }
    }
    let rate = |side: Side, judgement: Judgement| clustered_rate(&counts[side][judgement as usize], &shared);
    EvalFindings {
        games: drama.len() as u64,
        drama: Summary::of_games(drama, &shared),
        lead_changes: Summary::of_games(changes, &shared),
        decided: Summary::of_games(decided, &shared),
        blunders: BySide::from_fn(|side| rate(side, Judgement::Blunder)),
        mistakes: BySide::from_fn(|side| rate(side, Judgement::Mistake)),
        inaccuracies: BySide::from_fn(|side| rate(side, Judgement::Inaccuracy)),
        loss: BySide::from_fn(|side| RatioOfSums::of_games(&losses[side], &shared)),
    }
}

/// Returns the statistics of the evaluation curves of games with a winner, by the id of the game.
///
/// # Errors
///
/// Returns the path of a damaged file.
pub(super) fn game_curves(corpus: &Corpus, games: &[&GameFacts]) -> Result<HashMap<i64, CurveStatistics>> {
    let own: HashMap<i64, &GameFacts> = games.iter().map(|game| (game.id, *game)).collect();
    let mut evaluated: HashMap<i64, Vec<EvaluatedPly>> = HashMap::new();
    for table in corpus.eval_tables()? {
        read_table(&table, &own, &mut evaluated)?;
    }
    let statistics = |(game, mut plies): (i64, Vec<EvaluatedPly>)| {
        plies.sort_by_key(|ply| ply.ply);
        Some((game, curve_statistics(&plies, own.get(&game)?.winner()?)?))
    };
    Ok(evaluated.into_iter().filter_map(statistics).collect())
}

/// Returns the statistics of the curve of a game, given its plies in order.
fn curve_statistics(plies: &[EvaluatedPly], winner: Side) -> Option<CurveStatistics> {
    let of_winner = |attackers: f64| if winner == Side::Attackers { attackers } else { 1.0 - attackers };
    let curve: Vec<f64> = plies.iter().filter_map(|ply| ply.after).map(of_winner).collect();
    CurveStatistics::of(&curve)
}

/// Statistics of the evaluation curve of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CurveStatistics {
    /// The mean deficit of the winner, from 0 to 1.
    pub drama: f64,
    /// The number of changes of lead.
    pub changes: f64,
    /// The proportion of the game after which the winner stayed at 0.8 or more; 1 if never.
    pub decided: f64,
}

impl CurveStatistics {
    /// Returns the statistics of a curve of the winner's expected score; `None` for fewer than two points.
    pub(crate) fn of(curve: &[f64]) -> Option<CurveStatistics> {
        if curve.len() < 2 {
            return None;
        }
        let n = curve.len() as f64;
        let drama = curve.iter().map(|expected| (0.5 - expected).max(0.0) * 2.0).sum::<f64>() / n;
        let (mut leads, mut changes) = (None, 0.0);
        for expected in curve.iter().filter(|expected| (**expected - 0.5).abs() > 0.05) {
            let now = *expected > 0.5;
            changes += f64::from(leads.is_some_and(|before| before != now));
            leads = Some(now);
        }
        let open = curve.iter().rposition(|expected| *expected < 0.8).map_or(0, |last| last + 1);
        Some(CurveStatistics { drama, changes, decided: open as f64 / n })
    }
}

#[cfg(test)]
mod tests {
    use super::CurveStatistics;

    #[test]
    fn curves_are_read() {
        assert_eq!(CurveStatistics::of(&[0.5]), None);
        let even = CurveStatistics::of(&[0.5, 0.52, 0.9, 0.95]).unwrap();
        assert_eq!((even.drama, even.changes, even.decided), (0.0, 0.0, 0.5));
        let wild = CurveStatistics::of(&[0.7, 0.2, 0.53, 0.3, 0.8]).unwrap();
        assert_eq!((wild.changes, wild.decided), (2.0, 0.8));
        assert!((wild.drama - 0.2).abs() < 1e-12);
        assert_eq!(CurveStatistics::of(&[0.1, 0.1]).unwrap().decided, 1.0);
    }
}
