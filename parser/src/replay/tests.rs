//! Constructed games, each with one error and the diagnostic that reports it.

use tafl_rules::{RuleSet, Span, catalog};

use super::{Replay, ReplayOptions, Replayer, RuleChoice, Soundness};
use crate::{Format, Record, Source, Written, WrittenStart};

/// Replays these moves as a Brandubh game of aagenielsen.dk.
fn replay(moves: &[&str], winner: &str) -> (Replay, Vec<String>) {
    replay_with(moves, winner, ReplayOptions::default())
}

fn replay_with(moves: &[&str], winner: &str, options: ReplayOptions) -> (Replay, Vec<String>) {
    replay_counted(moves, winner, options, "")
}

/// Replays these moves of a record with further members, such as the numbers of captures.
fn replay_counted(
    moves: &[&str],
    winner: &str,
    options: ReplayOptions,
    members: &str,
) -> (Replay, Vec<String>) {
    let list: Vec<String> = moves.iter().map(|mv| format!("\"{mv}\"")).collect();
    let text = format!(
        "{{\"AageGameTypeKey\":129,{members}\"Moves\":[{}],\"WhoWon\":\"{winner}\"}}",
        list.join(",")
    );
    replay_text(&text, options)
}

fn replay_text(text: &str, options: ReplayOptions) -> (Replay, Vec<String>) {
    let record = Format::AageNielsen.parse(&Source::new(text)).value;
    let replay = Replayer::new(options).replay(&record);
    let found =
        replay.diagnostics.iter().map(|found| format!("{} {}", found.code(), found.message(text))).collect();
    (replay, found)
}

fn explained_by(replay: &Replay) -> &'static str {
    match replay.soundness() {
        Soundness::Sound => "sound",
        Soundness::Explained(code) => code.as_str(),
        Soundness::Unexplained(code) => panic!("{code} has no reason"),
    }
}

#[test]
fn a_sound_game_is_sound() {
    let (replay, found) = replay(&["d2-c2", "d3-b3", "c2-b2xb3", "resigned"], "Black");
    assert_eq!((explained_by(&replay), found.len()), ("sound", 0));
}

#[test]
fn a_named_end_that_the_board_does_not_show_is_reported_in_all_wordings() {
    for (result, words) in [
        ("-1", "king reached goal"),
        ("-1", "king escaped to corner"),
        ("-1", "King escaped"),
        ("-1", "escape"),
        ("-1", "White king reached the corner"),
        ("-1", "defenders win (king reached goal)"),
        ("1", "king captured"),
        ("1", "White king captured"),
    ] {
        let text = format!(
            "[variant:brandubh7]\n[result:{result}]\n[termination:{words}]\n\n1. d6-c6 e4-e6\n2. d1-e1"
        );
        let record = Format::OpenTafl.parse(&Source::new(&text)).value;
        let replay = Replayer::new(ReplayOptions::default()).replay(&record);
        let codes: Vec<_> = replay.diagnostics.iter().map(|found| found.code().as_str()).collect();
        assert_eq!(codes, ["E012"], "{words}");
    }
}

#[test]
fn a_draw_after_a_resignation_is_a_contradiction() {
    let codes = |word: &str| {
        let (replay, _) = replay(&["d2-c2", "d3-b3", "c2-a2", word], "Draw");
        replay.diagnostics.iter().map(|found| found.code().as_str()).collect::<Vec<_>>()
    };
    assert_eq!((codes("resigned"), codes("timeout")), (vec!["E009"], Vec::new()));
}

#[test]
fn a_capture_without_its_move_is_unreal() {
    let (replay, found) = replay(&["d2-c2", "d3-b3", "c2-a2xb3", "b3-b2", "resigned"], "White");
    assert_eq!(explained_by(&replay), "C007");
    assert_eq!(found, ["C007 no capture happens on `b3`; only a move to `b2` would make it"]);
    assert_eq!(replay.plies.len(), 4);
}

#[test]
fn a_mark_that_no_move_explains_stays_unexplained() {
    let (replay, found) = replay(&["d2-c2", "d3-b3", "c2-c3xe4", "b3-b2", "resigned"], "White");
    assert!(matches!(replay.soundness(), Soundness::Unexplained(_)), "{found:?}");
    assert_eq!(found, ["C002 no capture happens on `e4`"]);
}

