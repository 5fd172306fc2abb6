//! Reading of the plies of a game.

use tafl_rules::{BySide, Cell, Events, Facts, KingStatus};

use super::{FIRST_VERSION, MAX_EVENT_SETS, NO_KING};

/// How the facts of plies are written.
#[derive(Debug, Clone)]
pub(super) struct FactsFormat {
    /// Whether every ply has all of its facts.
    pub(super) is_first_version: bool,
    /// The sets of events by their numbers. Those without a set are empty, and found in damaged files only.
    event_sets: [Events; MAX_EVENT_SETS],
}

impl FactsFormat {
    /// Returns the format of a version, with the bits of its sets of events.
    pub(super) fn new(version: u32, events: &[u32]) -> FactsFormat {
        let mut event_sets = [Events::NONE; MAX_EVENT_SETS];
        event_sets.iter_mut().zip(events).for_each(|(set, bits)| *set = Events::from_bits(*bits));
        FactsFormat { is_first_version: version == FIRST_VERSION, event_sets }
    }
}

/// A reader of the plies of a game.
pub(super) struct PlyDecoder<'b> {
    /// The bytes that were not read yet.
    pub(super) rest: &'b [u8],
    pub(super) n_cells: usize,
    pub(super) format: &'b FactsFormat,
}

impl PlyDecoder<'_> {
    #[inline]
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    #[inline]
    pub(super) fn cell(&mut self) -> Option<Cell> {
        let low = usize::from(self.byte()?);
        let index = if self.n_cells > 256 { low | usize::from(self.byte()?) << 8 } else { low };
        (index < self.n_cells).then(|| Cell::new(index))
    }

    /// Reads the facts of a position; `before` is the status of the kings in the position before.
    #[inline]
    pub(super) fn facts(&mut self, before: BySide<Option<KingStatus>>) -> Option<(Facts, FactsHeader)> {
        let head = self.byte()?;
        let has = |bit: u8| head >> bit & 1 == 1;
        let is_first_version = self.format.is_first_version;
        let n_captured = if head & 7 == 7 { self.byte()? } else { head & 7 };
        let mut facts = Facts::default();
        if has(7) || has(4) && is_first_version {
            let (bits, rest) = self.rest.split_first_chunk::<4>()?;
            facts.events = Events::from_bits(u32::from_le_bytes(*bits));
            self.rest = rest;
        } else if has(4) {
            facts.events = self.format.event_sets[usize::from(self.byte()?)];
        }
        let mut king = |is_written: bool, before: Option<KingStatus>| {
            if !is_written {
                return Some(before.filter(|_| !is_first_version));
            }
            let code = self.byte()?;
            Some((code != NO_KING).then(|| KingStatus::from_code(code)))
        };
        let defenders = king(has(6), before.defenders)?;
        let attackers = king(has(5), before.attackers)?;
        facts.kings = BySide { attackers, defenders };
        Some((facts, FactsHeader { n_captured, goes_on: has(3) }))
    }
}

/// The first byte of facts, which determines what follows.
#[derive(Debug, Clone, Copy)]
pub(super) struct FactsHeader {
    pub(super) n_captured: u8,
    pub(super) goes_on: bool,
}
