//! Repair: known faults in games of several variants are repaired, sound games are unchanged, and no input causes a panic.

use std::num::NonZeroUsize;

use proptest::prelude::*;
use serde_json::{Value, json};
use tafl_parser::{
    CaptureStyle, Format, Parsed, Record, RepairOptions, RepairStatus, Repairer, ReplayOptions, Replayer,
    RuleChoice, Soundness, Source, WrittenMove, WrittenResult, WrittenVerdict, patch_record,
};
use tafl_rules::{AnyRulebook, Game, Move, Outcome, Rng, Span, catalog};
use tafl_tests::faults::{Fault, TestGame};
use tafl_tests::measure::repair::{RepairMeasurement, random_games};

const VARIANTS: [&str; 8] = [
    "brandubh7",
    "cyngesheall7",
    "tablut9_wtf",
    "seabattle9",
    "copenhagen11",
    "tawlbwrdd11",
    "hexentafl4",
    "berserk11",
];
const GAMES: u64 = 4;
const MAX_PLIES: usize = 60;

/// Plays a game in which a side captures if one of eight random moves does.
fn game(book: &AnyRulebook, rng: &mut Rng) -> Record {
    let mut game = Game::new(book);
    let shape = book.shape();
    let mut record = Record::new(Format::MoveList);
    record.capture_style = CaptureStyle::NotWritten;
    let mut is_chained = false;
    while record.main().moves.len() < MAX_PLIES && game.outcome().is_none() {
        let moves = game.moves();
        let chosen = |rng: &mut Rng| moves.get(rng.below(moves.len())).copied();
        let takes = |mv: &Move| game.clone().play(*mv).is_ok_and(|ply| !ply.captured.is_empty());
        let tries: Vec<Move> = (0..8).filter_map(|_| chosen(rng)).collect();
        let Some(mv) = tries.iter().find(|mv| takes(mv)).or(tries.first()).copied() else { break };
        let side = game.to_move();
        let ply = game.play(mv).expect("a legal move can be played");
        let written = record.played_move(mv, [], shape);
        record.main_mut().moves.push(WrittenMove { chained: is_chained, ..written });
        is_chained = ply.goes_on && game.to_move() == side;
    }
    let verdict = match game.outcome() {
        Some(Outcome { winner: Some(side), .. }) => WrittenVerdict::Win(side),
        Some(Outcome { winner: None, .. }) => WrittenVerdict::Draw,
        None => WrittenVerdict::Ongoing,
    };
    record.result = Some(WrittenResult { verdict, reason: None, span: Span::at(0) });
    record
}

fn test_games(variant: &str) -> Vec<TestGame> {
    let named = catalog::find(variant).expect("a variant of the catalog");
    let book = AnyRulebook::compile(&named.rules()).expect("a test compiles every variant");
    let options = ReplayOptions { rules: Some(RuleChoice::named(named)), ..ReplayOptions::default() };
    let mut replayer = Replayer::new(options);
    let mut rng = Rng::new(7);
    let games = (0..GAMES).filter_map(|_| {
        let record = game(&book, &mut rng);
        TestGame::new(&record, &replayer.replay(&record))
    });
    games.collect()
}

fn repairer() -> Repairer {
    Repairer::new(ReplayOptions::default(), RepairOptions::default())
}

