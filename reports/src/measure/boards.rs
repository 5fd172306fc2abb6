//! Statistics of the board: the king's cells, escapes, material, first moves, and openings, all folded by
//! symmetry.
//!
//! Games are read from the move log of the corpus and are not replayed by the rules.

use std::collections::HashMap;

use tafl_corpus::{
    CancelCheck, CellContent, Corpus, CorpusError, FileFault, MOVE_LOG_FILE, MoveLogError, ReplayCursor,
    Result,
};
use tafl_rules::{BySide, Cell, Move, Piece, Reason, Role, RuleSet, Shape, Side, Symmetry, rules_symmetries};

use super::games::{GameFacts, Games};
use super::tally::GameTally;
use crate::stats::quantile::Summary;
use crate::stats::score::WdlCounts;
use crate::stats::{Estimate, NotEstimable, Rate};

/// Statistics of the board in the games of a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardFindings {
    /// The board.
    pub shape: Shape,
    /// The number of games, without those that began from another start.
    pub games: u64,
    /// The number of plies of these games.
    pub plies: u64,
    /// The proportion of positions after the first ply with the defenders' king on each cell, averaged over
    /// symmetric cells. Empty without such a king; if a start has several, the first one counts.
    pub king: Vec<f64>,
    /// The proportion of captures on each cell, averaged over symmetric cells.
    pub captures: Vec<f64>,
    /// The number of moves of the king per game; `None` without such a king.
    pub king_moves: Option<Summary>,
    /// The ply of the king's first move, in games where he moves.
    pub king_leaves: Option<Summary>,
    /// The cells on which kings reach their goal, most frequent first; symmetric cells are combined.
    pub escapes: Vec<KingEscape>,
    /// The number of pieces on the board, every few plies, in games that are still in progress.
    pub material: Vec<MaterialPoint>,
    /// The first moves, most frequent first; symmetric moves are combined.
    pub first_moves: Vec<OpeningLine>,
    /// The openings, most frequent first; symmetric lines are combined.
    pub openings: Vec<OpeningLine>,
    /// The number of symmetries of the rules, including the identity.
    pub symmetries: usize,
}

/// A goal reached by kings.
#[derive(Debug, Clone, PartialEq)]
pub struct KingEscape {
    /// The cells, which are equivalent by symmetry.
    pub cells: Vec<Cell>,
    /// The proportion of all escapes.
    pub proportion: Rate,
}

/// The number of pieces on the board.
#[derive(Debug, Clone, PartialEq)]
pub struct MaterialPoint {
    /// The ply.
    pub ply: u32,
    /// The number of games.
    pub games: u64,
    /// Pieces of each side, kings included.
    pub pieces: BySide<Estimate>,
}

/// The first moves of games.
#[derive(Debug, Clone, PartialEq)]
pub struct OpeningLine {
    /// The moves in canonical orientation: the smallest among the symmetric lines.
    pub moves: Vec<Move>,
    /// The moves as text, such as `d1-d3 e5-e2`.
    pub moves_text: String,
    /// The proportion of all games.
    pub proportion: Rate,
    /// The results.
    pub tally: GameTally,
    /// The attackers' score.
    pub score: std::result::Result<Estimate, NotEstimable>,
}

/// Options for the statistics of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardOptions {
    /// The length of an opening in plies.
    pub opening_plies: usize,
    /// The maximum number of openings.
    pub openings: usize,
    /// The interval between counts of material, in plies.
    pub every: u32,
}

impl Default for BoardOptions {
    fn default() -> BoardOptions {
        BoardOptions { opening_plies: 4, openings: 12, every: 5 }
    }
}

/// Computes the statistics of the games of a variant; `None` if there are no games, or if the rules cannot be
/// parsed.
///
/// # Errors
///
/// Returns the path of a damaged move log, or an error if the work was canceled.
pub fn board_findings(
    corpus: &Corpus,
    games: &Games,
    variant: u32,
    options: &BoardOptions,
    cancel: CancelCheck<'_>,
) -> Result<Option<BoardFindings>> {
    let Some(rules) = games.variants.get(variant as usize) else { return Ok(None) };
    let Ok(rules) = rules.rules.parse::<RuleSet>() else { return Ok(None) };
    let mut counter = BoardCounter::new(&rules, *options);
    let own = games.rows.iter().filter(|game| game.variant == variant && !game.is_from_elsewhere);
    let own: Vec<&GameFacts> = own.collect();
    if own.is_empty() {
        return Ok(None);
    }
    for alike in own.chunk_by(|one, two| one.segment == two.segment) {
        let Some(segment) = corpus.segments().get(alike[0].segment as usize) else { continue };
        let move_log = segment.move_log();
        let damaged = |error: MoveLogError| CorpusError::Damaged {
            path: segment.folder().join(MOVE_LOG_FILE),
            fault: FileFault::MoveLog(error),
        };
        let mut cursor: Option<ReplayCursor<'_>> = None;
        for game in alike {
            cancel.check()?;
            let cursor = match &mut cursor {
                None => cursor.insert(move_log.play(game.row).map_err(damaged)?),
                Some(cursor) => {
                    move_log.replay(cursor, game.row).map_err(damaged)?;
                    cursor
                }
            };
            counter.game(game, cursor).map_err(damaged)?;
        }
    }
    Ok(Some(counter.findings(own.len() as u64)))
}

