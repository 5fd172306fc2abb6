//! The names of properties that are tags.

use crate::record::tag;

/// The properties of the game and the corresponding names of our tags.
pub(crate) const NAMES: [(&str, &str); 20] = [
    ("GN", tag::ID),
    ("EV", tag::EVENT),
    ("PC", tag::SITE),
    ("DT", tag::DATE),
    ("RO", tag::ROUND),
    ("PB", tag::ATTACKERS),
    ("PW", tag::DEFENDERS),
    ("BR", tag::ATTACKERS_RATING),
    ("WR", tag::DEFENDERS_RATING),
    ("BT", "attackers-team"),
    ("WT", "defenders-team"),
    ("AN", tag::ANNOTATOR),
    ("US", tag::COMPILER),
    ("OT", tag::TIME_CONTROL),
    ("TM", "time-limit"),
    ("GC", tag::START_COMMENT),
    ("GS", "game-speed"),
    ("SO", "source"),
    ("CP", "copyright"),
    ("ON", "opening"),
];

/// The properties that judge a move or a position, with the comments that stand for their values 1 and 2.
pub(crate) const ANNOTATIONS: [(&str, [&str; 2]); 8] = [
    ("BM", ["bad move", "very bad move"]),
    ("DO", ["doubtful move", "doubtful move"]),
    ("IT", ["interesting move", "interesting move"]),
    ("TE", ["good move", "very good move"]),
    ("GB", ["good for the attackers", "very good for the attackers"]),
    ("GW", ["good for the defenders", "very good for the defenders"]),
    ("DM", ["even position", "very even position"]),
    ("UC", ["unclear position", "very unclear position"]),
];

/// Returns the name of our tag for a property of the game.
pub(super) fn tag_name(property: &str) -> Option<&'static str> {
    NAMES.iter().find(|(name, _)| *name == property).map(|(_, ours)| *ours)
}

/// Returns the comment that stands for a property that judges a move or a position.
pub(super) fn annotation(property: &str, value: &str) -> Option<&'static str> {
    let (_, [plain, strong]) = ANNOTATIONS.iter().find(|(name, _)| *name == property)?;
    Some(if value.trim() == "2" { strong } else { plain })
}
