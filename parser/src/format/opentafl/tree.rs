//! The branch points of variations: addresses such as `12b.1.2a.1.1a`.

use std::collections::HashMap;

use nom::Parser;
use nom::character::complete::{char as sign, satisfy};
use nom::sequence::{pair, preceded};

use crate::record::{LineBranch, MoveLineId, Record};
use crate::token::{Read, number};

/// An item of a turn: `12b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TurnItem {
    /// The turn number.
    pub(super) turn: u32,
    /// 0 for `a`.
    pub(super) index: u32,
}

fn item(input: &[u8]) -> Read<'_, TurnItem> {
    pair(number, satisfy(|letter| letter.is_ascii_alphabetic()))
        .map(|(turn, letter)| TurnItem {
            turn,
            index: u32::from(letter.to_ascii_lowercase()) - u32::from('a'),
        })
        .parse(input)
}

/// A step of an address.
#[derive(Debug, Clone, Copy)]
struct AddressStep {
    /// The number of the variation.
    variation: u32,
    /// The item in it.
    item: TurnItem,
}

/// Reads one step of an address: `.1.2a`, variation 1 and its item 2a.
fn step(input: &[u8]) -> Read<'_, AddressStep> {
    pair(preceded(sign('.'), number), preceded(sign('.'), item))
        .map(|(variation, item)| AddressStep { variation, item })
        .parse(input)
}

/// The data of a turn that addresses need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumberedTurn {
    /// Its number.
    pub(super) number: u32,
    /// The index of its first move in the line.
    pub(super) first_move: u32,
    /// The number of its items before the first move: 1 in `12. ..... e5-e2`.
    pub(super) skipped: u32,
}

/// The target of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AddressTarget {
    /// The line that continues or begins.
    pub(super) line: MoveLineId,
    /// The item with which the turn begins.
    pub(super) item: TurnItem,
    /// Whether the variation number was already used, so that the variation got the next free one.
    pub(super) renumbered: bool,
}

/// The turns of all lines.
#[derive(Debug, Default)]
pub(super) struct Tree {
    turns: Vec<Vec<NumberedTurn>>,
    /// By line and number, the turns whose number is not that of their place, in order. Those that a later turn hides are left
    /// out, so `skipped` rises. The last turn of a line is not in it, because its `skipped` can change.
    misnumbered: HashMap<(MoveLineId, u32), Vec<NumberedTurn>>,
    /// The variations by parent, index of the replaced move, and number.
    variations: HashMap<(MoveLineId, u32, u32), MoveLineId>,
    /// For numbers that were already used, the free number chosen instead.
    instead: HashMap<(MoveLineId, u32, u32), u32>,
}

impl Tree {
    /// Creates a tree without turns, with capacity for about `n_turns` of the main line.
    pub(super) fn with_capacity(n_turns: usize) -> Tree {
        Tree { turns: vec![Vec::with_capacity(n_turns)], ..Tree::default() }
    }

    /// Returns the last turn of a line.
    #[inline]
    pub(super) fn last(&self, line: MoveLineId) -> Option<NumberedTurn> {
        self.turns[line.index()].last().copied()
    }

    #[inline]
    pub(super) fn push(&mut self, line: MoveLineId, turn: NumberedTurn) {
        let turns = &mut self.turns[line.index()];
        if let Some(last) = turns.last().copied().filter(|last| last.number as usize != turns.len()) {
            let same = self.misnumbered.entry((line, last.number)).or_default();
            while same.last().is_some_and(|earlier| earlier.skipped >= last.skipped) {
                same.pop();
            }
            same.push(last);
        }
        turns.push(turn);
    }

    /// Counts another item before the first move of the last turn of a line.
    pub(super) fn skip(&mut self, line: MoveLineId) {
        if let Some(turn) = self.turns[line.index()].last_mut() {
            turn.skipped += 1;
        }
    }

