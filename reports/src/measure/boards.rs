//! What happens on the board: the king's walk, escapes, material, first moves and openings, all folded by symmetry.
//!
//! Games come from the tape of the corpus and are not played by the rules again.

use std::collections::HashMap;

use tafl_corpus::error::{CorpusError, Fault, Result};
use tafl_corpus::folder::Corpus;
use tafl_corpus::moment::Content;
use tafl_corpus::segment::TAPE_FILE;
use tafl_corpus::stop::Stop;
use tafl_corpus::tape::{Player, TapeError};
use tafl_rules::symmetry::{Symmetry, of_rules};
use tafl_rules::{BySide, Cell, Move, Piece, Reason, Role, RuleSet, Shape, Side};

use super::games::{GameFacts, Games};
use super::tally::Tally;
use crate::stats::quantile::Summary;
use crate::stats::score::WdlCounts;
use crate::stats::{Estimate, NotEstimable, Rate};

/// What happens on the board in games of a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardFindings {
    /// The board.
    pub shape: Shape,
    /// How many games, without those that began at another start.
    pub games: u64,
    /// How many plies they have.
    pub plies: u64,
    /// Where the defenders' king stands: for each cell the share of all positions after the first ply; cells that are
    /// alike by symmetry share. Empty where there is no such king; of several that a start has, the first one counts.
    pub king: Vec<f64>,
    /// Where pieces fall: for each cell the share of all captures, shared by symmetry as well.
    pub captures: Vec<f64>,
    /// How often the king moves in a game; nothing where there is no such king.
    pub king_moves: Option<Summary>,
    /// The ply of the king's first move, in games in which he moves.
    pub king_leaves: Option<Summary>,
    /// Where kings reach their goal, the most frequent cells first; cells that are alike by symmetry are one.
    pub escapes: Vec<Escape>,
    /// How many pieces stand on the board, every few plies, among games that are still going on.
    pub material: Vec<Material>,
    /// The first moves, the most frequent first; moves that are alike by symmetry are one.
    pub first_moves: Vec<Opening>,
    /// The openings, the most frequent first; lines that are alike by symmetry are one.
    pub openings: Vec<Opening>,
    /// How many symmetries the rules have, the one that moves nothing included.
    pub symmetries: usize,
}

/// Where kings reach their goal.
#[derive(Debug, Clone, PartialEq)]
pub struct Escape {
    /// The cells, which are alike by symmetry.
    pub cells: Vec<Cell>,
    /// How many of all escapes are there.
    pub share: Rate,
}

/// How many pieces stand on the board.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// After so many plies.
    pub ply: u32,
    /// In so many games.
    pub games: u64,
    /// Pieces of each side, kings included.
    pub pieces: BySide<Estimate>,
}

/// The first moves of games.
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    /// The moves, the board being turned so that they are the least of those that are alike.
    pub moves: Vec<Move>,
    /// The moves in words, such as `d1-d3 e5-e2`.
    pub words: String,
    /// How many of all games were played so.
    pub share: Rate,
    /// How they ended.
    pub tally: Tally,
    /// The attackers' score.
    pub score: std::result::Result<Estimate, NotEstimable>,
}

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardOptions {
    /// How many plies an opening has.
    pub opening_plies: usize,
    /// How many openings are kept.
    pub openings: usize,
    /// Material is counted every so many plies.
    pub every: u32,
}

impl Default for BoardOptions {
    fn default() -> BoardOptions {
        BoardOptions { opening_plies: 4, openings: 12, every: 5 }
    }
}

