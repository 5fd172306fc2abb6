//! The boundaries of games in tables with a row per turn or per ply.

/// The place of a row among the rows of turns: rows of a game have rising numbers and the same name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TurnKey {
    pub(super) game: Option<String>,
    pub(super) number: Option<u32>,
    pub(super) side: String,
    /// Whether the row has a field for each side, so that its number does not repeat.
    pub(super) has_both_sides: bool,
}

impl TurnKey {
    /// Returns whether a row with the key `next` begins another game than the rows of `first` to `self`.
    pub(crate) fn begins_game(&self, first: &TurnKey, next: &TurnKey) -> bool {
        if let (Some(game), Some(other)) = (&first.game, &next.game) {
            return game != other;
        }
        let (Some(first), Some(last), Some(number)) = (first.number, self.number, next.number) else {
            return false;
        };
        let repeats = number == last && (self.has_both_sides || self.side == next.side);
        number <= first.max(1) && (number < last || repeats)
    }

    /// Returns whether rows without a blank row between them are told apart by their names or numbers.
    pub(crate) const fn is_known(&self) -> bool {
        self.game.is_some() || self.number.is_some()
    }
}
