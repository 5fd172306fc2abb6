//! Evaluations of positions, and the keys under which they are stored.

use tafl_rules::{Cell, Game, Move, Shape, Side, split_mix};

use crate::engine::{SearchLine, SearchReport};
use crate::hash::fnv1a;
use crate::limits::{Depth, Nodes};
use crate::score::{PovScore, Score};

/// The engine's evaluation of a position. The duration of the search is not included, because it is
/// not reproducible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// The side to move.
    pub side: Side,
    /// The lines, the best first; never empty.
    lines: Vec<SearchLine>,
    /// The last depth that was completed.
    pub depth: Depth,
    /// The number of nodes visited.
    pub nodes: Nodes,
}

/// The maximum number of moves stored for a line. Longer lines are of no use to readers, and the
/// format has one byte for the number.
const MAX_LINE_MOVES: usize = 40;

impl Evaluation {
    /// Returns the evaluation found by a search of a position with this side to move.
    pub fn of(side: Side, report: &SearchReport) -> Evaluation {
        let mut lines = report.lines.clone();
        lines.iter_mut().for_each(|line| line.moves.truncate(MAX_LINE_MOVES));
        Evaluation { side, lines, depth: report.depth, nodes: report.nodes }
    }

    /// Returns the lines, the best first; there is always at least one.
    pub fn lines(&self) -> &[SearchLine] {
        &self.lines
    }

    /// Returns the best line.
    pub fn best(&self) -> &SearchLine {
        &self.lines[0]
    }

    /// Returns the score of the best line.
    pub fn score(&self) -> PovScore {
        self.best().score
    }

    /// Returns whether all moves of the lines are on a board of this shape.
    pub(super) fn is_on(&self, shape: Shape) -> bool {
        let has = |cell: Cell| cell.index() < shape.n_cells();
        self.lines.iter().flat_map(|line| &line.moves).all(|mv| has(mv.from) && has(mv.to))
    }

    /// Appends the encoding that [`Evaluation::from_bytes`] decodes.
    pub(super) fn to_bytes(&self, out: &mut Vec<u8>) {
        out.push(self.side.index() as u8);
        out.push(self.depth.0);
        out.extend_from_slice(&self.nodes.0.to_le_bytes());
        out.extend_from_slice(&(self.lines.len() as u16).to_le_bytes());
        for line in &self.lines {
            out.extend_from_slice(&line.score.for_side(self.side).value().to_le_bytes());
            out.push(line.moves.len() as u8);
            for mv in &line.moves {
                out.extend_from_slice(&(mv.from.index() as u16).to_le_bytes());
                out.extend_from_slice(&(mv.to.index() as u16).to_le_bytes());
            }
        }
    }

    /// Decodes an evaluation; `None` if the bytes are invalid.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Evaluation> {
        let mut bytes = ByteReader(bytes);
        let side = *Side::ALL.get(usize::from(bytes.byte()?))?;
        let depth = Depth(bytes.byte()?);
        let nodes = Nodes(u64::from_le_bytes(bytes.take()?));
        let n_lines = u16::from_le_bytes(bytes.take()?);
        let mut lines = Vec::new();
        for _ in 0..n_lines {
            let score = Score::from_value(i16::from_le_bytes(bytes.take()?));
            if score <= -Score::INFINITE || score >= Score::INFINITE {
                return None;
            }
            let n_moves = bytes.byte()?;
            let moves = (0..n_moves).map(|_| bytes.mv()).collect::<Option<Vec<Move>>>()?;
            if moves.is_empty() {
                return None;
            }
            lines.push(SearchLine { score: score.of(side), moves });
        }
        (!lines.is_empty() && bytes.0.is_empty()).then_some(Evaluation { side, lines, depth, nodes })
    }
}

/// A cursor over encoded bytes.
struct ByteReader<'b>(&'b [u8]);

impl ByteReader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn mv(&mut self) -> Option<Move> {
        let mut cell = || {
            let index = u16::from_le_bytes(self.take()?);
            (usize::from(index) < Shape::MAX_CELLS).then(|| Cell::new(usize::from(index)))
        };
        Some(Move::new(cell()?, cell()?))
    }
}

/// The key of a stored evaluation: everything that determines the engine's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EvalKey {
    /// The hash of rules, engine, and limits, see [`super::EvalContext::key`].
    pub context: u64,
    /// The key of the position, without history.
    pub position: u64,
    /// A hash of the positions that can occur again, in order: repetition rules and jumps in chains depend on them.
    pub path: u64,
}

impl EvalKey {
    /// Returns the key of the current position of a game.
    pub fn of(context: u64, game: &Game) -> EvalKey {
        let keys = game.turn_keys().into_iter().chain(game.chain_keys());
        let path = keys.fold(0, |hash, key| split_mix(hash ^ key.0));
        EvalKey { context, position: game.key().0, path }
    }

    pub(super) fn to_bytes(self, out: &mut Vec<u8>) {
        [self.context, self.position, self.path]
            .iter()
            .for_each(|part| out.extend_from_slice(&part.to_le_bytes()));
    }

    pub(super) fn from_bytes(bytes: &[u8; 24]) -> EvalKey {
        let part = |at: usize| {
            let bytes = bytes[at..at + 8].try_into().expect("eight bytes are eight bytes");
            u64::from_le_bytes(bytes)
        };
        EvalKey { context: part(0), position: part(8), path: part(16) }
    }
}

/// Returns a hash of bytes: FNV-1a with a final SplitMix64 step for better dispersion.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    split_mix(fnv1a(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(score: Score, cell: usize) -> Evaluation {
        let line = SearchLine {
            score: score.of(Side::Attackers),
            moves: vec![Move::new(Cell::new(0), Cell::new(cell))],
        };
        Evaluation { side: Side::Attackers, lines: vec![line], depth: Depth(3), nodes: Nodes(77) }
    }

    fn bytes(evaluation: &Evaluation) -> Vec<u8> {
        let mut bytes = Vec::new();
        evaluation.to_bytes(&mut bytes);
        bytes
    }

    #[test]
    fn bytes_round_trip() {
        for score in [Score::evaluation(-120), Score::win_in(3), Score::loss_in(4)] {
            let one = evaluation(score, 5);
            assert_eq!(Evaluation::from_bytes(&bytes(&one)), Some(one));
        }
    }

    #[test]
    fn impossible_scores_are_rejected() {
        let mut bytes = bytes(&evaluation(Score::DRAW, 5));
        // After side, depth, nodes, and the number of lines.
        bytes[12..14].copy_from_slice(&i16::MIN.to_le_bytes());
        assert_eq!(Evaluation::from_bytes(&bytes), None);
    }

    #[test]
    fn moves_off_the_board_are_detected() {
        let seven = Shape::square(7).unwrap();
        assert!(evaluation(Score::DRAW, 48).is_on(seven));
        assert!(!evaluation(Score::DRAW, 49).is_on(seven));
    }
}
