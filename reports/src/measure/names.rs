//! Interned names: names shared by many games, as indices.

use std::collections::HashMap;
use std::num::NonZeroU32;

/// The index of a name in a [`NameIndex`], below `u32::MAX`. An `Option` of it takes four bytes; a corpus has millions of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameNumber(NonZeroU32);

impl NameNumber {
    /// Returns the index of a name.
    pub const fn new(index: u32) -> NameNumber {
        NameNumber(NonZeroU32::MIN.saturating_add(index))
    }

    /// Returns the index.
    pub const fn get(self) -> u32 {
        self.0.get() - 1
    }
}

/// Interned names, in order of appearance.
#[derive(Debug, Clone, Default)]
pub struct NameIndex {
    all: Vec<String>,
    numbers: HashMap<String, u32>,
    /// The result of the last lookup, because neighboring games often have the same name.
    last: Option<u32>,
}

impl NameIndex {
    /// Returns the index of a name, adding the name if it is new.
    pub fn number(&mut self, name: &str) -> u32 {
        if let Some(last) = self.last.filter(|last| self.all[*last as usize] == name) {
            return last;
        }
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None => {
                let number = self.all.len() as u32;
                self.all.push(name.to_owned());
                self.numbers.insert(name.to_owned(), number);
                number
            }
        };
        self.last = Some(number);
        number
    }

    /// Returns the index of a known name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// Returns a name; empty if the index is unknown.
    pub fn name(&self, number: u32) -> &str {
        self.all.get(number as usize).map_or("", String::as_str)
    }

    /// Adds the names of another index, and returns the index here of each of them.
    pub(super) fn add(&mut self, other: &NameIndex) -> Vec<u32> {
        other.all.iter().map(|name| self.number(name)).collect()
    }

    /// Sorts the names, and returns the new index of each old one.
    pub(super) fn sort(&mut self) -> Vec<u32> {
        let mut order: Vec<(String, u32)> = std::mem::take(&mut self.all).into_iter().zip(0..).collect();
        order.sort_unstable();
        let mut new = vec![0; order.len()];
        for (number, (name, old)) in (0..).zip(order) {
            new[old as usize] = number;
            if let Some(known) = self.numbers.get_mut(&name) {
                *known = number;
            }
            self.all.push(name);
        }
        self.last = None;
        new
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_names_are_found_at_their_new_place() {
        let mut names = NameIndex::default();
        let old = ["Cy", "Ann", "Bo", "Ann"].map(|name| names.number(name));
        let new = names.sort();
        assert_eq!(old.map(|old| new[old as usize]), [2, 0, 1, 0]);
        assert_eq!((names.find("Bo"), names.name(2), names.len()), (Some(1), "Cy", 3));
        assert_eq!((names.number("Cy"), names.number("Di")), (2, 3));
    }

    #[test]
    fn names_of_both_indices_are_added_once() {
        let (mut names, mut more) = (NameIndex::default(), NameIndex::default());
        for (name, other) in [("Ann", "Cy"), ("Bo", "Ann")] {
            names.number(name);
            more.number(other);
        }
        assert_eq!((names.add(&more), names.len()), (vec![2, 0], 3));
    }
}
