//! The words of the query language, for parsing, writing, and suggestions.

use std::ops::RangeInclusive;

use tafl_rules::{Event, KingStatus, Shape, Side};

use super::ast::KingTest;
use super::game::GameField;
use super::number::Term;

/// Words that join conditions.
pub(crate) const CONNECTIVES: [&str; 6] = ["and", "or", "not", "then", "before", "within"];
/// Words that make a condition on games or single positions of a condition on positions.
pub(crate) const OVER_GAMES: [&str; 5] = ["ever", "never", "first", "last", "count"];
/// Words that begin a board or a part of one.
pub(crate) const BOARDS: [&str; 2] = ["pattern", "position"];
/// Words that are conditions by themselves, besides events and words about kings.
pub(crate) const FLAGS: [&str; 2] = ["threat", "two_kings"];
/// Fields of positions and rules, which have a colon and a value.
pub(crate) const PLY_FIELDS: [&str; 10] =
    ["to_move", "mover", "move", "from", "to", "piece", "took", "took_at", "shape", "rules"];

/// The numbers of a position but for counts of kinds, which are written `#` and letters. Events are words of their own, too:
/// a comparison after them makes the difference.
pub(crate) const TERMS: [(Term, &str); 25] = [
    (Term::Ply, "ply"),
    (Term::PliesLeft, "plies_left"),
    (Term::Pieces, "pieces"),
    (Term::PiecesOf(Side::Attackers), "attackers"),
    (Term::PiecesOf(Side::Defenders), "defenders"),
    (Term::Captured, "captured"),
    (Term::Lost(Side::Attackers), "attackers_lost"),
    (Term::Lost(Side::Defenders), "defenders_lost"),
    (Term::KingDistance(Side::Defenders), "king_distance"),
    (Term::KingDistance(Side::Attackers), "attackers_king_distance"),
    (Term::KingLines(Side::Defenders), "king_lines"),
    (Term::KingLines(Side::Attackers), "attackers_king_lines"),
    (Term::KingFile(Side::Defenders), "king_file"),
    (Term::KingFile(Side::Attackers), "attackers_king_file"),
    (Term::KingRank(Side::Defenders), "king_rank"),
    (Term::KingRank(Side::Attackers), "attackers_king_rank"),
    (Term::CapturedBy(Event::Shieldwall), "walled"),
    (Term::CapturedBy(Event::Custodial), "custodial"),
    (Term::CapturedBy(Event::AgainstThrone), "against_throne"),
    (Term::CapturedBy(Event::AgainstCorner), "against_corner"),
    (Term::CapturedBy(Event::AgainstCamp), "against_camp"),
    (Term::CapturedBy(Event::AgainstEdge), "against_edge"),
    (Term::CapturedBy(Event::Linnaean), "linnaean"),
    (Term::CapturedBy(Event::HexCorner), "hex_corner"),
    (Term::CapturedBy(Event::Jumped), "jumped"),
];

/// The words for conditions on kings.
pub(crate) const KINGS: [(Side, KingTest, &str); 14] = [
    (Side::Defenders, KingTest::Danger, "king_danger"),
    (Side::Attackers, KingTest::Danger, "attackers_king_danger"),
    (Side::Defenders, KingTest::Cordon, "king_cordon"),
    (Side::Attackers, KingTest::Cordon, "attackers_king_cordon"),
    (Side::Defenders, KingTest::CanEscape, "king_can_escape"),
    (Side::Attackers, KingTest::CanEscape, "attackers_king_can_escape"),
    (Side::Defenders, KingTest::OpenLine, "king_open_line"),
    (Side::Attackers, KingTest::OpenLine, "attackers_king_open_line"),
    (Side::Defenders, KingTest::OnEdge, "king_on_edge"),
    (Side::Attackers, KingTest::OnEdge, "attackers_king_on_edge"),
    (Side::Defenders, KingTest::OnThrone, "king_on_throne"),
    (Side::Attackers, KingTest::OnThrone, "attackers_king_on_throne"),
    (Side::Defenders, KingTest::OnCorner, "king_on_corner"),
    (Side::Attackers, KingTest::OnCorner, "attackers_king_on_corner"),
];

