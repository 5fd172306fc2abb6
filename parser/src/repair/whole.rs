//! Faults of a record as a whole: its result, board, rules, or start.

use tafl_rules::{Outcome, Reason, Setup, Shape, Side, catalog, shape_symmetries};

use super::candidate::{RepairCandidate, in_scope};
use super::edit::{Edit, EditScope};
use super::local::LocalChange;
use super::ply_budget::PlyBudget;
use super::popularity::popularity;
use super::prior::{Prior, RulesOrigin, StartBasis, VariantOrigin};
use super::relabel::Map;
use super::strict_replay::{Obstacle, ReplayReach, StrictReplay, Tail};
use crate::diagnostic::{CaptureFinding, Diagnostic, DiagnosticKind};
use crate::record::{WrittenCapture, WrittenMove, WrittenVerdict};
use crate::replay::{ChosenRules, Discrepancy, Replayer};

/// An obstacle within this number of moves may indicate a different board.
const SOON: usize = 4;

/// A search for faults of a record as a whole.
pub(super) struct WholeRecordSearch<'s, 'd> {
    pub(super) replay: &'s StrictReplay<'d>,
    pub(super) prior: Prior,
    pub(super) named: RulesOrigin,
    pub(super) budget: &'s PlyBudget,
    pub(super) found: &'s mut Vec<LocalChange>,
}

impl WholeRecordSearch<'_, '_> {
    fn candidate(&self) -> &RepairCandidate {
        self.replay.candidate
    }

    /// Returns the number of moves that cannot be played without an edit.
    fn unplayed_moves(&self) -> usize {
        self.replay.obstacle.as_ref().map_or(0, |(at, _)| self.replay.n_moves() - at)
    }

    fn note(&mut self, edit: Edit, cost: f64, fit: ReplayReach) {
        let cost = match fit {
            ReplayReach::Broken { left } if left >= self.unplayed_moves() => return,
            ReplayReach::Broken { .. } => cost,
            ReplayReach::Through { cost: events } => cost + events,
        };
        self.found.push(LocalChange { edit, cost, move_cost: 0.0, fit });
    }

    /// Tries an edit with the whole record.
    fn try_edit(&mut self, edit: Edit, cost: f64) {
        let mut candidate = self.candidate().clone();
        candidate.apply(&edit);
        let fit = StrictReplay::new(&candidate, self.budget).fit();
        self.note(edit, cost, fit);
    }

    /// Searches for other results and counts, if only those are wrong.
    pub(super) fn ends(&mut self, diagnostics: &[Diagnostic]) {
        if !self.replay.obstacle.is_none_or(|(_, why)| why.is_at_end()) {
            return;
        }
        let record = &self.candidate().record;
        let written = record.result.map(|result| result.verdict);
        let board = match self.replay.obstacle {
            Some((_, Obstacle::Differs(Discrepancy::Result { board, .. }))) => Some(Some(board)),
            Some((_, Obstacle::Differs(Discrepancy::LastWord { stated, .. }))) => {
                Some(Some(Outcome::win(stated, Reason::Resignation)))
            }
            Some((_, Obstacle::Differs(Discrepancy::NotOnBoard { .. }))) => Some(None),
            Some(_) | None => None,
        };
        let counts = record.capture_counts;
        if let (Some(board), Some(written)) = (board, written) {
            let right = match board {
                Some(Outcome { winner: Some(side), .. }) => WrittenVerdict::Win(side),
                Some(Outcome { winner: None, .. }) => WrittenVerdict::Draw,
                None => {
                    written.winner().map_or(WrittenVerdict::Unknown, |side| WrittenVerdict::Win(side.other()))
                }
            };
            self.try_edit(Edit::Result { written, right }, self.prior.result());
        }
        let is_won = matches!(written, Some(WrittenVerdict::Win(_)));
        if is_won && counts.is_some_and(|counts| counts.by.attackers != counts.by.defenders) {
            self.add_unchecked(Edit::ExchangeSides, self.prior.sides());
        }
        if let (Some(counts), None) = (counts, board) {
            let written = [counts.by.attackers, counts.by.defenders];
            // After an edit, the diagnostics of the record no longer apply.
            let listed = self.replay.n_listed().filter(|_| diagnostics.is_empty());
            let right = listed.map_or_else(
                || right_counts(written, diagnostics),
                |listed| [listed.attackers, listed.defenders],
            );
            if right != written {
                let n_wrong = (0..2).filter(|side| right[*side] != written[*side]).count();
                self.add_unchecked(Edit::Counts { written, right }, self.prior.counts(n_wrong));
            }
        }
    }

