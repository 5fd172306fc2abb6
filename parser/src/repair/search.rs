//! The search for repairs: single edits first, then combinations if no single edit leads to the end.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use tafl_rules::{RuleSet, Span};

use super::candidate::RepairCandidate;
use super::edit::{Edit, WritingError};
use super::local::{LocalChange, LocalSearch, Reach};
use super::ply_budget::PlyBudget;
use super::prior::{ANYTHING, Prior, RulesOrigin, UNKNOWN_VARIANT};
use super::strict_replay::{ReplayReach, StrictReplay};
use super::whole::WholeRecordSearch;
use super::{Repair, defects, evidence, is_late, plausibility};
use crate::diagnostic::Diagnostic;
use crate::record::Record;
use crate::replay::{Replay, Replayer, Soundness};
use crate::source::Source;

// The limits of the search are choices between time and completeness: docs/repair.md measures both.

/// The beam width: the number of unfinished repairs that are pursued.
const BEAM: usize = 8;
/// The maximum number of repairs that are returned.
const MAX_KEPT: usize = 24;
/// The maximum number of repairs whose games are compared: about the legal moves of a position, because any of them may be
/// the missing one.
const MAX_COMPARED: usize = 96;
/// The maximum number of repairs that are replayed; more expensive ones are only counted.
const MAX_REPLAYED: usize = 400;
/// The reward of an unfinished repair for each further move that it lets be played, in units of cost. A
/// choice: 25 more moves outweigh one fault, whose cost is about 8.
const PROGRESS: f64 = 0.35;

/// A search for the repairs of a record.
pub(super) struct RepairSearch<'s> {
    pub(super) replayer: &'s mut Replayer,
    pub(super) source: Source<'s>,
    pub(super) named: RulesOrigin,
    /// The unknown variant name of the record, if any.
    pub(super) unknown: Option<&'s str>,
    pub(super) max_edits: usize,
    pub(super) budget: PlyBudget,
    /// The sum of the probabilities of explanations that are not repairs, see [`RepairSearch::other_variants`].
    pub(super) unrepaired: f64,
}

/// The result of a search.
pub(super) struct RepairSearchResult {
    /// The repairs, best first.
    pub(super) repairs: Vec<Repair>,
    /// The maximum number of moves that can be played after an edit that does not lead to the end.
    pub(super) furthest: usize,
    /// The number of further repairs.
    pub(super) n_more: usize,
    /// Whether the search was stopped at its limit.
    pub(super) is_given_up: bool,
    /// Other variants by which the record as it is agrees with itself, most probable first, if the user requires the rules.
    pub(super) other_variants: Vec<&'static str>,
}

/// A partially repaired record.
#[derive(Clone)]
struct Node {
    candidate: RepairCandidate,
    edits: Vec<Edit>,
    places: Vec<Span>,
    cost: f64,
    /// The part of the cost for the improbability of the proposed moves.
    move_cost: f64,
}

impl Node {
    /// Returns the parameters of the costs of further edits.
    fn prior(&self, replay: &StrictReplay<'_>) -> Prior {
        let has_capture_habit = self.edits.iter().any(|edit| !edit.is_counted());
        Prior { shape: replay.shape, n_moves: replay.n_moves(), has_capture_habit }
    }

    /// Returns the number of edits that count toward the maximum.
    fn n_counted(&self) -> usize {
        self.edits.iter().filter(|edit| edit.is_counted()).count()
    }
}

/// An edit of a node.
struct EditedNode {
    parent: usize,
    found: LocalChange,
}