/// Returns the number of a position that a word names.
pub(crate) fn term(word: &str) -> Option<Term> {
    let word = if word == Event::Shieldwall.as_str() { "walled" } else { word };
    TERMS.into_iter().find(|(_, name)| *name == word).map(|(term, _)| term)
}

/// Returns whether the pieces that a ply captured by an event are counted.
pub(crate) fn counted_event(event: Event) -> bool {
    TERMS.into_iter().any(|(term, _)| term == Term::CapturedBy(event))
}

/// Returns the word for a number of a position; counts of kinds have none.
pub(crate) fn term_word(term: Term) -> Option<&'static str> {
    TERMS.into_iter().find(|(known, _)| *known == term).map(|(_, name)| name)
}

/// Returns the condition on a king for a word.
pub(crate) fn king_test(word: &str) -> Option<(Side, KingTest)> {
    KINGS.into_iter().find(|(.., name)| *name == word).map(|(side, test, _)| (side, test))
}

/// Returns the word for a condition on a king.
pub(crate) fn king_word(side: Side, test: KingTest) -> &'static str {
    let found = KINGS.into_iter().find(|(its, known, _)| (*its, *known) == (side, test));
    found.map(|(.., name)| name).expect("every test has a word for each side")
}

/// Returns the least and the greatest value of a number of a position.
pub(crate) fn bounds(term: Term) -> RangeInclusive<i64> {
    let n_cells = Shape::MAX_CELLS as i64;
    match term {
        Term::KingDistance(_) => 0..=KingStatus::FAR.into(),
        Term::KingLines(_) => 0..=KingStatus::MANY.into(),
        Term::KingFile(_) | Term::KingRank(_) => 1..=Shape::MAX_SIDE.into(),
        Term::Pieces | Term::PiecesOf(_) | Term::Kinds(_) | Term::Captured | Term::CapturedBy(_) => {
            0..=n_cells
        }
        Term::Lost(_) => -n_cells..=n_cells,
        Term::Ply | Term::PliesLeft => 0..=1_000_000,
    }
}

/// Returns every word of the language: those that join conditions, conditions, numbers, fields.
pub fn vocabulary() -> impl Iterator<Item = &'static str> {
    CONNECTIVES
        .into_iter()
        .chain(OVER_GAMES)
        .chain(BOARDS)
        .chain(FLAGS)
        .chain(Event::ALL.into_iter().map(Event::as_str))
        .chain(KINGS.into_iter().map(|(.., word)| word))
        .chain(TERMS.into_iter().map(|(_, word)| word).filter(|word| word.parse::<Event>().is_err()))
        .chain(fields())
}

/// Returns every word that can precede a colon.
pub(crate) fn fields() -> impl Iterator<Item = &'static str> {
    GameField::all().map(GameField::as_str).chain(PLY_FIELDS)
}

/// The number of characters of a word that are compared, which bounds the time for long words.
const LONGEST_WORD: usize = 64;

/// Returns the candidate that is most like a word, if one is: the one with the fewest differing letters. A candidate that
/// ends with `_` and the word, such as `king_danger` for `danger`, counts as one with at most two differing letters.
pub(crate) fn nearest<'c>(word: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let word: String = word.chars().take(LONGEST_WORD).flat_map(char::to_lowercase).collect();
    // Two of three letters differ by chance: `or` is not like `foo`.
    let n_letters = word.chars().count();
    let far = if n_letters < 5 { 1 } else { 1 + n_letters / 3 };
    let is_end = |candidate: &str| candidate.strip_suffix(&*word).is_some_and(|start| start.ends_with('_'));
    let distance = |candidate: &str| match strsim::levenshtein(&word, candidate) {
        letters if is_end(candidate) => letters.min(2),
        letters => letters,
    };
    candidates
        .map(|candidate| (distance(candidate), candidate))
        .filter(|(distance, candidate)| *distance <= far || is_end(candidate))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_are_alike_only_if_one_letter_differs() {
        for (word, near) in [
            ("foo", None),
            ("cat", None),
            ("an", Some("and")),
            ("fort", Some("exit_fort")),
            ("captur", Some("capture")),
            ("shieldwal", Some("shieldwall")),
        ] {
            assert_eq!(nearest(word, vocabulary()), near, "{word}");
        }
    }
}
