//! Statistics of the board: the king's cells, escapes, material, first moves, and openings, all folded by
//! symmetry.
//!
//! Games are read from the move log of the corpus and are not replayed by the rules.

use std::collections::{BTreeMap, HashMap};

use tafl_corpus::{CancelCheck, CellContent, Corpus, MoveLogError, ReplayCursor, Result};
use tafl_rules::{BySide, Cell, Move, Piece, Reason, Role, RuleSet, Shape, Side};

use super::board_symmetry::BoardSymmetry;
use super::expected::{ExpectedScores, LineScore, line_scores};
use super::game_start::OtherStarts;
use super::games::{GameFacts, Games};
use super::heat_map::{HeatMapCounter, HeatMapKind};
use super::tally::{GameTally, shared_rate};
use crate::stats::dyadic::SharedPlayers;
use crate::stats::quantile::{Summary, mean_of_games};
use crate::stats::residual::ResidualMean;
use crate::stats::score::WdlCounts;
use crate::stats::{Estimate, NotEstimable, Rate};

/// Statistics of the board in the games of a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardFindings {
    /// The board.
    pub shape: Shape,
    /// The number of games, without those that began from another start.
    pub games: u64,
    /// The games that began from another start, by what differs. Nothing else of these findings includes them.
    pub other_starts: OtherStarts,
    /// The number of plies of the counted games.
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
    /// The games that have none of these first moves.
    pub other_first_moves: UnlistedGames,
    /// The openings, most frequent first; symmetric lines are combined.
    pub openings: Vec<OpeningLine>,
    /// The games that have none of these openings.
    pub other_openings: UnlistedGames,
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
    /// The attackers' score compared with that which the strengths of the players predict.
    pub adjusted: std::result::Result<LineScore, NotEstimable>,
}

/// The games that have none of the listed lines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnlistedGames {
    /// The length of the lines in plies.
    pub plies: usize,
    /// The number of other lines.
    pub lines: u64,
    /// The proportion of all games that have another line; `None` if there are none.
    pub other_lines: Option<Rate>,
    /// The proportion of all games that have fewer plies than a line; `None` if there are none.
    pub too_short: Option<Rate>,
}

/// Options for the statistics of the board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoardOptions<'e> {
    /// The length of an opening in plies, at least 2: the first moves have lines of their own. A smaller length counts as 2.
    pub opening_plies: usize,
    /// The maximum number of openings.
    pub openings: usize,
    /// The interval between counts of material, in plies.
    pub every: u32,
    /// The scores that the strengths of the players predict, for the comparison of lines.
    pub expected: Option<&'e ExpectedScores>,
}

impl Default for BoardOptions<'_> {
    fn default() -> Self {
        BoardOptions { opening_plies: 4, openings: 12, every: 5, expected: None }
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
    options: &BoardOptions<'_>,
    cancel: CancelCheck<'_>,
) -> Result<Option<BoardFindings>> {
    let Some(rules) = games.variants.get(variant as usize) else { return Ok(None) };
    let Ok(rules) = rules.rules.parse::<RuleSet>() else { return Ok(None) };
    let mut counter = BoardCounter::new(&rules, *options);
    let all = || games.rows.iter().filter(|game| game.variant == variant);
    let own: Vec<&GameFacts> = all().filter(|game| !game.has_other_start()).collect();
    if own.is_empty() {
        return Ok(None);
    }
    for of_segment in own.chunk_by(|one, two| one.segment == two.segment) {
        let Some(segment) = corpus.segments().get(of_segment[0].segment as usize) else { continue };
        let move_log = segment.move_log()?;
        let damaged = |error: MoveLogError| segment.move_log_error(error);
        let mut cursor: Option<ReplayCursor<'_>> = None;
        for game in of_segment {
            cancel.check()?;
            let cursor = move_log.cursor_in(&mut cursor, game.row).map_err(damaged)?;
            counter.game(game, cursor).map_err(damaged)?;
        }
    }
    Ok(Some(counter.findings(OtherStarts::of(all().map(|game| game.start)))))
}

/// Sums over games.
struct BoardCounter<'e> {
    board: BoardSymmetry,
    options: BoardOptions<'e>,
    heat: HeatMapCounter,
    /// For each game, by its index, the number of the king's moves, and the ply of his first move.
    king_moves: Vec<(u32, f64)>,
    king_leaves: Vec<(u32, f64)>,
    /// The cell of each escape of the king, with the players of the game.
    escapes: Vec<(Cell, Option<[u32; 2]>)>,
    /// For each checkpoint, the games in progress, by their indices, with the number of pieces of each side.
    material: Vec<Vec<(u32, BySide<u16>)>>,
    /// All games.
    games: Vec<GameFacts>,
    /// First moves and openings with the indices of their games.
    lines: HashMap<Vec<Move>, Vec<u32>>,
}