    /// Adds an edit that only a full replay can check.
    fn add_unchecked(&mut self, edit: Edit, cost: f64) {
        let fit = ReplayReach::Through { cost: 0.0 };
        self.found.push(LocalChange { edit, cost, move_cost: 0.0, fit });
    }

    /// Searches for another first mover, relabeled cells, and other starts.
    pub(super) fn board(&mut self) {
        let Some((obstacle, why)) = self.replay.obstacle else { return };
        if let Obstacle::Differs(Discrepancy::FirstMover { piece }) = why {
            let right = piece.side;
            let of_rules = self.candidate().rules.book.rules().first_mover;
            let written = match self.candidate().record.first_mover {
                Some(side) if side != of_rules => StartBasis::ByRecord,
                Some(_) | None => StartBasis::ByRules,
            };
            self.try_edit(Edit::FirstMover { right }, self.prior.first_mover(written));
        }
        let maps = Map::all(self.replay.shape);
        for map in &maps {
            for scope in
                [EditScope::Whole, EditScope::Moves(Side::Attackers), EditScope::Moves(Side::Defenders)]
            {
                self.relabeled(map, scope, maps.len(), 0);
            }
            for at in 1..=obstacle.min(self.replay.n_moves().saturating_sub(1)) {
                self.relabeled(map, EditScope::From(at), maps.len(), at);
            }
        }
        self.starts();
    }

    fn relabeled(&mut self, map: &Map, scope: EditScope, n_maps: usize, from: usize) {
        let record = &self.candidate().record;
        let moves = &record.main().moves;
        let fit = match scope {
            EditScope::From(_) => {
                // Only the moves from this position on matter, and most attempts fail at the first of them.
                if !self.is_playable(map, from) {
                    return;
                }
                let (moves, captures) = (map.moves(moves), map.captures(&record.captures));
                self.replay.run(from, &[], mapped_tail(&moves, &captures, self.replay.tail(from)))
            }
            EditScope::Whole | EditScope::Moves(_) => {
                let first = record.first_mover.unwrap_or(self.candidate().rules.book.rules().first_mover);
                let n_captures = record.captures.len() as u32;
                let captures = [record.captures.clone(), map.captures(&record.captures)].concat();
                let image = |(mv, is_meant): (&WrittenMove, bool)| {
                    if is_meant {
                        let image = map.moves(std::slice::from_ref(mv))[0];
                        WrittenMove { first_capture: mv.first_capture + n_captures, ..image }
                    } else {
                        *mv
                    }
                };
                let moves: Vec<WrittenMove> =
                    moves.iter().zip(in_scope(moves, scope, first)).map(image).collect();
                self.replay.run(from, &[], mapped_tail(&moves, &captures, self.replay.tail(from)))
            }
        };
        let edit = Edit::Relabel { relabel: map.relabel, scope, shape: self.replay.shape };
        if matches!(fit, ReplayReach::Through { .. }) {
            self.note(edit, self.prior.relabeled(scope, n_maps), fit);
        }
    }

    /// Returns whether a move is legal with relabeled cells.
    fn is_playable(&self, map: &Map, at: usize) -> bool {
        let mv = self.candidate().record.main().moves[at];
        let shape = self.replay.shape;
        let cells = shape.cell(map.image(mv.from)).zip(shape.cell(map.image(mv.to)));
        cells.is_some_and(|(from, to)| {
            self.replay.states[at].game().check(tafl_rules::Move::new(from, to)).is_ok()
        })
    }

