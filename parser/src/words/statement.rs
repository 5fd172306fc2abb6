//! Statements about the end of a game in sentences: `White resigns`, `attackers win on time`, `draw agreed`.

mod clause;
#[cfg(test)]
mod tests;

use tafl_rules::{Reason, Side};

use super::languages::{self, SideSubject};
use crate::record::{EndingKind, Record, WrittenVerdict, tag};

pub(crate) use clause::{is_about_king, mentions_end};

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

/// The players of a game.
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
            let player = player.trim();
            if let Some((first, _)) = player.split_once(' ').filter(|(first, _)| first.len() > 2) {
                names.push((first.to_owned(), side));
            }
            if player.chars().any(char::is_alphabetic) {
                names.push((player.to_owned(), side));
            }
        }
        let all = names.clone();
        let differs = |one: &str, other: &str| one.to_lowercase() != other.to_lowercase();
        names.retain(|(name, side)| all.iter().all(|(other, by)| side == by || differs(name, other)));
        // Longer names first, so that a first word does not hide a whole name.
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        PlayerNames { names }
    }

    /// Reads a name at the start of a text, up to the end of a word, and returns its side and its length.
    pub(crate) fn read(&self, text: &str) -> Option<(Side, usize)> {
        self.names.iter().find_map(|(name, side)| Some((*side, prefix(text, name)?)))
    }
}