#[test]
fn moves_that_were_taken_back_are_named_and_left_out() {
    let (replay, found) = replay(&["d2-c2", "d3-b3", "d3-a3", "c2-b2", "resigned"], "Black");
    assert_eq!(explained_by(&replay), "P008");
    assert_eq!(found, ["P008 `d3-a3` is played after `d3-b3` was taken back"]);
    let written: Vec<Option<u32>> = replay.plies.iter().map(|ply| ply.written).collect();
    assert_eq!(written, [Some(0), Some(2), Some(3)]);
}

#[test]
fn moves_can_be_taken_back_before_a_move_that_is_possible_without() {
    // `e4-e2` is possible either way, but `d6-f6` and `d3-c3` are not.
    let moves = ["d2-c2", "d3-b3", "d6-c6", "e4-e2", "d6-f6", "d3-c3", "c2-b2", "e2-f2", "resigned"];
    let (replay, found) = replay(&moves, "White");
    assert_eq!(found, ["P008 `e4-e2` is played after 2 moves were taken back, starting with `d3-b3`"]);
    assert_eq!(explained_by(&replay), "P008");
    assert_eq!(replay.plies.len(), 6);
}

#[test]
fn moves_that_are_written_again_in_part_are_played_once() {
    // `d7-d6` and `e5-f5` are possible only after the two moves that the second block omits.
    let first = ["d2-c2", "e4-e2", "d6-c6", "d5-e5", "a4-a3", "c4-c3"];
    let again = ["d2-c2", "e4-e2", "a4-a3", "c4-c3"];
    let moves = [&first[..], &again, &["d7-d6", "e5-f5", "resigned"]].concat();
    let (replay, found) = replay(&moves, "White");
    assert_eq!(explained_by(&replay), "P010", "{found:?}");
    assert_eq!(found.len(), 4, "{found:?}");
    let written: Vec<Option<u32>> = replay.plies.iter().map(|ply| ply.written).collect();
    assert_eq!(written, [0, 1, 2, 3, 4, 5, 10, 11].map(Some));
}

#[test]
fn rules_that_changed_during_the_game_are_named_with_the_move() {
    // An armed king captures on `d4`, and later does not capture on `f4`.
    let text = r#"{"AageGameTypeKey": 5, "Moves": ["a4-a3", "e4-h4", "a3-a2", "e5-e4", "d1-d4", "c5-c4xd4",
        "f1-f4", "g5-g4", "f4-f3", "g4-g2", "resigned"], "WhoWon": "White"}"#;
    let (replay, found) = replay_text(text, ReplayOptions::default());
    assert_eq!(explained_by(&replay), "H014", "{found:?}");
    assert_eq!(
        found,
        [
            "H014 the moves before `g5-g4` fit only another edition of the variant, `ka:y`: the rules changed during the game"
        ]
    );
    assert_eq!(replay.plies.iter().map(|ply| ply.captured.len()).sum::<usize>(), 1);
    assert!(replay.rules.is_some_and(|rules| rules.variant == Some("sea-battle-t-9x9")));
}

#[test]
fn a_draw_at_a_ring_that_was_not_noticed_is_explained() {
    let rules: RuleSet = "dim:7 start:/2t4/3tt2/1t3t1/1t1K1t1/1t3t1/2ttt2/7/".parse().unwrap();
    let rules = Some(RuleChoice::own(&rules).expect("the rules can be played"));
    let options = || ReplayOptions { rules: rules.clone(), ..ReplayOptions::default() };
    let (replay, _) = replay_with(&["c1-c2"], "Draw", options());
    assert_eq!(explained_by(&replay), "E001");
    let (replay, _) = replay_with(&["c1-c2"], "White", options());
    assert!(matches!(replay.soundness(), Soundness::Unexplained(code) if code.as_str() == "E001"));
}

#[test]
fn a_side_that_moves_twice_lacks_a_move_of_the_other() {
    let (replay, found) = replay(&["d2-c2", "c2-b2", "d3-c3", "resigned"], "White");
    assert_eq!(explained_by(&replay), "P011");
    assert_eq!(found, ["P011 a move of the defenders is missing before `c2-b2`"]);
}

