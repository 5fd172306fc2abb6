//! The accuracy and the typical errors of a player, from the evaluations that `tafl annotate` stored.

use std::collections::{HashMap, HashSet};

use polars::prelude::{DataFrame, PolarsResult};
use tafl_analyzer::{ACCURACY_DECAY, Judgement, Motif, MotifKind, Voice, motifs_of_move};
use tafl_corpus::{Corpus, Result, TableFile};
use tafl_rules::{BySide, Game, Side};

use super::GameSide;
use crate::measure::evals::judgement_named;
use crate::measure::playable_game::{PlayableGame, PlayableGames};
use crate::measure::tables::{self, table_error};
use crate::stats::dyadic::SharedPlayers;
use crate::stats::ratio::{RatioOfSums, clustered_rate};
use crate::stats::{Estimate, Rate};

/// The accuracy and the errors of a player in evaluated games.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorFindings {
    /// The number of evaluated games.
    pub games: u64,
    /// The accuracy and the error rates with each side.
    pub by_side: BySide<SideAccuracy>,
    /// Those of the opponents in the same games, with the side that the opponents had.
    pub opponents: BySide<SideAccuracy>,
    /// The number of mistakes and blunders that could be replayed.
    pub errors: u64,
    /// What these errors missed or allowed, most frequent first. An error may have several motifs, or none.
    pub motifs: Vec<MotifCount>,
}

/// The accuracy and the error rates with a side. Errors of a game are not independent, so the intervals are over games.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SideAccuracy {
    /// The number of games.
    pub games: u64,
    /// The number of judged plies.
    pub plies: u64,
    /// The accuracy, from 0 to 100, of all plies together; `None` for fewer than three games.
    pub accuracy: Option<Estimate>,
    /// The proportion of blunders.
    pub blunders: Option<Rate>,
    /// The proportion of mistakes.
    pub mistakes: Option<Rate>,
    /// The proportion of inaccuracies.
    pub inaccuracies: Option<Rate>,
}

/// How often errors missed or allowed a motif.
#[derive(Debug, Clone, PartialEq)]
pub struct MotifCount {
    /// The motif.
    pub kind: MotifKind,
    /// Whether the errors missed or allowed it.
    pub voice: Voice,
    /// The proportion of mistakes and blunders.
    pub proportion: Rate,
}

/// A judged ply.
#[derive(Debug, Clone)]
struct JudgedPly {
    ply: u32,
    side: Side,
    /// The expectation of the mover before the ply.
    before: Option<f64>,
    /// The decrease in this expectation, from 0 to 1.
    loss: Option<f64>,
    judgement: Option<Judgement>,
    /// The engine's preferred move in the position before the ply.
    best: Option<String>,
}

