//! Names that many games share, as numbers.

use std::collections::HashMap;

/// Names as numbers, in the order in which they were met.
#[derive(Debug, Clone, Default)]
pub struct NameIndex {
    all: Vec<String>,
    numbers: HashMap<String, u32>,
    /// The last one that was asked for: neighbors often have the same.
    last: Option<u32>,
}

impl NameIndex {
    /// Returns the number of a name, which is a new one where the name is.
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

    /// Returns the number of a name that was met.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// Returns a name; an empty one for a number that was not given.
    pub fn name(&self, number: u32) -> &str {
        self.all.get(number as usize).map_or("", String::as_str)
    }

    /// Returns how many names there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}
