mod endings;
mod properties;
mod random;
mod refused;
mod replayed;
mod sgf;

use tafl_rules::{Outcome, Piece, Reason, RuleSet, Side, Span};

use super::*;
use crate::record::*;
use crate::{ReadOptions, Records, ReplayOptions, Replayer, Source};

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
        "[Format \"brandubh-1\"]\n\n1. d1-c1! {first} {second} d3-c3x1!?\n2. d7-e7x0#\n\n",
        Format::Ollamh,
    );
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
fn texts_of_control_characters_are_kept_or_listed() {
    let text =
        "[Event \"A\u{1}\"]\n[Event \"A\u{1}\"]\n[Variant \"brandubh7\"]\n\n1. d2c2 {\u{8}} d4d3 {\u{8}}\n";
    let read_text = read(text, Format::Pgn);
    for (format, lost) in [(Format::Hen, "comments"), (Format::Csv, "tags")] {
        let (once, losses) = written(&read_text, format);
        assert!(losses.iter().any(|loss| loss.contains(lost)), "{format}: {losses:?}");
        let (_, losses) = written(&read(&once, format), format);
        assert!(losses.iter().all(|loss| !loss.contains("omitted")), "{format}: {losses:?}");
    }
}

#[test]
fn a_record_without_moves_is_read_again() {
    let only_comment = read("; \u{2}", Format::Pgn);
    assert_eq!(only_comment.comments.len(), 1);
    let (table, losses) = written(&only_comment, Format::Csv);
    assert!(losses.iter().any(|loss| loss.contains("comments")), "{losses:?}");
    let mut records = Records::new("-", table.as_bytes(), ReadOptions::default()).unwrap();
    assert_eq!(records.next_batch().unwrap().map(|batch| batch.len()), Some(1), "{table}");
    let mut only_ending = Record::new(Format::MoveList);
    only_ending.ending =
        Some(WrittenEnding { kind: EndingKind::Timeout, side: None, after: 0, span: Span::default() });
    let (line, _) = written(&only_ending, Format::MoveList);
    assert_eq!(read(&line, Format::MoveList).ending, only_ending.ending, "{line}");
}

#[test]
fn no_comment_ends_inside_of_its_text() {
    let mut record = read("1.d2c2 d4d3", Format::Hen);
    let text = "a <!---- b ----> c";
    record.comments.push(Comment { place: MovePlace::in_main(2), text, span: Span::default() });
    let (hen, losses) = written(&record, Format::Hen);
    assert!(losses.iter().any(|loss| loss.contains("comments")), "{losses:?}");
    let comments: Vec<String> =
        read(&hen, Format::Hen).comments.iter().map(|comment| comment.text.to_owned()).collect();
    assert_eq!(comments, ["a <!- b -> c"]);
}

#[test]
fn tags_of_a_table_keep_their_order() {
    let tags = "[Black \"  \"]\n[Black \"B\"]\n[Black \"C\"]\n[Result2 \"x\"]\n\n";
    let (table, losses) = written(&read(&format!("{tags}1. d2c2\n"), Format::Pgn), Format::Csv);
    assert_eq!(losses.iter().filter(|loss| loss.contains("tags (1 omitted")).count(), 1, "{losses:?}");
    let once = read(&table, Format::Csv);
    let values: Vec<&str> = once.tags.iter().map(|tag| tag.value).collect();
    assert_eq!(values, ["B", "C", "x"]);
    assert_eq!(written(&once, Format::Csv), (table, Vec::new()));
}

#[test]
fn rules_that_do_not_fit_a_table_are_lost_once() {
    let mut record = read("d2-c2", Format::MoveList);
    record.rules = Some(Written { text: "Brandubh".into(), span: Span::default() });
    let setup = RuleSet::named("brandubh7").unwrap().start;
    record.start = Some(WrittenStart { setup, span: Span::default() });
    let (_, losses) = written(&record, Format::Csv);
    assert!(losses.iter().any(|loss| loss.contains("rules (1 omitted)")), "{losses:?}");
}

