//! The result of a league as text.

use std::fmt::Write as _;

use tafl_reports::percent_text;
use taflbase::play::{LeagueAnswer, LeaguePlayer};

use crate::command::match_::counts;
use crate::number::counted;

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
            (format!("{:+.0}", rating.elo), format!("{:+.0} to {:+.0}", rating.low, rating.high))
        });
        let better =
            player.better_than_next.map_or(String::new(), |share| format!("{} %", percent_text(share, 1)));
        let _ = writeln!(
            out,
            "{:>4}  {:width$}  {elo:>6}  {interval:>16}  {better:>6}  {:>5}  {}; {}",
            place + 1,
            player.player.player,
            player.all.games,
            counts(player.as_attackers),
            counts(player.as_defenders)
        );
    }
    if let Some(why) = &answer.not_rated {
        let _ = writeln!(out, "no ratings: {why}");
    }
    out.push('\n');
    for pairing in &answer.pairings {
        let result = match pairing.all.games {
            0 => "not played yet".to_owned(),
            _ => counts(pairing.all),
        };
        let _ = writeln!(out, "{} against {}: {result}", pairing.player, pairing.opponent);
    }
    out.push('\n');
    for variant in &answer.variants {
        let advantage = variant.attackers.map_or(String::from("unknown"), |attackers| {
            format!("{:+.0} Elo ({:+.0} to {:+.0})", attackers.elo, attackers.low, attackers.high)
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