#[test]
fn a_game_from_a_later_position_is_reported() {
    let (replay, found) = replay(&["a1-a3", "b2-b5", "a3-a4"], "White");
    assert_eq!(explained_by(&replay), "H010");
    assert_eq!(found.len(), 1);
}

#[test]
fn a_contradictory_record_is_reported_with_its_place() {
    let (replay, found) = replay(&["d2-c2", "d3-b3", "c2-c3", "d2-d3", "c3-c2"], "White");
    assert_eq!(explained_by(&replay), "L002");
    assert_eq!(found[0], "L002 `d2-d3` starts from `d2`, which is empty");
    assert!(
        found[1].starts_with("P012 by the record's own moves and marks `d2` is empty since `d2-c2`"),
        "{found:?}"
    );
}

#[test]
fn a_captured_piece_that_plays_on_was_not_captured() {
    let (replay, found) = replay(&["d2-c2", "d3-b3", "c2-b2", "b3-a3", "resigned"], "White");
    assert_eq!(explained_by(&replay), "C008");
    assert_eq!(
        found,
        ["C008 `c2-b2` captures the defenders' man on `b3` by the rules, but the piece stays in play"]
    );
    assert!(replay.plies[2].captured.is_empty() && replay.plies.len() == 4);
}

/// Rules with optional chains, and an attackers' man that can capture two men in one turn.
fn with_chains() -> ReplayOptions {
    with_optional_chains("/t6/7/1Tt4/7/1Tt4/7/1T3K1/")
}

/// Rules with optional chains, and a start.
fn with_optional_chains(start: &str) -> ReplayOptions {
    let text = format!("dim:7 ber:c xber:free cen: surf:n start:{start}");
    let rules: RuleSet = text.parse().expect("the rules can be read");
    let rules = Some(RuleChoice::own(&rules).expect("the rules can be played"));
    ReplayOptions { rules, ..ReplayOptions::default() }
}

#[test]
fn a_step_that_is_not_written_is_reconstructed_and_named() {
    let (replay, found) = replay_with(&["a1-a3xb3", "b7-b4", "resigned"], "White", with_chains());
    assert_eq!(explained_by(&replay), "P009");
    assert_eq!(
        found,
        [
            "P009 `a1-a3xb3` continues in the same turn with unwritten steps, reconstructed from the rest of the record: a3-a5xb5"
        ]
    );
    let unwritten: Vec<bool> = replay.plies.iter().map(|ply| ply.is_unwritten()).collect();
    assert_eq!(unwritten, [false, true, false]);
}

#[test]
fn a_step_is_found_although_many_later_turns_may_have_continued_too() {
    // Six turns of up to eight steps each. Only a continuation of the first one brings a piece to `a9`.
    let pairs = ["1Tt1Tt1Tt1Tt1Tt1Tt1"; 4].join("/19/");
    let start = format!("/t2t2t2t2t2t3/19/{pairs}/18K/{pairs}/19/19/");
    let text = format!("dim:19 ber:c xber:free cen: cor: surf:n start:{start}");
    let rules: RuleSet = text.parse().expect("the rules can be read");
    let rules = Some(RuleChoice::own(&rules).expect("the rules can be played"));
    let options = ReplayOptions { rules, ..ReplayOptions::default() };
    let mut moves = Vec::new();
    for (turn, capture) in
        ["a1-a3xb3", "d1-d3xe3", "g1-g3xh3", "j1-j3xk3", "m1-m3xn3", "p1-p3xq3"].iter().enumerate()
    {
        moves.extend([*capture, if turn % 2 == 0 { "s10-s12" } else { "s12-s10" }]);
    }
    moves.extend(["a9-a8", "resigned"]);
    let (replay, found) = replay_with(&moves, "Black", options);
    assert_eq!(explained_by(&replay), "P009", "{found:?}");
    assert!(found[0].ends_with("a3-a5xb5 a5-a7xb7 a7-a9xb9"), "{found:?}");
}