impl RepairSearch<'_> {
    /// Searches for repairs of a record with these diagnostics.
    pub(super) fn run(
        mut self,
        candidate: RepairCandidate,
        diagnostics: &[Diagnostic],
    ) -> RepairSearchResult {
        let n_moves = candidate.record.main().moves.len();
        let mut nodes =
            vec![Node { candidate, edits: Vec::new(), places: Vec::new(), cost: 0.0, move_cost: 0.0 }];
        let mut furthest = 0;
        let other_variants = match self.named {
            RulesOrigin::User => self.other_variants(&nodes[0]),
            RulesOrigin::Record | RulesOrigin::Guess => Vec::new(),
        };
        // A habit in the lists of captures is an edit beyond the maximum.
        for level in 1..=self.max_edits + 1 {
            nodes.retain(|node| node.n_counted() < self.max_edits);
            let mut children = Vec::new();
            for (parent, node) in nodes.iter().enumerate() {
                let found = self.children(node, (level == 1).then_some(diagnostics));
                children.extend(found.into_iter().map(|found| EditedNode { parent, found }));
            }
            let (through, broken): (Vec<EditedNode>, Vec<EditedNode>) = children
                .into_iter()
                .partition(|child| matches!(child.found.fit, ReplayReach::Through { .. }));
            let (repairs, n_more) = self.rank_repairs(&nodes, through);
            if !repairs.is_empty() || self.budget.is_spent() {
                let is_given_up = self.budget.is_spent();
                return RepairSearchResult { repairs, furthest, n_more, is_given_up, other_variants };
            }
            let left = broken.iter().filter_map(|child| unplayed_moves(child.found.fit)).min();
            furthest = furthest.max(left.map_or(0, |left| n_moves.saturating_sub(left)));
            nodes = self.follow(&nodes, broken);
        }
        RepairSearchResult { repairs: Vec::new(), furthest, n_more: 0, is_given_up: false, other_variants }
    }

    /// Returns the other variants by which a record agrees with itself without a change, most probable first, and adds up
    /// their probabilities: a repair is not sure if the required rules may be the mistake.
    fn other_variants(&mut self, node: &Node) -> Vec<&'static str> {
        let mut found = Vec::new();
        {
            let replay = StrictReplay::new(&node.candidate, &self.budget);
            let (prior, named, budget) = (node.prior(&replay), self.named, &self.budget);
            let mut whole = WholeRecordSearch { replay: &replay, prior, named, budget, found: &mut found };
            whole.variants(self.replayer);
        }
        found.sort_by(|one, other| one.cost.total_cmp(&other.cost));
        let mut names = Vec::new();
        for change in found {
            let &Edit::Variant { right, .. } = &change.edit else { continue };
            let child = self.child(node, &change);
            let replay = self.replayer.replay_by(&child.candidate.record, &child.candidate.rules, Vec::new());
            if is_right(&child.candidate, &replay) {
                names.push(right);
                self.unrepaired += (-change.cost).exp();
            }
        }
        names
    }

    /// Returns the edits of a node that let more of the record be played.
    fn children(&mut self, node: &Node, first: Option<&[Diagnostic]>) -> Vec<LocalChange> {
        let replay = StrictReplay::new(&node.candidate, &self.budget);
        let prior = node.prior(&replay);
        let mut found = Vec::new();
        let mut whole = WholeRecordSearch {
            replay: &replay,
            prior,
            named: self.named,
            budget: &self.budget,
            found: &mut found,
        };
        whole.ends(first.unwrap_or(&[]));
        if let Some(unknown) = self.unknown {
            whole.similar(self.replayer, unknown);
        }
        if first.is_some() {
            whole.board();
            if self.named != RulesOrigin::User {
                whole.variants(self.replayer);
            }
        }
        let mut local = LocalSearch { replay: &replay, source: &self.source, prior, found: &mut found };
        local.search(Reach::WritingErrors);
        let is_done = |found: &LocalChange| matches!(found.fit, ReplayReach::Through { .. });
        let reach = if found.iter().any(is_done) { Reach::AnyMove } else { Reach::AnyMoveNear };
        let mut local = LocalSearch { replay: &replay, source: &self.source, prior, found: &mut found };
        local.search(reach);
        // A combination of an arbitrary move and another edit explains anything, so it is not a repair.
        found.retain(|found| {
            is_done(found) || !matches!(found.edit, Edit::Replace { error: WritingError::Other, .. })
        });
        found
    }

    /// Replays the cheapest of the records that should now be right, and ranks those that are. Also returns
    /// the number of further ones.
    fn rank_repairs(&mut self, nodes: &[Node], mut through: Vec<EditedNode>) -> (Vec<Repair>, usize) {
        let cost = |child: &EditedNode| nodes[child.parent].cost + child.found.cost;
        through.sort_by(|one, other| cost(one).total_cmp(&cost(other)));
        let mut repairs: Vec<(u64, Repair)> = Vec::new();
        let mut move_costs = Vec::new();
        let mut n_examined = 0;
        for child in through.iter().take(MAX_REPLAYED) {
            if repairs.len() == MAX_COMPARED {
                break;
            }
            n_examined += 1;
            let node = self.child(&nodes[child.parent], &child.found);
            let key = key(&node);
            if let Some((_, known)) = repairs.iter_mut().find(|(other, _)| *other == key) {
                // Another derivation of the same record makes it more probable.
                known.cost = -((-known.cost).exp() + (-node.cost).exp()).ln();
                continue;
            }
            let replay = self.replayer.replay_by(&node.candidate.record, &node.candidate.rules, Vec::new());
            if !is_right(&node.candidate, &replay) {
                continue;
            }
            let evidence = evidence::of(&node.candidate.record, &replay, &node.edits);
            let Node { candidate, edits, places, cost, move_cost } = node;
            move_costs.push(move_cost);
            let RepairCandidate { record, rules, .. } = candidate;
            repairs.push((
                key,
                Repair { edits, places, cost, confidence: 0.0, evidence, record, rules, replay },
            ));
        }
        let mut repairs: Vec<Repair> = repairs.into_iter().map(|(_, repair)| repair).collect();
        if repairs.len() > 1 {
            plausibility::refine(&mut repairs, &move_costs);
        }
        repairs.sort_by(|one, other| one.cost.total_cmp(&other.cost));
        let rest: f64 = through[n_examined..].iter().map(|child| (-cost(child)).exp()).sum();
        let found = repairs.iter().map(|repair| (-repair.cost).exp()).sum::<f64>();
        let sum = found + rest + (-self.anything()).exp() + self.unrepaired;
        for repair in &mut repairs {
            repair.confidence = (-repair.cost).exp() / sum;
        }
        let n_left = repairs.len().saturating_sub(MAX_KEPT);
        repairs.truncate(MAX_KEPT);
        (repairs, through.len() - n_examined + n_left)
    }

    /// Returns the cost of an unknown cause. For an unknown variant name, the most probable cause is a
    /// variant missing in the catalog.
    fn anything(&self) -> f64 {
        if self.unknown.is_some() { UNKNOWN_VARIANT } else { ANYTHING }
    }

    /// Returns the nodes worth pursuing: far and cheap ones.
    fn follow(&mut self, nodes: &[Node], mut broken: Vec<EditedNode>) -> Vec<Node> {
        let worth = |child: &EditedNode| {
            let left = unplayed_moves(child.found.fit).unwrap_or(0) as f64;
            nodes[child.parent].cost + child.found.cost + PROGRESS * left
        };
        broken.sort_by(|one, other| worth(one).total_cmp(&worth(other)));
        let mut next: Vec<Node> = Vec::new();
        let mut seen = Vec::new();
        for child in broken {
            let node = self.child(&nodes[child.parent], &child.found);
            let key = key(&node);
            if !seen.contains(&key) {
                seen.push(key);
                next.push(node);
            }
            if next.len() == BEAM {
                break;
            }
        }
        next
    }

    /// Returns a node with an edit applied; a change of the variant also sets its rules.
    fn child(&mut self, node: &Node, found: &LocalChange) -> Node {
        let mut next = node.clone();
        if let Edit::Variant { right, .. } = &found.edit
            && let Some(chosen) = self.replayer.by_name(right)
        {
            next.candidate.rules = chosen;
        }
        next.places.push(place(&node.candidate, &found.edit));
        next.candidate.apply(&found.edit);
        next.edits.push(found.edit.clone());
        next.cost += found.cost;
        next.move_cost += found.move_cost;
        next
    }
}

