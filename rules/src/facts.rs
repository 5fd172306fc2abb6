//! Facts about a position and the ply that led to it, in players' terms.
//!
//! [`Events`] describe a ply; a [`KingStatus`] describes the situation of a king. Both are small
//! numbers that archives may store: their bits and ranges are part of the interface, and their
//! meaning never changes.

use crate::name::impl_names;
use crate::side::BySide;

/// The events of a ply, as a set of [`Event`]s.
///
/// # Examples
///
/// ```
/// use tafl_rules::{Event, Events};
///
/// let events: Events = [Event::Capture, Event::Custodial].into_iter().collect();
/// assert_eq!(events, Events::from_bits(0b11));
/// assert!(events.contains("custodial".parse::<Event>()?));
/// # Ok::<(), tafl_rules::UnknownName>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Events(u32);

/// An event of a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Event {
    /// A piece was captured, by any rule.
    Capture = 0,
    /// A piece was captured between two enemy pieces.
    Custodial = 1,
    /// A piece was captured against the throne, either empty or hostile with a king on it.
    AgainstThrone = 2,
    /// A piece was captured against an empty corner.
    AgainstCorner = 3,
    /// A piece was captured against another hostile cell: a camp or a fortress cell.
    AgainstCamp = 4,
    /// A piece was captured against the hostile edge of the board.
    AgainstEdge = 5,
    /// A row was captured by a shieldwall.
    Shieldwall = 6,
    /// A Linnaean capture.
    Linnaean = 7,
    /// A piece on a corner of a hexagonal board was captured.
    HexCorner = 8,
    /// A piece was jumped over.
    Jumped = 9,
    /// A king was captured, by any rule.
    KingCaptured = 10,
    /// A king was captured by captors on all the sides that the rules require.
    KingSurrounded = 11,
    /// A king was captured between two commanders, or between a commander and a corner.
    KingPierced = 12,
    /// Two or more pieces were captured.
    ManyCaptured = 13,
    /// The same piece moves again in the same turn.
    ChainGoesOn = 14,
    /// A king reached a goal.
    KingEscaped = 16,
    /// A king is safe in an exit fort.
    ExitFort = 17,
    /// The attackers enclosed all defenders.
    Encirclement = 18,
    /// The other side has no legal move.
    NoLegalMove = 19,
    /// All pieces of one side have been captured.
    AllCaptured = 20,
    /// A repetition rule ended the game, or would have ended it if it were enforced.
    Repetition = 21,
    /// A king moved.
    KingMoved = 24,
}

impl Event {
    /// Every event, in ascending order of its number.
    pub const ALL: [Event; 22] = [
        Event::Capture,
        Event::Custodial,
        Event::AgainstThrone,
        Event::AgainstCorner,
        Event::AgainstCamp,
        Event::AgainstEdge,
        Event::Shieldwall,
        Event::Linnaean,
        Event::HexCorner,
        Event::Jumped,
        Event::KingCaptured,
        Event::KingSurrounded,
        Event::KingPierced,
        Event::ManyCaptured,
        Event::ChainGoesOn,
        Event::KingEscaped,
        Event::ExitFort,
        Event::Encirclement,
        Event::NoLegalMove,
        Event::AllCaptured,
        Event::Repetition,
        Event::KingMoved,
    ];

    /// Returns the name used in queries and tables, such as `shieldwall`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Event::Capture => "capture",
            Event::Custodial => "custodial",
            Event::AgainstThrone => "against_throne",
            Event::AgainstCorner => "against_corner",
            Event::AgainstCamp => "against_camp",
            Event::AgainstEdge => "against_edge",
            Event::Shieldwall => "shieldwall",
            Event::Linnaean => "linnaean",
            Event::HexCorner => "hex_corner",
            Event::Jumped => "jumped",
            Event::KingCaptured => "king_captured",
            Event::KingSurrounded => "king_surrounded",
            Event::KingPierced => "king_pierced",
            Event::ManyCaptured => "many_captured",
            Event::ChainGoesOn => "chain_goes_on",
            Event::KingEscaped => "king_escaped",
            Event::ExitFort => "exit_fort",
            Event::Encirclement => "encirclement",
            Event::NoLegalMove => "no_legal_move",
            Event::AllCaptured => "all_captured",
            Event::Repetition => "repetition",
            Event::KingMoved => "king_moved",
        }
    }
}

impl_names!(Event, "the name of an event");

impl Events {
    /// The empty set.
    pub const NONE: Events = Events(0);

    /// Returns the set with the given bits: bit `n` is the event with number `n`. Unknown bits are
    /// ignored.
    pub fn from_bits(bits: u32) -> Events {
        Event::ALL.into_iter().filter(|event| bits >> *event as u8 & 1 == 1).collect()
    }

    /// Returns the bits of the set, below 2^25.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns whether the set contains an event.
    #[inline]
    pub const fn contains(self, event: Event) -> bool {
        self.0 >> event as u8 & 1 == 1
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds an event.
    #[inline]
    pub const fn insert(&mut self, event: Event) {
        self.0 |= 1 << event as u8;
    }

    /// Returns the events of the set in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Event> {
        Event::ALL.into_iter().filter(move |event| self.contains(*event))
    }
}

impl FromIterator<Event> for Events {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        let mut set = Events::NONE;
        events.into_iter().for_each(|event| set.insert(event));
        set
    }
}

/// The situation of a king.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct KingStatus {
    /// The number of moves that the king needs to reach one of his goals while all other pieces
    /// stay in place: 0 on a goal, 1 with an open line, [`KingStatus::FAR`] for that many or more,
    /// or if there is no way.
    pub distance: u8,
    /// The number of goal cells to which he has an open line, at most [`KingStatus::MANY`].
    pub lines: u8,
    /// Whether the enemy could capture the king with one move if it were the enemy's turn.
    pub in_danger: bool,
    /// Whether a cordon is closed around him: enemies cut off every path to a goal, even if all his
    /// own men stepped aside. Cells that he may neither enter nor pass also close a cordon;
    /// diagonal gaps do not open it, unless he moves diagonally. False if he has no goal.
    pub cordoned: bool,
}

impl KingStatus {
    /// The largest distance: this many moves or more, or no way. It fits in three bits of [`KingStatus::code`].
    pub const FAR: u8 = 7;
    /// The largest number of open lines: this many or more. It fits in two bits, and two lines usually win.
    pub const MANY: u8 = 3;

    /// Returns the king's situation as a number below 128: distance in bits 0 to 2, lines in 3 and
    /// 4, danger in 5, cordon in 6.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::KingStatus;
    ///
    /// let king = KingStatus { distance: 1, lines: 2, in_danger: true, cordoned: false };
    /// assert_eq!(king.code(), 1 | 2 << 3 | 1 << 5);
    /// assert_eq!(KingStatus::from_code(king.code()), king);
    /// ```
    pub const fn code(self) -> u8 {
        self.distance | self.lines << 3 | (self.in_danger as u8) << 5 | (self.cordoned as u8) << 6
    }

    /// Returns the situation with a code; only bits 0 to 6 count.
    pub const fn from_code(code: u8) -> KingStatus {
        KingStatus {
            distance: code & 7,
            lines: code >> 3 & 3,
            in_danger: code >> 5 & 1 == 1,
            cordoned: code >> 6 & 1 == 1,
        }
    }
}

/// Facts about a position and the ply that led to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Facts {
    /// The events of the ply; empty at the start.
    pub events: Events,
    /// The situation of each side's royal king, or of the one on the lowest cell if there are
    /// several; `None` for a side without a royal king on the board.
    pub kings: BySide<Option<KingStatus>>,
}
