//! The result of a match as text.

use std::fmt::Write as _;

use tafl_analyzer::{EloInterval, Sprt};
use taflbase::play::{MatchTally, PreparedMatch, SavedPair};

use crate::number::Signed;

/// Returns the result of all pairs, and of those of each variant.
pub(super) fn result(prepared: &PreparedMatch, pairs: &[SavedPair]) -> String {
    let (each, all) = prepared.tallies(pairs);
    let [first, second] = prepared.players();
    let mut out = format!("{} against {}\n", first.text, second.text);
    out.push_str(&tally(&all, prepared.sprt()));
    if each.len() > 1 {
        for (variant, of_variant) in &each {
            out.push_str(&format!("\n{variant}\n{}", tally(of_variant, None)));
        }
    }
    out
}

fn tally(tally: &MatchTally, sprt: Option<&Sprt>) -> String {
    let result = tally.result(sprt);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "games         {} (as attackers {}; as defenders {})",
        result.games, result.as_attackers, result.as_defenders
    );
    let list = result.pairs_by_half_points.map(|n| n.to_string()).join(" ");
    let _ = write!(out, "pairs         {} by half points 0-4: {list}", result.pairs);
    if result.pairs_unfinished > 0 {
        let _ = write!(out, "; {} unfinished, not counted", result.pairs_unfinished);
    }
    out.push('\n');
    if let Some(EloInterval { elo, low, high }) = tally.pairs.elo() {
        let _ =
            writeln!(out, "elo           {}, 95 % interval {} to {}", Signed(elo), Signed(low), Signed(high));
    }
    if let Some(note) = result.elo.and_then(|elo| elo.note) {
        let _ = writeln!(out, "              {note}");
    }
    if let Some(test) = result.sprt {
        let _ = writeln!(
            out,
            "sprt          {}: LLR {:.2} between {:.2} and {:.2} for Elo {} against {}",
            test.verdict,
            Signed(test.llr),
            test.low,
            test.high,
            test.elo0,
            test.elo1
        );
    }
    for ending in &result.endings {
        let winner = match ending.winner {
            "draw" => "draws",
            "nobody" => "no winner",
            other => &format!("{other} wins"),
        };
        let _ = writeln!(out, "  {:>5}  {winner} ({})", ending.games, ending.reason);
    }
    let given = [("first", result.moves_given.first), ("second", result.moves_given.second)];
    for (player, moves) in given.into_iter().filter(|(_, moves)| *moves > 0) {
        let noun = if moves == 1 { "winning move was" } else { "winning moves were" };
        let _ = writeln!(out, "  {moves:>5}  {noun} played for the {player} player, which sent none");
    }
    out
}
