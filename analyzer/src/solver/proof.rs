//! Proofs: a move of the winning side for every position that it can reach.

use std::collections::HashMap;

use tafl_rules::{Cell, Move, Position, Setup, Shape, Side};

use super::dfpn::{ChildScope, GoalSearch, NO_BOUND, ProofChild};
use super::keys::Symmetries;

/// A proof that a side wins: a move for each position in which it may have to move.
///
/// A proof is a statement, not an estimate: [`check_certificate`](crate::check_certificate) verifies it with the rules alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The side that wins.
    pub side: Side,
    /// The number of plies within which it wins against every defense. There may be shorter wins.
    pub plies: u16,
    /// Whether a step also stands for the mirror images of its position.
    pub is_symmetric: bool,
    /// The moves, one for each position in which the winning side may have to move.
    pub steps: Vec<ProofStep>,
    /// A longest line of the proof. Among equally long replies, the choice is arbitrary.
    pub line: Vec<Move>,
}

/// A move of the winning side in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofStep {
    /// The position: a position record, followed in a chain by `+` and the cell of the piece that must
    /// move again.
    pub position: String,
    /// The number of plies within which it wins from there.
    pub plies: u16,
    /// The move.
    pub mv: Move,
}

/// Returns the text of a position with the winning side to move: a position record, followed in a
/// chain by `+` and the cell of the piece that must move again.
pub(super) fn proof_position(setup: &Setup, chain: Option<Cell>) -> String {
    match chain {
        Some(cell) => format!("{setup}+{}", setup.shape().name(cell)),
        None => setup.to_string(),
    }
}

/// The reason why a proof cannot be extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoProof {
    /// Parts of it were overwritten, and searching them again failed.
    Forgotten,
    /// It has too many steps.
    TooLarge,
}

/// The maximum number of steps of a proof.
pub(super) const MAX_STEPS: usize = 4_000_000;

/// The maximum number of nodes visited to recover one overwritten part of a proof. The budget may
/// allow fewer.
const MAX_RECOVERY_NODES: u64 = 20_000_000;

/// Extracts a proof from the table of a search.
pub(super) struct ProofExtractor<'s, 'b, const N: usize> {
    search: &'s mut GoalSearch<'b, N>,
    shape: Shape,
    /// The index of the step and the number of plies for each position; no index if the losing side
    /// is to move.
    done: HashMap<u64, (Option<usize>, u16)>,
    steps: Vec<ProofStep>,
    /// The positions being extracted.
    in_progress: Vec<u64>,
    /// The number of nodes that may still be visited to recover overwritten parts.
    left: u64,
    /// The number of nodes visited to recover overwritten parts.
    recovery_nodes: u64,
}

impl<'s, 'b, const N: usize> ProofExtractor<'s, 'b, N> {
    /// Returns the proof of a position proven by the search.
    ///
    /// If parts of it were overwritten, visits at most `left` nodes, which count as nodes of the
    /// search. Other positions were counted when they were first visited.
    pub(super) fn extract(
        search: &'s mut GoalSearch<'b, N>,
        pos: &Position<N>,
        bound: u16,
        symmetries: Symmetries,
        left: u64,
    ) -> Result<Proof, NoProof> {
        let (shape, side) = (search.book.shape(), search.goal);
        let (found, until) = (search.nodes, search.until);
        let (done, steps, in_progress) = (HashMap::new(), Vec::new(), Vec::new());
        let mut extractor =
            ProofExtractor { search, shape, done, steps, in_progress, left, recovery_nodes: 0 };
        let plies = extractor.position(pos, bound);
        let line = if plies.is_ok() { extractor.line(pos, bound) } else { Vec::new() };
        extractor.search.until = until;
        extractor.search.nodes = found + extractor.recovery_nodes;
        let is_symmetric = symmetries == Symmetries::OfRules;
        Ok(Proof { side, plies: plies?, is_symmetric, steps: extractor.steps, line })
    }

    /// Extracts the proof of a position and returns the number of plies within which it is won.
    fn position(&mut self, pos: &Position<N>, bound: u16) -> Result<u16, NoProof> {
        let key = self.search.keys.key(pos);
        if let Some((_, plies)) = self.done.get(&key)
            && *plies <= bound
        {
            return Ok(*plies);
        }
        // With a bound, a position may recur with fewer plies left; without a bound this would be a
        // cycle.
        let here = self.search.key(pos, bound);
        if self.in_progress.contains(&here) {
            return Err(NoProof::Forgotten);
        }
        self.in_progress.push(here);
        let plies = if pos.to_move() == self.search.goal {
            self.choice(pos, key, bound)
        } else {
            self.replies(pos, key, bound)
        };
        self.in_progress.pop();
        plies
    }

    /// Extracts the move of the winning side.
    fn choice(&mut self, pos: &Position<N>, key: u64, bound: u16) -> Result<u16, NoProof> {
        let best = |children: Vec<ProofChild<N>>| {
            children.into_iter().filter(|child| child.value.is_proven()).min_by_key(|child| child.value.plies)
        };
        let child = match best(self.children(pos, bound)) {
            Some(child) => child,
            None => {
                self.prove_again(pos, bound)?;
                best(self.children(pos, bound)).ok_or(NoProof::Forgotten)?
            }
        };
        let plies = 1 + if child.is_end { 0 } else { self.position(&child.pos, one_less(bound))? };
        let step =
            ProofStep { position: proof_position(&pos.setup(self.shape), pos.chain()), plies, mv: child.mv };
        let at = match self.done.get(&key) {
            // The position was reached again on its own path and is won faster there.
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
        if self.steps.len() > MAX_STEPS {
            return Err(NoProof::TooLarge);
        }
        self.done.insert(key, (Some(at), plies));
        Ok(plies)
    }

    /// Extracts the proofs for all replies.
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
                plies = plies.max(self.position(&child.pos, one_less(bound))?);
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

    /// Returns all children, because the fastest win may not be the first one found.
    fn children(&mut self, pos: &Position<N>, bound: u16) -> Vec<ProofChild<N>> {
        let mut children = Vec::new();
        self.search.children(pos, bound, ChildScope::All, &mut children);
        children
    }

    /// Searches an overwritten position again, as far as the limits allow.
    fn prove_again(&mut self, pos: &Position<N>, bound: u16) -> Result<(), NoProof> {
        if self.left == 0 || self.search.is_over_time() {
            return Err(NoProof::Forgotten);
        }
        let before = self.search.nodes;
        self.search.until = before.saturating_add(self.left.min(MAX_RECOVERY_NODES));
        self.search.is_stopped = false;
        self.search.search_again(pos, bound);
        let spent = self.search.nodes - before;
        self.left = self.left.saturating_sub(spent);
        self.recovery_nodes += spent;
        Ok(())
    }

    /// Returns a longest line of the proof.
    fn line(&mut self, pos: &Position<N>, bound: u16) -> Vec<Move> {
        let (mut at, mut left, mut line) = (*pos, bound, Vec::new());
        loop {
            let children = self.children(&at, left);
            let plies = |child: &ProofChild<N>| {
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
            left = one_less(left);
        }
        line
    }
}

fn one_less(bound: u16) -> u16 {
    if bound == NO_BOUND { NO_BOUND } else { bound - 1 }
}
