//! Identifiers of games, lines of play, and rules. They are stored, so the functions that compute them never change.

use std::fmt;
use std::str::FromStr;

use tafl_rules::{Cell, Move, RuleSet, Setup, Side, Symmetry};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The ID of a game: a hash of its line of play, players and date, and the place of its record if another game with the
/// same values is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct GameId(pub u64);

/// The ID of a line of play: a hash of rules, start, and moves. It is the same for all symmetric forms of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LineOfPlayId(pub u64);

/// The ID of rules: a hash of the rules string without a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RulesId(pub u64);

macro_rules! id_type {
    ($name:ident) => {
        impl $name {
            /// Returns the identifier as tables store it: the same bits as a signed number.
            pub const fn as_i64(self) -> i64 {
                self.0 as i64
            }

            /// Returns the identifier from the number in a table.
            pub const fn from_i64(bits: i64) -> $name {
                $name(bits as u64)
            }
        }

        /// Writes sixteen hexadecimal digits.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:016x}", self.0)
            }
        }
    };
}
id_type!(GameId);
id_type!(LineOfPlayId);
id_type!(RulesId);

/// The error for a text that is not the ID of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseGameIdError {
    /// Hexadecimal digits, but not 16: a part of an ID, or a decimal number without its sign.
    #[error(
        "expected 16 hexadecimal digits, found {n_digits}; write a decimal ID from a Parquet file with a sign, as in `+123`"
    )]
    Length {
        /// The number of digits.
        n_digits: usize,
    },
    /// Another text.
    #[error("not a game ID; expected 16 hexadecimal digits")]
    Other,
}

/// Reads sixteen hexadecimal digits, or the decimal number in a Parquet file. A decimal number of 16 digits or fewer needs a sign,
/// because it looks like an ID or a part of one.
impl FromStr for GameId {
    type Err = ParseGameIdError;

    fn from_str(text: &str) -> Result<GameId, ParseGameIdError> {
        let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_decimal = text.starts_with(['+', '-']) || text.len() > 16;
        let bits = if is_hex && text.len() == 16 {
            u64::from_str_radix(text, 16).ok()
        } else {
            text.parse::<i64>().ok().filter(|_| is_decimal).map(|bits| bits as u64)
        };
        bits.map(GameId).ok_or(match text.len() {
            n_digits @ 1.. if is_hex => ParseGameIdError::Length { n_digits },
            _ => ParseGameIdError::Other,
        })
    }
}

impl RulesId {
    /// Returns the ID of rules.
    pub fn of(rules: &RuleSet) -> RulesId {
        RulesId(xxh3_64(RulesId::string(rules).as_bytes()))
    }

    /// Returns the rules string without a name, of which the ID is the hash.
    pub fn string(rules: &RuleSet) -> String {
        RuleSet { name: None, ..rules.clone() }.to_string()
    }

    /// Returns a rules string without its name, as [`RulesId::string`] returns it.
    pub(crate) fn nameless(rules: &str) -> String {
        let words: Vec<&str> = rules.split(' ').filter(|word| !word.starts_with("name:")).collect();
        words.join(" ")
    }
}

/// The ID of a line of play, and the symmetry that leads to its canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CanonicalLine {
    /// The ID.
    pub id: LineOfPlayId,
    /// The id of the symmetry that leads to the least form.
    pub symmetry: u8,
}

/// The parts of a line of play.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LineOfPlay<'a> {
    /// The rules.
    pub rules: RulesId,
    /// The symmetries of the rules, the identity first.
    pub symmetries: &'a [Symmetry],
    /// The start, if it is not that of the rules.
    pub start: Option<&'a Setup>,
    /// The side that moves first.
    pub first: Side,
    /// The moves.
    pub moves: &'a [Move],
}

impl LineOfPlay<'_> {
    /// Returns the ID of the least form under the symmetries of the rules (start first, then moves), and the symmetry
    /// that leads to it.
    pub(crate) fn canonical(&self) -> CanonicalLine {
        let [first, others @ ..] = self.symmetries else {
            return CanonicalLine { id: LineOfPlayId(0), symmetry: 0 };
        };
        let best =
            others.iter().fold(first, |best, other| if self.is_less(other, best) { other } else { best });
        CanonicalLine { id: self.hash(best), symmetry: best.id }
    }

    fn is_less(&self, left: &Symmetry, right: &Symmetry) -> bool {
        if let Some(start) = self.start {
            let image = |symmetry: &Symmetry| start.mapped(|cell| symmetry.image(cell)).to_string();
            match image(left).cmp(&image(right)) {
                std::cmp::Ordering::Equal => {}
                order => return order.is_lt(),
            }
        }
        let image = |symmetry: &Symmetry, mv: Move| (symmetry.image(mv.from), symmetry.image(mv.to));
        let differing = self
            .moves
            .iter()
            .map(|mv| (image(left, *mv), image(right, *mv)))
            .find(|(left, right)| left != right);
        differing.is_some_and(|(left, right)| left < right)
    }

    fn hash(&self, symmetry: &Symmetry) -> LineOfPlayId {
        let mut hash = Xxh3::new();
        hash.update(&self.rules.0.to_le_bytes());
        hash.update(&[self.first.index() as u8]);
        if let Some(start) = self.start {
            hash.update(start.mapped(|cell| symmetry.image(cell)).to_string().as_bytes());
        }
        let bytes = |cell: Cell| (symmetry.image(cell).index() as u16).to_le_bytes();
        let mut moves = Vec::with_capacity(self.moves.len() * 4);
        for mv in self.moves {
            moves.extend(bytes(mv.from));
            moves.extend(bytes(mv.to));
        }
        hash.update(&moves);
        LineOfPlayId(hash.digest())
    }
}

