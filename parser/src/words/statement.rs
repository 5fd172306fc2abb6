//! Statements about the end of a game in sentences: `White resigns`, `attackers win on time`, `draw agreed`.

use tafl_rules::{Reason, Side};

use crate::record::{EndingKind, Record, WrittenVerdict, tag};

/// A statement about the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Statement {
    /// A side resigned, lost on time, or agreed to a draw.
    Ending {
        /// The kind of ending.
        kind: EndingKind,
        /// The side that it is about, if the text names it.
        side: Option<Side>,
    },
    /// A result, with the reason as far as it is stated.
    Result {
        /// The winner or status.
        verdict: WrittenVerdict,
        /// The reason, if the text gives one.
        reason: Option<Reason>,
    },
    /// `1-0` or `0-1`, which do not define the side.
    Ambiguous,
}

/// The players of a game, in lower case.
#[derive(Debug, Clone, Default)]
pub(crate) struct PlayerNames {
    names: Vec<(String, Side)>,
}

impl PlayerNames {
    /// Returns the players named by the tags of a record: whole names, and first words that belong to one
    /// side only.
    pub(crate) fn of(record: &Record) -> PlayerNames {
        let mut names: Vec<(String, Side)> = Vec::new();
        let tags = [(tag::ATTACKERS, Side::Attackers), (tag::DEFENDERS, Side::Defenders)];
        for (name, side) in tags {
            let Some(player) = record.tag(name) else { continue };
            let player = player.trim().to_lowercase();
            if let Some((first, _)) = player.split_once(' ').filter(|(first, _)| first.len() > 2) {
                names.push((first.to_owned(), side));
            }
            if player.chars().any(char::is_alphabetic) {
                names.push((player, side));
            }
        }
        let all = names.clone();
        names.retain(|(name, side)| all.iter().all(|(other, by)| name != other || side == by));
        // Longer names first, so that a first word does not hide a whole name.
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        PlayerNames { names }
    }

    /// Reads a name at the start of a text, up to the end of a word, and returns its side and its length.
    pub(crate) fn read(&self, text: &str) -> Option<(Side, usize)> {
        self.names.iter().find_map(|(name, side)| Some((*side, prefix(text, name)?)))
    }
}

/// The verbs of endings. Longer ones come before their beginnings.
const ENDINGS: [(&str, EndingKind); 27] = [
    ("has resigned", EndingKind::Resigned),
    ("have resigned", EndingKind::Resigned),
    ("resigned", EndingKind::Resigned),
    ("resigns", EndingKind::Resigned),
    ("resign", EndingKind::Resigned),
    ("gives up", EndingKind::Resigned),
    ("give up", EndingKind::Resigned),
    ("gave up", EndingKind::Resigned),
    ("concedes", EndingKind::Resigned),
    ("concede", EndingKind::Resigned),
    ("conceded", EndingKind::Resigned),
    ("forfeits on time", EndingKind::Timeout),
    ("forfeited on time", EndingKind::Timeout),
    ("forfeits", EndingKind::Resigned),
    ("forfeited", EndingKind::Resigned),
    ("forfeit", EndingKind::Resigned),
    ("lost on time", EndingKind::Timeout),
    ("loses on time", EndingKind::Timeout),
    ("lose on time", EndingKind::Timeout),
    ("lost by timeout", EndingKind::Timeout),
    ("loses by timeout", EndingKind::Timeout),
    ("timed out", EndingKind::Timeout),
    ("times out", EndingKind::Timeout),
    ("ran out of time", EndingKind::Timeout),
    ("runs out of time", EndingKind::Timeout),
    ("out of time", EndingKind::Timeout),
    ("flagged", EndingKind::Timeout),
];

/// The reasons after a result. Longer ones come before their beginnings.
const REASONS: [(&str, Option<Reason>); 18] = [
    ("by resignation", Some(Reason::Resignation)),
    ("by timeout", Some(Reason::Timeout)),
    ("by time", Some(Reason::Timeout)),
    ("on time", Some(Reason::Timeout)),
    ("by agreement", Some(Reason::Agreement)),
    ("by mutual agreement", Some(Reason::Agreement)),
    ("by adjudication", Some(Reason::Adjudication)),
    ("by threefold repetition", Some(Reason::Repetition)),
    ("by repetition", Some(Reason::Repetition)),
    ("by king capture", Some(Reason::KingCaptured)),
    ("by capturing the king", Some(Reason::KingCaptured)),
    ("by capture of the king", Some(Reason::KingCaptured)),
    ("by encirclement", Some(Reason::Encirclement)),
    ("by exit fort", Some(Reason::ExitFort)),
    ("by king escape", Some(Reason::KingReachedGoal)),
    ("by escape", Some(Reason::KingReachedGoal)),
    ("the game", None),
    ("this game", None),
];

