//! Words for pieces, cells, sides, and numbers in rules sheets.

use crate::piece::{Piece, PieceSet, Role};
use crate::ruleset::RuleSet;
use crate::shape::{Cell, Shape};
use crate::side::{BySide, Side};
use crate::wording::word_list;

/// The names of a game's sides and the pieces in play, as needed for sentences.
pub(super) struct Words<'r> {
    pub(super) rules: &'r RuleSet,
    pub(super) in_play: PieceSet,
    parties: BySide<Party>,
}

/// The name of a side in sentences.
struct Party {
    /// `the attackers`, or `Dark`.
    subject: String,
    /// `the attackers'`, or `Dark's`.
    owner: String,
    plural: bool,
}

impl Party {
    fn named(name: &str) -> Party {
        // Variants name their sides in the plural, `attackers`, or by a color, `dark`.
        let plural = name.ends_with('s') || name.ends_with("men");
        let subject = if plural { format!("the {name}") } else { capitalized(name) };
        let owner = if name.ends_with('s') { format!("{subject}'") } else { format!("{subject}'s") };
        Party { subject, owner, plural }
    }
}

impl<'r> Words<'r> {
    pub(super) fn new(rules: &'r RuleSet, names: BySide<&str>) -> Words<'r> {
        let parties = BySide::from_fn(|side| Party::named(names[side]));
        Words { rules, in_play: rules.pieces_in_play(), parties }
    }

    pub(super) fn shape(&self) -> Shape {
        self.rules.shape()
    }

    /// Returns the name of a side: `the attackers`.
    pub(super) fn side(&self, side: Side) -> &str {
        &self.parties[side].subject
    }

    /// Returns whether the game has its own names for the sides, such as Dark and Light.
    pub(super) fn has_own_names(&self) -> bool {
        Side::ALL.into_iter().any(|side| self.side(side) != format!("the {side}"))
    }

    /// Returns the possessive of a side: `the attackers'`.
    pub(super) fn of_side(&self, side: Side) -> &str {
        &self.parties[side].owner
    }

    /// Returns a side with a verb that agrees: `the attackers win`. Takes the plural form of the
    /// verb first.
    pub(super) fn side_does(&self, side: Side, verb: &str, verb_of_one: &str) -> String {
        let party = &self.parties[side];
        format!("{} {}", party.subject, if party.plural { verb } else { verb_of_one })
    }

    /// Returns whether a side has pieces of a role.
    pub(super) fn has(&self, side: Side, role: Role) -> bool {
        self.in_play.contains(Piece::new(side, role))
    }

    /// Returns whether any side has pieces of a role.
    pub(super) fn has_role(&self, role: Role) -> bool {
        Side::ALL.into_iter().any(|side| self.has(side, role))
    }

    /// Returns the sides that have a king, attackers first.
    pub(super) fn sides_with_king(&self) -> Vec<Side> {
        Side::ALL.into_iter().filter(|side| self.has(*side, Role::King)).collect()
    }

    /// Returns whether a side starts with more than one king. Then their capture does not lose the game.
    fn has_several_kings(&self, side: Side) -> bool {
        self.rules.start.count(Piece::new(side, Role::King)) > 1
    }

    /// Returns `the king`, or `the attackers' king` if both sides have one, or `a king` if a side has several.
    pub(super) fn king(&self, side: Side) -> String {
        match (self.sides_with_king().len(), self.has_several_kings(side)) {
            (0 | 1, false) => "the king".to_owned(),
            (0 | 1, true) => "a king".to_owned(),
            (_, false) => format!("{} king", self.of_side(side)),
            (_, true) => format!("a king of {}", self.side(side)),
        }
    }

    /// Returns whether a set has only one piece in play, a king.
    pub(super) fn is_one_king(&self, set: PieceSet) -> bool {
        let set = set.intersection(self.in_play);
        set.iter().count() == 1
            && set.iter().all(|piece| piece.role == Role::King && !self.has_several_kings(piece.side))
    }

    /// Returns the name of the pieces of a set that are in play: `every piece`, `the king`, `men of
    /// either side`.
    pub(super) fn pieces(&self, set: PieceSet) -> String {
        let set = set.intersection(self.in_play);
        let rest = self.in_play.without(set);
        let own = |side: Side| match side {
            Side::Attackers => PieceSet::ATTACKERS.intersection(self.in_play),
            Side::Defenders => PieceSet::DEFENDERS.intersection(self.in_play),
        };
        if set.is_empty() {
            return "no piece".to_owned();
        }
        if rest.is_empty() {
            return "every piece".to_owned();
        }
        if self.is_one_king(set) {
            return self.kinds(set).concat();
        }
        if let Some(side) = Side::ALL.into_iter().find(|side| set == own(*side)) {
            return format!("every piece of {}", self.side(side));
        }
        if rest.iter().count() == 1 && set.iter().count() > 1 {
            return format!("every piece except {}", word_list(&self.kinds(rest), "and"));
        }
        word_list(&self.kinds(set), "and")
    }

    /// Returns the pieces of a set as those that alone may do something, at the beginning of a sentence: `Only the king`,
    /// `Every piece except men`.
    pub(super) fn only(&self, set: PieceSet) -> String {
        let who = self.pieces(set);
        match who.strip_prefix("every piece of ") {
            Some(side) => format!("Only pieces of {side}"),
            None if who.starts_with("every ") || who.starts_with("no ") => capitalized(&who),
            None => format!("Only {who}"),
        }
    }

    /// Returns the name of a set of pieces with a verb that agrees: `the king moves`, `men move`,
    /// `every piece moves`.
    pub(super) fn pieces_do(&self, set: PieceSet, verb: &str, verb_of_one: &str) -> String {
        let who = self.pieces(set);
        let is_one = self.is_one_king(set)
            || ["every", "no", "either"].iter().any(|word| who.split(' ').next() == Some(word));
        format!("{who} {}", if is_one { verb_of_one } else { verb })
    }

    /// Returns the name of each kind of piece in a set: `the king`, `men`, `the defenders' men`.
    pub(super) fn kinds(&self, set: PieceSet) -> Vec<String> {
        let mut kinds = Vec::new();
        for role in Role::ALL {
            let sides: Vec<Side> =
                Side::ALL.into_iter().filter(|side| set.contains(Piece::new(*side, role))).collect();
            let known: Vec<Side> = Side::ALL.into_iter().filter(|side| self.has(*side, role)).collect();
            match (role, &sides[..]) {
                (_, []) => {}
                (Role::King, sides) if sides.iter().any(|side| self.has_several_kings(*side)) => {
                    if sides.len() == known.len() {
                        kinds.push(plural(role).to_owned());
                    } else {
                        kinds.extend(sides.iter().map(|side| format!("{} kings", self.of_side(*side))));
                    }
                }
                (Role::King, [side]) => kinds.push(self.king(*side)),
                (Role::King, _) => kinds.push("either king".to_owned()),
                (_, sides) if sides.len() == known.len() => kinds.push(plural(role).to_owned()),
                (_, sides) => {
                    kinds
                        .extend(sides.iter().map(|side| format!("{} {}", self.of_side(*side), plural(role))));
                }
            }
        }
        kinds
    }

    /// Returns the names of cells: `the four corners of the board`, `f6, the middle of the board`,
    /// `d1 to h1, f2 and a4`.
    pub(super) fn cells(&self, cells: &[Cell]) -> String {
        cells_in_words(self.shape(), cells)
    }
}

/// Returns the names of cells: `the four corners of the board`, `f6, the middle of the board`, `d1
/// to h1, f2 and a4`.
fn cells_in_words(shape: Shape, cells: &[Cell]) -> String {
    if cells.is_empty() {
        "no cell".to_owned()
    } else if cells == shape.corners() {
        format!("the {} corners of the board", number(cells.len()))
    } else if cells.len() == 1 && shape.center() == cells.first().copied() {
        format!("{}, the middle of the board", shape.name(cells[0]))
    } else {
        word_list(&runs(shape, cells), "and")
    }
}

/// Returns the names of cells in ascending order, with three or more adjacent cells of a rank as
/// `d1 to h1`.
fn runs(shape: Shape, cells: &[Cell]) -> Vec<String> {
    let mut runs: Vec<Vec<Cell>> = Vec::new();
    for cell in cells {
        let coord = shape.coord(*cell);
        match runs.last_mut() {
            Some(run)
                if run
                    .last()
                    .map(|last| shape.coord(*last))
                    .is_some_and(|last| last.rank == coord.rank && last.file + 1 == coord.file) =>
            {
                run.push(*cell);
            }
            _ => runs.push(vec![*cell]),
        }
    }
    let name = |cell: &Cell| shape.name(*cell);
    runs.iter()
        .flat_map(|run| match &run[..] {
            [first, .., last] if run.len() > 2 => vec![format!("{} to {}", name(first), name(last))],
            few => few.iter().map(name).collect(),
        })
        .collect()
}

/// Returns a number in words up to twelve, and in digits above.
pub(super) fn number(n: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(n).map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

/// Returns an ordinal number: `third`, `21st`.
pub(super) fn ordinal(n: u8) -> String {
    const WORDS: [&str; 11] =
        ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    WORDS
        .get(usize::from(n))
        .filter(|word| !word.is_empty())
        .map_or_else(|| format!("{n}{ending}"), |word| (*word).to_owned())
}

/// Returns the plural of the noun for a role.
pub(super) const fn plural(role: Role) -> &'static str {
    match role {
        Role::Soldier => "men",
        Role::Commander => "commanders",
        Role::Knight => "knights",
        Role::King => "kings",
        Role::Mercenary => "mercenaries",
        Role::Guard => "guards",
    }
}

/// Returns the text with its first letter in uppercase.
pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
