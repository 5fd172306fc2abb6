mod endings;
mod random;

use proptest::prelude::*;
use tafl_rules::{Outcome, Piece, Reason, RuleSet, Side, Span};

use self::random::{record, sparse};
use super::*;
use crate::record::*;
use crate::replay::{Replay, ReplayOptions, Replayer};
use crate::{ReadOptions, Records, Source};

/// Returns the written record and the names of its losses.
fn written(record: &Record, format: Format) -> (String, Vec<String>) {
    try_written(record, format).unwrap()
}

fn try_written(record: &Record, format: Format) -> Result<(String, Vec<String>), WriteError> {
    let mut text = String::new();
    let losses = write_record(WriteGame { record, played: None }, format, &mut text)?;
    let messages = losses.iter().map(|loss| loss.message(&text)).collect();
    Ok((text, messages))
}

fn read(text: &str, format: Format) -> Record {
    let mut parsed = format.parse(&Source::new(text.trim_end_matches('\n')));
    parsed.value.forget_places();
    parsed.value
}

fn check_same(text: &str, format: Format) {
    let record = read(text, format);
    assert_eq!(written(&record, format), (text.to_owned(), Vec::new()));
}

const RULES: &str = "dim:7 name:Brandubh start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

#[test]
fn strict_notations_round_trip() {
    for line in [
        "d1-d3 e5-e2 g1-g3 f4-c4 g3-e3xe2,1,0,Ongoing\n",
        "g1-g3 timeout,0,0,Black\n",
        "timeout,0,0,\n",
        "e7-k7xk6xk6 h10-h11xg11xg11xj11,5,9,White\n",
        "e3-e5-g5xe4 d1-d2,1,0,Draw\n",
        "d1-d3 e5-e2\n",
    ] {
        check_same(line, Format::MoveList);
    }
    let game = format!(
        "[event:Spring cup]\n[result:-1]\n[termination:resignation]\n[rules:{RULES}]\n\n\
         [|A word before.]\n\n1. d2-c2 Kd4-d3xb3/kc3-\n[One.|Two | three.]\n\n2. d1-d2^\n"
    );
    let game = game
        .replace("d1-d2^\n", "c1^c2 d6^=d7 ---\n2a.1.1a. d1-c1 e4-e5\n1b.1.1a. ..... e4-e5\n[what]\n\n\n");
    check_same(&game, Format::OpenTafl);
    check_same(&format!("[rules:{RULES}]\n\n1. C1-C3 KE7-E5xKA1/CB2!\n\n"), Format::Cyngesheall);
    check_same("0D.1;0A.1;1D.c4-b4;1A.a1-a2;2D.Kd4-d3\n", Format::SkudPaiSho);
    check_same(
        "[Event \"A \\\"big\\\" one\"]\n[Result \"attackers\"]\n[Termination \"timeout\"]\n\n\
         1. d1d3 {first} (1. d1d2 e5e4) 1... e5e2 2. d11d9\n\n",
        Format::Pgn,
    );
}

#[test]
fn a_second_statement_stays_the_second() {
    for format in [Format::OpenTafl, Format::Cyngesheall] {
        let tags = "[variant:brandubh7]\n[result:1]\n[position:/3t3/7/7/3K3/7/7/7/]\n[position:/t6/7/7/3K3/7/7/7/]\n\
                    [rules:RULES]\n[variant:tablut9]\n[result:0]\n[rules:dim:9 ks:w]\n\n";
        let moves = if format == Format::OpenTafl { "1. d2-c2 d4-d3\n\n" } else { "1. D2-C2 D4-D3\n\n" };
        check_same(&(tags.replace("RULES", RULES) + moves), format);
    }
    let tags = "[Result \"attackers\"]\n[Variant \"brandubh7\"]\n[Rules \"dim:7\"]\n\
                [Position \"/3t3/7/7/3K3/7/7/7/\"]\n[Variant \"tablut9\"]\n[Rules \"dim:9\"]\n\
                [Position \"/t6/7/7/3K3/7/7/7/\"]\n\n";
    check_same(&format!("{tags}1. d2d3 d4d5\n\n"), Format::Pgn);
}

