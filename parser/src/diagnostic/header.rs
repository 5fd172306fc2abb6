//! Diagnostics about the header: statements about the game as a whole.

mod pages;

use tafl_rules::{SetupErrorKind, Shape, Side, StartError, catalog, counted};

use super::{Page, TextPart, listed};

pub(super) use pages::PAGES;

/// Errors and oddities in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderFinding {
    /// A value that is invalid for its tag.
    BadTag {
        /// The tag.
        tag: &'static str,
        /// The accepted values.
        expected: &'static str,
    },
    /// A tag that appears twice.
    Duplicate,
    /// A statement contradicted by the moves or the rules.
    Contradiction {
        /// The contradicted part: `a move of the defenders, but the attackers move first`.
        about: &'static str,
    },
    /// Moves that the record attributes to the other side.
    OtherSide {
        /// The side that the record names with the first of them.
        named: Side,
        /// The number of moves with the other side.
        n_wrong: u32,
        /// The number of moves with a side.
        n_named: u32,
    },
    /// An unknown variant.
    UnknownVariant,
    /// Other tags after the rules tag of an OpenTafl record.
    RulesNotLast,
    /// A position that does not fit its board.
    BadSetup(SetupErrorKind),
    /// A FEN that cannot be read, or the board of a HEN record.
    BadFen(SetupErrorKind),
    /// A variant name next to different rules.
    OtherRules,
    /// A record without rules or a variant, whose moves fit a variant in the catalog.
    Guessed {
        /// The name of the variant.
        variant: &'static str,
    },
    /// A guessed variant, while another one that fits as well ends the game in another way.
    AmbiguousVariant {
        /// The guessed variant.
        variant: &'static str,
        /// The other variant.
        other: &'static str,
    },
    /// A record that begins in the middle of a game.
    BeginningMissing,
    /// Another edition of the variant, with a different start or different options.
    OtherEdition {
        /// The difference: `start`, or options written as in a rules string.
        differs: &'static str,
    },
    /// A move from which on the rules are those of the catalog, while the moves before it fit only another edition.
    EditionChanged {
        /// The options of the other edition, as in a rules string.
        differs: &'static str,
    },
    /// A record of a game that is not a tafl game, in an archive of several games.
    OtherGame {
        /// The name of the game, as the archive writes it.
        game: Box<str>,
    },
    /// A rule of the site that its rules string does not express.
    SiteRule {
        /// The rule.
        rule: &'static str,
    },
    /// A start on another board than that of the rules.
    OtherBoard {
        /// The board of the start.
        found: Shape,
        /// The board of the rules.
        expected: Shape,
        /// The name of the variant, if the rules have one.
        variant: Option<&'static str>,
    },
    /// A start to which the players may not rearrange that of the rules.
    StartNotAllowed {
        /// The reason.
        fault: StartError,
    },
    /// Columns of a table that may have the players, although no name of a column shows it.
    UnknownPlayers {
        /// The names of the columns, separated by commas.
        columns: Box<str>,
    },
    /// An exchange of sides that the rules do not allow at this time.
    SwapNotAllowed {
        /// The number of plies before it.
        after: u32,
        /// The number of plies after which the rules allow it, if they do.
        allowed: Option<u32>,
    },
}

