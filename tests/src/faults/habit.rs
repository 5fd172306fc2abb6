//! Faults that a writer makes again and again.

use tafl_parser::Record;
use tafl_rules::Rng;

use super::set_captures;

/// Removes the captures of at least two moves, but not of all.
pub(super) fn omitted_captures(record: &mut Record, rng: &mut Rng) -> Option<()> {
    let moves = &record.main().moves;
    let with: Vec<usize> = (0..moves.len()).filter(|at| moves[*at].n_captures > 0).collect();
    let omitted: Vec<usize> = with.iter().copied().filter(|_| rng.below(2) == 0).collect();
    if omitted.len() < 2 || omitted.len() == with.len() {
        return None;
    }
    omitted.into_iter().for_each(|at| set_captures(record, at, Vec::new()));
    Some(())
}