#[test]
fn control_characters_in_tags_do_not_change_the_record() {
    for event in ["a]\u{b}\nb", "a\u{0}\n", "\u{7f} a"] {
        let rules = "dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
        let text = format!("[event:{event}]\n[rules:{rules}]\n\n1. d2-c2\n");
        let (once, _) = written(&read(&text, Format::OpenTafl), Format::OpenTafl);
        let (again, losses) = written(&read(&once, Format::OpenTafl), Format::OpenTafl);
        assert_eq!((again, losses.len()), (once, 0), "{event:?}");
    }
}

#[test]
fn losses_of_move_lists_are_listed() {
    let text = format!(
        "[event:Spring cup]\n[result:-1]\n[rules:{RULES}]\n\n1. d2-c2 Kd4-d3xb3/kc3-\n[One.]\n\n1a.1.1a. d1-c1\n\n"
    );
    let (line, losses) = written(&read(&text, Format::OpenTafl), Format::MoveList);
    assert_eq!(line, "d2-c2 d4-d3xb3,0,1,White\n");
    let lost = ["tags", "rules", "variations", "comments", "piece letters", "marks after moves"];
    for words in lost {
        assert!(losses.iter().any(|loss| loss.contains(words)), "{words}: {losses:?}");
    }
    assert_eq!(losses.len(), lost.len(), "{losses:?}");
}

/// Returns the ply of a move of a record, without captures.
fn ply(record: &Record, nth: usize, letter: char) -> PlayedPly {
    let WrittenMove { from, to, chained, .. } = record.main().moves[nth];
    let piece = Piece::from_letter(letter).unwrap();
    PlayedPly { from, to, piece, chained, written: Some(nth as u32), first_capture: 0, n_captures: 0 }
}

#[test]
fn captures_of_the_board_stand_for_those_that_are_not_written() {
    let record = read("d2-c2 d4-d3,0,0,Black", Format::MoveList);
    let piece = |letter| Piece::from_letter(letter).unwrap();
    let played = PlayedMoves {
        rules: RULES.into(),
        plies: vec![ply(&record, 0, 't'), PlayedPly { n_captures: 2, ..ply(&record, 1, 'K') }],
        end: 2,
        captures: vec![("c3".parse().unwrap(), piece('t')), ("b3".parse().unwrap(), piece('k'))],
        outcome: Some(Outcome::win(Side::Defenders, Reason::KingCaptured)),
        n_deviations: 0,
    };
    let game = WriteGame { record: &record, played: Some(&played) };
    let text = |format| {
        let mut text = String::new();
        let losses = write_record(game, format, &mut text).unwrap();
        assert_eq!(losses, [], "{format}");
        text
    };
    assert_eq!(text(Format::OpenTafl), format!("[result:1]\n[rules:{RULES}]\n\n1. d2-c2 Kd4-d3xc3/kb3\n\n"));
    assert_eq!(
        text(Format::Cyngesheall),
        format!("[result:1]\n[rules:{RULES}]\n\n1. D2-C2 KD4-D3xC3/KB3!\n\n")
    );
    assert_eq!(text(Format::MoveList), "d2-c2 d4-d3,0,0,Black\n");
    let without = written(&record, Format::OpenTafl);
    assert!(without.1.iter().any(|loss| loss.contains("needs captures")), "{:?}", without.1);
}

#[test]
fn a_win_is_marked_only_after_the_last_ply() {
    let record = read("d2-c2 d4-d3,0,0,White", Format::MoveList);
    let outcome = Some(Outcome::win(Side::Defenders, Reason::KingReachedGoal));
    for (n_plies, n_marks) in [(1, 0), (2, 1)] {
        let plies = (0..n_plies).map(|nth| ply(&record, nth, 't')).collect();
        let end = n_plies as u32;
        let played = PlayedMoves { rules: RULES.into(), plies, outcome, end, ..PlayedMoves::default() };
        let mut text = String::new();
        let game = WriteGame { record: &record, played: Some(&played) };
        write_record(game, Format::Cyngesheall, &mut text).unwrap();
        assert_eq!(text.matches('!').count(), n_marks, "{text}");
    }
}