/// Returns the accuracy and the errors of a player; `None` if no game is evaluated. If several engines evaluated a game, the
/// last file counts.
///
/// # Errors
///
/// Returns the path of a damaged file.
pub(super) fn error_findings(corpus: &Corpus, own: &[GameSide<'_>]) -> Result<Option<ErrorFindings>> {
    let EvaluatedGames(by_game) =
        EvaluatedGames::read(corpus, own.iter().map(|game_side| game_side.game.id))?;
    let evaluated: Vec<(&GameSide<'_>, &Vec<JudgedPly>)> =
        own.iter().filter_map(|game_side| Some((game_side, by_game.get(&game_side.game.id)?))).collect();
    if evaluated.is_empty() {
        return Ok(None);
    }
    let accuracy = |side: Side, is_own: bool| {
        let games = evaluated.iter().filter(|(game_side, _)| (game_side.side == side) == is_own);
        SideAccuracy::of(games.map(|(_, plies)| plies.iter().filter(|ply| ply.side == side)))
    };
    let (errors, motifs) = motifs(corpus, &evaluated)?;
    Ok(Some(ErrorFindings {
        games: evaluated.len() as u64,
        by_side: BySide::from_fn(|side| accuracy(side, true)),
        opponents: BySide::from_fn(|side| accuracy(side, false)),
        errors,
        motifs,
    }))
}

/// The evaluated plies of games, for the accuracy in several selections of them.
#[derive(Debug, Clone, Default)]
pub struct EvaluatedGames(HashMap<i64, Vec<JudgedPly>>);

impl EvaluatedGames {
    /// Reads the evaluations of games, which are given by their ids in the tables. If several engines evaluated a game, the last
    /// file counts.
    ///
    /// # Errors
    ///
    /// Returns the path of a damaged file.
    pub fn read(corpus: &Corpus, games: impl IntoIterator<Item = i64>) -> Result<EvaluatedGames> {
        let wanted: HashSet<i64> = games.into_iter().collect();
        let mut evaluated = HashMap::new();
        for table in corpus.eval_tables()? {
            evaluated.extend(read_table(&table, &wanted)?);
        }
        Ok(EvaluatedGames(evaluated))
    }

    /// Returns the number of evaluated games.
    pub fn n_games(&self) -> usize {
        self.0.len()
    }

    /// Returns the accuracy of a side in those of the given games that are evaluated.
    pub fn accuracy(&self, side: Side, games: impl IntoIterator<Item = i64>) -> SideAccuracy {
        let evaluated = games.into_iter().filter_map(|game| self.0.get(&game));
        SideAccuracy::of(evaluated.map(|plies| plies.iter().filter(|ply| ply.side == side)))
    }
}

fn read_table(table: &TableFile, wanted: &HashSet<i64>) -> Result<HashMap<i64, Vec<JudgedPly>>> {
    let columns = ["game", "ply", "side", "expected_before", "loss", "judgement", "best"];
    let frame = table.read_columns(&columns)?;
    judged_plies(&frame, wanted).map_err(|error| table_error(table.path(), &error))
}

fn judged_plies(frame: &DataFrame, wanted: &HashSet<i64>) -> PolarsResult<HashMap<i64, Vec<JudgedPly>>> {
    let (game, ply) = (tables::integers(frame, "game")?, tables::counts(frame, "ply")?);
    let [side, judgement, best] = ["side", "judgement", "best"].map(|name| tables::texts(frame, name));
    let (side, judgement, best) = (side?, judgement?, best?);
    let (before, loss) = (tables::numbers(frame, "expected_before")?, tables::numbers(frame, "loss")?);
    let mut judged: HashMap<i64, Vec<JudgedPly>> = HashMap::new();
    for row in 0..frame.height() {
        let Some(number) = game.get(row).filter(|number| wanted.contains(number)) else { continue };
        let side = if side.get(row) == Some("defenders") { Side::Defenders } else { Side::Attackers };
        let own = |attackers: f64| if side == Side::Attackers { attackers } else { 1.0 - attackers };
        judged.entry(number).or_default().push(JudgedPly {
            ply: ply.get(row).unwrap_or(0),
            side,
            before: before.get(row).filter(|number| number.is_finite()).map(own),
            loss: loss.get(row).filter(|number| number.is_finite()),
            judgement: judgement.get(row).and_then(judgement_named),
            best: best.get(row).map(str::to_owned),
        });
    }
    for plies in judged.values_mut() {
        plies.sort_by_key(|ply| ply.ply);
    }
    Ok(judged)
}

impl SideAccuracy {
    /// Returns the accuracy of the plies of several games.
    fn of<'p, I: Iterator<Item = &'p JudgedPly>>(games: impl Iterator<Item = I>) -> SideAccuracy {
        let mut losses: Vec<(f64, f64)> = Vec::new();
        let mut counts: [Vec<(u64, u64)>; Judgement::ALL.len()] = Default::default();
        for plies in games {
            let (mut lost, mut of_game, mut n) = ((0.0, 0.0), [0_u64; Judgement::ALL.len()], 0);
            for ply in plies {
                if let Some(judgement) = ply.judgement {
                    of_game[judgement as usize] += 1;
                    n += 1;
                }
                if let Some((loss, before)) = ply.loss.zip(ply.before) {
                    lost = (lost.0 + loss, lost.1 + before);
                }
            }
            if n > 0 {
                losses.push(lost);
                counts.iter_mut().zip(of_game).for_each(|(all, count)| all.push((count, n)));
            }
        }
        // All games share the player, so dependence by player cannot be estimated: games count as independent.
        let rate =
            |judgement: Judgement| clustered_rate(&counts[judgement as usize], &SharedPlayers::default());
        SideAccuracy {
            games: counts[0].len() as u64,
            plies: counts[0].iter().map(|(_, n)| n).sum(),
            accuracy: RatioOfSums::of(&losses).and_then(|ratio| ratio.estimate()).map(accuracy),
            blunders: rate(Judgement::Blunder),
            mistakes: rate(Judgement::Mistake),
            inaccuracies: rate(Judgement::Inaccuracy),
        }
    }
}

/// Returns the accuracy for a lost share of the expectation; more loss is less accuracy, so the ends change places.
fn accuracy(lost: Estimate) -> Estimate {
    let of = |share: f64| 100.0 * (-ACCURACY_DECAY * share.clamp(0.0, 1.0)).exp();
    Estimate { value: of(lost.value), low: of(lost.high), high: of(lost.low) }
}

/// Returns the number of mistakes and blunders of the player, and their motifs.
fn motifs(corpus: &Corpus, evaluated: &[(&GameSide<'_>, &Vec<JudgedPly>)]) -> Result<(u64, Vec<MotifCount>)> {
    let mut stored = PlayableGames::new(corpus);
    let mut counts: HashMap<(MotifKind, Voice), u64> = HashMap::new();
    let mut errors = 0;
    for (game_side, plies) in evaluated {
        let is_error =
            |ply: &&JudgedPly| ply.side == game_side.side && ply.judgement >= Some(Judgement::Mistake);
        if !plies.iter().any(|ply| is_error(&ply)) {
            continue;
        }
        let Some(game) = stored.game(game_side.game)? else { continue };
        let mut board = game.board;
        for (number, mv) in (1_u32..).zip(&game.moves) {
            let before = board.clone();
            if !PlayableGame::play(&mut board, *mv) {
                break;
            }
            let at = plies.partition_point(|ply| ply.ply < number);
            let Some(ply) = plies.get(at).filter(|ply| ply.ply == number).filter(is_error) else { continue };
            errors += 1;
            let reply = plies.get(at + 1).filter(|next| next.ply == number + 1);
            let mut found = best_motifs(&before, ply.best.as_deref(), Voice::Missed);
            found.extend(best_motifs(&board, reply.and_then(|reply| reply.best.as_deref()), Voice::Allowed));
            found.sort_unstable_by_key(|motif| (motif.kind, motif.voice));
            found.dedup_by_key(|motif| (motif.kind, motif.voice));
            for motif in found {
                *counts.entry((motif.kind, motif.voice)).or_default() += 1;
            }
        }
    }
    let mut found: Vec<MotifCount> = counts
        .into_iter()
        .filter_map(|((kind, voice), n)| Some(MotifCount { kind, voice, proportion: Rate::of(n, errors)? }))
        .collect();
    found.sort_by_key(|motif| (std::cmp::Reverse(motif.proportion.hits), motif.kind, motif.voice));
    Ok((errors, found))
}

/// Returns the motifs of the engine's best move in a position.
fn best_motifs(board: &Game, best: Option<&str>, voice: Voice) -> Vec<Motif> {
    let mut board = board.clone();
    board.clear_outcome();
    let mv = best.and_then(|text| board.parse_move(text).ok());
    mv.and_then(|mv| motifs_of_move(&mut board, mv, voice)).unwrap_or_default()
}