    /// Reads the address of a variation, opens the variation if it is new, and returns the rest and the
    /// target; no target if the address does not match a move.
    pub(super) fn address<'a>(
        &mut self,
        input: &'a [u8],
        record: &mut Record,
    ) -> Read<'a, Option<AddressTarget>> {
        let (mut rest, mut place) = item(input)?;
        let (after, mut down) = step(rest)?;
        rest = after;
        let mut line = Some(MoveLineId::MAIN);
        while let Ok((after, next)) = step(rest) {
            line = line.and_then(|line| self.variation(line, place, down.variation, record));
            (place, down, rest) = (down.item, next, after);
        }
        let target = line.and_then(|line| self.target(line, place, down, record));
        Ok((rest.strip_prefix(b".").unwrap_or(rest), target))
    }

    /// Returns the index of the move of an item, which may be the next one.
    fn index(&self, line: MoveLineId, item: TurnItem, record: &Record) -> Option<u32> {
        let turns = &self.turns[line.index()];
        let n_moves = record.line(line).moves.len() as u32;
        let is_it = |turn: &&NumberedTurn| turn.number == item.turn && turn.skipped <= item.index;
        // Turns are nearly always numbered from 1 without a gap.
        let nth = turns.get(item.turn.wrapping_sub(1) as usize).filter(is_it);
        let earlier = || {
            let same = self.misnumbered.get(&(line, item.turn))?;
            same[..same.partition_point(|turn| turn.skipped <= item.index)].last()
        };
        let index = match nth.or_else(|| turns.last().filter(is_it)).or_else(earlier) {
            Some(turn) => turn.first_move + (item.index - turn.skipped),
            None if item.turn == turns.last().map_or(1, |turn| turn.number.saturating_add(1)) => {
                n_moves + item.index
            }
            None => return None,
        };
        (index <= n_moves).then_some(index)
    }

    fn variation(
        &self,
        parent: MoveLineId,
        item: TurnItem,
        number: u32,
        record: &Record,
    ) -> Option<MoveLineId> {
        let at = self.index(parent, item, record)?;
        self.variations.get(&(parent, at, number)).copied()
    }

    fn target(
        &mut self,
        parent: MoveLineId,
        replaced: TurnItem,
        step: AddressStep,
        record: &mut Record,
    ) -> Option<AddressTarget> {
        let AddressStep { variation: number, item } = step;
        let at = self.index(parent, replaced, record)?;
        let known = self.variations.get(&(parent, at, number)).copied();
        match known {
            Some(line) if self.goes_on(line, item) => Some(AddressTarget { line, item, renumbered: false }),
            Some(_) => {
                let number = self.free_number(parent, at, number)?;
                let line = self.open(LineBranch { parent, at, number }, record);
                Some(AddressTarget { line, item, renumbered: true })
            }
            None => {
                let line = self.open(LineBranch { parent, at, number }, record);
                Some(AddressTarget { line, item, renumbered: false })
            }
        }
    }

    /// Returns the first variation number from `number` on that is free for a move.
    ///
    /// Results are cached, so that repeating an address many times stays linear.
    fn free_number(&mut self, parent: MoveLineId, at: u32, number: u32) -> Option<u32> {
        let mut free = number;
        let mut taken = Vec::new();
        while self.variations.contains_key(&(parent, at, free)) {
            taken.push(free);
            free = match self.instead.get(&(parent, at, free)) {
                Some(instead) => *instead,
                None => free.checked_add(1)?,
            };
        }
        self.instead.extend(taken.into_iter().map(|number| ((parent, at, number), free)));
        Some(free)
    }

    /// Returns whether a turn that begins with `item` can follow the last turn of a line.
    fn goes_on(&self, line: MoveLineId, item: TurnItem) -> bool {
        self.last(line)
            .is_none_or(|last| item.turn > last.number || (item.turn == last.number && item.index > 0))
    }

    fn open(&mut self, branch: LineBranch, record: &mut Record) -> MoveLineId {
        let line = record.variations.open(Some(branch), false);
        self.turns.push(Vec::new());
        self.variations.insert((branch.parent, branch.at, branch.number), line);
        line
    }
}