#[test]
fn a_word_in_the_middle_of_a_turn_parts_its_steps() {
    let mut record = read("e3-e5-g5 d1-d2,0,0,", Format::MoveList);
    let span = Span::default();
    record.ending = Some(WrittenEnding { kind: EndingKind::Timeout, side: None, after: 1, span });
    let (line, losses) = written(&record, Format::MoveList);
    assert_eq!((line.as_str(), losses.len()), ("e3-e5 timeout e5-g5 d1-d2,0,0,\n", 1), "{losses:?}");
}

#[test]
fn sgf_shows_the_position_at_each_node() {
    let game = format!(
        "[event:Spring cup]\n[date:2026.11.23]\n[result:-1]\n[rules:{RULES}]\n\n\
         1. d2-c2 c4-c3xc2\n[One [two].]\n\n2. d1-d2\n2a.1.1a. f4-f3\n\n"
    );
    let mut record = read(&game, Format::OpenTafl);
    record.format = Format::Sgf;
    let (text, losses) = written(&record, Format::Sgf);
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "(;FF[4]CA[UTF-8]AP[Taflbase:{version}]GM[29]SZ[7]\nEV[Spring cup]\nDT[2026-11-23]\nRE[W+]\nRU[{RULES}]CS[listed]\n\
         AB[dg][df][ad][bd][fd][gd][db][da]AW[de][cd][dd][ed][dc]LB[dd:K]\n\
         ;MV[d2-c2]N[d2-c2]AE[df]AB[cf]LB[dd:K]C[One [two\\].]\n\
         ;MV[c4-c3xc2]N[c4-c3xc2]AE[cf][cd]AW[ce]LB[dd:K]\n(\n\
         ;MV[d1-d2]N[d1-d2]AE[dg]AB[df]LB[dd:K])\n(\n;MV[f4-f3]N[f4-f3]AE[fd]AB[fe]LB[dd:K]))\n"
    );
    assert_eq!((text.as_str(), losses), (expected.as_str(), Vec::new()));
    assert_eq!(read(&text, Format::Sgf), record);
}

#[test]
fn sgf_keeps_what_other_notations_lose() {
    let mut record = read("d2-c2 d4-d3 c2-c1,0,0,", Format::MoveList);
    record.format = Format::Sgf;
    let span = Span::default();
    let place = MovePlace::in_main(1);
    for text in ["good move", "one", "very bad move"] {
        record.comments.push(Comment { place, text: text.into(), span });
    }
    record.clocks.push(WrittenClock { place, side: Side::Defenders, milliseconds: 61_050, span });
    record.clocks.push(WrittenClock { place, side: Side::Attackers, milliseconds: -5, span });
    record.ending = Some(WrittenEnding { kind: EndingKind::Agreed, side: None, after: 2, span });
    record.first_mover = Some(Side::Defenders);
    record.capture_style = CaptureStyle::NotWritten;
    record.result =
        Some(WrittenResult { verdict: WrittenVerdict::Draw, reason: Some(Reason::Agreement), span });
    record.capture_counts = None;
    for (name, value) in
        [("event", "a]\nb"), ("event", "c"), ("date", "2026-11-23"), ("a:b", "x:y\\"), ("id", "")]
    {
        record.push_tag(name, value, span);
    }
    let line = |parent, at, number, moves: &str| MoveLine {
        branch: Some(LineBranch { parent: MoveLineId(parent), at, number }),
        opens_with_second: at % 2 == 1,
        moves: read(moves, Format::MoveList).main().moves.clone(),
    };
    // A variation after the last move, one of a variation's first move, and an order that is not that of the moves.
    record.lines.extend([
        line(0, 3, 1, "d1-d2"),
        line(0, 1, 1, "d3-d2 a1-a2"),
        line(2, 0, 1, "d3-d1"),
        line(0, 1, 2, "c4-c3"),
    ]);
    record.lines[3].opens_with_second = true;
    let at_start = MovePlace { line: MoveLineId(2), after: 0 };
    record.comments.push(Comment { place: at_start, text: "before".into(), span });
    record.forget_places();
    let (text, losses) = written(&record, Format::Sgf);
    assert_eq!(losses, Vec::<String>::new(), "{text}");
    assert_eq!(read(&text, Format::Sgf), record, "{text}");
}