impl GameId {
    /// Returns the ID of a game from its line of play, its players and its date; names count without regard to
    /// case and blanks around them.
    pub fn of(line: LineOfPlayId, players: [Option<&str>; 2], date: Option<&str>) -> GameId {
        let mut hash = Xxh3::new();
        hash.update(&line.0.to_le_bytes());
        for part in players.into_iter().chain([date]) {
            hash.update(&name_hash(part).to_le_bytes());
        }
        GameId(hash.digest())
    }

    /// Returns the ID of a game if another game has this one: it also depends on the place of the record.
    pub(crate) fn of_record(self, source: Option<&str>, place: Option<u32>) -> GameId {
        let mut hash = Xxh3::new();
        hash.update(&self.0.to_le_bytes());
        hash.update(&name_hash(source).to_le_bytes());
        hash.update(&place.unwrap_or(0).to_le_bytes());
        GameId(hash.digest())
    }
}

/// Returns the hash of a name, or 0 without a name.
pub(crate) fn name_hash(name: Option<&str>) -> u64 {
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    name.map_or(0, |name| xxh3_64(name.to_lowercase().as_bytes()).max(1))
}

#[cfg(test)]
mod tests {
    use tafl_rules::{AnyRulebook, catalog};

    use super::*;

    #[test]
    fn a_line_is_the_same_from_every_side() {
        let rules = catalog::find("brandubh7").unwrap().rules();
        let book = AnyRulebook::compile(&rules).unwrap();
        let cell = |name: &str| book.shape().cell(name.parse().unwrap()).unwrap();
        let moves =
            [("d2", "c2"), ("e4", "e1"), ("b4", "b2")].map(|(from, to)| Move::new(cell(from), cell(to)));
        let line = |moves: &[Move]| {
            let rules = RulesId::of(&rules);
            LineOfPlay { rules, symmetries: book.symmetries(), start: None, first: Side::Attackers, moves }
                .canonical()
        };
        let first = line(&moves);
        for symmetry in book.symmetries() {
            let image = moves.map(|mv| Move::new(symmetry.image(mv.from), symmetry.image(mv.to)));
            assert_eq!(line(&image).id, first.id);
        }
        assert_ne!(line(&moves[..2]).id, first.id);
    }

    #[test]
    fn ids_of_games_are_read_in_both_forms() {
        let id = GameId(0xfedc_ba98_7654_3210);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(id.as_i64().to_string().parse(), Ok(id));
        assert_eq!("game".parse::<GameId>(), Err(ParseGameIdError::Other));
    }

    #[test]
    fn a_number_that_looks_like_a_part_of_an_id_needs_a_sign() {
        let read = |text: &str| text.parse::<GameId>();
        assert_eq!(read("1234567890123456"), Ok(GameId(0x1234_5678_9012_3456)));
        for (text, n_digits) in [("123", 3), ("4702c092", 8), ("4702c0927b9a6ec91", 17)] {
            assert_eq!(read(text), Err(ParseGameIdError::Length { n_digits }), "{text}");
        }
        assert_eq!((read("+123"), read("-1")), (Ok(GameId(123)), Ok(GameId(u64::MAX))));
        assert_eq!(read("12345678901234567"), Ok(GameId(12_345_678_901_234_567)));
        for text in ["", "+", "0x123", "99999999999999999999g"] {
            assert_eq!(read(text), Err(ParseGameIdError::Other), "{text}");
        }
    }

    #[test]
    fn names_count_without_case() {
        let line = LineOfPlayId(7);
        let id = |name| GameId::of(line, [Some(name), None], None);
        assert_eq!(id("Ása "), id("ása"));
        assert_ne!(id("Ása"), id("Bo"));
    }

    #[test]
    fn a_rules_string_without_its_name_is_that_of_the_id() {
        let rules = catalog::find("brandubh7").unwrap().rules();
        for rules in [rules.clone(), RuleSet { name: Some("Five_men".into()), ..rules }] {
            assert_eq!(RulesId::nameless(&rules.to_string()), RulesId::string(&rules));
        }
    }

    /// IDs are stored, so they must not change.
    #[test]
    fn ids_stay_as_they_are() {
        assert_eq!(RulesId::of(&catalog::find("brandubh7").unwrap().rules()).0, 4_201_479_201_211_880_007);
        assert_eq!(GameId::of(LineOfPlayId(1), [None, Some("a")], None).0, 14_106_026_910_031_192_177);
        assert_eq!(GameId(1).of_record(Some("a.csv"), Some(2)).0, 11_945_832_131_503_210_685);
    }
}
