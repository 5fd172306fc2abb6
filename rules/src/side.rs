//! The two sides of a game.

use std::ops::{Index, IndexMut};

use crate::name::impl_names;

/// One of the two sides.
///
/// In a game with two kings, the attackers are the dark side and the defenders are the light side.
/// The usual names of the sides are data of a variant, see [`crate::catalog::SideNames`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The besiegers; lowercase letters in position records.
    Attackers,
    /// The king's side; uppercase letters in position records.
    Defenders,
}

impl Side {
    /// Both sides, attackers first.
    pub const ALL: [Side; 2] = [Side::Attackers, Side::Defenders];

    /// Returns the other side.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::Attackers => Side::Defenders,
            Side::Defenders => Side::Attackers,
        }
    }

    /// Returns 0 for the attackers and 1 for the defenders.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the name in the JSON interface: `attackers` or `defenders`. It is parsed by `FromStr`.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::Side;
    ///
    /// assert!(Side::ALL.into_iter().all(|side| side.as_str().parse() == Ok(side)));
    /// assert!("Attackers".parse::<Side>().is_err());
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Side::Attackers => "attackers",
            Side::Defenders => "defenders",
        }
    }

    /// Returns the name in the singular, as in hnefatafl.org's text protocol: `attacker` or `defender`.
    pub const fn singular(self) -> &'static str {
        match self {
            Side::Attackers => "attacker",
            Side::Defenders => "defender",
        }
    }
}

impl_names!(Side, "`attackers` or `defenders`");

/// A table with one value for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BySide<T> {
    /// The attackers' value.
    pub attackers: T,
    /// The defenders' value.
    pub defenders: T,
}

impl<T> BySide<T> {
    /// Returns the table with the values returned by `make`.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> Self {
        BySide { attackers: make(Side::Attackers), defenders: make(Side::Defenders) }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    #[inline]
    fn index(&self, side: Side) -> &T {
        match side {
            Side::Attackers => &self.attackers,
            Side::Defenders => &self.defenders,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Attackers => &mut self.attackers,
            Side::Defenders => &mut self.defenders,
        }
    }
}