#[test]
fn variations_very_deep_inside_of_each_other_are_left_out_and_counted() {
    let record = read(&"d1d3 (".repeat(4000), Format::Pgn);
    let (text, losses) = written(&record, Format::OpenTafl);
    assert!(text.len() < 20 << 20, "{}", text.len());
    let n_written = text.matches(" d1-d3").count();
    assert!(n_written > 2000, "{n_written}");
    let lost = format!("variations ({} omitted)", 4001 - n_written);
    assert!(losses.iter().any(|loss| loss.contains(&lost)), "{lost}: {losses:?}");
}

#[test]
fn concatenated_records_are_recognized_and_split() {
    let text = format!(
        "[result:0]\n[variant:brandubh7]\n[rules:{RULES}]\n\n1. d2-c2 d4-d3xb3\n[a b]\n\n2. d1-d2\n\n"
    );
    let record = read(&text, Format::OpenTafl);
    let hexagonal = read("0D.1;0A.1;1D.c4-b4;1A.a1-a2", Format::SkudPaiSho);
    let copenhagen = read("[Variant \"copenhagen11\"]\n\n1. d1d3 e5e2 2. d3d4\n\n", Format::Pgn);
    let is_tested = |format: &Format| format.is_writable() && !matches!(format, Format::Fen | Format::Hen);
    for format in Format::ALL.into_iter().filter(is_tested) {
        let record = match format {
            Format::SkudPaiSho => &hexagonal,
            Format::Ftzm => &copenhagen,
            _ => &record,
        };
        let one = written(record, format).0;
        let three = one.repeat(3);
        let mut stream = crate::reader::Records::new("-", three.as_bytes(), Default::default()).unwrap();
        assert_eq!(stream.format(), Some(format), "{one}");
        let batch = stream.next_batch().unwrap().unwrap();
        let texts: Vec<_> = batch.sources().map(|source| source.text).collect();
        assert_eq!(texts, [one.trim_end(); 3], "{format}");
    }
}

#[test]
fn concatenated_positions_are_recognized_and_split() {
    let record = read("3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a moves d2c2 e4e1", Format::Fen);
    for format in [Format::Fen, Format::Hen, Format::Uci] {
        let one = written(&record, format).0;
        let three = one.repeat(3);
        let mut stream = crate::reader::Records::new("-", three.as_bytes(), Default::default()).unwrap();
        assert_eq!(stream.format(), Some(format), "{one}");
        let batch = stream.next_batch().unwrap().unwrap();
        let texts: Vec<_> = batch.sources().map(|source| source.text).collect();
        assert_eq!(texts, [one.trim_end(); 3], "{format}");
    }
}

#[test]
fn formats_that_are_only_read_are_refused() {
    let record = Record::new(Format::Jsonl);
    for format in Format::ALL {
        let outcome = write_record(WriteGame { record: &record, played: None }, format, &mut String::new());
        let is_refused = matches!(outcome, Err(WriteError::ReadOnly { .. }));
        assert_eq!(is_refused, !format.is_writable(), "{format}");
    }
}

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
fn rules_that_the_variant_does_not_give_are_written_in_pgn() {
    let mut record = read("d2-c2 d4-d3", Format::MoveList);
    for (variant, rules, is_written) in [
        ("brandubh7", RULES.to_owned(), true),
        ("brandubh7", RuleSet::named("brandubh7").unwrap().to_string(), false),
    ] {
        record.variant = Some(Written { text: variant.into(), span: Span::default() });
        let played = PlayedMoves { rules: rules.into(), ..PlayedMoves::default() };
        let mut text = String::new();
        write_record(WriteGame { record: &record, played: Some(&played) }, Format::Pgn, &mut text).unwrap();
        assert_eq!(text.contains("[Rules "), is_written, "{text}");
    }
}