/// Sums over games.
struct BoardCounter {
    shape: Shape,
    options: BoardOptions,
    symmetries: Vec<Symmetry>,
    /// The smallest symmetric cell of each cell.
    folded: Vec<Cell>,
    plies: u64,
    king: Vec<u64>,
    captures: Vec<u64>,
    king_moves: Vec<f64>,
    king_leaves: Vec<f64>,
    escapes: HashMap<Cell, u64>,
    /// For each checkpoint, the number of games, then sums and sums of squares of the pieces of each side.
    material: Vec<(u64, BySide<[f64; 2]>)>,
    /// First moves and openings with their games.
    lines: HashMap<Vec<Move>, Vec<GameFacts>>,
}

impl BoardCounter {
    fn new(rules: &RuleSet, options: BoardOptions) -> BoardCounter {
        let shape = rules.shape();
        let symmetries = rules_symmetries(rules);
        let least = |cell: Cell| symmetries.iter().map(|symmetry| symmetry.image(cell)).min().unwrap_or(cell);
        BoardCounter {
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

    fn game(
        &mut self,
        game: &GameFacts,
        cursor: &mut ReplayCursor<'_>,
    ) -> std::result::Result<(), MoveLogError> {
        let king = CellContent::of(Some(Piece::new(Side::Defenders, Role::King)));
        let mut at = cursor.state().board().iter().position(|content| *content == king).map(Cell::new);
        let has_king = at.is_some();
        let (mut moves, mut leaves) = (0u32, None);
        let mut line: Vec<Move> = Vec::with_capacity(self.options.opening_plies);
        self.count_pieces(cursor);
        while cursor.advance()? {
            let state = cursor.state();
            let Some(mv) = state.last else { continue };
            self.plies += 1;
            if line.len() < self.options.opening_plies {
                line.push(mv);
            }
            if at == Some(mv.from) {
                at = Some(mv.to);
                moves += 1;
                leaves = leaves.or(Some(state.ply));
            }
            for cell in &state.captured {
                self.captures[self.folded[cell.index()].index()] += 1;
            }
            if let Some(cell) = at.filter(|cell| state.at(*cell) == king) {
                self.king[self.folded[cell.index()].index()] += 1;
            }
            if state.ply % self.options.every.max(1) == 0 {
                self.count_pieces(cursor);
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

    fn count_pieces(&mut self, cursor: &ReplayCursor<'_>) {
        let state = cursor.state();
        let at = (state.ply / self.options.every.max(1)) as usize;
        if self.material.len() <= at {
            self.material.resize(at + 1, (0, BySide::default()));
        }
        let (games, sums) = &mut self.material[at];
        *games += 1;
        for side in Side::ALL {
            let count = |role| state.count(CellContent::of(Some(Piece::new(side, role))));
            let n = f64::from(Role::ALL.into_iter().map(count).sum::<u16>());
            sums[side][0] += n;
            sums[side][1] += n * n;
        }
    }

    /// Returns the smallest of the symmetric lines.
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
        let escape =
            |(cell, n)| Some(KingEscape { cells: self.alike(cell), proportion: Rate::of(n, escapes)? });
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

    /// Returns the proportion of each cell, averaged over symmetric cells; empty without counts.
    fn spread(&self, counts: &[u64]) -> Vec<f64> {
        let all: u64 = counts.iter().sum();
        if all == 0 {
            return Vec::new();
        }
        let proportion = |cell: Cell| {
            let least = self.folded[cell.index()];
            let alike = self.folded.iter().filter(|other| **other == least).count();
            counts[least.index()] as f64 / all as f64 / alike as f64
        };
        self.shape.cells().map(proportion).collect()
    }

    fn material_points(&self) -> Vec<MaterialPoint> {
        let mut points = Vec::new();
        for (at, (games, sums)) in (0u32..).zip(&self.material) {
            // Beyond this ply the remaining games are too few, and too long, to be representative.
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
            points.push(MaterialPoint { ply, games: *games, pieces: BySide::from_fn(estimate) });
        }
        points
    }

    fn ranked(&self, lines: Vec<(&Vec<Move>, &Vec<GameFacts>)>, games: u64) -> Vec<OpeningLine> {
        let mut lines = lines;
        lines.sort_by_key(|(line, own)| (std::cmp::Reverse(own.len()), (*line).clone()));
        lines.truncate(self.options.openings);
        let opening = |(line, own): (&Vec<Move>, &Vec<GameFacts>)| {
            let tally = GameTally::of(own);
            let record: WdlCounts = tally.record();
            let name = |cell: Cell| self.shape.name(cell);
            let words: Vec<String> =
                line.iter().map(|mv| format!("{}-{}", name(mv.from), name(mv.to))).collect();
            Some(OpeningLine {
                moves: line.clone(),
                moves_text: words.join(" "),
                proportion: Rate::of(own.len() as u64, games)?,
                tally,
                score: record.score(),
            })
        };
        lines.into_iter().filter_map(opening).collect()
    }
}
