//! The parts of a clause after a statement: its reason, and the words by which it states nothing.

use tafl_rules::Reason;

use super::{PlayerNames, blanks, near, prefix, statement};

/// The words for a reason. Longer ones come before their beginnings.
const REASONS: [(&str, Reason); 33] = [
    ("resignation", Reason::Resignation),
    ("timeout", Reason::Timeout),
    ("time out", Reason::Timeout),
    ("time", Reason::Timeout),
    ("mutual agreement", Reason::Agreement),
    ("agreement", Reason::Agreement),
    ("adjudication", Reason::Adjudication),
    ("threefold repetition", Reason::Repetition),
    ("perpetual repetition", Reason::Repetition),
    ("repetition", Reason::Repetition),
    ("king captured", Reason::KingCaptured),
    ("king capture", Reason::KingCaptured),
    ("king is captured", Reason::KingCaptured),
    ("king was captured", Reason::KingCaptured),
    ("capturing the king", Reason::KingCaptured),
    ("capture of the king", Reason::KingCaptured),
    ("king reached goal", Reason::KingReachedGoal),
    ("king reaches goal", Reason::KingReachedGoal),
    ("king escaped", Reason::KingReachedGoal),
    ("king escapes", Reason::KingReachedGoal),
    ("king escape", Reason::KingReachedGoal),
    ("king has escaped", Reason::KingReachedGoal),
    ("escape", Reason::KingReachedGoal),
    ("exit fort", Reason::ExitFort),
    ("fort", Reason::ExitFort),
    ("encirclement", Reason::Encirclement),
    ("surrounding", Reason::Encirclement),
    ("no legal moves", Reason::NoLegalMove),
    ("no legal move", Reason::NoLegalMove),
    ("no moves", Reason::NoLegalMove),
    ("all captured", Reason::AllCaptured),
    ("ply limit", Reason::PlyLimit),
    ("unknown reason", Reason::Unknown),
];

/// Reads what happened to the king at the start of a text: `the king is captured`.
pub(super) fn king(text: &str) -> Option<(Reason, usize)> {
    let article = prefix(text, "the").map_or(0, |length| length + blanks(&text[length..]));
    let at = article + prefix(&text[article..], "king")?;
    let verb_at = at + blanks(&text[at..]);
    let verbs = [
        ("is captured", Reason::KingCaptured),
        ("was captured", Reason::KingCaptured),
        ("has been captured", Reason::KingCaptured),
        ("captured", Reason::KingCaptured),
        ("has escaped", Reason::KingReachedGoal),
        ("escaped", Reason::KingReachedGoal),
        ("escapes", Reason::KingReachedGoal),
        ("reached", Reason::KingReachedGoal),
        ("reaches", Reason::KingReachedGoal),
    ];
    let of_verb = |(words, reason): &(&str, Reason)| Some((*reason, prefix(&text[verb_at..], words)?));
    let (reason, length) = verbs.iter().find_map(of_verb)?;
    let end = verb_at + length;
    // `escaped to corner`, `reached the goal`.
    let goals = [
        "to the corner",
        "to a corner",
        "to corner",
        "to the edge",
        "to edge",
        "to the goal",
        "to goal",
        "the corner",
        "a corner",
        "corner",
        "the edge",
        "edge",
        "the goal",
        "goal",
    ];
    let goal_at = end + blanks(&text[end..]);
    let goal = goals.iter().find_map(|words| prefix(&text[goal_at..], words)).map(|length| goal_at + length);
    // `The king reaches d4` says nothing about the end.
    let needs_goal = text[verb_at..end].to_ascii_lowercase().starts_with("reach");
    if needs_goal && goal.is_none() { None } else { Some((reason, goal.unwrap_or(end))) }
}

/// Returns whether a text begins with what happened to the king, without naming a side.
pub(crate) fn is_about_king(text: &str) -> bool {
    king(text).is_some()
}

/// Returns the reason that is all of a text: `escape`, `King escaped.`, `by encirclement`.
pub(super) fn only_reason(text: &str) -> Option<Reason> {
    let text = text.trim_matches(['.', '!', ' ', '\t']);
    let text = ["by ", "By "].iter().find_map(|by| text.strip_prefix(by)).unwrap_or(text);
    let text = ["the ", "The "].iter().find_map(|article| text.strip_prefix(article)).unwrap_or(text);
    REASONS.iter().find(|(words, _)| words.eq_ignore_ascii_case(text)).map(|(_, reason)| *reason)
}

/// Reads the reason after a result, and returns it with the offset after it.
pub(super) fn reason(text: &str, at: usize) -> (Option<Reason>, usize) {
    let mut end = at;
    let mut reason = None;
    for _ in 0..2 {
        let found = reason_part(text, end);
        let Some((part, after)) = found else { break };
        reason = reason.or(part);
        end = after;
    }
    (reason, end)
}

