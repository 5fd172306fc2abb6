//! Proofs: what to play in every position that a winning side can be brought into.

use std::collections::HashMap;

use tafl_rules::position::Position;
use tafl_rules::{Cell, Move, Setup, Shape, Side};

use super::dfpn::{Child, ChildScope, GoalSearch, NO_BOUND};
use super::keys::Symmetries;

/// A proof that a side wins: a move for each position in which it is to move.
///
/// A proof is a statement, not an opinion: [`super::check`] goes through it with nothing but the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The side that wins.
    pub side: Side,
    /// Within how many plies it wins, whatever the other side does. There may be shorter ways.
    pub plies: u16,
    /// Whether a step also stands for the mirror images of its position.
    pub is_symmetric: bool,
    /// What to play, for each position at which the winning side can be brought to move.
    pub steps: Vec<ProofStep>,
    /// The moves of a longest line, the other side's choice where it has several.
    pub line: Vec<Move>,
}

/// What the winning side plays in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofStep {
    /// The position, as [`place`] writes it.
    pub place: String,
    /// Within how many plies it wins from there.
    pub plies: u16,
    /// The move.
    pub mv: Move,
}

/// Returns the text of a position in which the winning side is to move: a position record, and in a chain `+` and the cell
/// of the piece that goes on.
pub fn place(setup: &Setup, chain: Option<Cell>) -> String {
    match chain {
        Some(cell) => format!("{setup}+{}", setup.shape().name(cell)),
        None => setup.to_string(),
    }
}

/// Why a proof that was found cannot be written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoProof {
    /// Parts of it were forgotten, and finding them again failed.
    Forgotten,
    /// It has more steps than allowed.
    TooLarge,
}

/// The most steps of a proof.
pub(super) const MOST_STEPS: usize = 4_000_000;

/// At most so many positions are looked at again to find a forgotten part of a proof, and no more than the budget has left.
const AGAIN: u64 = 20_000_000;

/// Writes the proof down that a search has in its table.
pub(super) struct ProofWriter<'s, 'b, const N: usize> {
    search: &'s mut GoalSearch<'b, N>,
    shape: Shape,
    /// For each position its place among the steps, if the goal's side moves in it, and the plies to the win.
    done: HashMap<u64, (Option<usize>, u16)>,
    steps: Vec<ProofStep>,
    /// The positions that are being written down.
    under_way: Vec<u64>,
    /// So many positions may still be looked at again.
    left: u64,
    /// How many positions were looked at again.
    again: u64,
}

impl<'s, 'b, const N: usize> ProofWriter<'s, 'b, N> {
    /// Returns the proof for a position that the search has proven.
    ///
    /// Where parts of it were forgotten, at most `left` positions are looked at again; they count as the search's. What is
    /// only written down was counted when it was found.
    pub(super) fn write(
        search: &'s mut GoalSearch<'b, N>,
        pos: &Position<N>,
        bound: u16,
        symmetries: Symmetries,
        left: u64,
    ) -> Result<Proof, NoProof> {
        let (shape, side) = (search.book.shape(), search.goal);
        let (found, until) = (search.nodes, search.until);
        let (done, steps, under_way) = (HashMap::new(), Vec::new(), Vec::new());
        let mut writer = ProofWriter { search, shape, done, steps, under_way, left, again: 0 };
        let plies = writer.position(pos, bound);
        let line = if plies.is_ok() { writer.line(pos, bound) } else { Vec::new() };
        writer.search.until = until;
        writer.search.nodes = found + writer.again;
        let is_symmetric = symmetries == Symmetries::OfRules;
        Ok(Proof { side, plies: plies?, is_symmetric, steps: writer.steps, line })
    }

    /// Writes down what follows from a proven position, and returns within how many plies it is won.
    fn position(&mut self, pos: &Position<N>, bound: u16) -> Result<u16, NoProof> {
        let key = self.search.keys.key(pos);
        if let Some((_, plies)) = self.done.get(&key)
            && *plies <= bound
        {
            return Ok(*plies);
        }
        // With a bound, a position may come back with fewer plies left; without one that is a circle.
        let here = self.search.key(pos, bound);
        if self.under_way.contains(&here) {
            return Err(NoProof::Forgotten);
        }
        self.under_way.push(here);
        let plies = if pos.to_move() == self.search.goal {
            self.choice(pos, key, bound)
        } else {
            self.replies(pos, key, bound)
        };
        self.under_way.pop();
        plies
    }

