//! Random games with known moves, captures, move counts, and endings.

use std::collections::BTreeMap;

use tafl_rules::{Outcome, Reason, Side};
use tafl_tests::data;
use tafl_tests::fast::Fast;
use tafl_tests::model::RulesModel;
use tafl_tests::naive::Naive;
use tafl_tests::oracle::{self, Game};
use tafl_tests::variants;

/// Replays a game and returns the first difference.
fn difference<M: RulesModel>(game: &Game) -> Option<String> {
    let rules = variants::rules(&game.variant);
    let shape = rules.shape();
    let mut model = M::start(&rules);
    for (n, ply) in game.plies.iter().enumerate() {
        let place = format!("ply {} {}", n + 1, ply.mv);
        // Truncated games continue after a repetition.
        if let Some(outcome) = model.outcome().filter(|outcome| outcome.reason != Reason::Repetition) {
            return Some(format!("{place}: over before, {outcome}"));
        }
        let n_moves = model.moves().len();
        if n_moves != ply.n_moves {
            return Some(format!("{place}: {n_moves} legal moves, expected {}", ply.n_moves));
        }
        let Ok(captured) = model.play(oracle::mv(shape, &ply.mv)) else {
            return Some(format!("{place}: illegal"));
        };
        let mut expected: Vec<_> = ply.captured.iter().map(|name| oracle::cell(shape, name)).collect();
        expected.sort_unstable();
        if captured != expected {
            return Some(format!("{place}: captured {captured:?}, expected {:?}", ply.captured));
        }
    }
    if model.board().to_string() != game.last {
        return Some(format!("ends with {}, expected {}", model.board(), game.last));
    }
    let outcome = model.outcome();
    let Some(right) = is_right(outcome, &game.result, &game.reason) else {
        return Some(format!("result {}", game.result));
    };
    (!right).then(|| format!("{outcome:?}, expected {} {}", game.result, game.reason))
}

/// Returns whether an outcome equals that of a game of the oracle, or `None` for an unknown result.
fn is_right(outcome: Option<Outcome>, result: &str, reason: &str) -> Option<bool> {
    let winner = match result {
        "ongoing" => return Some(outcome.is_none_or(|outcome| outcome.reason == Reason::Repetition)),
        "draw" => None,
        "side0" => Some(Side::Attackers),
        "side1" => Some(Side::Defenders),
        _ => return None,
    };
    Some(outcome.is_some_and(|outcome| outcome.winner == winner && outcome.reason.as_str() == reason))
}

#[test]
fn a_draw_is_an_ending_like_others() {
    let draw = Some(Outcome::draw(Reason::NoLegalMove));
    assert_eq!(is_right(draw, "draw", "no legal move"), Some(true));
    assert_eq!(is_right(draw, "side0", "no legal move"), Some(false));
    assert_eq!(is_right(None, "draw", "no legal move"), Some(false));
    assert_eq!(is_right(draw, "remis", ""), None);
}

fn check<M: RulesModel>() {
    let folder = data::oracle();
    let games = oracle::games(&folder);
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (name, game) in &games {
        let count = counts.entry(&game.variant).or_default();
        *count = (count.0 + 1, count.1 + game.plies.len());
        wrong.extend(difference::<M>(game).map(|difference| format!("{name}: {difference}")));
    }
    println!("{counts:?}");
    assert!(counts.len() >= 19, "only {} variants", counts.len());
    assert!(
        wrong.is_empty(),
        "{} of {}\n{}",
        wrong.len(),
        games.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
}

#[test]
#[cfg_attr(not(has_oracle), ignore = "TAFL_ORACLE is not set")]
fn naive_model_replays_every_game() {
    check::<Naive>();
}

#[test]
#[cfg_attr(not(has_oracle), ignore = "TAFL_ORACLE is not set")]
fn engine_replays_every_game() {
    check::<Fast>();
}