/// Looks at the boards of the games of a variant; nothing where there are none, or the rules cannot be read.
///
/// # Errors
///
/// Returns which tape is damaged, or that the work was canceled.
pub fn boards(
    corpus: &Corpus,
    games: &Games,
    variant: u32,
    options: &BoardOptions,
    stop: Stop<'_>,
) -> Result<Option<BoardFindings>> {
    let Some(rules) = games.variants.get(variant as usize) else { return Ok(None) };
    let Ok(rules) = rules.rules.parse::<RuleSet>() else { return Ok(None) };
    let mut watch = Watch::new(&rules, *options);
    let own = games.rows.iter().filter(|game| game.variant == variant && !game.is_from_elsewhere);
    let own: Vec<&GameFacts> = own.collect();
    if own.is_empty() {
        return Ok(None);
    }
    for alike in own.chunk_by(|one, two| one.segment == two.segment) {
        let Some(segment) = corpus.segments().get(alike[0].segment as usize) else { continue };
        let tape = segment.tape();
        let damaged = |error: TapeError| CorpusError::Damaged {
            path: segment.folder().join(TAPE_FILE),
            fault: Fault::Tape(error),
        };
        let mut player: Option<Player<'_>> = None;
        for game in alike {
            stop.check()?;
            let player = match &mut player {
                None => player.insert(tape.play(game.row).map_err(damaged)?),
                Some(player) => {
                    tape.replay(player, game.row).map_err(damaged)?;
                    player
                }
            };
            watch.game(game, player).map_err(damaged)?;
        }
    }
    Ok(Some(watch.findings(own.len() as u64)))
}

/// Sums over games.
struct Watch {
    shape: Shape,
    options: BoardOptions,
    symmetries: Vec<Symmetry>,
    /// The least cell that is alike.
    folded: Vec<Cell>,
    plies: u64,
    king: Vec<u64>,
    captures: Vec<u64>,
    king_moves: Vec<f64>,
    king_leaves: Vec<f64>,
    escapes: HashMap<Cell, u64>,
    /// For each checkpoint the number of games, then sums and sums of squares of the pieces of each side.
    material: Vec<(u64, BySide<[f64; 2]>)>,
    /// First moves and openings, each with its games.
    lines: HashMap<Vec<Move>, Vec<GameFacts>>,
}

impl Watch {
    fn new(rules: &RuleSet, options: BoardOptions) -> Watch {
        let shape = rules.shape();
        let symmetries = of_rules(rules);
        let least = |cell: Cell| symmetries.iter().map(|symmetry| symmetry.image(cell)).min().unwrap_or(cell);
        Watch {
            shape,
            options,
            folded: shape.cells().map(least).collect(),
            symmetries,
            plies: 0,
            king: vec![0; shape.n_cells()],
            captures: vec![0; shape.n_cells()],
            king_moves: Vec::new(),
            king_leaves: Vec::new(),
            escapes: HashMap::new(),
            material: Vec::new(),
            lines: HashMap::new(),
        }
    }

    fn game(&mut self, game: &GameFacts, player: &mut Player<'_>) -> std::result::Result<(), TapeError> {
        let king = Content::of(Some(Piece::new(Side::Defenders, Role::King)));
        let mut at = player.moment().board().iter().position(|content| *content == king).map(Cell::new);
        let has_king = at.is_some();
        let (mut moves, mut leaves) = (0u32, None);
        let mut line: Vec<Move> = Vec::with_capacity(self.options.opening_plies);
        self.count_pieces(player);
        while player.advance()? {
            let moment = player.moment();
            let Some(mv) = moment.last else { continue };
            self.plies += 1;
            if line.len() < self.options.opening_plies {
                line.push(mv);
            }
            if at == Some(mv.from) {
                at = Some(mv.to);
                moves += 1;
                leaves = leaves.or(Some(moment.ply));
            }
            for cell in &moment.captured {
                self.captures[self.folded[cell.index()].index()] += 1;
            }
            if let Some(cell) = at.filter(|cell| moment.at(*cell) == king) {
                self.king[self.folded[cell.index()].index()] += 1;
            }
            if moment.ply % self.options.every.max(1) == 0 {
                self.count_pieces(player);
            }
        }
        if has_king {
            self.king_moves.push(f64::from(moves));
        }
        self.king_leaves.extend(leaves.map(f64::from));
        let is_escape =
            game.reason == Some(Reason::KingReachedGoal) && game.winner() == Some(Side::Defenders);
        if let Some(cell) = at.filter(|_| is_escape) {
            *self.escapes.entry(self.folded[cell.index()]).or_default() += 1;
        }
        let first = self.least(&line[..line.len().min(1)]);
        if line.len() > 1 && line.len() == self.options.opening_plies {
            let whole = self.least(&line);
            self.lines.entry(whole).or_default().push(*game);
        }
        self.lines.entry(first).or_default().push(*game);
        Ok(())
    }

