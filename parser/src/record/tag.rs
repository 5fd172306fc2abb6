//! The names of tags that occur in more than one notation: OpenTafl's, and a few of our own.
//!
//! Results, rules, variants, and starts are not tags: a [`Record`](super::Record) has a field for each.
//! OpenTafl's `result` and similar tags are kept as tags only if they cannot be parsed.

/// The game's name in its archive.
pub const ID: &str = "id";
/// The game's number in the corpus that exported it: 16 hexadecimal digits.
pub const CORPUS_ID: &str = "corpus-id";
/// The tournament or match.
pub const EVENT: &str = "event";
/// The place or the server.
pub const SITE: &str = "site";
/// The day; OpenTafl writes `YYYY.MM.DD`.
pub const DATE: &str = "date";
/// The round of a tournament.
pub const ROUND: &str = "round";
/// The player of the attackers.
pub const ATTACKERS: &str = "attackers";
/// The player of the defenders.
pub const DEFENDERS: &str = "defenders";
/// The attackers' rating.
pub const ATTACKERS_RATING: &str = "attackers-rating";
/// The defenders' rating.
pub const DEFENDERS_RATING: &str = "defenders-rating";
/// The author of the comments.
pub const ANNOTATOR: &str = "annotator";
/// The author of the record.
pub const COMPILER: &str = "compiler";
/// The time control.
pub const TIME_CONTROL: &str = "time-control";
/// The time left on the clocks at the end.
pub const TIME_REMAINING: &str = "time-remaining";
/// The way the game ended, in words.
pub const TERMINATION: &str = "termination";
/// A comment on the start.
pub const START_COMMENT: &str = "start-comment";
/// Whether the record is a puzzle: `strict` or `loose`.
pub const PUZZLE_MODE: &str = "puzzle-mode";
/// The address from which a puzzle shows its moves.
pub const PUZZLE_PRESTART: &str = "puzzle-prestart";
/// The address at which a puzzle begins.
pub const PUZZLE_START: &str = "puzzle-start";
/// The number of plies after which the players exchanged sides. The other tags name them by the sides that
/// they had at the end.
pub const SWAPPED: &str = "swapped";
/// Whether the game was rated: `true` or `false`.
pub const RATED: &str = "rated";
