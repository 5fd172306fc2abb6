//! The games of a corpus in the form used by reports: small rows in memory.

use std::num::{NonZeroU16, NonZeroU32, NonZeroU64};

use tafl_corpus::{GameAt, GameResult, ReasonSource};
use tafl_rules::{BySide, Reason, Side};

use super::game_start::GameStartKind;
use super::names::{NameIndex, NameNumber};

/// The facts of a game. A million of them take 72 MB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameFacts {
    /// The segment of the corpus.
    pub segment: u32,
    /// The row in the segment.
    pub row: u32,
    /// The id of the game in the tables.
    pub id: i64,
    /// The id of the line of play, the same for games with identical moves.
    pub line: i64,
    /// The index of the variant in [`Games::variants`].
    pub variant: u32,
    /// The indices of the players in [`Games::players`].
    pub players: BySide<Option<NameNumber>>,
    /// The ratings given in the record.
    pub ratings: BySide<Option<Rating>>,
    /// The index of the file in [`Games::sources`].
    pub source: Option<NameNumber>,
    /// The date as a number that rises with time.
    pub date: Option<GameDate>,
    /// The site's number of the game: the last number in the ID of its record. It is only read if not all loaded games have a
    /// date.
    pub number: Option<NonZeroU64>,
    /// The result.
    pub result: GameResult,
    /// The reason of the end.
    pub reason: Option<Reason>,
    /// The source of the reason.
    pub reason_source: Option<ReasonSource>,
    /// The side that moved first.
    pub first: Side,
    /// The number of plies.
    pub plies: u32,
    /// The number of captures by each side.
    pub captures: BySide<u16>,
    /// The number of duplicates that were found.
    pub copies: u16,
    /// How it began, compared with its rules.
    pub start: GameStartKind,
}

/// The date of a game as far as it is known: `2019-03-01`, `2019-03`, or `2019`.
///
/// # Examples
///
/// ```
/// use tafl_reports::GameDate;
///
/// let [day, month] = ["2019-03-01", "2019-03"].map(GameDate::of);
/// assert!(month < day && day < GameDate::of("2019-11"));
/// assert_eq!(GameDate::of("spring"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameDate(NonZeroU32);

impl GameDate {
    /// Reads a date as the tables of a corpus contain it; `None` if it does not begin with a year.
    pub fn of(text: &str) -> Option<GameDate> {
        let mut parts = text.split('-').map(str::parse::<u32>);
        let year = parts.next()?.ok().filter(|year| *year < 10_000)?;
        let mut part =
            || parts.next().and_then(std::result::Result::ok).filter(|part| *part < 100).unwrap_or(0);
        let (month, day) = (part(), part());
        NonZeroU32::new(year * 10_000 + month * 100 + day).map(GameDate)
    }

    /// Returns the year.
    pub const fn year(self) -> i16 {
        // A year has at most four digits.
        (self.0.get() / 10_000) as i16
    }

    /// Returns the date as a number such as 20190301, with zeros for what is not known: not later than the day of the game.
    pub const fn earliest(self) -> u32 {
        self.0.get()
    }

    /// Returns a number that is not earlier than the day of the game, such as 20190399 for `2019-03`.
    pub const fn latest(self) -> u32 {
        let number = self.0.get();
        if number.is_multiple_of(10_000) {
            number + 9999
        } else if number.is_multiple_of(100) {
            number + 99
        } else {
            number
        }
    }
}

/// A rating given in a record. An `Option` of it takes two bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rating(NonZeroU16);

impl Rating {
    /// The bit that makes all ratings but the lowest number of 16 bits nonzero.
    const BIT: u16 = 1 << 15;

    /// Returns a rating; `None` for `i16::MIN`.
    pub fn new(rating: i16) -> Option<Rating> {
        NonZeroU16::new(rating.cast_unsigned() ^ Rating::BIT).map(Rating)
    }

    /// Returns the rating.
    pub const fn get(self) -> i16 {
        (self.0.get() ^ Rating::BIT).cast_signed()
    }
}

