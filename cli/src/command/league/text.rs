//! The result of a league as text.

use std::fmt::Write as _;

use tafl_reports::percent_text;
use tafl_rules::counted;
use taflbase::play::{LeagueAnswer, LeaguePlayer};

use crate::number::Signed;

/// Returns the ratings, the results of each pairing, and the advantage of the attackers.
pub(super) fn result(answer: &LeagueAnswer) -> String {
    let mut out = String::new();
    let named = |player: &LeaguePlayer| player.player.player.chars().count();
    let width = answer.players.iter().map(named).max().unwrap_or(0).max("player".len());
    let _ = writeln!(
        out,
        "{:>4}  {:width$}  {:>6}  {:>16}  {:>6}  {:>5}  as attackers; as defenders",
        "rank", "player", "Elo", "95 % interval", "better", "games"
    );
    for (place, player) in answer.players.iter().enumerate() {
        let (elo, interval) = player.rating.map_or((String::from("-"), String::from("-")), |rating| {
            (Signed(rating.elo).to_string(), format!("{} to {}", Signed(rating.low), Signed(rating.high)))
        });
        let better =
            player.better_than_next.map_or(String::new(), |share| format!("{} %", percent_text(share, 1)));
        let _ = writeln!(
            out,
            "{:>4}  {:width$}  {elo:>6}  {interval:>16}  {better:>6}  {:>5}  {}; {}",
            place + 1,
            player.player.player,
            player.all.games,
            player.as_attackers,
            player.as_defenders
        );
    }
    if let Some(why) = &answer.not_rated {
        let _ = writeln!(out, "no ratings: {why}");
    }
    out.push('\n');
    for pairing in &answer.pairings {
        let result = match pairing.all.games {
            0 => "not played yet".to_owned(),
            _ => pairing.all.to_string(),
        };
        let _ = writeln!(out, "{} against {}: {result}", pairing.player, pairing.opponent);
    }
    out.push('\n');
    for variant in &answer.variants {
        let advantage = variant.attackers.map_or(String::from("unknown"), |attackers| {
            let [elo, low, high] = [attackers.elo, attackers.low, attackers.high].map(Signed);
            format!("{elo} Elo ({low} to {high})")
        });
        let games = counted(variant.games, "game of finished pairs", "games of finished pairs");
        let _ = writeln!(out, "{}: advantage of the attackers {advantage}, {games}", variant.variant);
    }
    if answer.pairs_unfinished > 0 {
        let pairs = counted(answer.pairs_unfinished, "unfinished pair", "unfinished pairs");
        let _ = writeln!(out, "{pairs}, not counted for ratings");
    }
    out
}