fn unplayed_moves(fit: ReplayReach) -> Option<usize> {
    match fit {
        ReplayReach::Broken { left } => Some(left),
        ReplayReach::Through { .. } => None,
    }
}

/// Returns whether a record has no errors left that an edit could fix.
fn is_right(candidate: &RepairCandidate, replay: &Replay) -> bool {
    let is_explained = !candidate.record.format.is_lossy() || replay.soundness() == Soundness::Sound;
    let is_game = !candidate.record.main().moves.is_empty();
    candidate.words.is_empty()
        && is_game
        && is_explained
        && !defects(&candidate.record, replay).any(|found| !is_late(found))
}

/// Returns the span of an edit.
fn place(candidate: &RepairCandidate, edit: &Edit) -> Span {
    let record = &candidate.record;
    let moves = &record.main().moves;
    let last = || moves.last().map_or(Span::at(0), |mv| Span::at(mv.span.end as usize));
    let of_move = |at: usize| moves.get(at).map_or_else(last, |mv| mv.span);
    match edit {
        Edit::Read { word, .. } | Edit::Ignore { word, .. } => *word,
        Edit::Result { .. } | Edit::ExchangeSides => record.result.map_or_else(last, |result| result.span),
        Edit::Counts { .. } => {
            record.capture_counts.map_or_else(last, |c| c.spans.attackers.cover(c.spans.defenders))
        }
        Edit::Variant { .. } => match (&record.variant, &record.rules) {
            (Some(written), _) | (None, Some(written)) => written.span,
            (None, None) => of_move(0),
        },
        Edit::Start { .. } => record.start.as_ref().map_or_else(|| of_move(0), |start| start.span),
        Edit::Replace { at, .. }
        | Edit::Insert { at, .. }
        | Edit::Remove { at, .. }
        | Edit::Swap { at, .. }
        | Edit::Captures { at, .. } => of_move(*at),
        Edit::AllCaptures { .. } | Edit::Relabel { .. } | Edit::FirstMover { .. } => {
            of_move(edit.at().unwrap_or(0))
        }
    }
}

/// Returns the rules by which a record is played, with its start and first mover, as a canonical string
/// without names.
pub(super) fn effective_rules(record: &Record, rules: &RuleSet) -> String {
    let mut rules = RuleSet { name: None, ..rules.clone() };
    if let Some(setup) = record.start_on(rules.shape()) {
        rules.start = setup.clone();
    }
    rules.first_mover = record.first_mover.unwrap_or(rules.first_mover);
    rules.to_string()
}

/// Returns a hash that is equal for records with the same game.
fn key(node: &Node) -> u64 {
    let record = &node.candidate.record;
    let mut hasher = DefaultHasher::new();
    for mv in &record.main().moves {
        (mv.from, mv.to).hash(&mut hasher);
        record.captures_of(mv).iter().for_each(|capture| capture.cell.hash(&mut hasher));
    }
    record.result.map(|result| result.verdict).hash(&mut hasher);
    record.capture_counts.map(|counts| [counts.by.attackers, counts.by.defenders]).hash(&mut hasher);
    effective_rules(record, node.candidate.rules.book.rules()).hash(&mut hasher);
    node.candidate.words.len().hash(&mut hasher);
    hasher.finish()
}