/// Reads a statement at the start of a text, and returns it with its length in bytes.
pub(crate) fn statement(text: &str, players: &PlayerNames) -> Option<(Statement, usize)> {
    if let Some(found) = score(text) {
        return Some(found);
    }
    let subject = subject(text, players);
    let (side, at) = subject.map_or((None, 0), |(side, length)| (Some(side), length));
    let rest = &text[at..];
    let blanks = rest.len() - rest.trim_start().len();
    let verb = &rest[blanks..];
    let verb_at = at + blanks;
    let verb_of = |(words, kind): &(&str, EndingKind)| Some((*kind, prefix(verb, words)?));
    if (side.is_none() || blanks > 0)
        && let Some((kind, length)) = ENDINGS.iter().find_map(verb_of)
    {
        return Some((Statement::Ending { kind, side }, verb_at + length));
    }
    match side {
        Some(side) => {
            let wins = ["wins", "win", "won", "victory", "has won", "have won"].iter();
            let loses = ["loses", "lost", "lose"].iter();
            let found = wins.map(|word| (word, side)).chain(loses.map(|word| (word, side.other())));
            let mut found = found.filter_map(|(word, winner)| Some((winner, prefix(verb, word)?)));
            let (winner, length) = found.next().filter(|_| blanks > 0)?;
            Some(with_reason(text, verb_at + length, WrittenVerdict::Win(winner)))
        }
        None => unnamed(text, players),
    }
}

/// Reads a statement without a subject: `timeout`, `draw agreed`, `win for White`.
fn unnamed(text: &str, players: &PlayerNames) -> Option<(Statement, usize)> {
    for words in ["draw agreed", "draw by agreement", "agreed draw", "agreed to a draw", "agreed"] {
        if let Some(length) = prefix(text, words) {
            return Some((Statement::Ending { kind: EndingKind::Agreed, side: None }, length));
        }
    }
    for words in ["win for", "victory for", "victory of"] {
        if let Some(length) = prefix(text, words) {
            let blank = text[length..].len() - text[length..].trim_start().len();
            let (side, more) = subject(&text[length + blank..], players)?;
            return Some(with_reason(text, length + blank + more, WrittenVerdict::Win(side)));
        }
    }
    for words in ["game drawn", "the game is drawn", "draw", "drawn", "tie"] {
        if let Some(length) = prefix(text, words) {
            return Some(with_reason(text, length, WrittenVerdict::Draw));
        }
    }
    for words in ["unfinished", "ongoing"] {
        if let Some(length) = prefix(text, words) {
            return Some((Statement::Result { verdict: WrittenVerdict::Ongoing, reason: None }, length));
        }
    }
    // No word is longer than the longest ending.
    let start = &text[..text.floor_char_boundary(16)];
    let length =
        start.find(|symbol: char| symbol.is_whitespace() || ",.;)".contains(symbol)).unwrap_or(start.len());
    let kind = super::ending(&text[..length])?;
    Some((Statement::Ending { kind, side: None }, length))
}

/// Reads `1/2-1/2`, `*`, `1-0`, and similar results.
fn score(text: &str) -> Option<(Statement, usize)> {
    let result = |verdict| Statement::Result { verdict, reason: None };
    let known = [
        ("1/2-1/2", result(WrittenVerdict::Draw)),
        ("½-½", result(WrittenVerdict::Draw)),
        ("0.5-0.5", result(WrittenVerdict::Draw)),
        ("1/2", result(WrittenVerdict::Draw)),
        ("½", result(WrittenVerdict::Draw)),
        ("*", result(WrittenVerdict::Ongoing)),
        ("1-0", Statement::Ambiguous),
        ("0-1", Statement::Ambiguous),
        ("1:0", Statement::Ambiguous),
        ("0:1", Statement::Ambiguous),
        ("1–0", Statement::Ambiguous),
        ("0–1", Statement::Ambiguous),
    ];
    let (words, found) = known.into_iter().find(|(words, _)| text.starts_with(words))?;
    let ends = text[words.len()..]
        .chars()
        .next()
        .is_none_or(|next| next.is_whitespace() || ".,;)<|`".contains(next));
    ends.then_some((found, words.len()))
}