#[test]
fn games_that_a_notation_cannot_express_are_refused_before_anything_is_written() {
    let hex = "/t2t/5/3T2/t1TK2t/3T2/5/t2t/";
    let own = |members: &str| {
        let text = format!("{{\"taflbase\":1,{members},\"lines\":[{{\"moves\":\"d2-c2\"}}]}}");
        let mut record = Format::Jsonl.parse(&Source::new(&text)).value;
        record.forget_places();
        record
    };
    let start = |board: &str, position: &str| {
        format!("\"start\":{{\"board\":\"{board}\",\"position\":\"{position}\"}}")
    };
    let cases = [
        (Format::SkudPaiSho, own("\"variant\":\"tablut9\""), Some("the board is 9x9, not hex 4 or hex 5")),
        (Format::SkudPaiSho, own("\"variant\":\"x\""), Some("the variant is not known to be heXentafl")),
        (
            Format::SkudPaiSho,
            own(&start("hex 4", &hex.replace("/t2t/5/", "/t2t/tt3/"))),
            Some("the game begins with more pieces than heXentafl"),
        ),
        (
            Format::SkudPaiSho,
            own(&start("hex 4", &hex.replace("/t2t/5/", "/4/t3t/"))),
            Some("the game does not begin with the position of heXentafl"),
        ),
        (Format::SkudPaiSho, own(&start("hex 4", hex)), None),
        (Format::SkudPaiSho, own("\"variant\":\"hexentafl5\""), None),
        (Format::Cyngesheall, own("\"variant\":\"tablut9\""), Some("the board is 9x9, not 7x7")),
        (Format::Cyngesheall, own("\"variant\":\"hexentafl4\""), Some("the board is hex 4, not 7x7")),
        (Format::Cyngesheall, own("\"variant\":\"brandubh7\""), None),
        (Format::Ftzm, own("\"variant\":\"brandubh7\""), Some("the board is 7x7, not 11x11")),
        (Format::Ftzm, own("\"variant\":\"copenhagen11\""), None),
        (Format::Ollamh, own("\"variant\":\"tablut9\""), Some("the board is 9x9, not 7x7")),
        (Format::Ollamh, own("\"variant\":\"copenhagen11\""), Some("the board is 11x11, not 7x7")),
        (Format::Ollamh, own("\"variant\":\"brandubh7\""), None),
        (Format::Htp, own("\"variant\":\"tablut9\""), Some("the board is 9x9, not 7x7, 11x11, or 13x13")),
        (
            Format::Htp,
            own("\"variant\":\"hexentafl4\""),
            Some("the board is hex 4, not 7x7, 11x11, or 13x13"),
        ),
        (Format::Htp, own("\"variant\":\"brandubh7\""), None),
        (Format::Hen, own(&start("hex 4", hex)), Some("the board is hex 4, not square")),
        (
            Format::Fen,
            own("\"variant\":\"hexentafl4\""),
            Some("the rules are unknown, and with them the last position"),
        ),
        (Format::Pgn, own("\"variant\":\"hexentafl4\""), None),
        (Format::MoveList, own("\"variant\":\"hexentafl4\""), None),
    ];
    for (format, record, expected) in cases {
        let mut out = "before".to_owned();
        let found = write_record(WriteGame { record: &record, played: None }, format, &mut out);
        match expected {
            Some(reason) => {
                assert_eq!(found, Err(WriteError::NotExpressible { format, reason: reason.into() }));
                assert_eq!(out, "before");
            }
            None => assert!(found.is_ok(), "{format}: {found:?}"),
        }
    }
}

