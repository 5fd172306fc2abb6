use tafl_rules::{Coord, Side, Span, catalog};

use super::*;
use crate::format::Format;
use crate::record::{Written, WrittenStart, WrittenVerdict};
use crate::replay::RuleChoice;
use crate::write::{WriteGame, write_record};

/// A random game of Brandubh with a winner.
const GAME: &str = include_str!("../../../tests/fixtures/random-brandubh.csv").trim_ascii_end();

fn repairer() -> Repairer {
    Repairer::new(ReplayOptions::default(), RepairOptions::default())
}

fn parsed(text: &str) -> Parsed<Record> {
    let mut parsed = Format::MoveList.parse(&Source::new(text));
    parsed.value.variant = Some(Written { text: "brandubh7".into(), span: Span::at(0) });
    parsed
}

fn diagnose(text: &str) -> Diagnosis {
    repairer().repair(&Source::new(text), &parsed(text))
}

/// Returns the description of the edits of the first repair, which must be decided.
fn mended(text: &str) -> String {
    let diagnosis = diagnose(text);
    assert_eq!(diagnosis.status, RepairStatus::Decided, "{text}: {:?}", words_of(&diagnosis));
    words_of(&diagnosis).swap_remove(0)
}

fn words_of(diagnosis: &Diagnosis) -> Vec<String> {
    let words = |repair: &Repair| repair.edits.iter().map(Edit::to_string).collect::<Vec<_>>().join("; ");
    diagnosis.repairs.iter().map(words).collect()
}

#[test]
fn every_kind_of_textual_fault_is_repaired() {
    let cases = [
        ("f4-f6 a3", "f4-f7 a3", "ply 5: f4-f6 instead of f4-f7"),
        ("f4-f6 a3", "f6-f4 a3", "ply 5: f4-f6 instead of f6-f4"),
        ("f4-f6 a3", "d6-f6 a3", "ply 5: f4-f6 instead of d6-f6"),
        ("g5-b5xb4", "e7-e2xb4", "ply 12: g5-b5 instead of e7-e2"),
        ("d5-f5 c4", "dS-f5 c4", "ply 15: read the word as d5-f5"),
        ("d5-f5 c4", "d5- c4", "ply 15: read the word as d5-f5"),
        ("d5-f5 c4", "d5-f5 hm c4", "before ply 16: remove the word"),
        ("d7-d5 b3-f3", "b3-f3", "before ply 13: insert d7-d5"),
        ("d6-b6 g3-b3", "d6-b6 d6-b6 g3-b3", "ply 10: remove the move"),
        ("d6-b6 g3-b3", "g3-b3 d6-b6", "plies 9 and 10: exchange the moves"),
        ("b3-b4xc4", "b3-b4", "ply 38: add the capture on c4"),
        ("c6-d6 b5", "c6-d6xa1 b5", "ply 21: remove the capture on a1"),
        ("b3-b4xc4", "b3-b4xc5", "ply 38: the capture was on c4, not on c5"),
        ("3,7,White", "3,7,Black", "result: the defenders win instead of the attackers win"),
        ("3,7,White", "7,3,Black", "result and numbers of captures: exchange the sides"),
        ("3,7,White", "3,9,White", "numbers of captures: 3 and 7 instead of 3 and 9"),
    ];
    for (right, wrong, expected) in cases {
        let text = GAME.replacen(right, wrong, 1);
        assert_ne!(text, GAME, "{right}");
        assert_eq!(mended(&text), expected, "{right} as {wrong}");
    }
}

#[test]
fn two_faults_are_repaired() {
    let text = GAME.replacen("f4-f6 a3", "f4-f7 a3", 1).replacen("b3-b4xc4", "b3-b4", 1);
    assert_eq!(mended(&text), "ply 5: f4-f6 instead of f4-f7; ply 38: add the capture on c4");
}

/// Returns the game with some words changed, given their numbers from 1.
fn with_captures(change: impl Fn(usize, &str) -> Option<String>) -> String {
    let (moves, rest) = GAME.split_once(',').unwrap();
    let words = moves.split_whitespace().enumerate();
    let words = words.map(|(nth, word)| change(nth + 1, word).unwrap_or_else(|| word.to_owned()));
    format!("{},{rest}", words.collect::<Vec<_>>().join(" "))
}

