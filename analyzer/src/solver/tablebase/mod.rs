//! Tablebases, built by retrograde analysis: the result of every position with few pieces.
//!
//! A tablebase has the distance to the end (depth to mate) of every position with a king and given numbers of attackers and
//! defenders, or that neither side can force a win. It knows no history: whether endless play is a draw or a loss of the
//! defenders is left to the caller.

mod build;
mod file;
mod index;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use tafl_rules::position::Position;
use tafl_rules::rulebook::CompileError;
use tafl_rules::ruleset::{Berserk, Directions, Jump};
use tafl_rules::{AnyRulebook, Game, Piece, PieceSet, Role, RuleSet, Side, with_rulebook};

use build::{Builder, men_of};
pub use file::{FileError, FileErrorKind};
pub use index::PieceCounts;
use index::{Index, MOST_MEN, Men};

/// Of a position neither side can force a win.
const OPEN: u8 = 0;
/// There is no such position.
const IMPOSSIBLE: u8 = u8::MAX;
/// The furthest win that a table can hold, in plies.
const FURTHEST: u8 = 250;

/// The result of a position for the side to move, with the depth to mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dtm {
    /// The side to move wins with this ply, and not sooner.
    Win(u8),
    /// The side to move loses with this ply, and not sooner with best play.
    Loss(u8),
    /// Neither side can force a win.
    Open,
}

/// The values of all positions with given numbers of pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Tablebase {
    counts: PieceCounts,
    /// For each side to move, plies by number: odd is a win of that side, even a loss.
    values: [Vec<u8>; 2],
}

/// The tablebases of one set of rules.
#[derive(Debug, Clone)]
pub struct Tablebases {
    rules: RuleSet,
    index: Index,
    tables: BTreeMap<PieceCounts, Tablebase>,
}

/// Tablebases are the same where rules and numbers of pieces are: what is in them follows from that.
impl PartialEq for Tablebases {
    fn eq(&self, other: &Tablebases) -> bool {
        self.rules == other.rules && self.tables.keys().eq(other.tables.keys())
    }
}

impl Eq for Tablebases {}