#[test]
fn the_defenders_begin_in_hexentafl() {
    let text = r#"{"taflbase":1,"variant":"hexentafl4","lines":[{"moves":"d3-b1 a1-a2"}]}"#;
    let record = Format::Jsonl.parse(&Source::new(text)).value;
    assert_eq!(written(&record, Format::SkudPaiSho).0, "0D.1;0A.1;1D.d3-b1;1A.a1-a2\n");
}

#[test]
fn the_board_of_a_start_is_kept() {
    let text = r#"{"taflbase":1,"start":{"board":"hex 4","position":"/t2t/5/3T2/t1TK2t/3T2/5/t2t/"},
        "first_mover":"defenders","lines":[{"moves":"d3-b1"}]}"#;
    let record = Format::Jsonl.parse(&Source::new(text)).value;
    for format in [Format::OpenTafl, Format::Pgn] {
        let (text, _) = written(&record, format);
        let parsed = format.parse(&Source::new(&text));
        assert_eq!(parsed.diagnostics, [], "{text}");
        let start = parsed.value.start.map(|start| start.setup);
        assert_eq!(start, record.start.as_ref().map(|start| start.setup.clone()), "{text}");
        assert_eq!(parsed.value.tags, [], "{text}");
    }
}

#[test]
fn a_changed_move_is_written_into_its_old_place() {
    let text = "[event:x]  \n1.  d2-c2   Kd4-d3xb3xc3\n[what]\n";
    let source = Source::new(text);
    let mut record = Format::OpenTafl.parse(&source).value;
    assert_eq!(retrace(&record, &source), text);
    record.main_mut().moves[0].to = "c3".parse().unwrap();
    assert_eq!(retrace(&record, &source), text.replace("d2-c2", "d2-c3"));
}

#[test]
fn a_changed_move_has_the_form_of_its_notation() {
    for (text, format) in [
        ("[Event \"x\"]\n\n1. d2c2 d4d3\n", Format::Pgn),
        ("position startpos moves d2c2 d4d3", Format::Uci),
        ("3v3 3v3 3V3 vvVKVvv 3V3 3v3 3v3\n\n1.d2c2 d4d3\n", Format::Hen),
        ("3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a moves d2c2 d4d3", Format::Fen),
        ("1. D2-C2 D4-D3\n", Format::Cyngesheall),
        ("1. d2-c2 d4-d3\n", Format::OpenTafl),
    ] {
        let source = Source::new(text);
        let mut record = format.parse(&source).value;
        record.main_mut().moves[0].to = "b2".parse().unwrap();
        let expected = text.replace("c2", "b2").replace("C2", "B2");
        assert_eq!(retrace(&record, &source), expected, "{format}");
    }
}

#[test]
fn a_comment_that_looks_like_a_tag_stays_a_comment() {
    for text in ["White \"A\" is lost", "1\"]", "a\"|"] {
        let mut record = read("1. d1-c1 d3-a3\n\n2. g4-g2\n", Format::OpenTafl);
        let span = Span::default();
        record.comments.push(Comment { place: MovePlace::in_main(2), text: text.into(), span });
        let (written, losses) = written(&record, Format::OpenTafl);
        assert!(!losses.is_empty(), "{written}");
        let again = read(&written, Format::OpenTafl);
        assert_eq!((again.main().moves.len(), again.comments.len()), (3, 1), "{written}");
    }
}

/// The formats of the properties below.
const WRITTEN: [Format; 13] = [
    Format::OpenTafl,
    Format::Cyngesheall,
    Format::MoveList,
    Format::Pgn,
    Format::SkudPaiSho,
    Format::Csv,
    Format::Sgf,
    Format::Ollamh,
    Format::Ftzm,
    Format::Htp,
    Format::Fen,
    Format::Uci,
    Format::Hen,
];

