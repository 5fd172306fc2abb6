//! What is worth knowing about a position and the ply that led to it, in the words that players use.
//!
//! [`Events`] are what a ply did; a [`KingStatus`] is how a king stands in a position. Both are small numbers that
//! archives may store: bits and ranges are part of the interface and never change their meaning.

use crate::side::BySide;

/// What a ply did, as a set of [`Event`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Events(u32);

/// Something that a ply did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Event {
    /// A piece fell, in whatever way.
    Capture = 0,
    /// A piece fell between two men.
    Custodial = 1,
    /// A piece fell against the throne: an empty one, or one with a king on it where that is hostile.
    AgainstThrone = 2,
    /// A piece fell against an empty corner.
    AgainstCorner = 3,
    /// A piece fell against another hostile cell: a camp, a fortress.
    AgainstCamp = 4,
    /// A piece fell against the hostile edge of the board.
    AgainstEdge = 5,
    /// A row fell in a shieldwall.
    Shieldwall = 6,
    /// A Linnaean capture.
    Linnaean = 7,
    /// A piece on a corner of a hexagonal board fell.
    HexCorner = 8,
    /// A piece was jumped over.
    Jumped = 9,
    /// A king fell, in whatever way.
    KingCaptured = 10,
    /// A king fell among captors on all sides that his rules ask for.
    KingSurrounded = 11,
    /// A king fell between commanders.
    KingPierced = 12,
    /// Two or more pieces fell.
    ManyCaptured = 13,
    /// The same piece goes on in the same turn.
    ChainGoesOn = 14,
    /// A king reached a goal.
    KingEscaped = 16,
    /// A king is safe in an exit fort.
    ExitFort = 17,
    /// The attackers enclosed all defenders.
    Encirclement = 18,
    /// The other side has no legal move.
    NoLegalMove = 19,
    /// All pieces of a side are gone.
    AllCaptured = 20,
    /// A rule about repetition ended the game, or would have.
    Repetition = 21,
    /// The king moved.
    KingMoved = 24,
}

impl Event {
    /// Every event, in rising order of its number.
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

    /// Returns the word of queries and tables, such as `shieldwall`.
    pub const fn word(self) -> &'static str {
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

    /// Returns the event that a word names.
    pub fn from_word(word: &str) -> Option<Event> {
        Event::ALL.into_iter().find(|event| event.word() == word)
    }
}

impl Events {
    /// No event.
    pub const NONE: Events = Events(0);

    /// Returns the set with these bits: bit `n` is the event with the number `n`. Unknown bits are dropped.
    pub fn from_bits(bits: u32) -> Events {
        Event::ALL.into_iter().filter(|event| bits >> *event as u8 & 1 == 1).collect()
    }

    /// Returns the bits of the set, below 2^25.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns whether the ply did this.
    #[inline]
    pub const fn contains(self, event: Event) -> bool {
        self.0 >> event as u8 & 1 == 1
    }

    /// Returns whether nothing happened but a move.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds an event.
    #[inline]
    pub const fn insert(&mut self, event: Event) {
        self.0 |= 1 << event as u8;
    }

    /// Returns the events of the set, in rising order.
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

/// How a king stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct KingStatus {
    /// The fewest moves of the king alone to a goal of his while every other piece stays: 0 on a goal, 1 with an open
    /// line, [`KingStatus::FAR`] for that many or more, or for no way at all.
    pub distance: u8,
    /// To how many goal cells he has an open line, at most [`KingStatus::MANY`].
    pub lines: u8,
    /// Whether the enemy, if it were his turn, could capture the king with one move.
    pub in_danger: bool,
    /// Whether a cordon is closed around him: no way leads to a goal through cells without enemies, even if all his own
    /// men stepped aside. Cells that he may neither enter nor pass close a cordon, too; gaps at corners do not open it,
    /// unless he moves diagonally. Never where he has no goal.
    pub cordoned: bool,
}

impl KingStatus {
    /// The greatest distance that is told: this many moves, more, or no way.
    pub const FAR: u8 = 7;
    /// The greatest number of open lines that is told: this many or more.
    pub const MANY: u8 = 3;

    /// Returns the sight as a number below 128: distance in bits 0 to 2, lines in 3 and 4, danger in 5, cordon in 6.
    pub const fn code(self) -> u8 {
        self.distance | self.lines << 3 | (self.in_danger as u8) << 5 | (self.cordoned as u8) << 6
    }

    /// Returns the sight with a number; only bits 0 to 6 count.
    pub const fn from_code(code: u8) -> KingStatus {
        KingStatus {
            distance: code & 7,
            lines: code >> 3 & 3,
            in_danger: code >> 5 & 1 == 1,
            cordoned: code >> 6 & 1 == 1,
        }
    }
}

/// What is worth knowing about a position and the ply that led to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Facts {
    /// What the ply did; nothing at the start.
    pub events: Events,
    /// How the royal king of each side stands, the one on the lowest cell if a position has several; nothing for a side
    /// without one on the board.
    pub kings: BySide<Option<KingStatus>>,
}