#[test]
fn a_habit_of_omitting_captures_is_one_change() {
    let text =
        with_captures(|nth, word| (nth < 22).then(|| word.split('x').next().unwrap_or(word).to_owned()));
    assert_eq!(mended(&text), "captures in 7 moves from ply 2 on: as the rules make them (7 added)");
    let diagnosis = diagnose(&text);
    let repair = &diagnosis.repairs[0];
    assert_eq!((repair.edits.len(), repair.edits[0].name()), (1, "all-captures"));
    assert_eq!(repair.evidence.captures, 3);
}

#[test]
fn a_habit_in_captures_does_not_count_toward_the_maximum_of_edits() {
    let text =
        with_captures(|nth, word| (nth < 22).then(|| word.split('x').next().unwrap_or(word).to_owned()));
    let text = text.replacen("d6-d7 d4-d2", "d6-d7 d2-d4", 1);
    let options = RepairOptions { max_edits: 1, ..RepairOptions::default() };
    let diagnosis =
        Repairer::new(ReplayOptions::default(), options).repair(&Source::new(&text), &parsed(&text));
    let first = &words_of(&diagnosis)[0];
    assert!(first.contains("ply 40: d4-d2 instead of d2-d4"), "{first}");
    assert!(first.contains("as the rules make them (7 added)"), "{first}");
}

#[test]
fn omitted_captures_are_added_beside_a_doubled_mark_and_a_wrong_count() {
    let text =
        with_captures(|nth, word| (nth < 22).then(|| word.split('x').next().unwrap_or(word).to_owned()));
    let added = "captures in 7 moves from ply 2 on: as the rules make them (7 added)";
    let doubled = text.replacen("b3-b4xc4", "b3-b4xc4xc4", 1).replacen(",3,7,", ",3,8,", 1);
    assert_eq!(mended(&doubled), added);
    let diagnosis = diagnose(&text.replacen(",3,7,", ",3,9,", 1));
    let names: Vec<&str> = diagnosis.repairs[0].edits.iter().map(Edit::name).collect();
    assert_eq!(names, ["all-captures", "capture-counts"], "{:?}", words_of(&diagnosis));
    assert_eq!(diagnosis.repairs[0].record.capture_counts.unwrap().by.defenders, 7);
}

#[test]
fn a_wrong_move_that_explains_the_captures_is_not_a_habit() {
    // The fault makes several later captures impossible.
    for (right, wrong) in [("d6-a6 d5", "d6-b6 d5"), ("a3-g3xg2", "a3-f3xg2"), ("g5-b5xb4", "g5-c5xb4")] {
        let text = GAME.replacen(right, wrong, 1);
        let first = words_of(&diagnose(&text)).swap_remove(0);
        assert!(!first.contains("as the rules make them"), "{wrong}: {first}");
    }
}

#[test]
fn the_model_of_moves_decides_nothing_alone() {
    let book = tafl_rules::AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
    let game = tafl_rules::Game::new(&book);
    let predictor = move_model::MovePredictor::new(&game, move_model::MoveContext::default());
    for one in game.moves() {
        for other in game.moves() {
            // A decision takes a confidence of 95 %, which is a difference of 2.94.
            assert!(predictor.cost(one) - predictor.cost(other) < 2.94);
        }
    }
}

#[test]
fn the_game_of_a_repair_begins_with_the_first_mover_of_its_record() {
    let mut repair = diagnose(&GAME.replacen("f4-f6 a3", "f4-f7 a3", 1)).repairs.swap_remove(0);
    assert_eq!(played_moves::start_of(&repair).to_move(), Side::Attackers);
    repair.record.first_mover = Some(Side::Defenders);
    assert_eq!(played_moves::start_of(&repair).to_move(), Side::Defenders);
}

#[test]
fn faults_of_the_whole_record_are_repaired() {
    let mut other = parsed(GAME);
    let repair = |parsed: &Parsed<Record>| {
        let diagnosis = repairer().repair(&Source::new(GAME), parsed);
        (diagnosis.status, words_of(&diagnosis).first().cloned().unwrap_or_default())
    };
    let first = Some(tafl_rules::Side::Defenders);
    other.value.first_mover = first;
    assert_eq!(repair(&other), (RepairStatus::Decided, "first mover: the attackers".to_owned()));
    let mut other = parsed(GAME);
    let setup = catalog::find("ardri7").unwrap().rules().start;
    other.value.start = Some(WrittenStart { setup, span: Span::at(0) });
    assert_eq!(repair(&other).1, "start: that of the rules");
    let mut other = parsed(GAME);
    other.value.variant = Some(Written { text: "brandubh77".into(), span: Span::at(0) });
    assert!(repair(&other).1.starts_with("variant: brandub"), "{:?}", repair(&other));
    let mut other = parsed(GAME);
    other.value.variant = Some(Written { text: "ardri7".into(), span: Span::at(0) });
    assert!(repair(&other).1.starts_with("variant: brandub"), "{:?}", repair(&other));
}

