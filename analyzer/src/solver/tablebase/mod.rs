//! Tablebases, built by retrograde analysis: the result of every position with few pieces.
//!
//! A tablebase stores the distance to the end (depth to mate) of every position with a king and
//! given numbers of attackers and defenders, or that neither side can force a win. It ignores the
//! history of a game: the caller decides whether endless play is a draw or a loss of the defenders.

mod build;
mod file;
mod index;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use tafl_rules::{
    AnyRulebook, Berserk, CompileError, Directions, Game, Jump, Piece, PieceSet, Position, Role, RuleSet,
    Side, with_rulebook,
};

use build::{Builder, pieces_of};
pub use file::{TablebaseFileError, TablebaseFileErrorKind};
pub use index::PieceCounts;
use index::{MAX_PIECES, PieceCells, PositionIndex};

/// The value of a position in which neither side can force a win.
const OPEN: u8 = 0;
/// The value of an index without a position.
const IMPOSSIBLE: u8 = u8::MAX;
/// The maximum distance of a win, in plies.
const MAX_PLIES: u8 = 250;

/// The result of a position for the side to move, with the depth to mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dtm {
    /// The side to move wins within this number of plies, and no faster.
    Win(u8),
    /// The side to move loses within this number of plies, and no faster with best play.
    Loss(u8),
    /// Neither side can force a win.
    Open,
}

/// The values of all positions with given numbers of pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Tablebase {
    counts: PieceCounts,
    /// The value of each index for each side to move. An odd number is a win of this side in this
    /// number of plies, an even number a loss.
    values: [Vec<u8>; 2],
}

/// The tablebases of one rule set.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{Dtm, Tablebases};
/// use tafl_rules::{AnyRulebook, Game, RepetitionMode, RuleSet, Setup, Side};
///
/// let rules: RuleSet = "dim:5 ks:c start:/2t2/2T2/tTKTt/2T2/2t2/".parse()?;
/// let mut tables = Tablebases::new(&rules)?;
/// for counts in Tablebases::plan(&rules, 2) {
///     tables.add(counts)?;
/// }
/// // The king walks into a corner.
/// let setup = Setup::parse(rules.shape(), "/5/5/K4/5/2t2/")?;
/// let game = Game::from_setup(&AnyRulebook::compile(&rules)?, &setup, Side::Defenders, RepetitionMode::Enforce)?;
/// assert_eq!(tables.probe_game(&game), Some(Dtm::Win(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tablebases {
    rules: RuleSet,
    index: PositionIndex,
    tables: BTreeMap<PieceCounts, Tablebase>,
}

/// Tablebases with the same rules and numbers of pieces are equal, because their contents follow
/// from these.
impl PartialEq for Tablebases {
    fn eq(&self, other: &Tablebases) -> bool {
        self.rules == other.rules && self.tables.keys().eq(other.tables.keys())
    }
}

impl Eq for Tablebases {}

/// The reason why a tablebase cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// The outcome depends on more than the position, or moves cannot be taken back.
    #[error("tablebases do not support {0}")]
    Unsupported(&'static str),
    /// The rules cannot be played.
    #[error("the rules cannot be played: {0}")]
    Rules(#[from] CompileError),
    /// A tablebase without attackers was requested.
    #[error("a tablebase needs at least one attacker")]
    NoAttackers,
    /// A tablebase would have too many positions.
    #[error("a tablebase with this number of pieces would be too large")]
    TooLarge,
    /// A position has too many moves.
    #[error("a position has more moves than a tablebase supports")]
    TooManyMoves,
    /// A win is too far away.
    #[error("a win is more than {MAX_PLIES} plies away")]
    TooFar,
    /// A move leads to a position without an index or tablebase.
    #[error("a move leads to a position without a tablebase")]
    Unreachable,
    /// The construction was stopped from outside.
    #[error("the construction was stopped")]
    Stopped,
}

/// The number of positions of a tablebase by result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TablebaseStats {
    /// Positions in which the side to move wins.
    pub wins: u64,
    /// Positions in which it loses.
    pub losses: u64,
    /// Positions in which neither side can force a win.
    pub open: u64,
    /// The distance of the slowest win or loss, in plies.
    pub furthest: u8,
}

impl Tablebases {
    /// Returns an empty set of tablebases for rules.
    ///
    /// # Errors
    ///
    /// Returns the unsupported rule.
    pub fn new(rules: &RuleSet) -> Result<Tablebases, TablebaseError> {
        check_rules(rules)?;
        Ok(Tablebases { rules: rules.clone(), index: PositionIndex::new(rules), tables: BTreeMap::new() })
    }

    /// Returns the numbers of pieces of all tablebases with at most `pieces` pieces, smaller ones
    /// first.
    pub fn plan(rules: &RuleSet, pieces: u8) -> Vec<PieceCounts> {
        let start = |side: Side| rules.start.count(Piece::new(side, Role::Soldier)) as u8;
        let mut plan = Vec::new();
        for n in 2..=pieces.min(MAX_PIECES as u8) {
            for defenders in 0..n - 1 {
                let counts = PieceCounts { attackers: n - 1 - defenders, defenders };
                if counts.attackers <= start(Side::Attackers) && counts.defenders <= start(Side::Defenders) {
                    plan.push(counts);
                }
            }
        }
        plan
    }

    /// Returns the size of a tablebase in bytes, saturating.
    pub fn bytes(&self, counts: PieceCounts) -> u64 {
        self.index.size(counts).saturating_mul(2)
    }

