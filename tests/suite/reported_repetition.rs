//! Archived games continue after repetitions, which are reported with their ply and do not end the game.

use tafl_rules::{AnyRulebook, Game, Ply, RepetitionMode, Side};
use tafl_tests::{oracle, variants};

/// The cycle of four plies from the start of Copenhagen Hnefatafl back to the start.
const CYCLE: [&str; 4] = ["d1-c1", "f8-f9", "c1-d1", "f9-f8"];

/// Plays the cycle `n` times and returns the plies.
fn cycles(words: &str, n: usize, mode: RepetitionMode) -> Vec<Ply> {
    let rules = variants::with_keys(words);
    let mut game = Game::with_mode(&AnyRulebook::compile(&rules).unwrap(), mode);
    let moves = CYCLE.iter().cycle().take(4 * n);
    moves.map(|text| game.play(oracle::mv(rules.shape(), text)).expect("the cycle is legal")).collect()
}

#[test]
fn third_occurrence_is_reported_at_the_eighth_ply() {
    let plies = cycles("copenhagen11", 3, RepetitionMode::Report);
    let reported: Vec<(usize, u32)> =
        plies.iter().zip(1..).filter_map(|(ply, n)| ply.repetition.map(|hit| (n, hit.occurrences))).collect();
    assert_eq!(reported.first(), Some(&(8, 3)));
    assert!(plies.iter().all(|ply| ply.outcome.is_none()));
}

#[test]
fn occurrences_are_counted_over_any_number_of_turns() {
    let plies = cycles("copenhagen11 xrep:none", 60, RepetitionMode::Enforce);
    let wrong = plies.iter().zip(1u32..).find(|(ply, n)| ply.occurrences != n / 4 + 1);
    assert_eq!(wrong.map(|(ply, n)| (n, ply.occurrences)), None);
}

#[test]
fn arrangements_of_the_defenders_are_counted_over_any_number_of_turns() {
    let plies = cycles("copenhagen11 xrep:cfg3claim", 60, RepetitionMode::Enforce);
    let expected = |n: u32| n.is_multiple_of(2).then_some(n / 4 + 1).filter(|count| *count >= 3);
    let reported = |ply: &Ply| ply.repetition.map(|hit| hit.occurrences);
    let wrong = plies.iter().zip(1..).find(|(ply, n)| reported(ply) != expected(*n));
    assert_eq!(wrong.map(|(ply, n)| (n, reported(ply))), None);
}

#[test]
fn occurrences_count_the_start() {
    let plies = cycles("copenhagen11 xrep:none", 2, RepetitionMode::Enforce);
    let counts: Vec<u32> = plies.iter().map(|ply| ply.occurrences).collect();
    assert_eq!(counts, [1, 1, 1, 2, 2, 2, 2, 3]);
}

#[test]
fn occurrences_count_a_start_at_which_the_other_side_was_given_the_first_move() {
    let rules = variants::with_keys("copenhagen11 xrep:none");
    let mut game = Game::new(&AnyRulebook::compile(&rules).unwrap());
    let other = game.to_move().other();
    game.set_to_move(other);
    let cycle = ["f8-f9", "d1-c1", "f9-f8", "c1-d1"];
    let mut counts = Vec::new();
    for text in cycle.iter().cycle().take(8) {
        let ply = game.play(oracle::mv(rules.shape(), text)).expect("the cycle is legal");
        counts.push(ply.occurrences);
    }
    assert_eq!(counts, [1, 1, 1, 2, 2, 2, 2, 3]);
}

#[test]
fn a_repetition_claim_is_reported_under_enforced_repetition() {
    let plies = cycles("copenhagen11 xrep:pos3claim", 2, RepetitionMode::Enforce);
    let last = plies.last().expect("eight plies");
    assert_eq!((last.repetition.map(|hit| hit.occurrences), last.outcome), (Some(3), None));
}

#[test]
fn of_several_rules_the_one_that_decides_is_reported() {
    for (words, decisive) in [("pos3draw+pos3def", "pos3def"), ("pos2claim+pos3draw", "pos3draw")] {
        for mode in [RepetitionMode::Enforce, RepetitionMode::Report] {
            let plies = cycles(&format!("copenhagen11 xrep:{words}"), 2, mode);
            let hit = plies[7].repetition.expect("the start occurs for the third time");
            assert_eq!((hit.rule.to_string().as_str(), hit.occurrences), (decisive, 3), "{words} {mode:?}");
        }
    }
}

#[test]
fn a_chain_that_is_declined_by_setting_the_side_to_move_ends_a_turn() {
    let rules = "dim:7 ber:c xber:free start:/5K1/t1Tt3/7/1T5/1t5/7/6t/".parse().unwrap();
    let mut set = Game::new(&AnyRulebook::compile(&rules).unwrap());
    set.play(set.parse_move("a2-b2").unwrap()).unwrap();
    let mut declined = set.clone();
    assert!(declined.decline_chain());
    set.set_to_move(Side::Defenders);
    assert_eq!((set.key(), set.turn_keys()), (declined.key(), declined.turn_keys()));
    // The position counts as an occurrence.
    assert_eq!(set.turn_keys(), [set.key()]);
}