#[test]
fn a_board_that_is_seen_from_elsewhere_is_turned_back() {
    let map = relabel::Map::of(Relabel::Symmetry(1), tafl_rules::Shape::square(7).unwrap()).unwrap();
    let mut turned = parsed(GAME);
    let record = &mut turned.value;
    let moves = record.main().moves.clone();
    for (at, mv) in moves.iter().enumerate().skip(20) {
        let captures = map.captures(record.captures_of(mv));
        record.main_mut().moves[at] = crate::record::WrittenMove {
            first_capture: record.captures.len() as u32,
            ..map.moves(&[*mv])[0]
        };
        record.captures.extend(captures);
    }
    let diagnosis = repairer().repair(&Source::new(GAME), &turned);
    assert_eq!(diagnosis.status, RepairStatus::Decided);
    assert_eq!(words_of(&diagnosis)[0], "moves from ply 21 on: read the board mirrored left to right");
}

#[test]
fn no_repair_without_evidence() {
    let why = |text: &str| diagnose(text).status;
    assert_eq!(diagnose(GAME).status, RepairStatus::Sound);
    assert_eq!(why("zz yy xx,0,0,White"), RepairStatus::Undecidable(Undecidable::NothingPlays));
    assert!(matches!(why("a1-a2 b1-b2,0,0,White"), RepairStatus::Undecidable(_)));
    assert!(matches!(why("a1-a9 b9-b2 g1-g9 c1-c9 q1-q2 d1-d9 b1-b2,0,0,"), RepairStatus::Undecidable(_)));
    assert_eq!(why(""), RepairStatus::Sound);
    // The last move is illegal, and many other moves would be possible.
    assert_eq!(why("d1-c1 d3-a3 d2-e2 e4-e9,0,0,Ongoing"), RepairStatus::Ambiguous);
    let no_rules = "a1-a2 zz b1-b2,0,0,White";
    let read = Format::MoveList.parse(&Source::new(no_rules));
    let status = repairer().repair(&Source::new(no_rules), &read).status;
    assert_eq!(status, RepairStatus::Undecidable(Undecidable::NoRules));
}

#[test]
fn an_unreadable_word_in_a_variation_is_not_a_fault_of_the_game() {
    let rules = "dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let otg = |words: &str| {
        format!("[result:-1]\n[rules:{rules}]\n\n1. d1-f1 d3-a3\n{words}2. d2-e2 d4-d1\n3. a4-a6 d1-a1\n")
    };
    let pgn = |words: &str| {
        let tags = format!("[Result \"defenders\"]\n[Rules \"{rules}\"]\n");
        format!("{tags}1. d1f1 d3a3 {words} 2. d2e2 d4d1 3. a4a6 d1a1\n")
    };
    for (format, text) in [
        (Format::OpenTafl, otg("1b.1.1a. zz\n")),
        (Format::OpenTafl, otg("1b.1.1a. d3-c3 zz\n")),
        (Format::OpenTafl, otg("1b.1.1a. 7z\n")),
        (Format::Pgn, pgn("(1... zz)")),
        (Format::Pgn, pgn("(1... d3c3 7z)")),
    ] {
        let source = Source::new(&text);
        let parsed = format.parse(&source);
        let codes: Vec<&str> = parsed.diagnostics.iter().map(|found| found.code().name()).collect();
        assert_eq!(codes, ["bad-move"], "{text}");
        assert_eq!(repairer().repair(&source, &parsed).status, RepairStatus::Sound, "{text}");
    }
    let text = otg("zz\n");
    let source = Source::new(&text);
    assert_ne!(repairer().repair(&source, &Format::OpenTafl.parse(&source)).status, RepairStatus::Sound);
}

#[test]
fn a_budget_ends_the_search() {
    let options = RepairOptions { budget: 60, ..RepairOptions::default() };
    let text = GAME.replacen("f4-f6 a3", "f4-f7 a3", 1);
    let diagnosis =
        Repairer::new(ReplayOptions::default(), options).repair(&Source::new(&text), &parsed(&text));
    assert_eq!(diagnosis.status, RepairStatus::Undecidable(Undecidable::Budget));
}