/// Reads the name of a side or of a player, with an article, and returns the side and the length.
fn subject(text: &str, players: &PlayerNames) -> Option<(Side, usize)> {
    if let Some(found) = players.read(text) {
        return Some(found);
    }
    let article =
        prefix(text, "the").map_or(0, |length| length + usize::from(text[length..].starts_with(' ')));
    let rest = &text[article..];
    let length = rest.find(|symbol: char| !symbol.is_alphabetic()).unwrap_or(rest.len());
    Some((super::side(&rest[..length])?, article + length))
}

/// Adds the reason after a result to it.
fn with_reason(text: &str, at: usize, verdict: WrittenVerdict) -> (Statement, usize) {
    let mut end = at;
    let mut reason = None;
    for _ in 0..2 {
        let rest = text[end..].trim_start_matches([' ', ',', '(']);
        let start = text.len() - rest.len();
        let found = REASONS.iter().find_map(|(words, reason)| Some((*reason, prefix(rest, words)?)));
        if let Some((found, length)) = found {
            reason = reason.or(found);
            end = start + length;
        }
    }
    (Statement::Result { verdict, reason }, end)
}

/// Returns the length of `words` at the start of a text, ignoring case, if a word ends there.
fn prefix(text: &str, words: &str) -> Option<usize> {
    let mut symbols = text.char_indices();
    for wanted in words.chars() {
        let (_, symbol) = symbols.next()?;
        if !symbol.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    let rest = symbols.as_str();
    rest.chars().next().is_none_or(|next| !next.is_alphanumeric()).then_some(text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<(Statement, usize)> {
        statement(
            text,
            &PlayerNames {
                names: vec![("ann lee".into(), Side::Attackers), ("ann".into(), Side::Attackers)],
            },
        )
    }

    #[test]
    fn the_name_decides_the_side_of_a_resignation() {
        let ending = |kind, side| Some(Statement::Ending { kind, side });
        for (text, expected) in [
            ("White resigns", ending(EndingKind::Resigned, Some(Side::Defenders))),
            ("Black gives up.", ending(EndingKind::Resigned, Some(Side::Attackers))),
            ("the attackers resigned", ending(EndingKind::Resigned, Some(Side::Attackers))),
            ("Dark lost on time", ending(EndingKind::Timeout, Some(Side::Attackers))),
            ("Ann Lee resigns", ending(EndingKind::Resigned, Some(Side::Attackers))),
            ("ann timed out", ending(EndingKind::Timeout, Some(Side::Attackers))),
            ("resigns", ending(EndingKind::Resigned, None)),
            ("timeout", ending(EndingKind::Timeout, None)),
            ("draw agreed", ending(EndingKind::Agreed, None)),
        ] {
            assert_eq!(read(text).map(|(found, _)| found), expected, "{text}");
        }
    }

    #[test]
    fn results_in_words_are_read() {
        let result = |verdict, reason| Some(Statement::Result { verdict, reason });
        let black = WrittenVerdict::Win(Side::Attackers);
        for (text, expected) in [
            ("attackers win", result(black, None)),
            ("Black wins by resignation", result(black, Some(Reason::Resignation))),
            ("White lost", result(black, None)),
            ("win for Black", result(black, None)),
            ("black wins the game on time", result(black, Some(Reason::Timeout))),
            ("1/2-1/2", result(WrittenVerdict::Draw, None)),
            ("½", result(WrittenVerdict::Draw, None)),
            ("drawn by repetition", result(WrittenVerdict::Draw, Some(Reason::Repetition))),
            ("*", result(WrittenVerdict::Ongoing, None)),
            ("1-0", Some(Statement::Ambiguous)),
        ] {
            assert_eq!(read(text).map(|(found, _)| found), expected, "{text}");
        }
        for text in ["1-0x", "Whiteresigns", "white", "wins", "drawing", "annotated", ""] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "(White|the |ann|1-0|½|draw|wins|by |[a-zæİ .,*-]){0,8}") {
            if let Some((_, length)) = read(&text) {
                prop_assert!(text.is_char_boundary(length) && length > 0);
            }
        }
    }
}
