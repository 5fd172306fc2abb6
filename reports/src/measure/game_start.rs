//! How games began, compared with their rules. A game that began otherwise is not evidence about the balance of a variant.

/// How a game began, compared with its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum GameStartKind {
    /// As the rules say.
    #[default]
    OfRules,
    /// With another arrangement of the pieces, whichever side moved first.
    OtherPosition,
    /// With the arrangement of the rules, but the other side moved first.
    OtherFirstMover,
    /// The rules cannot be read, so their start is unknown.
    UnknownRules,
}

/// The numbers of games that did not begin as their rules say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OtherStarts {
    /// Games with another arrangement of the pieces.
    pub position: u64,
    /// Games with the arrangement of the rules in which the other side moved first.
    pub first_mover: u64,
    /// Games whose rules cannot be read.
    pub unknown_rules: u64,
}

impl OtherStarts {
    /// Counts the starts of games.
    pub fn of(starts: impl IntoIterator<Item = GameStartKind>) -> OtherStarts {
        let mut counts = OtherStarts::default();
        for start in starts {
            match start {
                GameStartKind::OfRules => {}
                GameStartKind::OtherPosition => counts.position += 1,
                GameStartKind::OtherFirstMover => counts.first_mover += 1,
                GameStartKind::UnknownRules => counts.unknown_rules += 1,
            }
        }
        counts
    }

    /// Returns the number of all these games.
    pub fn total(&self) -> u64 {
        self.position + self.first_mover + self.unknown_rules
    }
}