#[test]
fn another_delimiter_in_a_text_does_not_make_a_row_a_header() {
    let mut record = read("[Event \"A\"]\n\n", Format::Pgn);
    record.push_tag("note", "b;", Span::default());
    record.push_tag("c;", "moves", Span::default());
    let (table, _) = written(&record, Format::Csv);
    let mut records = Records::new("-", table.as_bytes(), ReadOptions::default()).unwrap();
    assert_eq!(records.next_batch().unwrap().map(|batch| batch.len()), Some(1), "{table}");
}

#[test]
fn a_tag_of_control_characters_is_not_a_comment_of_a_move_list() {
    let record = read("[Event \"A cup\"]\n[Black \"\u{5}\"]\n\n1. d2c2\n", Format::Pgn);
    let (line, losses) = written(&record, Format::MoveList);
    assert_eq!(line, "d2-c2,0,0, # event: A cup\n");
    assert!(losses.iter().any(|loss| loss.contains("tags")), "{losses:?}");
}

#[test]
fn losses_of_move_lists_are_listed() {
    let text = format!(
        "[event:Spring cup]\n[result:-1]\n[rules:{RULES}]\n\n1. d2-c2 Kd4-d3xb3/kc3-\n[One.]\n\n1a.1.1a. d1-c1\n\n"
    );
    let (line, losses) = written(&read(&text, Format::OpenTafl), Format::MoveList);
    assert_eq!(line, format!("d2-c2 d4-d3xb3,0,1,White # event: Spring cup # rules: {RULES}\n"));
    let lost = ["variations", "comments", "piece letters", "marks after moves"];
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
        assert!(parsed.value.tags.is_empty(), "{text}");
    }
}

#[test]
fn an_exchange_of_sides_and_its_rule_survive_every_notation_with_tags() {
    let game = "(;GM[29]CM[0,1]SU[tablut-9 rev 101 .endoptions.]RE[Game won by Bo]P0[id \"Al\"]P1[id \"Bo\"]\
        ;P0[Start P0];P0[Done];P1[Done];P0[Swap];P0[Done];P1[Move E 4 C 4];P1[Done];P0[Move E 2 C 2];P0[Done])";
    let record = Format::Sgf.parse(&Source::new(game)).value;
    for format in [Format::Jsonl, Format::OpenTafl, Format::Pgn, Format::Sgf] {
        let (text, _) = written(&record, format);
        let read = format.parse(&Source::new(text.trim_end())).value;
        assert_eq!(read.swap().map(|(after, _)| after), Some(0), "{text}");
        // Bo took over the defenders.
        assert_eq!((read.tag(tag::ATTACKERS), read.tag(tag::DEFENDERS)), (Some("Al"), Some("Bo")), "{text}");
        let replay = Replayer::new(ReplayOptions::default()).replay(&read);
        assert_eq!(
            (replay.plies.len(), replay.recorded.and_then(|end| end.outcome.winner)),
            (2, Some(Side::Defenders))
        );
        assert!(replay.rules.is_some_and(|rules| rules.book.rules().swap == Some(0)), "{text}");
        let codes: Vec<&str> = replay.diagnostics.iter().map(|found| found.code().as_str()).collect();
        assert!(!codes.contains(&"H031"), "{codes:?}");
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
        record.comments.push(Comment { place: MovePlace::in_main(2), text, span });
        let (written, losses) = written(&record, Format::OpenTafl);
        assert!(!losses.is_empty(), "{written}");
        let again = read(&written, Format::OpenTafl);
        assert_eq!((again.main().moves.len(), again.comments.len()), (3, 1), "{written}");
    }
}

#[test]
fn words_that_do_not_imply_the_reason_leave_its_column_to_it() {
    for words in [":", "after a long fight", "timeout"] {
        let text = format!("result,reason,tags,moves\nattackers,king captured,termination: {words},\n");
        let record = read(&text, Format::Csv);
        assert_eq!(record.result.and_then(|result| result.reason), Some(Reason::KingCaptured), "{words}");
        let (written, losses) = written(&record, Format::Csv);
        assert_eq!(losses, Vec::<String>::new(), "{words}");
        assert_eq!(read(&written, Format::Csv), record, "{written}");
    }
}
