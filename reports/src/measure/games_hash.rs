//! A checksum of the games in a report.

use xxhash_rust::xxh3::Xxh3;

use super::games::Games;

/// Returns a checksum of the games as reports count them: equal for the same games, whatever their order, files, and copies. Copies are
/// not counted, and their number depends on how the games came together.
pub fn games_hash(games: &Games) -> String {
    let sum = games.rows.iter().fold(0_u64, |sum, game| {
        let mut hash = GameHash(Xxh3::new());
        let variant = games.variants.get(game.variant as usize);
        hash.text(variant.map_or("", |variant| variant.name.as_deref().unwrap_or_default()));
        for player in [game.players.attackers, game.players.defenders] {
            hash.text(player.map_or("", |player| games.players.name(player.get())));
        }
        hash.number(variant.map(|variant| variant.rules_id));
        hash.number(Some(game.line));
        hash.number(game.ratings.attackers.map(|rating| i64::from(rating.get())));
        hash.number(game.ratings.defenders.map(|rating| i64::from(rating.get())));
        hash.number(game.year().map(i64::from));
        hash.number(game.date.map(|date| i64::from(date.earliest())));
        hash.number(game.number.map(|number| number.get().cast_signed()));
        hash.number(Some(game.result as i64));
        hash.number(game.reason.map(|reason| reason as i64));
        hash.number(game.reason_source.map(|source| source as i64));
        hash.number(Some(game.first as i64));
        hash.number(Some(i64::from(game.captures.attackers)));
        hash.number(Some(i64::from(game.captures.defenders)));
        hash.number(Some(i64::from(game.plies)));
        hash.number(Some(i64::from(game.has_other_start())));
        sum.wrapping_add(hash.0.digest())
    });
    format!("{sum:016x}")
}

/// The checksum of one game.
struct GameHash(Xxh3);

impl GameHash {
    fn text(&mut self, text: &str) {
        self.0.update(text.as_bytes());
        // A separator that no name contains, so that adjacent names cannot be confused.
        self.0.update(&[0xff]);
    }

    fn number(&mut self, number: Option<i64>) {
        self.0.update(&[u8::from(number.is_some())]);
        self.0.update(&number.unwrap_or(0).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use tafl_corpus::GameResult;

    use super::*;
    use crate::measure::names::NameNumber;
    use crate::measure::tests::{game, games};

    #[test]
    fn the_order_and_the_copies_of_games_do_not_matter() {
        let rows = [(4, GameResult::Draw), (9, GameResult::Attackers), (7, GameResult::Defenders)];
        let rows: Vec<_> = rows.map(|(plies, result)| game(Some([1, 2]), result, plies)).to_vec();
        let hash = games_hash(&games(rows.clone()));
        let mut other = rows.clone();
        other.reverse();
        other[1].copies = 2;
        other[2].source = Some(NameNumber::new(1));
        assert_eq!(games_hash(&games(other)), hash);
        assert_ne!(games_hash(&games(rows[1..].to_vec())), hash);
    }
}