#[test]
fn a_turn_that_is_written_as_one_move_is_taken_apart() {
    let (replay, found) = replay_with(&["a1-a5xb3xb5", "b7-b4", "resigned"], "White", with_chains());
    assert_eq!(explained_by(&replay), "P009", "{found:?}");
    let written: Vec<Option<u32>> = replay.plies.iter().map(|ply| ply.written).collect();
    assert_eq!(written, [None, Some(0), Some(1)]);
}

#[test]
fn a_turn_that_is_written_as_one_move_may_continue() {
    let options = with_optional_chains("/t6/7/1Tt4/7/1Tt4/1T5/1t3K1/");
    let moves = ["a1-a5xb3xb5", "f7-f6", "b5-b4", "resigned"];
    let (replay, found) = replay_with(&moves, "Black", options);
    assert_eq!(explained_by(&replay), "P009", "{found:?}");
    let written: Vec<Option<u32>> = replay.plies.iter().map(|ply| ply.written).collect();
    assert_eq!(written, [None, Some(0), None, Some(1), Some(2)]);
}

#[test]
fn complete_records_are_not_reconstructed() {
    let (replay, found) = replay_with(&["a1-a3xb3", "b7-b6", "resigned"], "White", with_chains());
    assert_eq!((explained_by(&replay), found.len()), ("sound", 0));
}

#[test]
fn captures_of_unwritten_steps_count_for_the_side_that_moves() {
    // Both sides can continue their first turn. Only a second capture by the attackers, who decline the chain
    // as written, agrees with the counts.
    let options = with_optional_chains("/t5T/7/1Tt1Tt1/7/1Tt1Tt1/7/1T3K1/");
    let counts = "\"BlackPiecesCaptured\":2,\"WhitePiecesCaptured\":1,";
    let (replay, found) = replay_counted(&["a1-a3xb3", "g1-g3xf3", "resigned"], "White", options, counts);
    assert_eq!(explained_by(&replay), "P009", "{found:?}");
    let unwritten: Vec<bool> = replay.plies.iter().map(|ply| ply.is_unwritten()).collect();
    assert_eq!(unwritten, [false, true, false], "{found:?}");
}

#[test]
fn an_unread_word_makes_a_record_unsound_although_the_other_moves_can_be_played() {
    let parsed = Format::MoveList.parse(&Source::new("d2-c2 hm e4-e1"));
    let rules = Some(RuleChoice::own(&RuleSet::named("brandubh7").unwrap()).unwrap());
    let replay = Replayer::new(ReplayOptions { rules, ..ReplayOptions::default() }).replay(&parsed.value);
    assert_eq!(replay.soundness(), Soundness::Sound);
    let Soundness::Explained(code) = replay.soundness_with(&parsed.diagnostics) else {
        panic!("a word is unread")
    };
    assert_eq!(code.as_str(), "T001");
}

#[test]
fn a_cell_that_does_not_exist_is_not_an_explanation() {
    let (replay, found) = replay(&["d2-c2", "e4-e9", "b4-b2"], "White");
    assert_eq!(found, ["L004 `e4-e9` names `e9`, which is not on this board"]);
    assert!(matches!(replay.soundness(), Soundness::Unexplained(code) if code.as_str() == "L004"));
}

#[test]
fn the_hint_counts_if_the_variant_of_the_notation_has_another_board() {
    let variant = catalog::find("seabattle9").expect("the catalog has this variant");
    let mut record = Record::new(Format::Ollamh);
    record.start = Some(WrittenStart { setup: variant.rules().start, span: Span::default() });
    let hint = Some(RuleChoice::named(variant));
    let replay = Replayer::new(ReplayOptions { hint, ..ReplayOptions::default() }).replay(&record);
    assert_eq!(replay.rules.and_then(|rules| rules.variant), Some(variant.name));
}

#[test]
fn long_names_and_rules_strings_are_not_kept() {
    let mut replayer = Replayer::new(ReplayOptions::default());
    let written = |text: String| Some(Written { text: text.into(), span: Span::default() });
    let mut record = Record::new(Format::OpenTafl);
    record.variant = written("x".repeat(5000));
    replayer.replay(&record);
    let name = "y".repeat(5000);
    record.rules = written(format!("dim:7 name:{name} start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"));
    assert!(replayer.replay(&record).rules.is_some());
    assert!(replayer.names.is_empty() && replayer.books.is_empty());
}
