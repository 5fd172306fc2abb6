//! The kinds of discrepancies that are counted against rules.

use tafl_rules::Reason;

use crate::replay::Discrepancy;

/// The number of kinds of discrepancies that are counted separately.
pub(super) const N_KINDS: usize = PLAYS_ON + Reason::ALL.len();
// A trial keeps a bit for each kind.
const _: () = assert!(N_KINDS <= u32::BITS as usize);

/// The first kind of games that stop without a reason.
pub(super) const SILENT: usize = 9;
/// The first kind of play after an end. These kinds are separate for each reason, because a site may
/// recognize some ends and not others.
pub(super) const PLAYS_ON: usize = 12;

/// Returns the index of the kind of a discrepancy, below [`N_KINDS`]; `None` if it carries no information
/// about the rules.
pub(super) const fn kind(found: &Discrepancy) -> Option<usize> {
    Some(match found {
        Discrepancy::WrongSide { .. } => 0,
        Discrepancy::Illegal { .. } => 1,
        Discrepancy::Impossible { .. } => 2,
        Discrepancy::MissingCapture { .. } => 3,
        Discrepancy::UnrealCapture { .. } => 4,
        Discrepancy::EndedBefore(_) => 5,
        Discrepancy::Result { .. } | Discrepancy::Unrecorded(_) => 6,
        Discrepancy::NotOnBoard { .. } => 7,
        Discrepancy::Swap { .. } => 8,
        Discrepancy::SilentWin { .. } => SILENT,
        Discrepancy::SilentStop { winner: Some(_) } => SILENT + 1,
        Discrepancy::SilentStop { winner: None } => SILENT + 2,
        Discrepancy::AfterEnd(outcome) => PLAYS_ON + outcome.reason as usize,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use tafl_rules::{Outcome, Side};

    use super::*;

    #[test]
    fn kinds_have_numbers_below_their_count() {
        for reason in Reason::ALL {
            let found = Discrepancy::AfterEnd(Outcome::draw(reason));
            assert!(kind(&found).is_some_and(|kind| kind < N_KINDS));
        }
        assert_eq!(kind(&Discrepancy::SilentWin { winner: Side::Attackers }), Some(SILENT));
    }
}
