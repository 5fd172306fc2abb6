//! The endings of records: resignation, timeout, adjudication, or a result that contradicts the board.

use tafl_parser::{Format, Replay, ReplayOptions, Replayer, RuleChoice, Source};
use tafl_rules::{Outcome, Reason, Side, catalog};

/// A Brandubh game in which the king escapes at the sixth ply.
const ESCAPE: &str = "d1-f1 d3-a3 d2-e2 d4-d1 a4-a6 d1-a1";

fn replay(format: Format, variant: &str, text: &str) -> (Replay, Vec<&'static str>) {
    let record = format.parse(&Source::new(text)).value;
    let variant = catalog::find(variant).expect("the catalog has the variant");
    let rules = Some(RuleChoice::named(variant));
    let replay = Replayer::new(ReplayOptions { rules, ..ReplayOptions::default() }).replay(&record);
    let names = replay.diagnostics.iter().map(|finding| finding.code().name()).collect();
    (replay, names)
}

fn movelist(text: &str) -> (Replay, Vec<&'static str>) {
    replay(Format::MoveList, "brandubh7", text)
}

#[test]
fn a_game_without_moves_has_no_loser() {
    let (replay, _) = movelist("timeout,0,0,");
    assert_eq!((replay.plies.len(), replay.result()), (0, None));
}

#[test]
fn timeout_is_lost_by_the_side_to_move() {
    let (replay, names) = movelist("d1-c1 timeout,0,0,Black");
    assert_eq!(replay.result(), Some(Outcome::win(Side::Attackers, Reason::Timeout)));
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn record_that_stops_with_the_loser_to_move_is_a_resignation() {
    let (replay, names) = movelist("d1-c1,0,0,Black");
    assert_eq!(replay.result(), Some(Outcome::win(Side::Attackers, Reason::Resignation)));
    assert_eq!(names, ["silent-resignation"]);
}

#[test]
fn record_that_stops_with_the_winner_to_move_is_an_adjudication() {
    let (replay, names) = movelist("d1-c1,0,0,White");
    assert_eq!(replay.result(), Some(Outcome::win(Side::Defenders, Reason::Adjudication)));
    assert_eq!(names, ["adjudication"]);
}

#[test]
fn the_board_takes_precedence_over_the_record() {
    let (replay, names) = movelist(&format!("{ESCAPE},0,0,Black"));
    assert_eq!(replay.result(), Some(Outcome::win(Side::Defenders, Reason::KingReachedGoal)));
    assert_eq!(replay.recorded.and_then(|recorded| recorded.outcome.winner), Some(Side::Attackers));
    assert!(names.contains(&"result-mismatch"), "{names:?}");
}

#[test]
fn record_that_agrees_with_the_board_has_no_finding() {
    let (replay, names) = movelist(&format!("{ESCAPE},0,0,White"));
    assert_eq!(replay.outcome, Some(Outcome::win(Side::Defenders, Reason::KingReachedGoal)));
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn play_after_an_end_is_reported_and_replayed() {
    let (replay, names) = movelist(&format!("{ESCAPE} a6-a5,0,0,White"));
    assert_eq!((replay.plies.len(), names), (7, vec!["play-after-end"]));
    assert_eq!(replay.outcome, Some(Outcome::win(Side::Defenders, Reason::KingReachedGoal)));
}

#[test]
fn winning_move_without_its_mark_is_reported_in_cyngesheall() {
    let game = |mv: &str| format!("[position:/t6/6T/7/7/K3k2/t6/7/]\n\n1. {mv}\n");
    let (won, names) = replay(Format::Cyngesheall, "cyngesheall7", &game("A1-A4xKA5"));
    assert_eq!(won.outcome, Some(Outcome::win(Side::Attackers, Reason::KingCaptured)), "{names:?}");
    assert!(names.contains(&"missing-win-mark"), "{names:?}");
    let (_, names) = replay(Format::Cyngesheall, "cyngesheall7", &game("A1-A4xKA5!"));
    assert!(!names.contains(&"missing-win-mark"), "{names:?}");
}

#[test]
fn mark_of_a_win_on_a_move_that_does_not_win_is_reported_in_cyngesheall() {
    let (_, names) = replay(Format::Cyngesheall, "cyngesheall7", "1. A4-E4!");
    assert!(names.contains(&"false-win-mark"), "{names:?}");
}
