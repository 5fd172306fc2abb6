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
        let (_, losses) = written_as_played(&record, ReplayOptions::default(), Format::OpenTafl);
        losses.iter().filter(|loss| loss.contains("deviation")).count()
    };
    assert_eq!(deviations("d6-c6 e4-e6 d1-e1 d5-g5"), 0);
    assert_eq!(deviations("e4-e6 d1-e1 d5-g5 f4-f5"), 1);
}

/// Returns a JSON line of a legal game of Brandubh in which the defenders capture one man.
fn brandubh(members: &str) -> Record {
    let moves = "d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3";
    let text = format!(r#"{{"taflbase":1,"format":"aagenielsen",{members}"lines":[{{"moves":"{moves}"}}]}}"#);
    Format::Jsonl.parse(&Source::new(&text)).value
}

/// Writes a record with its replay. Returns the text and the messages of the losses.
fn written_as_played(record: &Record, options: ReplayOptions, format: Format) -> (String, Vec<String>) {
    let replay = Replayer::new(options).replay(record);
    let rules = replay.rules.as_ref().unwrap().book.rules().to_string();
    let played = PlayedMoves::new(record, &replay, rules.into());
    let mut text = String::new();
    let losses = write_record(WriteGame { record, played: played.as_ref() }, format, &mut text).unwrap();
    let messages = losses.iter().map(|loss| loss.message(&text)).collect();
    (text, messages)
}

#[test]
fn numbers_of_captures_do_not_contradict_the_captures_that_are_written() {
    for (counts, changes) in [((0, 0), true), ((0, 1), false), ((3, 1), true)] {
        let counts = format!(r#""attackers":{},"defenders":{}"#, counts.0, counts.1);
        let record = brandubh(&format!(
            r#""variant":"brandubh7","captures":"not-written","capture_counts":{{{counts}}},"#
        ));
        for format in [Format::Csv, Format::MoveList] {
            let (text, losses) = written_as_played(&record, ReplayOptions::default(), format);
            let again = read(&text, format);
            let by = again.capture_counts.unwrap().by;
            assert_eq!((by.attackers, by.defenders), (0, 1), "{format}: {text}");
            let is_listed = losses.iter().any(|loss| loss.contains("numbers of captures"));
            assert_eq!(is_listed, changes, "{format}: {losses:?}");
            let replay = Replayer::new(ReplayOptions::default()).replay(&again);
            let codes = replay.diagnostics.iter().map(|found| found.code().as_str());
            assert!(!codes.into_iter().any(|code| code == "C004"), "{format}: {text}");
        }
    }
}

#[test]
fn rules_of_a_game_without_a_variant_are_written_or_lost() {
    let named = brandubh(r#""variant":"brandubh7","#);
    let (_, losses) = written_as_played(&named, ReplayOptions::default(), Format::Htp);
    assert!(losses.iter().any(|loss| loss.contains("cannot express rules")), "{losses:?}");
    let record = brandubh("");
    let by = |name: &str| {
        let rules = tafl_rules::catalog::find(name).map(crate::RuleChoice::named);
        ReplayOptions { rules, ..ReplayOptions::default() }
    };
    let is_lost = |rules: &str, format: Format| {
        let (_, losses) = written_as_played(&record, by(rules), format);
        losses.iter().any(|loss| loss.contains("cannot express rules"))
    };
    assert!(is_lost("brandubh7", Format::Htp));
    assert!(!is_lost("hnefatafl-org-7", Format::Htp));
    assert!(is_lost("brandubh7", Format::Hen));
    assert!(!is_lost("brandubh7", Format::Ollamh));
    for format in [Format::Csv, Format::Sgf, Format::Uci] {
        let (text, losses) = written_as_played(&record, by("brandubh7"), format);
        assert!(losses.iter().all(|loss| !loss.contains("rules")), "{format}: {losses:?}");
        assert!(read(&text, format).rules.is_some(), "{format}: {text}");
    }
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