/// Reads a text as a file of one format; the format is detected if `named` is not set.
fn read_file(text: &str, format: Format, is_named: bool) -> Vec<Record> {
    let options = ReadOptions { format: is_named.then_some(format), ..ReadOptions::default() };
    let mut records = Records::new("-", text.as_bytes(), options).unwrap();
    assert_eq!(records.format(), Some(format), "{text}");
    let mut all = Vec::new();
    while let Some(batch) = records.next_batch().unwrap() {
        all.extend(batch.parse().map(|(_, parsed)| {
            let mut record = parsed.value;
            record.forget_places();
            record
        }));
    }
    all
}

proptest! {
    #[test]
    fn a_sequence_of_records_is_read_as_the_same_sequence(
        records in prop::collection::vec(prop_oneof![1 => record(), 2 => sparse()], 1..5), nth in 0..6usize,
    ) {
        let format = [Format::OpenTafl, Format::Cyngesheall, Format::MoveList, Format::Pgn, Format::SkudPaiSho, Format::Jsonl][nth];
        let texts: Vec<String> = records.iter().filter_map(|record| Some(try_written(record, format).ok()?.0)).collect();
        let alone: Vec<Record> = texts.iter().map(|text| read(text, format)).collect();
        let file = texts.concat();
        // Lines with few moves look like the turns of one game, and a game without moves like any notation.
        let is_list = format == Format::MoveList;
        if !texts.is_empty() && !is_list {
            let begins = !alone[0].main().moves.is_empty() || matches!(format, Format::Jsonl | Format::Pgn | Format::SkudPaiSho);
            prop_assert_eq!(&read_file(&file, format, true), &alone, "{}", file);
            if begins && !(format == Format::Cyngesheall && alone[0].main().opens_with_second) {
                prop_assert_eq!(&read_file(&file, format, false), &alone, "{}", file);
            }
        }
    }

    #[test]
    fn json_lines_lose_nothing(record in record()) {
        let (text, losses) = written(&record, Format::Jsonl);
        prop_assert_eq!(losses, Vec::<String>::new());
        prop_assert_eq!(text.matches('\n').count(), 1);
        let parsed = Format::Jsonl.parse(&Source::new(&text));
        prop_assert_eq!(&parsed.diagnostics, &[]);
        let mut again = parsed.value;
        again.forget_places();
        prop_assert_eq!(again, record);
    }

    #[test]
    fn what_was_written_reads_the_same_and_has_nothing_more_to_lose(record in record(), nth in 0..WRITTEN.len()) {
        let format = WRITTEN[nth];
        let Ok((text, _)) = try_written(&record, format) else { return Ok(()) };
        let once = read(&text, format);
        let (again, losses) = written(&once, format);
        let losses: Vec<_> = losses.iter().filter(|loss| !loss.contains("needs")).collect();
        prop_assert_eq!(&losses, &Vec::<&String>::new(), "{}\nagain: {}\n{:?}", text, again, once.comments);
        prop_assert_eq!(read(&again, format), once, "{}\n{}", text, again);
    }

    #[test]
    fn sgf_without_losses_reads_as_the_same_record(mut record in record()) {
        record.format = Format::Sgf;
        let (text, losses) = written(&record, Format::Sgf);
        if losses.is_empty() {
            prop_assert_eq!(read(&text, Format::Sgf), record, "{}", text);
        }
    }

    #[test]
    fn a_record_without_losses_reads_the_same(record in record(), nth in 0..WRITTEN.len()) {
        let format = WRITTEN[nth];
        let Ok((text, losses)) = try_written(&record, format) else { return Ok(()) };
        if losses.is_empty() {
            let mut again = read(&text, format);
            for line in record.lines.iter().zip(&mut again.lines).flat_map(|(one, other)| one.moves.iter().zip(&mut other.moves)) {
                line.1.side = line.0.side;
            }
            let moves = |record: &Record| record.lines.iter().map(|line| line.moves.clone()).collect::<Vec<_>>();
            prop_assert_eq!(moves(&again), moves(&record), "{}", text);
            prop_assert_eq!(&again.comments, &record.comments, "{}", text);
        }
    }
}