impl<'e> BoardCounter<'e> {
    fn new(rules: &RuleSet, options: BoardOptions<'e>) -> BoardCounter<'e> {
        let board = BoardSymmetry::of(rules);
        let options = BoardOptions { opening_plies: options.opening_plies.max(2), ..options };
        BoardCounter {
            options,
            heat: HeatMapCounter::new(board.shape, &board.symmetries),
            board,
            king_moves: Vec::new(),
            king_leaves: Vec::new(),
            escapes: Vec::new(),
            material: Vec::new(),
            games: Vec::new(),
            lines: HashMap::new(),
        }
    }

    fn game(
        &mut self,
        game: &GameFacts,
        cursor: &mut ReplayCursor<'_>,
    ) -> std::result::Result<(), MoveLogError> {
        self.heat.begin(cursor.state());
        let has_king = self.heat.king().is_some();
        let (mut moves, mut leaves) = (0u32, None);
        let mut line: Vec<Move> = Vec::with_capacity(self.options.opening_plies);
        self.count_pieces(cursor);
        while cursor.advance()? {
            let state = cursor.state();
            let Some(mv) = state.last else { continue };
            if line.len() < self.options.opening_plies {
                line.push(mv);
            }
            if self.heat.king() == Some(mv.from) {
                moves += 1;
                leaves = leaves.or(Some(state.ply));
            }
            self.heat.ply(state);
            if state.ply % self.options.every.max(1) == 0 {
                self.count_pieces(cursor);
            }
        }
        let number = u32::try_from(self.games.len()).unwrap_or(u32::MAX);
        if has_king {
            self.king_moves.push((number, f64::from(moves)));
        }
        self.king_leaves.extend(leaves.map(|ply| (number, f64::from(ply))));
        let is_escape =
            game.reason == Some(Reason::KingReachedGoal) && game.winner() == Some(Side::Defenders);
        if let Some(cell) = self.heat.king().filter(|_| is_escape) {
            self.escapes.push((self.heat.smallest_symmetric(cell), game.pair()));
        }
        let first = self.board.canonical(&line[..line.len().min(1)]);
        if line.len() == self.options.opening_plies {
            let whole = self.board.canonical(&line);
            self.lines.entry(whole).or_default().push(number);
        }
        self.lines.entry(first).or_default().push(number);
        self.games.push(*game);
        Ok(())
    }

    fn count_pieces(&mut self, cursor: &ReplayCursor<'_>) {
        let state = cursor.state();
        let at = (state.ply / self.options.every.max(1)) as usize;
        if self.material.len() <= at {
            self.material.resize_with(at + 1, Vec::new);
        }
        let pieces = |side: Side| {
            let count = |role| state.count(CellContent::of(Some(Piece::new(side, role))));
            Role::ALL.into_iter().map(count).sum::<u16>()
        };
        let number = u32::try_from(self.games.len()).unwrap_or(u32::MAX);
        self.material[at].push((number, BySide::from_fn(pieces)));
    }

    fn findings(self, other_starts: OtherStarts) -> BoardFindings {
        let shared = SharedPlayers::of(self.games.iter().map(GameFacts::pair));
        let [(mut first_moves, other_first_moves), (mut openings, other_openings)] =
            [1, self.options.opening_plies].map(|plies| self.ranked(plies, &shared));
        let tested: Vec<_> = first_moves
            .iter()
            .chain(&openings)
            .map(|(_, own, difference)| (own.as_slice(), *difference))
            .collect();
        let scores = line_scores(&tested);
        let all = first_moves.iter_mut().chain(&mut openings);
        all.zip(scores).for_each(|((line, _, _), score)| line.adjusted = score);
        let without_games = |lines: Vec<RankedLine>| lines.into_iter().map(|(line, _, _)| line).collect();
        BoardFindings {
            shape: self.board.shape,
            games: self.games.len() as u64,
            other_starts,
            plies: self.heat.n_plies(),
            king: self.heat.proportions(&[HeatMapKind::King]),
            captures: self
                .heat
                .proportions(&[HeatMapKind::AttackersCaptured, HeatMapKind::DefendersCaptured]),
            escapes: self.king_escapes(),
            material: self.material_points(&shared),
            first_moves: without_games(first_moves),
            other_first_moves,
            openings: without_games(openings),
            other_openings,
            symmetries: self.board.symmetries.len(),
            king_moves: Summary::of_games(self.king_moves, &shared),
            king_leaves: Summary::of_games(self.king_leaves, &shared),
        }
    }

    /// Returns the cells of escapes, most frequent first.
    fn king_escapes(&self) -> Vec<KingEscape> {
        let shared = SharedPlayers::of(self.escapes.iter().map(|(_, players)| *players));
        let mut by_cell: BTreeMap<Cell, Vec<u32>> = BTreeMap::new();
        for (at, (cell, _)) in (0..).zip(&self.escapes) {
            by_cell.entry(*cell).or_default().push(at);
        }
        let n = self.escapes.len() as u64;
        let escape = |(cell, own): (&Cell, &Vec<u32>)| {
            let proportion = shared_rate(own, n, &shared)?;
            Some(KingEscape { cells: self.heat.symmetric_to(*cell), proportion })
        };
        let mut escapes: Vec<KingEscape> = by_cell.iter().filter_map(escape).collect();
        escapes.sort_by_key(|escape| std::cmp::Reverse(escape.proportion.hits));
        escapes
    }

    fn material_points(&self, shared: &SharedPlayers) -> Vec<MaterialPoint> {
        // Beyond this ply the remaining games are too few, and too long, to be representative.
        let enough = (0u32..).zip(&self.material).take_while(|(_, games)| games.len() >= 10);
        let point = |(at, games): (u32, &Vec<(u32, BySide<u16>)>)| {
            let mean = |side: Side| {
                let pieces = games.iter().map(|(game, pieces)| (*game, f64::from(pieces[side])));
                mean_of_games(&pieces.collect::<Vec<_>>(), shared)
            };
            Some(MaterialPoint {
                ply: at * self.options.every.max(1),
                games: games.len() as u64,
                pieces: BySide { attackers: mean(Side::Attackers)?, defenders: mean(Side::Defenders)? },
            })
        };
        enough.filter_map(point).collect()
    }

    /// Returns the most frequent lines of some plies, with their games and the differences from the expected scores, and the
    /// games that have none of these lines.
    fn ranked(&self, plies: usize, shared: &SharedPlayers) -> (Vec<RankedLine>, UnlistedGames) {
        let mut lines: Vec<(&Vec<Move>, &Vec<u32>)> =
            self.lines.iter().filter(|(line, _)| line.len() == plies).collect();
        lines.sort_by_key(|(line, own)| (std::cmp::Reverse(own.len()), (*line).clone()));
        let others = lines.split_off(lines.len().min(self.options.openings));
        let unlisted = self.unlisted(plies, &lines, &others, shared);
        let opening = |(line, own): (&Vec<Move>, &Vec<u32>)| {
            let games: Vec<GameFacts> = own.iter().map(|at| self.games[*at as usize]).collect();
            let tally = GameTally::of(&games);
            let record: WdlCounts = tally.record();
            let difference = match self.options.expected {
                Some(expected) => expected.difference(&games),
                None => Err(NotEstimable::NoPlayers),
            };
            let opening = OpeningLine {
                moves: line.clone(),
                moves_text: self.board.text(line),
                proportion: shared_rate(own, self.games.len() as u64, shared)?,
                score: record.score_with_design_effect(tally.effect()),
                tally,
                adjusted: Err(NotEstimable::NoPlayers),
            };
            Some((opening, games, difference))
        };
        (lines.into_iter().filter_map(opening).collect(), unlisted)
    }

    /// Returns the games with other lines than the listed ones, and those that are too short.
    fn unlisted(
        &self,
        plies: usize,
        listed: &[(&Vec<Move>, &Vec<u32>)],
        others: &[(&Vec<Move>, &Vec<u32>)],
        shared: &SharedPlayers,
    ) -> UnlistedGames {
        let n = self.games.len() as u64;
        let of_games = |mut own: Vec<u32>| {
            own.sort_unstable();
            if own.is_empty() { None } else { shared_rate(&own, n, shared) }
        };
        let mut is_short = vec![true; self.games.len()];
        for at in listed.iter().chain(others).flat_map(|(_, own)| own.iter()) {
            is_short[*at as usize] = false;
        }
        UnlistedGames {
            plies,
            lines: others.len() as u64,
            other_lines: of_games(others.iter().flat_map(|(_, own)| own.iter().copied()).collect()),
            too_short: of_games((0..).zip(is_short).filter(|(_, short)| *short).map(|(at, _)| at).collect()),
        }
    }
}

/// A line with its games, and the difference from the expected scores.
type RankedLine = (OpeningLine, Vec<GameFacts>, std::result::Result<ResidualMean, NotEstimable>);