    fn starts(&mut self) {
        let rules = self.candidate().rules.book.rules();
        let written = self.candidate().record.start_on(self.replay.shape);
        let now = written.unwrap_or(&rules.start).clone();
        let mut starts: Vec<(Setup, String)> = Vec::new();
        let mut add = |setup: Setup, from: String| {
            if setup != now && starts.iter().all(|(known, _)| *known != setup) {
                starts.push((setup, from));
            }
        };
        add(rules.start.clone(), "that of the rules".to_owned());
        for symmetry in shape_symmetries(self.replay.shape).iter().skip(1) {
            let words = symmetry.describe(self.replay.shape);
            add(now.mapped(|cell| symmetry.image(cell)), format!("the same {words}"));
        }
        for variant in catalog::all() {
            let setup = variant.rules().start;
            if setup.shape() == self.replay.shape {
                add(setup, format!("that of {}", variant.name));
            }
        }
        let n_starts = starts.len();
        let basis = if written.is_some() { StartBasis::ByRecord } else { StartBasis::ByRules };
        for (right, from) in starts {
            self.try_edit(Edit::Start { right, from: from.into() }, self.prior.start(basis, n_starts));
        }
    }

    /// Tries variants whose names are similar to the unknown one.
    pub(super) fn similar(&mut self, replayer: &mut Replayer, name: &str) {
        for (nth, near) in catalog::similar(name).into_iter().enumerate() {
            let Some(chosen) = replayer.by_name(near) else { continue };
            let Some(right) = chosen.variant else { continue };
            let edit = Edit::Variant { written: None, right };
            let mut candidate = self.candidate().clone();
            candidate.rules = chosen;
            candidate.apply(&edit);
            let fit = StrictReplay::new(&candidate, self.budget).fit();
            let cost = self.prior.misspelled(nth, name, near);
            self.found.push(LocalChange { edit, cost, move_cost: 0.0, fit });
        }
    }

    /// Searches for other catalog variants that agree with the whole record.
    pub(super) fn variants(&mut self, replayer: &mut Replayer) {
        let Some((obstacle, why)) = self.replay.obstacle else { return };
        let is_other_board =
            obstacle < SOON || matches!(why, Obstacle::Differs(Discrepancy::OffBoard { .. }));
        let present = self.candidate().rules.clone();
        let candidates: Vec<_> = catalog::all()
            .filter_map(|variant| replayer.by_name(variant.name))
            .filter(|chosen| chosen.variant != present.variant)
            .filter(|chosen| is_other_board || chosen.book.shape() == self.replay.shape)
            .collect();
        let n_variants = candidates.len();
        let popularity_of = |chosen: &ChosenRules| chosen.variant.map_or(0.0, popularity);
        // The cells tell the board, so the shares are those among the variants of the same board.
        let on_board = |shape: Shape| {
            let same = candidates.iter().filter(|other| other.book.shape() == shape);
            same.map(|other| popularity_of(other)).sum::<f64>()
        };
        let shares: Vec<f64> = candidates
            .iter()
            .map(|chosen| popularity_of(chosen) / on_board(chosen.book.shape()).max(f64::MIN_POSITIVE))
            .collect();
        for (chosen, share) in candidates.into_iter().zip(shares) {
            let Some(right) = chosen.variant else { continue };
            let edit = Edit::Variant { written: present.variant, right };
            let mut candidate = self.candidate().clone();
            candidate.rules = chosen;
            candidate.apply(&edit);
            let fit = StrictReplay::new(&candidate, self.budget).fit();
            if matches!(fit, ReplayReach::Through { .. }) {
                let source = if catalog::published().any(|variant| variant.name == right) {
                    VariantOrigin::Published
                } else {
                    VariantOrigin::PlaySite
                };
                self.note(edit, self.prior.variant(self.named, source, n_variants, share), fit);
            }
        }
    }
}

/// Returns a tail with relabeled cells.
fn mapped_tail<'t>(moves: &'t [WrittenMove], captures: &'t [WrittenCapture], tail: Tail<'_>) -> Tail<'t> {
    Tail { moves, captures, from: tail.from, word: tail.word, skips_board: tail.skips_board }
}

/// Returns the numbers of captures that are correct according to the diagnostics.
fn right_counts(written: [u32; 2], diagnostics: &[Diagnostic]) -> [u32; 2] {
    let mut right = written;
    for found in diagnostics {
        if let DiagnosticKind::Capture(CaptureFinding::Count { by, marks: n, .. })
        | DiagnosticKind::Capture(CaptureFinding::CountOfMade { by, made: n, .. }) = found.kind
        {
            right[by.index()] = n;
        }
    }
    right
}