    fn count_pieces(&mut self, player: &Player<'_>) {
        let moment = player.moment();
        let at = (moment.ply / self.options.every.max(1)) as usize;
        if self.material.len() <= at {
            self.material.resize(at + 1, (0, BySide::default()));
        }
        let (games, sums) = &mut self.material[at];
        *games += 1;
        for side in Side::ALL {
            let count = |role| moment.count(Content::of(Some(Piece::new(side, role))));
            let n = f64::from(Role::ALL.into_iter().map(count).sum::<u16>());
            sums[side][0] += n;
            sums[side][1] += n * n;
        }
    }

    /// Returns the least of the lines that are alike.
    fn least(&self, line: &[Move]) -> Vec<Move> {
        let turned = |symmetry: &Symmetry| -> Vec<Move> {
            line.iter().map(|mv| Move::new(symmetry.image(mv.from), symmetry.image(mv.to))).collect()
        };
        self.symmetries.iter().map(turned).min().unwrap_or_else(|| line.to_vec())
    }

    fn findings(self, games: u64) -> BoardFindings {
        let (first_moves, openings): (Vec<_>, Vec<_>) =
            self.lines.iter().filter(|(line, _)| !line.is_empty()).partition(|(line, _)| line.len() == 1);
        let escapes: u64 = self.escapes.values().sum();
        let mut by_cell: Vec<(Cell, u64)> = self.escapes.iter().map(|(cell, n)| (*cell, *n)).collect();
        by_cell.sort_by_key(|(cell, n)| (std::cmp::Reverse(*n), *cell));
        let escape = |(cell, n)| Some(Escape { cells: self.alike(cell), share: Rate::of(n, escapes)? });
        BoardFindings {
            shape: self.shape,
            games,
            plies: self.plies,
            king: self.spread(&self.king),
            captures: self.spread(&self.captures),
            escapes: by_cell.into_iter().filter_map(escape).collect(),
            material: self.material_points(),
            first_moves: self.ranked(first_moves, games),
            openings: self.ranked(openings, games),
            symmetries: self.symmetries.len(),
            king_moves: Summary::of(self.king_moves),
            king_leaves: Summary::of(self.king_leaves),
        }
    }

    fn alike(&self, cell: Cell) -> Vec<Cell> {
        self.shape.cells().filter(|other| self.folded[other.index()] == cell).collect()
    }

    /// Returns the share of each cell, cells that are alike having as much; nothing where nothing was counted.
    fn spread(&self, counts: &[u64]) -> Vec<f64> {
        let all: u64 = counts.iter().sum();
        if all == 0 {
            return Vec::new();
        }
        let share = |cell: Cell| {
            let least = self.folded[cell.index()];
            let alike = self.folded.iter().filter(|other| **other == least).count();
            counts[least.index()] as f64 / all as f64 / alike as f64
        };
        self.shape.cells().map(share).collect()
    }

    fn material_points(&self) -> Vec<Material> {
        let mut points = Vec::new();
        for (at, (games, sums)) in (0u32..).zip(&self.material) {
            // Behind this the games that are left are too few, and too long, to be like the others.
            if *games < 10 {
                break;
            }
            let n = *games as f64;
            let estimate = |side: Side| {
                let mean = sums[side][0] / n;
                let variance = (sums[side][1] / n - mean * mean).max(0.0);
                Estimate::normal(mean, (variance / n).sqrt())
            };
            let ply = at * self.options.every.max(1);
            points.push(Material { ply, games: *games, pieces: BySide::from_fn(estimate) });
        }
        points
    }

    fn ranked(&self, lines: Vec<(&Vec<Move>, &Vec<GameFacts>)>, games: u64) -> Vec<Opening> {
        let mut lines = lines;
        lines.sort_by_key(|(line, own)| (std::cmp::Reverse(own.len()), (*line).clone()));
        lines.truncate(self.options.openings);
        let opening = |(line, own): (&Vec<Move>, &Vec<GameFacts>)| {
            let tally = Tally::of(own);
            let record: WdlCounts = tally.record();
            let name = |cell: Cell| self.shape.name(cell);
            let words: Vec<String> =
                line.iter().map(|mv| format!("{}-{}", name(mv.from), name(mv.to))).collect();
            Some(Opening {
                moves: line.clone(),
                words: words.join(" "),
                share: Rate::of(own.len() as u64, games)?,
                tally,
                score: record.score(),
            })
        };
        lines.into_iter().filter_map(opening).collect()
    }
}