impl GameFacts {
    /// Returns the position in the corpus.
    pub fn at(&self) -> GameAt {
        GameAt { segment: self.segment as usize, row: self.row }
    }

    /// Returns the index of a player in [`Games::players`].
    pub fn player(&self, side: Side) -> Option<u32> {
        self.players[side].map(NameNumber::get)
    }

    /// Returns the year.
    pub fn year(&self) -> Option<i16> {
        self.date.map(GameDate::year)
    }

    /// Returns the winner, if any.
    pub fn winner(&self) -> Option<Side> {
        match self.result {
            GameResult::Attackers => Some(Side::Attackers),
            GameResult::Defenders => Some(Side::Defenders),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }

    /// Returns the indices of both players, if both are named and different.
    pub fn pair(&self) -> Option<[u32; 2]> {
        let (attackers, defenders) = (self.players.attackers?, self.players.defenders?);
        (attackers != defenders).then_some([attackers.get(), defenders.get()])
    }

    /// Returns whether it did not begin as its rules say: such a game is not evidence for the variant's balance.
    pub fn has_other_start(&self) -> bool {
        self.start != GameStartKind::OfRules
    }

    /// Returns whether a player resigned, or a resignation is inferred.
    pub fn is_resignation(&self) -> bool {
        self.reason == Some(Reason::Resignation)
    }

    /// Returns whether a player ran out of time.
    pub fn is_timeout(&self) -> bool {
        self.reason == Some(Reason::Timeout)
    }
}

/// A variant, or rules without a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedVariant {
    /// The name in the catalog; `None` for other rules.
    pub name: Option<String>,
    /// The rules string.
    pub rules: String,
    /// The id of the rules in the tables.
    pub rules_id: i64,
    /// The board, such as `11x11`.
    pub shape: String,
}

impl PlayedVariant {
    /// Returns the label: the name in the catalog, else the name in the rules string, else the id of the rules.
    pub fn label(&self) -> String {
        let id = || format!("rules {:016x}", self.rules_id);
        self.name.as_deref().or_else(|| self.own_name()).map_or_else(id, str::to_owned)
    }

    /// Returns the name that the rules string gives.
    fn own_name(&self) -> Option<&str> {
        self.rules
            .split_whitespace()
            .find_map(|word| word.strip_prefix("name:"))
            .filter(|name| !name.is_empty())
    }
}

/// The games of a report.
#[derive(Debug, Clone, Default)]
pub struct Games {
    /// The variants. [`load_games`](super::load_games) sorts them: those of the catalog by name, then others by their ID.
    pub variants: Vec<PlayedVariant>,
    /// The names of the players. [`load_games`](super::load_games) numbers them in alphabetical order, so that figures do not
    /// depend on the order of the games.
    pub players: NameIndex,
    /// The names of the files.
    pub sources: NameIndex,
    /// The games, in the order of the corpus.
    pub rows: Vec<GameFacts>,
}

impl Games {
    /// Returns the index of a variant by its name or label.
    pub fn variant(&self, name: &str) -> Option<u32> {
        let at = self.variants.iter().position(|variant| variant.label() == name)?;
        u32::try_from(at).ok()
    }

    /// Returns the games that satisfy a condition. Names and indices do not change.
    pub fn filtered(&self, is_wanted: impl Fn(&GameFacts) -> bool) -> Games {
        let rows = self.rows.iter().filter(|row| is_wanted(row)).copied().collect();
        Games {
            variants: self.variants.clone(),
            players: self.players.clone(),
            sources: self.sources.clone(),
            rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_small_and_their_numbers_are_read_back() {
        assert_eq!(size_of::<GameFacts>(), 72);
        for rating in [i16::MIN + 1, -1, 0, 1500, i16::MAX] {
            assert_eq!(Rating::new(rating).map(Rating::get), Some(rating));
        }
        assert_eq!(Rating::new(i16::MIN), None);
        assert_eq!([0, 7].map(|index| NameNumber::new(index).get()), [0, 7]);
        assert_eq!(GameDate::of("2019-03").map(GameDate::year), Some(2019));
    }
}
