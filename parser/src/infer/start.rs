//! The starts of games according to their own moves: moves must begin on occupied cells and end on empty
//! ones. If captures are written, no capture rules are needed.

use std::collections::HashSet;

use tafl_rules::{Setup, Side, catalog};

use super::game::GameEvidence;
use crate::record::{CaptureStyle, Record};

/// The minimum mean proportion of a game that must be possible from a start for it to count as known. A
/// choice: records of a right start fall below 1 only by their own errors, and those of a wrong one stop early.
pub(super) const KNOWN: f64 = 0.85;

/// Candidate starts with pieces of the same sides on the same cells, and the possible proportion of each game.
/// The roles of the pieces don't matter at this stage.
struct StartCandidate {
    setups: Vec<Setup>,
    shares: Vec<f64>,
}

/// Records with the same start.
pub(super) struct StartGroup {
    /// The known starts with pieces of the same sides on the same cells; at least one.
    pub(super) setups: Vec<Setup>,
    pub(super) records: Vec<usize>,
    /// The mean possible proportion of a game.
    pub(super) share: f64,
}

/// Returns the records grouped by the known start that fits them best, largest group first, and the records
/// that fit none.
pub(super) fn group(records: &[&Record], own: &[Setup]) -> (Vec<StartGroup>, Vec<usize>) {
    let mut starts: Vec<Setup> = own.to_vec();
    starts.extend(records.iter().filter_map(|record| Some(record.start.as_ref()?.setup.clone())));
    starts.extend(catalog::all().flat_map(|variant| {
        let others: Vec<Setup> = variant.other_editions().map(|(_, rules)| rules.start).collect();
        std::iter::once(variant.rules().start).chain(others)
    }));
    let mut seen = HashSet::new();
    starts.retain(|start| seen.insert(start.clone()));
    let mut alike: Vec<Vec<Setup>> = Vec::new();
    for start in starts {
        match alike.iter_mut().find(|others| are_alike(&others[0], &start)) {
            Some(others) => others.push(start),
            None => alike.push(vec![start]),
        }
    }
    let possible: Vec<StartCandidate> = alike
        .into_iter()
        .map(|setups| StartCandidate {
            shares: records.iter().map(|record| share(record, &setups[0])).collect(),
            setups,
        })
        .collect();
    assign(records, &possible)
}

/// Returns whether two setups have pieces of the same sides on the same cells.
fn are_alike(one: &Setup, other: &Setup) -> bool {
    let sides = |setup: &Setup| setup.pieces().map(|(cell, piece)| (cell, piece.side)).collect::<Vec<_>>();
    one.shape() == other.shape() && sides(one) == sides(other)
}

fn assign(records: &[&Record], possible: &[StartCandidate]) -> (Vec<StartGroup>, Vec<usize>) {
    let best: Vec<f64> = (0..records.len())
        .map(|nth| possible.iter().map(|start| start.shares[nth]).fold(0.0, f64::max))
        .collect();
    let mut left: Vec<usize> =
        (0..records.len()).filter(|nth| !records[*nth].main().moves.is_empty()).collect();
    let mut groups: Vec<StartGroup> = Vec::new();
    let fits = |start: &StartCandidate, nth: usize| {
        let written = records[nth].start.as_ref();
        written.is_none_or(|written| start.setups.contains(&written.setup))
            && start.shares[nth] >= 0.3
            && start.shares[nth] >= best[nth] - 0.02
    };
    loop {
        let counts = possible.iter().map(|start| {
            let fitting: Vec<usize> = left.iter().copied().filter(|nth| fits(start, *nth)).collect();
            // Games from the same start may contain errors, so games that fit to the end are weighted more.
            let whole: f64 = left.iter().map(|nth| start.shares[*nth]).sum();
            (fitting, whole, start)
        });
        // Among equals the first one in the catalog wins.
        let most = counts.reduce(
            |best, next| {
                if (next.0.len(), next.1) > (best.0.len(), best.1) { next } else { best }
            },
        );
        let Some((fitting, _, start)) = most.filter(|(fitting, _, _)| !fitting.is_empty()) else { break };
        let taken: HashSet<usize> = fitting.iter().copied().collect();
        left.retain(|nth| !taken.contains(nth));
        let share = fitting.iter().map(|nth| start.shares[*nth]).sum::<f64>() / fitting.len() as f64;
        groups.push(StartGroup { setups: start.setups.clone(), records: fitting, share });
    }
    fold_small(&mut groups, possible);
    (groups, left)
}

/// Merges games that fit another start slightly better, because of an error, into the large group.
fn fold_small(groups: &mut Vec<StartGroup>, possible: &[StartCandidate]) {
    let total: usize = groups.iter().map(|group| group.records.len()).sum();
    while groups.len() > 1 {
        let Some(last) = groups.last() else { break };
        let is_small = last.records.len() < 3.max(total / 50);
        let near = groups[..groups.len() - 1].iter().position(|group| {
            let Some(start) = possible.iter().find(|start| start.setups == group.setups) else {
                return false;
            };
            let sum: f64 = last.records.iter().map(|nth| start.shares[*nth]).sum();
            let here = sum / last.records.len() as f64;
            group.setups[0].shape() == last.setups[0].shape() && (is_small || here > 0.97) && here >= 0.2
        });
        let Some(near) = near else { break };
        let Some(small) = groups.pop() else { break };
        groups[near].records.extend(small.records);
        groups[near].records.sort_unstable();
    }
}

/// Returns the proportion of a game that is possible from a start: its moves before the first one that begins on
/// an empty cell or ends on an occupied one.
pub(super) fn share(record: &Record, start: &Setup) -> f64 {
    let shape = start.shape();
    let moves = &record.main().moves;
    if moves.iter().any(|mv| !shape.has(mv.from) || !shape.has(mv.to)) {
        return 0.0;
    }
    let evidence = GameEvidence::new(0, record, shape);
    let lists_captures = evidence.style != CaptureStyle::NotWritten;
    let mut board = start.clone();
    let mut last: Option<Side> = None;
    for (nth, step) in evidence.steps.iter().enumerate() {
        let piece = board.piece(step.mv.from);
        let is_turn = |side: Side| step.is_chained || last.is_none_or(|last| last != side);
        let is_possible = piece.is_some_and(|piece| is_turn(piece.side))
            && (!lists_captures || board.piece(step.mv.to).is_none() || step.mv.from == step.mv.to);
        if !is_possible {
            return nth as f64 / evidence.steps.len() as f64;
        }
        last = piece.map(|piece| piece.side);
        board.put(step.mv.from, None);
        board.put(step.mv.to, piece);
        for cell in step.marks.iter().filter(|cell| *cell != step.mv.to) {
            board.put(cell, None);
        }
    }
    1.0
}