    /// Writes down the move of the winning side.
    fn choice(&mut self, pos: &Position<N>, key: u64, bound: u16) -> Result<u16, NoProof> {
        let best = |children: Vec<Child<N>>| {
            children.into_iter().filter(|child| child.value.is_proven()).min_by_key(|child| child.value.plies)
        };
        let child = match best(self.children(pos, bound)) {
            Some(child) => child,
            None => {
                self.prove_again(pos, bound)?;
                best(self.children(pos, bound)).ok_or(NoProof::Forgotten)?
            }
        };
        let plies = 1 + if child.is_end { 0 } else { self.position(&child.pos, less(bound))? };
        let step = ProofStep { place: place(&pos.setup(self.shape), pos.chain()), plies, mv: child.mv };
        let at = match self.done.get(&key) {
            // The position came back on its own way and is won sooner there.
            Some((_, sooner)) if *sooner <= plies => return Ok(*sooner),
            Some((Some(at), _)) => {
                self.steps[*at] = step;
                *at
            }
            Some((None, _)) | None => {
                self.steps.push(step);
                self.steps.len() - 1
            }
        };
        if self.steps.len() > MOST_STEPS {
            return Err(NoProof::TooLarge);
        }
        self.done.insert(key, (Some(at), plies));
        Ok(plies)
    }

    /// Writes down what follows from every reply.
    fn replies(&mut self, pos: &Position<N>, key: u64, bound: u16) -> Result<u16, NoProof> {
        let mut children = self.children(pos, bound);
        if children.iter().any(|child| !child.value.is_proven()) {
            self.prove_again(pos, bound)?;
            children = self.children(pos, bound);
        }
        let mut plies = 0;
        for child in children {
            if !child.is_end {
                if child.value.is_disproven() {
                    return Err(NoProof::Forgotten);
                }
                plies = plies.max(self.position(&child.pos, less(bound))?);
            } else if !child.value.is_proven() {
                return Err(NoProof::Forgotten);
            }
        }
        let plies = plies + 1;
        match self.done.get(&key) {
            Some((_, sooner)) if *sooner <= plies => return Ok(*sooner),
            Some(_) | None => self.done.insert(key, (None, plies)),
        };
        Ok(plies)
    }

    /// Returns every child: the nearest win may come after one that is far.
    fn children(&mut self, pos: &Position<N>, bound: u16) -> Vec<Child<N>> {
        let mut children = Vec::new();
        self.search.children(pos, bound, ChildScope::All, &mut children);
        children
    }

    /// Searches a position whose proof was forgotten once more, as far as the limits allow.
    fn prove_again(&mut self, pos: &Position<N>, bound: u16) -> Result<(), NoProof> {
        if self.left == 0 || self.search.is_over_time() {
            return Err(NoProof::Forgotten);
        }
        let before = self.search.nodes;
        self.search.until = before.saturating_add(self.left.min(AGAIN));
        self.search.is_stopped = false;
        self.search.again(pos, bound);
        let spent = self.search.nodes - before;
        self.left = self.left.saturating_sub(spent);
        self.again += spent;
        Ok(())
    }

    /// Returns a longest line of the proof.
    fn line(&mut self, pos: &Position<N>, bound: u16) -> Vec<Move> {
        let (mut at, mut left, mut line) = (*pos, bound, Vec::new());
        loop {
            let children = self.children(&at, left);
            let plies = |child: &Child<N>| {
                let known = self.done.get(&self.search.keys.key(&child.pos)).map(|(_, plies)| *plies);
                if child.is_end { Some(0) } else { known }
            };
            let won = children.iter().filter(|child| child.value.is_proven());
            let known = won.filter_map(|child| plies(child).map(|plies| (plies, child)));
            let next = if at.to_move() == self.search.goal {
                known.min_by_key(|(plies, _)| *plies)
            } else {
                known.max_by_key(|(plies, _)| *plies)
            };
            let Some((_, child)) = next else { break };
            line.push(child.mv);
            if child.is_end || line.len() >= usize::from(u16::MAX) {
                break;
            }
            at = child.pos;
            left = less(left);
        }
        line
    }
}

fn less(bound: u16) -> u16 {
    if bound == NO_BOUND { NO_BOUND } else { bound - 1 }
}
