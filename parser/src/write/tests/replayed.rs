//! Tests of records that are written as they were replayed.

use super::*;
use crate::replay::{Replay, ReplayOptions, Replayer};

/// The start of a game in which a piece captures `c3` and may go on to capture `e3` in the same turn.
const CHAIN: &str = r#"{"taflbase":1,"format":"aagenielsen","rules":"dim:7 name:Chain ber:c start:/7/t6/2T1T2/2t1t2/7/5K1/7/",
    "captures":"listed-but-kings","lines":[{"moves":"MOVES"}],"comments":[{"line":0,"after":1,"text":"first"},
    {"line":0,"after":3,"text":"last"}],"ending":{"kind":"resigned","after":3},"result":{"verdict":"attackers"}}"#;

/// Replays a record, writes it in every notation, and checks that what is read back has the same plies.
fn check_plies(text: &str, codes: &[&str]) -> String {
    let record = Format::Jsonl.parse(&Source::new(text)).value;
    let mut replayer = Replayer::new(ReplayOptions::default());
    let replay = replayer.replay(&record);
    let found: Vec<_> = replay.diagnostics.iter().map(|found| found.code().as_str()).collect();
    assert_eq!(found, codes, "{text}");
    let rules = replay.rules.as_ref().unwrap().book.rules().to_string();
    let played = PlayedMoves::new(&record, &replay, rules.into());
    let game = WriteGame { record: &record, played: played.as_ref() };
    let mut first = String::new();
    for format in [Format::OpenTafl, Format::Pgn, Format::Jsonl] {
        let mut out = String::new();
        write_record(game, format, &mut out).unwrap();
        let again = replayer.replay(&format.parse(&Source::new(out.trim_end())).value);
        let plies = |replay: &Replay| replay.plies.iter().map(|ply| (ply.mv, ply.key)).collect::<Vec<_>>();
        assert_eq!(plies(&again), plies(&replay), "{format}: {out}");
        assert_eq!(again.last, replay.last, "{format}: {out}");
        if first.is_empty() {
            first = out;
        }
    }
    first
}

#[test]
fn steps_that_replay_reconstructs_are_written() {
    let text = CHAIN.replace("MOVES", "a2-c2xc3 f6-f5 e2-e1");
    let written = check_plies(&text, &["P009"]);
    let turns = "1. a2-c2xc3 c2=e2xe3 Kf6-f5\n[|first]\n\n2. e2-e1 ---\n[last]\n";
    assert!(written.contains(turns), "{written}");
}

#[test]
fn a_turn_that_is_written_as_one_move_is_written_step_by_step() {
    let written = check_plies(&CHAIN.replace("MOVES", "a2-e2xc3xe3 f6-f5 e2-e1"), &["P009"]);
    assert!(written.contains("1. a2-c2xc3 c2=e2xe3 Kf6-f5"), "{written}");
}

#[test]
fn moves_that_were_taken_back_are_left_out() {
    let brandubh = CHAIN.replace(
        "\"rules\":\"dim:7 name:Chain ber:c start:/7/t6/2T1T2/2t1t2/7/5K1/7/\"",
        "\"variant\":\"brandubh7\"",
    );
    let written =
        check_plies(&brandubh.replace("MOVES", "d2-c2 e4-e1 e4-e1 b4-b2 d4-e4"), &["P008", "E003", "E009"]);
    assert!(written.contains("1. d2-c2 e4-e1\n"), "{written}");
}

#[test]
fn a_turn_that_is_missing_before_the_first_move_is_a_loss() {
    let deviations = |moves: &str| {
        let text = format!(r#"{{"taflbase":1,"variant":"brandubh7","lines":[{{"moves":"{moves}"}}]}}"#);
        let record = Format::Jsonl.parse(&Source::new(&text)).value;
        let replay = Replayer::new(ReplayOptions::default()).replay(&record);
        assert_eq!(replay.plies.len(), record.main().moves.len(), "{moves}");
        let played = PlayedMoves::new(&record, &replay, Box::default());
        let game = WriteGame { record: &record, played: played.as_ref() };
        let losses = write_record(game, Format::OpenTafl, &mut String::new()).unwrap();
        losses.iter().filter(|loss| loss.code().as_str() == "W005").count()
    };
    assert_eq!(deviations("d6-c6 e4-e6 d1-e1 d5-g5"), 0);
    assert_eq!(deviations("e4-e6 d1-e1 d5-g5 f4-f5"), 1);
}

#[test]
fn rules_that_the_variant_does_not_give_are_written() {
    let mut record = read("d2-c2 d4-d3", Format::MoveList);
    let catalog_rules = RuleSet::named("brandubh7").unwrap().to_string();
    for (rules, is_other) in [(RULES, true), (catalog_rules.as_str(), false)] {
        record.variant = Some(Written { text: "brandubh7".into(), span: Span::default() });
        let played = PlayedMoves { rules: rules.into(), ..PlayedMoves::default() };
        let write = |format: Format| {
            let mut text = String::new();
            let game = WriteGame { record: &record, played: Some(&played) };
            write_record(game, format, &mut text).unwrap();
            text
        };
        for format in [Format::Pgn, Format::Csv, Format::MoveList, Format::Sgf, Format::Uci] {
            let text = write(format);
            let parsed = read(&text, format);
            let found = parsed.rules.as_ref().map(|rules| &*rules.text);
            assert_eq!(found, is_other.then_some(rules), "{format}: {text}");
        }
    }
}
