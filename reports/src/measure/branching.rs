//! The branching factor: numbers of legal moves.

use std::collections::HashMap;

use tafl_corpus::{Corpus, Result};
use tafl_rules::{BySide, Side};

use super::games::Games;
use super::tables::{self, plies_frame, table_error};
use crate::stats::dyadic::SharedPlayers;
use crate::stats::quantile::SampleCenter;
use crate::stats::ratio::RatioOfSums;

/// The number of legal moves before a ply.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchingFindings {
    /// The mean over all plies; its interval is over games, which share players, because the plies of a game are correlated.
    pub mean: SampleCenter,
    /// The number of games on which it is based.
    pub games: u64,
    /// The number of plies of these games.
    pub plies: u64,
    /// Every few plies, the mean over games that are still in progress, and their number.
    pub by_ply: Vec<(u32, f64, u64)>,
    /// The mean for each side to move.
    pub by_side: BySide<f64>,
}

/// The number of plies between two points of the curve.
const EVERY: u32 = 5;

/// Sums over the games of a variant.
#[derive(Default)]
struct BranchingSums {
    /// For each game, the number of moves and of plies.
    games: Vec<(f64, f64)>,
    /// The players of each game.
    players: Vec<Option<[u32; 2]>>,
    /// At each point of the curve, the number of games in progress and of their moves.
    by_ply: Vec<(u64, u64)>,
    /// The number of plies and of moves of each side.
    by_side: BySide<(u64, u64)>,
}

/// Returns the branching factor of each variant, by its index; games that began from another start are
/// excluded.
///
/// # Errors
///
/// Returns the path of a missing or damaged file.
pub fn branching(corpus: &Corpus, games: &Games) -> Result<HashMap<u32, BranchingFindings>> {
    let mut sums: HashMap<u32, BranchingSums> = HashMap::new();
    let mut rows = games.rows.iter().filter(|game| !game.has_other_start()).peekable();
    for (number, segment) in (0u32..).zip(corpus.segments()) {
        if rows.peek().is_none_or(|game| game.segment != number) {
            continue;
        }
        let path = segment.plies_table().path();
        let frame = plies_frame(segment, &["moves", "side"])?;
        let first_plies = segment.first_plies()?;
        let mut take = || {
            let (moves, sides) = (tables::counts(&frame, "moves")?, tables::texts(&frame, "side")?);
            while let Some(game) = rows.next_if(|game| game.segment == number) {
                let own = sums.entry(game.variant).or_default();
                let row = game.row as usize;
                let plies = first_plies[row] as usize..first_plies[row + 1] as usize;
                own.game(game.pair(), plies.map(|at| (moves.get(at).unwrap_or(0), sides.get(at))));
            }
            Ok(())
        };
        take().map_err(|error| table_error(path, &error))?;
    }
    Ok(sums.into_iter().filter_map(|(variant, sums)| Some((variant, sums.branching()?))).collect())
}

impl BranchingSums {
    fn game<'s>(&mut self, players: Option<[u32; 2]>, plies: impl Iterator<Item = (u32, Option<&'s str>)>) {
        let (mut n, mut all) = (0u64, 0u64);
        for (moves, side) in plies {
            if n.is_multiple_of(u64::from(EVERY)) {
                let at = (n / u64::from(EVERY)) as usize;
                if self.by_ply.len() <= at {
                    self.by_ply.resize(at + 1, (0, 0));
                }
                self.by_ply[at].0 += 1;
                self.by_ply[at].1 += u64::from(moves);
            }
            let is_defender = side == Some(Side::Defenders.as_str());
            let of_side = &mut self.by_side[if is_defender { Side::Defenders } else { Side::Attackers }];
            of_side.0 += 1;
            of_side.1 += u64::from(moves);
            n += 1;
            all += u64::from(moves);
        }
        if n > 0 {
            self.games.push((all as f64, n as f64));
            self.players.push(players);
        }
    }

    fn branching(self) -> Option<BranchingFindings> {
        let plies: f64 = self.games.iter().map(|(_, n)| n).sum();
        let mean = RatioOfSums::of_games(&self.games, &SharedPlayers::of(self.players))?;
        let of = |(n, all): (u64, u64)| if n == 0 { 0.0 } else { all as f64 / n as f64 };
        let points = (0u32..).zip(&self.by_ply).take_while(|(_, (n, _))| *n >= 10);
        Some(BranchingFindings {
            mean: SampleCenter { value: mean.value, interval: mean.estimate() },
            games: self.games.len() as u64,
            plies: plies as u64,
            by_ply: points.map(|(at, sums)| (at * EVERY, of(*sums), sums.0)).collect(),
            by_side: BySide::from_fn(|side| of(self.by_side[side])),
        })
    }
}