#[test]
fn known_faults_are_repaired_and_rarely_made_worse() {
    let mut repairer = repairer();
    let (mut seen, mut decided, mut fixed, mut wrong) = (0u32, 0u32, 0u32, Vec::new());
    for variant in VARIANTS {
        let test_games = test_games(variant);
        assert!(!test_games.is_empty(), "{variant} has no games");
        for (nth, game) in test_games.iter().enumerate() {
            let sound = game.sound();
            let standing = repairer.repair(&Source::new(&sound.text), &sound.parsed).status;
            assert_eq!(standing, RepairStatus::Sound, "{variant}: {}", sound.text);
            for fault in Fault::ALL {
                let mut rng = Rng::new(100 * nth as u64 + fault as u64);
                let Some(faulty) = game.with_fault(fault, &mut rng) else { continue };
                let diagnosis = repairer.repair(&Source::new(&faulty.text), &faulty.parsed);
                match diagnosis.status {
                    RepairStatus::Sound | RepairStatus::Explained(_) => continue,
                    RepairStatus::Ambiguous => {}
                    RepairStatus::Undecidable(_) => decided += 1,
                    RepairStatus::Decided if game.is_restored_by(&diagnosis.repairs[0]) => {
                        (decided, fixed) = (decided + 1, fixed + 1);
                    }
                    RepairStatus::Decided => {
                        decided += 1;
                        let words = diagnosis.repairs[0].edits[0].to_string();
                        wrong.push(format!("{variant}, {}: {}: {words}", fault.name(), faulty.text));
                    }
                }
                seen += 1;
            }
        }
    }
    println!("{seen} faults seen, {decided} decidable, {fixed} fixed, {} wrong", wrong.len());
    assert!(seen > 400 && decided > 300, "{seen} {decided}");
    assert!(f64::from(fixed) >= 0.97 * f64::from(decided), "{fixed} of {decided}\n{}", wrong.join("\n"));
    assert!(wrong.len() <= 3, "{}", wrong.join("\n"));
}

/// A random game of Brandubh with a winner.
const BRANDUBH: &str = include_str!("../fixtures/random-brandubh.csv").trim_ascii_end();

#[test]
fn every_suggestion_is_sound_and_every_decision_right() {
    let brandubh = catalog::find("brandubh7").map(RuleChoice::named);
    let mut replayer = Replayer::new(ReplayOptions { rules: brandubh, ..ReplayOptions::default() });
    let record = Format::MoveList.parse(&Source::new(BRANDUBH)).value;
    let game = TestGame::new(&record, &replayer.replay(&record)).expect("a sound game");
    let mut repairer = repairer();
    assert_eq!(repairer.repair(&Source::new(BRANDUBH), &game.sound().parsed).status, RepairStatus::Sound);
    let mut fixed = 0;
    for fault in Fault::ALL {
        for seed in 0..12 {
            let Some(faulty) = game.with_fault(fault, &mut Rng::new(seed)) else { continue };
            let diagnosis = repairer.repair(&Source::new(&faulty.text), &faulty.parsed);
            for repair in &diagnosis.repairs {
                let repaired = Parsed { value: repair.record.clone(), diagnostics: Vec::new() };
                let standing = repairer.repair(&Source::new(&faulty.text), &repaired).status;
                assert!(
                    matches!(standing, RepairStatus::Sound | RepairStatus::Explained(_)),
                    "{}",
                    fault.name()
                );
            }
            if diagnosis.status == RepairStatus::Decided {
                let is_right = game.is_restored_by(&diagnosis.repairs[0]);
                assert!(is_right, "{}, seed {seed}: {}", fault.name(), faulty.text);
                fixed += 1;
            }
        }
    }
    assert!(fixed > 120, "{fixed}");
}

fn measured(seed: u64, threads: usize) -> Value {
    let threads = NonZeroUsize::new(threads).expect("a number of threads");
    let measurement = RepairMeasurement { faults: 1, seed, threads };
    measurement.run(&random_games(1), |_, _| {}).json()
}

#[test]
fn the_measurement_counts_every_kind_of_fault() {
    let answer = measured(1, 1);
    let faults = answer["faults"].as_array().expect("a list");
    assert_eq!(faults.len(), 19);
    assert!(faults.iter().all(|row| row["n"].as_u64() > Some(0)), "{faults:?}");
    let all = &answer["all"];
    assert!(all["fixed_of_decidable"].as_f64() > Some(0.95), "{all}");
    assert!(all["false_of_seen"].as_f64() < Some(0.02), "{all}");
    assert_eq!((&answer["sound_games"]["n"], &answer["sound_games"]["unseen"]), (&json!(10), &json!(10)));
}

