//! All brackets of a text at once, so that a text with many open ones is processed in linear time.

use std::cell::{Cell, OnceCell};

use memchr::memchr2_iter;

use super::{ClosingBrackets, begins_tag, closing_among, ends_part};

/// The number of brackets that a search may examine before it counts as long.
const SHORT: usize = 64;
/// The number of long searches before all brackets are examined at once.
const MAX_LONG: u32 = 2;

/// The closing positions of the brackets of a text. They are searched on demand; if many searches are long,
/// all brackets are examined at once.
#[derive(Debug)]
pub(crate) struct Brackets<'t> {
    text: &'t [u8],
    n_long: Cell<u32>,
    table: OnceCell<BracketTable>,
}

impl<'t> Brackets<'t> {
    /// Creates the searcher for a text without examining it.
    pub(crate) fn new(text: &'t [u8]) -> Brackets<'t> {
        Brackets { text, n_long: Cell::new(0), table: OnceCell::new() }
    }

    /// Returns the possible ends of the bracket at an offset, as offsets in the text; see
    /// [`closing`](super::closing).
    pub(crate) fn closing(&self, at: usize) -> ClosingBrackets {
        if self.n_long.get() < MAX_LONG {
            let rest = &self.text[at..];
            let found = closing_among(rest, SHORT).or_else(|| {
                self.n_long.set(self.n_long.get() + 1);
                closing_among(rest, usize::MAX)
            });
            let ClosingBrackets { proper, first, is_cut_off } = found.unwrap_or_default();
            let place = |found: usize| at + found;
            return ClosingBrackets { proper: proper.map(place), first: first.map(place), is_cut_off };
        }
        self.table.get_or_init(|| BracketTable::of(self.text)).closing(at)
    }

    /// Returns the offset of the bracket that closes the one at an offset, if any.
    pub(crate) fn close(&self, at: usize) -> Option<usize> {
        let closing = self.closing(at);
        closing.proper.or(closing.first)
    }
}

/// No bracket.
const NONE: u32 = u32::MAX;

/// The results of the searches from every bracket of a text.
#[derive(Debug)]
pub(super) struct BracketTable {
    /// The offsets of the brackets.
    places: Vec<u32>,
    /// For each bracket, the next brackets that close something opened before it.
    from: Vec<NextClosing>,
}

/// The brackets from one on that close something opened before it.
#[derive(Debug, Clone, Copy)]
struct NextClosing {
    /// The properly closing bracket.
    proper: u32,
    /// The first closing bracket.
    first: u32,
    /// Whether a known tag follows before the end.
    is_cut_off: bool,
}

impl BracketTable {
    /// Examines all brackets of a text in a forward and a backward pass.
    pub(super) fn of(text: &[u8]) -> BracketTable {
        let places: Vec<u32> = memchr2_iter(b'[', b']', text).map(|at| at as u32).collect();
        let pairs = pairs(text, &places);
        let end = NextClosing { proper: NONE, first: NONE, is_cut_off: false };
        let mut from = vec![end; places.len() + 1];
        for nth in (0..places.len()).rev() {
            let (at, next) = (places[nth] as usize, from[nth + 1]);
            from[nth] = if text[at] == b']' {
                let proper = if ends_part(&text[at + 1..]) { nth as u32 } else { next.proper };
                NextClosing { proper, first: nth as u32, ..next }
            } else if begins_tag(text, at) {
                NextClosing { is_cut_off: true, ..end }
            } else {
                let partner = pairs[nth];
                let proper = if partner == NONE { NONE } else { from[partner as usize + 1].proper };
                NextClosing { proper, ..next }
            };
        }
        BracketTable { places, from }
    }

    /// Returns the possible ends of the bracket at an offset, as offsets in the text.
    pub(super) fn closing(&self, at: usize) -> ClosingBrackets {
        let Ok(nth) = self.places.binary_search(&(at as u32)) else { return ClosingBrackets::default() };
        let NextClosing { proper, first, is_cut_off } = self.from[nth + 1];
        let place = |nth: u32| self.places.get(nth as usize).map(|at| *at as usize);
        ClosingBrackets { proper: place(proper), first: place(first), is_cut_off }
    }
}

/// Returns the index of the bracket that balances each opening one; a known tag leaves earlier ones open.
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