/// Reads one part: `the game`, `by resignation`, `(encirclement)`, `because the king is captured`.
fn reason_part(text: &str, at: usize) -> Option<(Option<Reason>, usize)> {
    let rest = text[at..].trim_start_matches([' ', ',', '(', ':', '-', '–', '—']);
    let start = text.len() - rest.len();
    if let Some(length) = ["the game", "this game"].iter().find_map(|words| prefix(rest, words)) {
        return Some((None, start + length));
    }
    if let Some(cause) = ["because", "since"].iter().find_map(|words| prefix(rest, words)) {
        let end = rest.find(['.', ';', ')', '!', '\n']).unwrap_or(rest.len());
        // The words say why, so that no reason is to be guessed.
        let reason = cause_of(&rest[cause..end.max(cause)]).unwrap_or(Reason::Unknown);
        return Some((Some(reason), start + end.max(cause)));
    }
    let by = ["by the", "by", "on", "due to", "through"].iter().find_map(|words| prefix(rest, words));
    // A reason without a preposition is set apart by a sign.
    let is_apart = !text[at..start].trim().is_empty();
    let word_at = match by {
        Some(length) => start + length + blanks(&rest[length..]),
        None if is_apart => start + prefix(rest, "the").map_or(0, |length| length + blanks(&rest[length..])),
        None => return None,
    };
    let of_words = |(words, reason): &(&str, Reason)| Some((*reason, prefix(&text[word_at..], words)?));
    let (reason, length) = REASONS.iter().find_map(of_words)?;
    let end = word_at + length;
    let is_enclosed = text[at..start].contains('(');
    let close = usize::from(is_enclosed && text[end..].starts_with(')'));
    (!is_enclosed || close > 0).then_some((Some(reason), end + close))
}

/// Returns the reason that free words give.
fn cause_of(words: &str) -> Option<Reason> {
    let words = words.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| words.contains(part));
    let negates = has(&[" not ", "n't", " no longer", "almost", "would", "could", " will "]);
    // Not the end of a longer word, such as `taking`.
    let is_king =
        words.split(|symbol: char| !symbol.is_alphanumeric()).any(|word| matches!(word, "king" | "kings"));
    match () {
        () if negates => None,
        () if is_king && has(&["captur"]) => Some(Reason::KingCaptured),
        () if is_king && has(&["escape", "corner", "edge"]) => Some(Reason::KingReachedGoal),
        () if has(&["encircl", "surround"]) => Some(Reason::Encirclement),
        () if has(&["exit fort"]) => Some(Reason::ExitFort),
        () if has(&["resign", "gave up", "gives up"]) => Some(Reason::Resignation),
        () if has(&["timeout", "timed out", "on time", "out of time"]) => Some(Reason::Timeout),
        () if has(&["repetition", "repeated"]) => Some(Reason::Repetition),
        () if has(&["no legal move"]) => Some(Reason::NoLegalMove),
        () => None,
    }
}

/// Returns whether a clause ends at the start of a text, or goes on with words that leave it a statement.
pub(super) fn ends(text: &str, looks_back: bool, players: &PlayerNames) -> bool {
    let rest = text.trim_start_matches([' ', '\t', '\u{a0}']);
    let Some(next) = rest.chars().next() else { return true };
    if next == '?' {
        return false;
    }
    if !next.is_alphanumeric() {
        // `White wins, if he plays on`, `Draw - declined`.
        let word = rest.trim_start_matches([' ', ',', '(', '-', '–', '—', ':']);
        let takes_back = [
            "if", "unless", "declined", "refused", "rejected", "offered", "provided", "probably", "maybe",
            "perhaps", "not", "or", "almost", "nearly", "wenn", "falls", "si", "se", "als", "om", "hvis",
            "jos", "jeśli", "если", "ha",
        ];
        return next == '.' || takes_back.iter().all(|taken| prefix(word, taken).is_none());
    }
    if next.is_numeric() {
        return true;
    }
    if prefix(rest, "and").is_some_and(|length| {
        // The limit also limits the depth of the recursion.
        let after = near(&rest[length..]);
        statement(&after[blanks(after)..], players).is_some()
    }) {
        return true;
    }
    let always = ["here", "today", "because", "since"];
    let back = [
        "in",
        "after",
        "at",
        "on",
        "before",
        "immediately",
        "as",
        "yesterday",
        "when",
        "nach",
        "après",
        "después",
        "dopo",
        "após",
        "efter",
        "etter",
        "na",
        "po",
        "после",
    ];
    let is_one = |words: &[&str]| words.iter().any(|word| prefix(rest, word).is_some());
    // A move, as in `White resigns d3-d4`.
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let is_move =
        (1..=2).contains(&letters) && rest[letters..].starts_with(|next: char| next.is_ascii_digit());
    is_move || is_one(&always) || looks_back && is_one(&back)
}

/// Returns whether a text has a word about the end of a game.
pub(crate) fn mentions_end(text: &str) -> bool {
    let lower = text.to_lowercase();
    let phrases = ["out of time", "on time", "time out", "timed out", "gave up", "gives up", "give up"];
    let is_word = |word: &str| {
        matches!(word, "draw" | "drawn" | "won" | "win" | "wins" | "victory" | "timeout" | "flagged")
            || ["resign", "conced", "forfeit"].iter().any(|begin| word.starts_with(begin))
    };
    phrases.iter().any(|phrase| lower.contains(phrase))
        || lower.split(|symbol: char| !symbol.is_alphanumeric()).any(is_word)
}