#[test]
fn a_measurement_without_games_has_no_trials() {
    let measurement = RepairMeasurement { faults: 1, seed: 1, threads: NonZeroUsize::MIN };
    assert_eq!(measurement.run(&random_games(0), |_, _| {}).json()["all"]["n"], json!(0));
}

#[test]
fn the_measurement_is_the_same_with_any_number_of_threads() {
    let counts = |threads| {
        let mut all = measured(5, threads)["all"].clone();
        all["milliseconds"] = json!(0);
        all
    };
    assert_eq!(counts(1), counts(3));
}

#[test]
fn a_repaired_text_is_sound() {
    let mut repairer = repairer();
    let mut n_written = 0;
    for game in VARIANTS.into_iter().flat_map(test_games) {
        for fault in [Fault::Character, Fault::Doubled, Fault::Missing, Fault::Unread, Fault::CaptureWrong] {
            let Some(faulty) = game.with_fault(fault, &mut Rng::new(3)) else { continue };
            let source = Source::new(&faulty.text);
            let diagnosis = repairer.repair(&source, &faulty.parsed);
            let Some(repair) = diagnosis.repairs.first() else { continue };
            // A list of moves does not name its variant, so the text does not contain it.
            let mut plain = faulty.parsed.clone();
            plain.value.variant = None;
            let mut repair = repair.clone();
            repair.record.variant = None;
            let patch = patch_record(&source, &plain, &repair).expect("a list of moves contains every move");
            let rules = catalog::find(game.variant).map(RuleChoice::named);
            let options = ReplayOptions { rules, ..ReplayOptions::default() };
            let line = patch.text.lines().last().unwrap_or_default();
            let read = Format::MoveList.parse(&Source::new(line));
            assert!(read.diagnostics.is_empty(), "{}", patch.text);
            let replay = Replayer::new(options).replay(&read.value);
            assert_eq!(replay.soundness(), Soundness::Sound, "{}", patch.text);
            n_written += 1;
        }
    }
    assert!(n_written > 80, "{n_written}");
}

/// Returns the words of a move list, some of them moves of a game.
fn words() -> impl Strategy<Value = String> {
    let real = "d1-f1|d3-a3|d2-e2|d4-d1|a4-a6|d1-a1";
    let word = prop_oneof![
        4 => prop::string::string_regex(real).expect("a pattern"),
        2 => prop::string::string_regex("[a-h][0-9]{1,2}-[a-h][0-9]{1,2}(x[a-h][0-9]){0,2}").expect("a pattern"),
        1 => prop::string::string_regex("[a-z0-9?-]{1,6}|resigned|timeout").expect("a pattern"),
    ];
    let tail = prop::string::string_regex("|,[0-9],[0-9],(White|Black|Draw|Ongoing|)").expect("a pattern");
    (prop::collection::vec(word, 0..12), tail).prop_map(|(words, tail)| words.join(" ") + &tail)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_list_of_moves_gets_a_diagnosis(text in words()) {
        let rules = catalog::find("brandubh7").map(RuleChoice::named);
        let replay = ReplayOptions { rules, ..ReplayOptions::default() };
        let options = RepairOptions { budget: 60_000, ..RepairOptions::default() };
        let source = Source::new(&text);
        let parsed = Format::MoveList.parse(&source);
        let diagnosis = Repairer::new(replay, options).repair(&source, &parsed);
        let sum: f64 = diagnosis.repairs.iter().map(|repair| repair.confidence).sum();
        prop_assert!(sum <= 1.0 + 1e-9);
        for repair in &diagnosis.repairs {
            prop_assert_eq!(repair.edits.len(), repair.places.len());
            prop_assert!(repair.places.iter().all(|place| place.end as usize <= text.len()));
            let _ = patch_record(&source, &parsed, repair);
        }
    }
}