impl HeaderFinding {
    pub(super) const fn page(&self) -> &'static Page {
        match self {
            HeaderFinding::BadTag { .. } => &pages::BAD_TAG,
            HeaderFinding::Duplicate => &pages::DUPLICATE,
            HeaderFinding::Contradiction { .. } | HeaderFinding::OtherSide { .. } => &pages::CONTRADICTION,
            HeaderFinding::UnknownVariant => &pages::UNKNOWN_VARIANT,
            HeaderFinding::RulesNotLast => &pages::RULES_NOT_LAST,
            HeaderFinding::BadSetup(_) => &pages::BAD_SETUP,
            HeaderFinding::BadFen(_) => &pages::BAD_FEN,
            HeaderFinding::OtherRules => &pages::OTHER_RULES,
            HeaderFinding::Guessed { .. } => &pages::GUESSED,
            HeaderFinding::AmbiguousVariant { .. } => &pages::AMBIGUOUS_VARIANT,
            HeaderFinding::BeginningMissing => &pages::BEGINNING,
            HeaderFinding::OtherEdition { .. } => &pages::OTHER_EDITION,
            HeaderFinding::EditionChanged { .. } => &pages::EDITION_CHANGED,
            HeaderFinding::OtherGame { .. } => &pages::OTHER_GAME,
            HeaderFinding::SiteRule { .. } => &pages::SITE_RULE,
            HeaderFinding::OtherBoard { .. } => &pages::OTHER_BOARD,
            HeaderFinding::StartNotAllowed { fault: StartError::OtherPieces { .. } } => &pages::OTHER_PIECES,
            HeaderFinding::StartNotAllowed { .. } => &pages::START_NOT_ALLOWED,
            HeaderFinding::SwapNotAllowed { .. } => &pages::SWAP_NOT_ALLOWED,
            HeaderFinding::UnknownPlayers { .. } => &pages::UNKNOWN_PLAYERS,
        }
    }

    pub(super) fn message(&self, part: TextPart<'_>) -> String {
        match self {
            HeaderFinding::BadTag { tag, expected } => {
                format!("{part} is not a value of `{tag}`; expected {expected}")
            }
            HeaderFinding::Duplicate => format!("{part} repeats an earlier tag"),
            HeaderFinding::Contradiction { about } => format!("{part} is {about}"),
            HeaderFinding::OtherSide { named, n_wrong, n_named } => {
                let others = match n_wrong {
                    1 => String::new(),
                    n if n == n_named => {
                        format!("; all {n} moves have the other side, so the players may be exchanged")
                    }
                    n => format!("; {n} of {n_named} moves have the other side"),
                };
                let mover = named.other();
                format!("{part} moves a piece of the {mover}, but the record names the {named}{others}")
            }
            HeaderFinding::UnknownVariant => match similar_variants(part.0).as_slice() {
                [] => format!("unknown variant {part}; `tafl rules list` lists all variants"),
                similar => format!("unknown variant {part}; did you mean {}?", listed(similar, "or")),
            },
            HeaderFinding::RulesNotLast => "the rules tag is not the last tag".to_owned(),
            HeaderFinding::BadSetup(error) | HeaderFinding::BadFen(error) => error.to_string(),
            HeaderFinding::OtherRules => format!("the variant {part} does not match the rules of the record"),
            HeaderFinding::BeginningMissing => {
                format!("{part} is impossible this early in the game: the beginning of the game is missing")
            }
            HeaderFinding::OtherEdition { differs: "start" } => {
                "the moves fit only another start position of the variant".to_owned()
            }
            HeaderFinding::OtherEdition { differs } => {
                format!("the moves fit only another edition of the variant: `{differs}`")
            }
            HeaderFinding::EditionChanged { differs } => {
                format!(
                    "the moves before {part} fit only another edition of the variant, `{differs}`: the rules changed during \
                     the game"
                )
            }
            HeaderFinding::OtherGame { game } => {
                format!("{} is not a tafl game; its records are skipped", TextPart(game))
            }
            HeaderFinding::SiteRule { rule } => {
                format!("a rule of the site is not part of the rules string: {rule}")
            }
            HeaderFinding::Guessed { variant } => {
                format!(
                    "the record names no variant; assumed `{variant}` (choose another one with `--variant`)"
                )
            }
            HeaderFinding::AmbiguousVariant { variant, other } => {
                format!(
                    "the moves fit `{variant}` and `{other}`, but under `{other}` the game ends in another way"
                )
            }
            HeaderFinding::OtherBoard { found, expected, variant: Some(variant) } => {
                format!("the position is {found}, but the variant {variant} is {expected}")
            }
            HeaderFinding::OtherBoard { found, expected, variant: None } => {
                format!("the position is {found}, but the rules are for {expected}")
            }
            HeaderFinding::UnknownPlayers { columns } => {
                format!("the columns {columns} may have the players; name theirs `attackers` and `defenders`")
            }
            HeaderFinding::StartNotAllowed { fault } => {
                format!("the rules do not allow this start: {fault}")
            }
            HeaderFinding::SwapNotAllowed { after, allowed: None } => {
                format!("the players exchanged sides {}, which the rules do not allow", after_plies(*after))
            }
            HeaderFinding::SwapNotAllowed { after, allowed: Some(allowed) } => {
                format!(
                    "the players exchanged sides {}, but the rules allow it {}",
                    after_plies(*after),
                    after_plies(*allowed)
                )
            }
        }
    }
}

/// Returns names similar to an unknown one, the most similar first: for each variant its name in the catalog if that is similar,
/// otherwise the alias.
fn similar_variants(name: &str) -> Vec<&'static str> {
    const MAX_NAMED: usize = 3;
    let similar = catalog::similar(name);
    let mut found: Vec<(&'static str, &'static str)> = Vec::new();
    for near in &similar {
        let Some(variant) = catalog::find(near).map(|variant| variant.name) else { continue };
        if found.iter().all(|(known, _)| *known != variant) {
            found.push((variant, if similar.contains(&variant) { variant } else { *near }));
        }
    }
    found.into_iter().map(|(_, shown)| shown).take(MAX_NAMED).collect()
}

/// Returns the time after a number of plies in words.
fn after_plies(n: u32) -> String {
    match n {
        0 => "before the first move".to_owned(),
        n => format!("after {}", counted(n.into(), "ply", "plies")),
    }
}
