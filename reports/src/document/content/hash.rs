//! A checksum of the games in a report.

use xxhash_rust::xxh3::Xxh3;

use crate::measure::Games;

/// Returns a checksum of the games as reports count them: equal for the same games, whatever their order and files.
pub fn games_hash(games: &Games) -> String {
    let sum = games.rows.iter().fold(0_u64, |sum, game| {
        let mut hash = Xxh3::new();
        let variant = games.variants.get(game.variant as usize);
        let mut text = |text: &str| {
            hash.update(text.as_bytes());
            // A separator that no name contains, so that adjacent names cannot be confused.
            hash.update(&[0xff]);
        };
        text(variant.map_or("", |variant| variant.name.as_deref().unwrap_or_default()));
        let players = [game.players.attackers, game.players.defenders];
        players.iter().for_each(|player| text(player.map_or("", |player| games.players.name(player))));
        text(&format!(
            "{} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {} {} {}",
            variant.map_or(0, |variant| variant.rules_id),
            game.line,
            (game.ratings.attackers, game.ratings.defenders),
            game.year,
            game.result,
            game.reason,
            game.reason_source,
            game.first,
            (game.captures.attackers, game.captures.defenders),
            game.plies,
            game.copies,
            game.is_from_elsewhere,
        ));
        sum.wrapping_add(hash.digest())
    });
    format!("{sum:016x}")
}