#[test]
fn a_decided_repair_is_written_in_place() {
    let variant = catalog::find("brandubh7").map(RuleChoice::named);
    let options = ReplayOptions { rules: variant, ..ReplayOptions::default() };
    let mut repairer = Repairer::new(options, RepairOptions::default());
    let mut write = |format: Format, text: &str| {
        let source = Source::new(text);
        let parsed = format.parse(&source);
        let diagnosis = repairer.repair(&source, &parsed);
        patch_record(&source, &parsed, &diagnosis.repairs[0]).map(|patch| patch.text)
    };
    for (right, wrong) in [
        ("f4-f6 a3", "f4-f7 a3"),
        ("d6-b6 g3-b3", "d6-b6 d6-b6 g3-b3"),
        ("d7-d5 b3-f3", "b3-f3"),
        ("d6-b6 g3-b3", "g3-b3 d6-b6"),
        ("d5-f5 c4", "dS-f5 c4"),
        ("d5-f5 c4", "d5-f5 hm c4"),
        ("3,7,White", "3,7,Black"),
        ("3,7,White", "7,3,Black"),
        ("b3-b4xc4", "b3-b4"),
    ] {
        let text = write(Format::MoveList, &GAME.replacen(right, wrong, 1)).unwrap();
        assert_eq!(text.lines().last(), Some(GAME), "{wrong}: {text}");
        assert!(text.starts_with("# repaired: "), "{text}");
    }
    let json = r#"{"AageGameTypeKey": 129, "Moves": ["d1-f1", "d3-a3", "d2-e2", "d4-d2", "a4-a6", "d1-a1"], "WhoWon": "White"}"#;
    let text = write(Format::AageNielsen, json).unwrap();
    assert!(text.ends_with(&json.replace("d4-d2", "d4-d1")[1..]), "{text}");
    let otg = "[result:-1]\n[rules:dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]\n\n1. d1-f1 d3-a3\n[hm]\n\
               2. d2-e2 a4-a6\n3. d1-a1";
    let text = write(Format::OpenTafl, otg).unwrap();
    assert!(text.contains("[repair:before ply 4: insert d4-d1]\n"), "{text}");
    assert!(text.contains("2. d2-e2 d4-d1\n3. a4-a6 d1-a1") && text.contains("[hm]"), "{text}");
    let sgf = |game: &str| {
        let (record, mut text) = (parsed(game).value, String::new());
        write_record(WriteGame { record: &record, played: None }, Format::Sgf, &mut text).unwrap();
        text
    };
    let text = write(Format::Sgf, &sgf(&GAME.replacen("f4-f6 a3", "f4-f7 a3", 1))).unwrap();
    let (head, note) = text.split_once("TG[repair:").unwrap();
    let (_, rest) = note.split_once("]\n").unwrap();
    assert_eq!(format!("{head}{rest}\n"), sgf(GAME), "the moves and their names are repaired");
}

#[test]
fn the_winner_of_a_sentence_is_replaced() {
    let right = |written: &str, side: Side| patch::result_word(written, WrittenVerdict::Win(side));
    assert_eq!(right("Black wins", Side::Defenders).as_deref(), Some("White wins"));
    assert_eq!(right("win for the defenders", Side::Attackers).as_deref(), Some("win for the attackers"));
    assert_eq!(right("Black (not White) wins", Side::Defenders), None);
    assert_eq!(right("Black wins", Side::Attackers), None, "it names the right winner");
}

#[test]
fn json_lines_of_another_notation_are_repaired_as_json_lines() {
    let (record, mut text) = (parsed(&GAME.replacen("f4-f6 a3", "f4-f7 a3", 1)).value, String::new());
    write_record(WriteGame { record: &record, played: None }, Format::Jsonl, &mut text).unwrap();
    let source = Source::new(text.trim_end());
    let parsed = Format::Jsonl.parse(&source);
    assert_eq!(parsed.value.format, Format::MoveList);
    let diagnosis = repairer().repair(&source, &parsed);
    let patch = patch_record(&source, &parsed, &diagnosis.repairs[0]).unwrap();
    assert!(patch.text.contains("f4-f6 a3"), "{}", patch.text);
    assert_eq!(Format::Jsonl.parse(&Source::new(&patch.text)).value.format, Format::MoveList);
}

