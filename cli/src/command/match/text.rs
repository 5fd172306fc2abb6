//! The result of a match as text.

use std::fmt::Write as _;

use tafl_analyzer::{EloInterval, Sprt};
use taflbase::play::{MatchTally, PreparedMatch, ResultCounts, SavedPair};

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

/// Returns games by result: `+3 =1 -0`.
pub(crate) fn counts(counts: ResultCounts) -> String {
    let mut text = format!("+{} ={} -{}", counts.won, counts.drawn, counts.lost);
    if counts.unfinished > 0 {
        let _ = write!(text, ", {} unfinished", counts.unfinished);
    }
    text
}

fn tally(tally: &MatchTally, sprt: Option<&Sprt>) -> String {
    let result = tally.result(sprt);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "games         {} (as attackers {}; as defenders {})",
        counts(result.games),
        counts(result.as_attackers),
        counts(result.as_defenders)
    );
    let list = result.pairs_by_half_points.map(|n| n.to_string()).join(" ");
    let _ = write!(out, "pairs         {} by half points 0-4: {list}", result.pairs);
    if result.pairs_unfinished > 0 {
        let _ = write!(out, "; {} unfinished, not counted", result.pairs_unfinished);
    }
    out.push('\n');
    if let Some(EloInterval { elo, low, high }) = tally.pairs.elo() {
        let _ = writeln!(out, "elo           {elo:+.0}, 95 % interval {low:+.0} to {high:+.0}");
    }
    if let Some(test) = result.sprt {
        let _ = writeln!(
            out,
            "sprt          {}: LLR {:+.2} between {:.2} and {:.2} for Elo {} against {}",
            test.verdict, test.llr, test.low, test.high, test.elo0, test.elo1
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
        let _ =
            writeln!(out, "  {moves:>5}  winning moves were played for the {player} player, which sent none");
    }
    out
}