/// Returns the reason that a text about the end states: `escape`, `White won (king escaped)`, `Black lost on time`.
pub(super) fn stated_reason(text: &str) -> Option<Reason> {
    match statement(text, &PlayerNames::default()).map(|(found, _)| found) {
        Some(Statement::Ending { kind, .. }) => Some(kind.reason()),
        Some(Statement::Result { reason: Some(reason), .. }) => Some(reason),
        Some(Statement::Result { reason: None, .. } | Statement::Ambiguous) | None => {
            clause::only_reason(text)
        }
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

/// The verbs of results, the effect for the subject, and whether they look back: `won in 30 moves` is a result, and
/// `wins in 3` an expectation. Longer ones come before their beginnings.
const VERBS: [(&str, bool, bool); 9] = [
    ("has won", true, true),
    ("have won", true, true),
    ("won", true, true),
    ("wins", true, false),
    ("win", true, false),
    ("victory", true, true),
    ("loses", false, false),
    ("lost", false, true),
    ("lose", false, false),
];

/// Words that may stand before a statement.
const LEADS: [&str; 7] = ["and", "then", "so", "here", "now", "finally", "at last"];

/// Reads a statement at the start of a text, and returns it with its length in bytes.
///
/// Only a whole clause is a statement, unlike `Black wins if White plays on` and `draw offered`.
pub(crate) fn statement(text: &str, players: &PlayerNames) -> Option<(Statement, usize)> {
    if let Some(found) = score(text) {
        return Some(found);
    }
    let mut at = 0;
    while let Some(length) = LEADS.iter().find_map(|lead| prefix(&text[at..], lead)) {
        at += length;
        at += blanks(&text[at..]);
    }
    let (found, length, looks_back) = clause(&text[at..], players)?;
    let end = at + length;
    clause::ends(&text[end..], looks_back, players).then_some((found, end))
}

/// A statement, its length, and whether it looks back.
type Clause = (Statement, usize, bool);

/// Reads a statement without what surrounds it.
fn clause(text: &str, players: &PlayerNames) -> Option<Clause> {
    english(text, players).or_else(|| in_other_language(text, players))
}

/// Reads a statement in one of the other languages: `Schwarz gibt auf`, `les blancs gagnent`, `remis`.
fn in_other_language(text: &str, players: &PlayerNames) -> Option<Clause> {
    // Without a subject, only the end of a line is a statement.
    const MAX_ALONE: usize = 40;
    let of_player = |(side, length)| SideSubject { side, length, may_join_verb: false };
    let subject = players.read(text).map(of_player).or_else(|| languages::read_side(text));
    let (side, at, joins) = match subject {
        Some(SideSubject { side, length, may_join_verb }) => (Some(side), length, may_join_verb),
        None if text.trim_end().len() > MAX_ALONE => return None,
        None => (None, 0, true),
    };
    let verb_at = at + blanks(&text[at..]);
    if verb_at == at && !joins {
        return None;
    }
    let length_of = |words: &[&str]| words.iter().find_map(|word| prefix(&text[verb_at..], word));
    let endings =
        [(&languages::RESIGNS[..], EndingKind::Resigned), (&languages::TIMES_OUT[..], EndingKind::Timeout)];
    if let Some((kind, length)) =
        endings.into_iter().find_map(|(words, kind)| Some((kind, length_of(words)?)))
    {
        return Some((Statement::Ending { kind, side }, verb_at + length, true));
    }
    let (verdict, words, looks_back) = match side {
        Some(side) => (WrittenVerdict::Win(side), &languages::WINS[..], false),
        None => (WrittenVerdict::Draw, &languages::DRAWS[..], true),
    };
    let length = length_of(words)?;
    Some((Statement::Result { verdict, reason: None }, verb_at + length, looks_back))
}

/// Reads a statement in English.
fn english(text: &str, players: &PlayerNames) -> Option<Clause> {
    let subject = subject(text, players);
    let (side, at) = subject.unwrap_or((None, 0));
    let verb_at = at + blanks(&text[at..]);
    let verb = &text[verb_at..];
    let verb_of = |(words, kind): &(&str, EndingKind)| Some((*kind, prefix(verb, words)?));
    if (subject.is_none() || verb_at > at)
        && let Some((kind, length)) = ENDINGS.iter().find_map(verb_of)
    {
        return Some((Statement::Ending { kind, side }, verb_at + length, true));
    }
    match (subject, side) {
        (Some(_), Some(side)) if verb_at > at => {
            let of_verb = |(word, wins, looks_back): &(&str, bool, bool)| {
                Some((if *wins { side } else { side.other() }, *looks_back, prefix(verb, word)?))
            };
            if let Some((winner, looks_back, length)) = VERBS.iter().find_map(of_verb) {
                let (found, end) = with_reason(text, verb_at + length, WrittenVerdict::Win(winner));
                return Some((found, end, looks_back));
            }
            // `White king escaped`, but not `White: the king escaped`. `Black king captured` has two meanings.
            let is_owner =
                side == Side::Defenders && prefix(verb, "king").is_some() && !text[..at].ends_with(':');
            is_owner.then(|| king(verb))?.map(|(found, length)| (found, verb_at + length, true))
        }
        (Some(_), Some(side)) => {
            // `attackers` alone is the result in our own words.
            let is_alone = text[at..].trim_matches(['.', '!', '*', ' ', '\t', '\r']).is_empty();
            let is_own = text[..at].eq_ignore_ascii_case(side.as_str());
            let verdict = WrittenVerdict::Win(side);
            (is_alone && is_own).then_some((Statement::Result { verdict, reason: None }, at, true))
        }
        (Some(_), None) => None,
        (None, _) => unnamed(text, players),
    }
}

/// Reads a statement without a subject: `timeout`, `draw agreed`, `win for White`, `king captured`.
fn unnamed(text: &str, players: &PlayerNames) -> Option<Clause> {
    if let Some(length) = agreement(text) {
        return Some((Statement::Ending { kind: EndingKind::Agreed, side: None }, length, true));
    }
    for words in ["win for", "victory for", "victory of"] {
        if let Some(length) = prefix(text, words) {
            let at = length + blanks(&text[length..]);
            let (side, more) = subject(&text[at..], players)?;
            let (found, end) = with_reason(text, at + more, WrittenVerdict::Win(side?));
            return Some((found, end, true));
        }
    }
    for words in ["game drawn", "the game is drawn", "the game was drawn", "draw", "drawn", "tie"] {
        if let Some(length) = prefix(text, words) {
            let (found, end) = with_reason(text, length, WrittenVerdict::Draw);
            return Some((found, end, true));
        }
    }
    if let Some((found, length)) = king(text) {
        return Some((found, length, true));
    }
    for words in ["unfinished", "ongoing"] {
        if let Some(length) = prefix(text, words) {
            let found = Statement::Result { verdict: WrittenVerdict::Ongoing, reason: None };
            return Some((found, length, true));
        }
    }
    // No word is longer than the longest ending.
    let start = &text[..text.floor_char_boundary(16)];
    let length =
        start.find(|symbol: char| symbol.is_whitespace() || ",.;)".contains(symbol)).unwrap_or(start.len());
    let kind = super::ending(&text[..length])?;
    Some((Statement::Ending { kind, side: None }, length, true))
}

/// Reads what happened to the king, and returns its length.
fn king(text: &str) -> Option<(Statement, usize)> {
    let (reason, length) = clause::king(text)?;
    let winner = if reason == Reason::KingCaptured { Side::Attackers } else { Side::Defenders };
    Some((Statement::Result { verdict: WrittenVerdict::Win(winner), reason: Some(reason) }, length))
}

/// Reads that the players agreed to a draw, and returns the length.
fn agreement(text: &str) -> Option<usize> {
    if let Some(length) = ["draw agreed", "draw by agreement", "draw by mutual agreement"]
        .iter()
        .find_map(|words| prefix(text, words))
    {
        return Some(length);
    }
    let by = ["we", "both players", "both sides", "both", "the players", "players", "they"];
    let who = by.iter().find_map(|words| prefix(text, words)).unwrap_or(0);
    let at = who + blanks(&text[who..]);
    let verb = ["have agreed", "agreed", "agree"].iter().find_map(|words| prefix(&text[at..], words))?;
    let end = at + verb;
    let what_at = end + blanks(&text[end..]);
    let what =
        ["to a draw", "on a draw", "a draw", "draw"].iter().find_map(|words| prefix(&text[what_at..], words));
    match what {
        Some(length) => Some(what_at + length),
        None if who == 0 && text[at..end].eq_ignore_ascii_case("agreed") => Some(end),
        None => None,
    }
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

/// Reads who does something: the name of a side or of a player, with an article, a name in parentheses, or a colon.
/// Returns the side, if the text names it, and the length.
fn subject(text: &str, players: &PlayerNames) -> Option<(Option<Side>, usize)> {
    if let Some(length) = prefix(text, "I") {
        return Some((None, length));
    }
    let (side, mut at) = players.read(text).or_else(|| side_name(text)).or_else(|| name_and_side(text))?;
    // `Black (Ann) wins`, `Ann (Black) wins`.
    let inside = near(&text[at..]).strip_prefix(" (").and_then(|rest| rest.split_once(')'));
    if let Some((inside, _)) = inside.filter(|(inside, rest)| is_name(inside) && rest.starts_with(' ')) {
        at += inside.len() + 3;
    }
    if text[at..].starts_with(':') {
        at += 1;
        let next = at + blanks(&text[at..]);
        at = prefix(&text[next..], "I").map_or(at, |length| next + length);
    }
    Some((Some(side), at))
}

/// Reads the name of a side with an article.
fn side_name(text: &str) -> Option<(Side, usize)> {
    let article =
        prefix(text, "the").map_or(0, |length| length + usize::from(text[length..].starts_with(' ')));
    let rest = &text[article..];
    let length = rest.find(|symbol: char| !symbol.is_alphabetic()).unwrap_or(rest.len());
    Some((super::side(&rest[..length])?, article + length))
}

/// Reads `Ann (Black)`: any name, and the side in parentheses.
fn name_and_side(text: &str) -> Option<(Side, usize)> {
    let (name, rest) = near(text).split_once(" (")?;
    let (side, _) = rest.split_once(')').filter(|_| is_name(name))?;
    Some((super::side(side)?, name.len() + side.len() + 3))
}

/// Returns whether a text can be the name of a player.
pub(crate) fn is_name(text: &str) -> bool {
    let is_part = |symbol: char| symbol.is_alphanumeric() || " .'_-".contains(symbol);
    text.starts_with(char::is_alphanumeric)
        && text.len() <= 40
        && text.chars().all(is_part)
        && text.split(' ').count() <= 4
}

/// Adds the reason after a result to it.
fn with_reason(text: &str, at: usize, verdict: WrittenVerdict) -> (Statement, usize) {
    let (reason, end) = clause::reason(text, at);
    (Statement::Result { verdict, reason }, end)
}

/// Returns the first part of a text, long enough for names, so that a long line is not searched at each of its words.
fn near(text: &str) -> &str {
    &text[..text.floor_char_boundary(100)]
}

/// Returns the number of blanks at the start of a text.
fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\u{a0}']).len()
}

/// Returns the length of `words` at the start of a text, ignoring case, if a word ends there.
fn prefix(text: &str, words: &str) -> Option<usize> {
    let rest = if words.is_ascii() {
        // About eighty phrases are compared at every word of a text, so bytes are compared at once.
        text.get(..words.len())?.eq_ignore_ascii_case(words).then(|| &text[words.len()..])?
    } else {
        let mut symbols = text.chars();
        let is_same = |wanted: char| {
            symbols.next().is_some_and(|symbol| symbol.to_lowercase().eq(wanted.to_lowercase()))
        };
        words.chars().all(is_same).then_some(symbols.as_str())?
    };
    rest.chars().next().is_none_or(|next| !next.is_alphanumeric()).then_some(text.len() - rest.len())
}
