//! All brackets of a text at once, so that a text with many open ones takes no longer than its length.

use std::cell::{Cell, OnceCell};

use memchr::memchr2_iter;

use super::{Closing, begins_tag, closing_among, ends_part};

/// So many brackets a search may look at before it counts as a long one.
const SHORT: usize = 64;
/// So many long searches are made before all brackets are looked at once.
const MOST_LONG: u32 = 2;

/// Where the brackets of a text are closed. Searches are made as they are asked for; where many of them are long, all
/// brackets are looked at once.
#[derive(Debug)]
pub(crate) struct Brackets<'t> {
    text: &'t [u8],
    n_long: Cell<u32>,
    table: OnceCell<BracketTable>,
}

impl<'t> Brackets<'t> {
    /// Returns the brackets of a text; nothing is looked at yet.
    pub(crate) fn new(text: &'t [u8]) -> Brackets<'t> {
        Brackets { text, n_long: Cell::new(0), table: OnceCell::new() }
    }

    /// Returns where the bracket at a place may be closed, in places of the text; see [`closing`](super::closing).
    pub(crate) fn closing(&self, at: usize) -> Closing {
        if self.n_long.get() < MOST_LONG {
            let rest = &self.text[at..];
            let found = closing_among(rest, SHORT).or_else(|| {
                self.n_long.set(self.n_long.get() + 1);
                closing_among(rest, usize::MAX)
            });
            let Closing { proper, first, is_cut_off } = found.unwrap_or_default();
            let place = |found: usize| at + found;
            return Closing { proper: proper.map(place), first: first.map(place), is_cut_off };
        }
        self.table.get_or_init(|| BracketTable::of(self.text)).closing(at)
    }

    /// Returns the place of the bracket that closes the one at a place, or nothing where none does.
    pub(crate) fn close(&self, at: usize) -> Option<usize> {
        let closing = self.closing(at);
        closing.proper.or(closing.first)
    }
}

/// No bracket.
const NONE: u32 = u32::MAX;

/// What a search finds that begins with a bracket, for every bracket of a text.
#[derive(Debug)]
pub(super) struct BracketTable {
    /// The places of the brackets.
    places: Vec<u32>,
    /// What stands from each bracket on: the next ones that close something that is open before it.
    from: Vec<From>,
}

/// What the brackets from one on bring for something that is open before it.
#[derive(Debug, Clone, Copy)]
struct From {
    /// The bracket that closes it properly.
    proper: u32,
    /// The first closing bracket.
    first: u32,
    /// Whether a known tag follows before the end.
    is_cut_off: bool,
}

impl BracketTable {
    /// Looks at all brackets of a text; takes a pass forth and one back.
    pub(super) fn of(text: &[u8]) -> BracketTable {
        let places: Vec<u32> = memchr2_iter(b'[', b']', text).map(|at| at as u32).collect();
        let pairs = pairs(text, &places);
        let end = From { proper: NONE, first: NONE, is_cut_off: false };
        let mut from = vec![end; places.len() + 1];
        for nth in (0..places.len()).rev() {
            let (at, next) = (places[nth] as usize, from[nth + 1]);
            from[nth] = if text[at] == b']' {
                let proper = if ends_part(&text[at + 1..]) { nth as u32 } else { next.proper };
                From { proper, first: nth as u32, ..next }
            } else if begins_tag(text, at) {
                From { is_cut_off: true, ..end }
            } else {
                let behind = pairs[nth];
                let proper = if behind == NONE { NONE } else { from[behind as usize + 1].proper };
                From { proper, ..next }
            };
        }
        BracketTable { places, from }
    }

    /// Returns where the bracket at a place may be closed, in places of the text.
    pub(super) fn closing(&self, at: usize) -> Closing {
        let Ok(nth) = self.places.binary_search(&(at as u32)) else { return Closing::default() };
        let From { proper, first, is_cut_off } = self.from[nth + 1];
        let place = |nth: u32| self.places.get(nth as usize).map(|at| *at as usize);
        Closing { proper: place(proper), first: place(first), is_cut_off }
    }
}

/// Returns the number of the bracket that balances each opening one; a known tag leaves those before it open.
fn pairs(text: &[u8], places: &[u32]) -> Vec<u32> {
    let mut pairs = vec![NONE; places.len()];
    let mut open = Vec::new();
    for (nth, at) in places.iter().enumerate() {
        let at = *at as usize;
        if text[at] == b']' {
            if let Some(opening) = open.pop() {
                pairs[opening] = nth as u32;
            }
            continue;
        }
        if begins_tag(text, at) {
            open.clear();
        }
        open.push(nth);
    }
    pairs
}