/// Why there can be no tablebase.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// Rules whose ends depend on more than the position, or whose moves cannot be taken back.
    #[error("no tables for rules with {0}")]
    Unsupported(&'static str),
    /// The rules cannot be played.
    #[error("the rules cannot be played: {0}")]
    Rules(#[from] CompileError),
    /// More positions than a table can hold.
    #[error("a table with so many pieces would be too large")]
    TooLarge,
    /// A position with more moves than a table can count.
    #[error("a position has more moves than a table can count")]
    TooManyMoves,
    /// A win that is further away than a table can say.
    #[error("a win is more than {FURTHEST} plies away")]
    TooFar,
    /// Play leads to a position for which there is no place.
    #[error("play leads to a position for which there is no table")]
    Unreachable,
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
    /// The furthest win or loss, in plies.
    pub furthest: u8,
}

impl Tablebases {
    /// Returns an empty set of tablebases for rules.
    ///
    /// # Errors
    ///
    /// Returns what about the rules does not fit.
    pub fn new(rules: &RuleSet) -> Result<Tablebases, TablebaseError> {
        suit(rules)?;
        Ok(Tablebases { rules: rules.clone(), index: Index::new(rules), tables: BTreeMap::new() })
    }

    /// Returns the numbers of pieces for which there is a table when no more than `pieces` are on the board, smaller ones first.
    pub fn plan(rules: &RuleSet, pieces: u8) -> Vec<PieceCounts> {
        let start = |side: Side| rules.start.count(Piece::new(side, Role::Soldier)) as u8;
        let mut plan = Vec::new();
        for n in 2..=pieces.min(MOST_MEN as u8) {
            for defenders in 0..n - 1 {
                let counts = PieceCounts { attackers: n - 1 - defenders, defenders };
                if counts.attackers <= start(Side::Attackers) && counts.defenders <= start(Side::Defenders) {
                    plan.push(counts);
                }
            }
        }
        plan
    }

    /// Returns how many bytes a table takes; the greatest number where it takes more than that.
    pub fn bytes(&self, counts: PieceCounts) -> u64 {
        self.index.size(counts).saturating_mul(2)
    }

    /// Makes the table of so many pieces; those with fewer pieces must be there.
    ///
    /// # Errors
    ///
    /// Returns why it cannot be made.
    pub fn add(&mut self, counts: PieceCounts) -> Result<(), TablebaseError> {
        if usize::from(counts.pieces()) > MOST_MEN || counts.attackers == 0 {
            return Err(TablebaseError::TooLarge);
        }
        let fighters = [Side::Attackers, Side::Defenders].map(|side| Piece::new(side, Role::Soldier));
        let king = Piece::new(Side::Defenders, Role::King);
        let pieces: PieceSet = fighters.into_iter().chain([king]).collect();
        let book = AnyRulebook::compile_for(&self.rules, pieces)?;
        let table = with_rulebook!(&book, book => Builder::build(book, &self.index, self, counts))?;
        self.tables.insert(counts, table);
        Ok(())
    }

    /// Returns the rules.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Returns for which numbers of pieces there are tables.
    pub fn counts(&self) -> impl Iterator<Item = PieceCounts> {
        self.tables.keys().copied()
    }

    /// Returns the most pieces for which there is a table, the king among them; 0 where there is none.
    pub fn most_pieces(&self) -> u8 {
        self.tables.keys().map(|counts| counts.pieces()).max().unwrap_or(0)
    }

    /// Returns what a table holds, in numbers; each position counts once with all its mirror images.
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

    /// Returns what is known of a position; nothing where no table has it.
    #[inline]
    pub fn probe<const N: usize>(&self, pos: &Position<N>) -> Option<Dtm> {
        if pos.occupied().count() > u32::from(self.most_pieces()) || pos.chain().is_some() {
            return None;
        }
        let king = pos.pieces(Piece::new(Side::Defenders, Role::King));
        let soldiers = pos.role(Role::Soldier);
        if king.count() != 1 || (soldiers | king) != pos.occupied() {
            return None;
        }
        self.known(&men_of(pos).ok()?, pos.to_move())
    }

    /// Returns what is known of the position in which a game stands, its history aside; nothing where no table has it or the
    /// game is played by other rules.
    pub fn probe_game(&self, game: &Game) -> Option<Dtm> {
        if game.rules() != &self.rules || game.outcome().is_some() || game.chain().is_some() {
            return None;
        }
        let book = AnyRulebook::compile_for(&self.rules, pieces_on(game)).ok()?;
        with_rulebook!(&book, book => self.probe(&book.position(&game.setup(), game.to_move())))
    }

    fn known(&self, men: &Men, to_move: Side) -> Option<Dtm> {
        let table = self.tables.get(&men.counts())?;
        let number = self.index.number(men)?;
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

/// Says what about rules does not fit.
fn suit(rules: &RuleSet) -> Result<(), TablebaseError> {
    let no = |what| Err(TablebaseError::Unsupported(what));
    let king = Piece::new(Side::Defenders, Role::King);
    if !rules.royal.contains(king) || rules.start.count(king) != 1 {
        return no("other kings than one of the defenders whose capture loses");
    }
    let others = |piece: Piece| piece.role != Role::Soldier && piece != king;
    if rules.pieces_in_play().iter().any(others) {
        return no("other pieces than men and a king");
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
    if rules.exit_fort {
        return no("exit forts");
    }
    if rules.ply_limit.is_some() || rules.captureless_limit.is_some() {
        return no("limits of plies");
    }
    if rules.repetition.iter().any(|rule| rule.position_occurrences().is_none()) {
        return no("repetition that counts more than positions");
    }
    Ok(())
}