#[test]
fn a_notation_that_is_only_read_is_written_in_another_one() {
    let text = include_str!("../../../tests/fixtures/records/valid/ashton-log-escape.txt");
    let parsed = Format::AshtonLog.parse(&Source::new(text));
    let mut diagnosis = repairer().repair(&Source::new(text), &parsed);
    assert_eq!(diagnosis.status, RepairStatus::Sound);
    let mut broken = parsed.clone();
    let mv = &mut broken.value.main_mut().moves[2];
    mv.to = Coord::new(mv.to.file, if mv.to.rank == 0 { 1 } else { mv.to.rank - 1 });
    diagnosis = repairer().repair(&Source::new(text), &broken);
    let first = diagnosis.repairs.first().expect("the boards tell the move");
    assert_eq!(diagnosis.status, RepairStatus::Decided);
    assert!(matches!(first.edits[..], [Edit::Replace { at: 2, error: WritingError::Character, .. }]));
    assert!(matches!(patch_record(&Source::new(text), &broken, first), Err(PatchError::ReadOnly { .. })));
    let patch = convert_repair(first, Format::Jsonl).expect("JSON lines contain every record");
    assert!(patch.is_noted && patch.text.ends_with('\n'), "{}", patch.text);
    let read = Format::Jsonl.parse(&Source::new(patch.text.trim_end())).value;
    assert_eq!(read.main().moves[2].to, first.record.main().moves[2].to);
    let read_only = Err(PatchError::ReadOnly { format: Format::AshtonLog });
    assert_eq!(convert_repair(first, Format::AshtonLog), read_only);
}

#[test]
fn a_writable_notation_that_cannot_hold_a_repair_is_not_read_only() {
    let text = GAME.replacen("f4-f6 a3", "f4-f7 a3", 1);
    let (source, mut parsed) = (Source::new(&text), parsed(&text));
    let diagnosis = repairer().repair(&source, &parsed);
    // Its board is hexagonal.
    let format = Format::SkudPaiSho;
    parsed.value.format = format;
    let error = patch_record(&source, &parsed, &diagnosis.repairs[0]);
    assert_eq!(error, Err(PatchError::NotExpressible { format }));
}

#[test]
fn results_have_words_in_every_style() {
    for (written, right) in [("Black", "White"), ("1", "-1"), ("0-1", "1-0")] {
        let verdict = WrittenVerdict::Win(tafl_rules::Side::Defenders);
        assert_eq!(patch::result_word(written, verdict).as_deref(), Some(right));
    }
}

#[test]
fn moves_of_a_table_are_inserted_in_place_and_other_columns_are_refused() {
    let moves = GAME.split(',').next().unwrap();
    let broken = moves.replacen("d7-d5 b3-f3", "b3-f3", 1);
    let repaired = |text: &str| {
        let source = Source::new(text);
        let parsed = Format::Csv.parse(&source);
        let diagnosis = repairer().repair(&source, &parsed);
        assert_eq!(diagnosis.status, RepairStatus::Decided, "{text}");
        patch_record(&source, &parsed, &diagnosis.repairs[0]).map(|patch| patch.text)
    };
    let header = "variant;moves;winner\nbrandubh7;";
    assert_eq!(repaired(&format!("{header}{broken};White")), Ok(format!("{header}{moves};White")));
    let turns: String =
        (1..).zip(broken.split(' ')).map(|(ply, mv)| format!("{ply};{mv};brandubh7\n")).collect();
    assert_eq!(repaired(&format!("ply;move;variant\n{}", turns.trim_end())), Err(PatchError::OtherColumns));
}

#[test]
fn given_rules_are_not_changed() {
    let repair = |text: &str, variant: &str| {
        let rules = catalog::find(variant).map(RuleChoice::named);
        let options = ReplayOptions { rules, ..ReplayOptions::default() };
        let source = Source::new(text);
        Repairer::new(options, RepairOptions::default()).repair(&source, &Format::MoveList.parse(&source))
    };
    let is_kept = |diagnosis: &Diagnosis| {
        let edits = diagnosis.repairs.iter().flat_map(|repair| &repair.edits);
        edits.into_iter().all(|edit| edit.name() != "variant")
    };
    // Two moves fit many variants.
    let diagnosis = repair("d2-c2 e4-e1", "copenhagen11");
    assert!(is_kept(&diagnosis) && diagnosis.other_variants.contains(&"brandubh7"), "{diagnosis:?}");
    let diagnosis = repair(GAME, "ardri7");
    assert!(is_kept(&diagnosis) && diagnosis.other_variants.contains(&"brandubh7"), "{diagnosis:?}");
    assert_ne!(diagnosis.status, RepairStatus::Decided, "the given variant may be wrong");
    // A record that fits no other variant is repaired as usual.
    let diagnosis = repair(&GAME.replacen("f4-f6 a3", "f4-f7 a3", 1), "brandubh7");
    assert_eq!((diagnosis.status, diagnosis.other_variants.len()), (RepairStatus::Decided, 0));
}
