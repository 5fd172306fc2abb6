//! Pieces and sets of pieces.

use std::fmt;
use std::ops::{Index, IndexMut};

use crate::name::impl_names;
use crate::side::Side;

/// The type of a piece, without its side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// An ordinary man, `t`.
    Soldier,
    /// A commander, `c`: jumps in Berserk, moves like a queen in Cyngesheall.
    Commander,
    /// A knight, `n`: captures pieces that it jumps over in Berserk.
    Knight,
    /// A king, `k`.
    King,
    /// A mercenary, `m`: changes sides instead of leaving the board when it is captured.
    Mercenary,
    /// A guard, `g`: cannot capture or be captured.
    Guard,
}

impl Role {
    /// Every role, in the order of OpenTafl's piece lists: t c n k m g.
    pub const ALL: [Role; 6] =
        [Role::Soldier, Role::Commander, Role::Knight, Role::King, Role::Mercenary, Role::Guard];

    /// Returns the lowercase letter of the role in position records.
    pub const fn letter(self) -> char {
        match self {
            Role::Soldier => 't',
            Role::Commander => 'c',
            Role::Knight => 'n',
            Role::King => 'k',
            Role::Mercenary => 'm',
            Role::Guard => 'g',
        }
    }

    /// Returns the role with a letter, in either case.
    pub const fn from_letter(letter: char) -> Option<Role> {
        match letter.to_ascii_lowercase() {
            't' => Some(Role::Soldier),
            'c' => Some(Role::Commander),
            'n' => Some(Role::Knight),
            'k' => Some(Role::King),
            'm' => Some(Role::Mercenary),
            'g' => Some(Role::Guard),
            _ => None,
        }
    }

    /// Returns the English noun for one piece of this role. It is parsed by `FromStr`.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::Role;
    ///
    /// assert!(Role::ALL.into_iter().all(|role| role.as_str().parse() == Ok(role)));
    /// assert!("men".parse::<Role>().is_err());
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Soldier => "man",
            Role::Commander => "commander",
            Role::Knight => "knight",
            Role::King => "king",
            Role::Mercenary => "mercenary",
            Role::Guard => "guard",
        }
    }
}

impl_names!(Role, "the noun for a piece, such as `king`");

/// A kind of piece: a role and a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The side to which the piece belongs.
    pub side: Side,
    /// The role.
    pub role: Role,
}

impl Piece {
    /// The number of kinds of pieces.
    pub const COUNT: usize = 12;

    /// Returns the piece of a side and a role.
    #[inline]
    pub const fn new(side: Side, role: Role) -> Piece {
        Piece { side, role }
    }

    /// Returns the index of the kind, below [`Piece::COUNT`]: attackers first, roles in the order
    /// of [`Role::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self.side as usize * 6 + self.role as usize
    }

    /// Returns every kind of piece in the order of [`Piece::index`].
    pub fn all() -> impl Iterator<Item = Piece> {
        Side::ALL.into_iter().flat_map(|side| Role::ALL.into_iter().map(move |role| Piece { side, role }))
    }

    /// Returns the letter of the piece: lowercase for attackers, uppercase for defenders.
    pub const fn letter(self) -> char {
        match self.side {
            Side::Attackers => self.role.letter(),
            Side::Defenders => self.role.letter().to_ascii_uppercase(),
        }
    }

    /// Returns the piece with a letter.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let side = if letter.is_ascii_uppercase() { Side::Defenders } else { Side::Attackers };
        match Role::from_letter(letter) {
            Some(role) => Some(Piece { side, role }),
            None => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A set of kinds of pieces, such as those that may pass over the throne.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PieceSet(u16);

impl PieceSet {
    /// The empty set.
    pub const EMPTY: PieceSet = PieceSet(0);
    /// All kinds of pieces.
    pub const ALL: PieceSet = PieceSet(0xfff);
    /// All kinds of attackers' pieces.
    pub const ATTACKERS: PieceSet = PieceSet(0x03f);
    /// All kinds of defenders' pieces.
    pub const DEFENDERS: PieceSet = PieceSet(0xfc0);
    /// The kings of both sides.
    pub const KINGS: PieceSet = PieceSet(1 << 3 | 1 << 9);
    /// The guards of both sides.
    pub const GUARDS: PieceSet = PieceSet(1 << 5 | 1 << 11);
    /// The commanders of both sides.
    pub const COMMANDERS: PieceSet = PieceSet(1 << 1 | 1 << 7);

    /// Returns the set of one kind of piece.
    pub const fn of(piece: Piece) -> PieceSet {
        PieceSet(1 << piece.index())
    }

    /// Returns whether the set contains `piece`.
    #[inline]
    pub const fn contains(self, piece: Piece) -> bool {
        self.0 >> piece.index() & 1 == 1
    }

    /// Returns whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the union of both sets.
    pub const fn union(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 | other.0)
    }

    /// Returns the pieces of this set that are not in the other.
    pub const fn without(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 & !other.0)
    }

    /// Returns the intersection of both sets.
    pub const fn intersection(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 & other.0)
    }

    /// Returns the pieces of the set in the order of [`Piece::index`].
    pub fn iter(self) -> impl Iterator<Item = Piece> {
        Piece::all().filter(move |piece| self.contains(*piece))
    }
}

impl FromIterator<Piece> for PieceSet {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Self {
        pieces.into_iter().fold(PieceSet::EMPTY, |set, piece| set.union(PieceSet::of(piece)))
    }
}

/// Writes the letters of the pieces as in OpenTafl: `tcnkTCNK`.
impl fmt::Display for PieceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|piece| write!(f, "{piece}"))
    }
}

impl fmt::Debug for PieceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PieceSet({self})")
    }
}

/// A table with one value for each kind of piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByPiece<T>([T; Piece::COUNT]);

impl<T> ByPiece<T> {
    /// Returns the table with the values returned by `make`.
    pub fn from_fn(make: impl FnMut(Piece) -> T) -> Self {
        let mut pieces = Piece::all();
        let mut make = make;
        ByPiece(std::array::from_fn(|_| make(pieces.next().expect("Piece::all yields Piece::COUNT pieces"))))
    }
}

impl<T> Index<Piece> for ByPiece<T> {
    type Output = T;
    #[inline]
    fn index(&self, piece: Piece) -> &T {
        &self.0[piece.index()]
    }
}

impl<T> IndexMut<Piece> for ByPiece<T> {
    #[inline]
    fn index_mut(&mut self, piece: Piece) -> &mut T {
        &mut self.0[piece.index()]
    }
}