    /// Builds the tablebase for given numbers of pieces. Those with fewer pieces must have been
    /// added.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot be built.
    pub fn add(&mut self, counts: PieceCounts) -> Result<(), TablebaseError> {
        self.add_until(counts, &|| false)
    }

    /// Builds a tablebase as [`Tablebases::add`] does, and stops when `must_stop` returns true.
    ///
    /// # Errors
    ///
    /// As [`Tablebases::add`]; [`TablebaseError::Stopped`] if the construction was stopped.
    pub fn add_until(
        &mut self,
        counts: PieceCounts,
        must_stop: &dyn Fn() -> bool,
    ) -> Result<(), TablebaseError> {
        if counts.attackers == 0 {
            return Err(TablebaseError::NoAttackers);
        }
        if usize::from(counts.pieces()) > MAX_PIECES {
            return Err(TablebaseError::TooLarge);
        }
        let soldiers = [Side::Attackers, Side::Defenders].map(|side| Piece::new(side, Role::Soldier));
        let king = Piece::new(Side::Defenders, Role::King);
        let pieces: PieceSet = soldiers.into_iter().chain([king]).collect();
        let book = AnyRulebook::compile_for(&self.rules, pieces)?;
        let table = with_rulebook!(&book, book => Builder::build(book, self, counts, must_stop))?;
        self.tables.insert(counts, table);
        Ok(())
    }

    /// Returns the rules.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Returns the numbers of pieces of all tablebases.
    pub fn counts(&self) -> impl Iterator<Item = PieceCounts> {
        self.tables.keys().copied()
    }

    /// Returns the maximum number of pieces, including the king; 0 without tablebases.
    pub fn max_pieces(&self) -> u8 {
        self.tables.keys().map(|counts| counts.pieces()).max().unwrap_or(0)
    }

    /// Returns statistics of a tablebase. Mirror images count as one position.
    pub fn stats(&self, counts: PieceCounts) -> Option<TablebaseStats> {
        let table = self.tables.get(&counts)?;
        let mut stats = TablebaseStats::default();
        for value in table.values.iter().flatten() {
            match *value {
                OPEN => stats.open += 1,
                IMPOSSIBLE => continue,
                plies if plies % 2 == 1 => stats.wins += 1,
                _ => stats.losses += 1,
            }
            stats.furthest = stats.furthest.max(*value);
        }
        Some(stats)
    }

    /// Returns the result of a position, or `None` if no tablebase has it.
    #[inline]
    pub fn probe<const N: usize>(&self, pos: &Position<N>) -> Option<Dtm> {
        if pos.occupied().count() > u32::from(self.max_pieces()) || pos.chain().is_some() {
            return None;
        }
        let king = pos.pieces(Piece::new(Side::Defenders, Role::King));
        let soldiers = pos.role(Role::Soldier);
        if king.count() != 1 || (soldiers | king) != pos.occupied() {
            return None;
        }
        self.lookup(&pieces_of(pos).ok()?, pos.to_move())
    }

    /// Returns the result of the current position of a game, ignoring its history; `None` if no
    /// tablebase has it or the game has other rules.
    pub fn probe_game(&self, game: &Game) -> Option<Dtm> {
        if game.rules() != &self.rules || game.outcome().is_some() || game.chain().is_some() {
            return None;
        }
        let book = AnyRulebook::compile_for(&self.rules, pieces_on(game)).ok()?;
        with_rulebook!(&book, book => self.probe(&book.position(&game.setup(), game.to_move())))
    }

    fn lookup(&self, pieces: &PieceCells, to_move: Side) -> Option<Dtm> {
        let table = self.tables.get(&pieces.counts())?;
        let number = self.index.number(pieces)?;
        match table.values[to_move.index()][usize::try_from(number).ok()?] {
            OPEN => Some(Dtm::Open),
            IMPOSSIBLE => None,
            plies if plies % 2 == 1 => Some(Dtm::Win(plies)),
            plies => Some(Dtm::Loss(plies)),
        }
    }
}

fn pieces_on(game: &Game) -> PieceSet {
    game.setup().pieces().map(|(_, piece)| piece).collect::<PieceSet>().union(game.rules().pieces_in_play())
}

/// Checks that tablebases support the rules.
fn check_rules(rules: &RuleSet) -> Result<(), TablebaseError> {
    let no = |what| Err(TablebaseError::Unsupported(what));
    let king = Piece::new(Side::Defenders, Role::King);
    if !rules.royal.contains(king) || rules.start.count(king) != 1 {
        return no("anything other than one royal king of the defenders");
    }
    let others = |piece: Piece| piece.role != Role::Soldier && piece != king;
    if rules.pieces_in_play().iter().any(others) {
        return no("pieces other than men and a king");
    }
    let moves = |piece: Piece| rules.movement[piece];
    if rules.pieces_in_play().iter().any(|piece| moves(piece).jump != Jump::None) {
        return no("jumps");
    }
    if rules.pieces_in_play().iter().any(|piece| moves(piece).directions != Directions::Axes) {
        return no("diagonal moves");
    }
    if rules.berserk != Berserk::None {
        return no("berserk chains");
    }
    if rules.forced_capture {
        return no("forced captures");
    }
    if rules.exit_fort {
        return no("exit forts");
    }
    if rules.ply_limit.is_some() || rules.captureless_limit.is_some() {
        return no("ply limits");
    }
    if rules.repetition.iter().any(|rule| rule.position_occurrences().is_none()) {
        return no("repetition rules that count more than positions");
    }
    Ok(())
}
