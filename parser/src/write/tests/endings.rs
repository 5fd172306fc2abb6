//! The end of a game, written in every notation and read back.

use tafl_rules::{Outcome, Reason, Side, Span};

use crate::record::{EndingKind, Format, Record, Written, WrittenEnding, WrittenResult, WrittenVerdict};
use crate::replay::{Replay, ReplayOptions, Replayer};
use crate::write::{PlayedMoves, WriteError, WriteGame, write_record};
use crate::{ReadOptions, Records, Severity, Source};

const MOVES: &str = "1. d6-f6 e4-e3\n2. g4-g5 e3-g3\n";

fn named(record: Record) -> Record {
    let variant =
        record.variant.clone().or(Some(Written { text: "brandubh7".into(), span: Span::default() }));
    Record { variant, ..record }
}

fn replay(record: &Record) -> Replay {
    Replayer::new(ReplayOptions::default()).replay(record)
}

/// Returns the record of a list of moves in Brandubh, and the codes of its errors and warnings.
fn read(text: &str) -> (Record, Vec<&'static str>) {
    let parsed = Format::MoveList.parse(&Source::new(text));
    let record = named(parsed.value);
    let found = parsed.diagnostics.into_iter().chain(replay(&record).diagnostics);
    let loud = found.filter(|found| found.severity() != Severity::Note);
    (record, loud.map(|found| found.code().as_str()).collect())
}

fn convert(record: &Record, format: Format) -> Result<String, WriteError> {
    let replay = replay(record);
    let rules = replay.rules.as_ref().expect("the variant is known").book.rules().to_string();
    let played = PlayedMoves::new(record, &replay, rules.into());
    let mut text = String::new();
    write_record(WriteGame { record, played: played.as_ref() }, format, &mut text)?;
    Ok(text)
}

/// Returns the notations that can hold a result.
fn holds_results(format: &Format) -> bool {
    let without = [Format::SkudPaiSho, Format::Fen, Format::Uci, Format::Htp, Format::Ftzm];
    format.is_writable() && !without.contains(format)
}

#[test]
fn the_end_of_a_game_reads_back_from_every_notation() {
    let win = |side, reason| Outcome::win(side, reason);
    let (black, white) = (Side::Attackers, Side::Defenders);
    for (text, expected) in [
        (format!("Black: Ann\nWhite: Bob\n\n{MOVES}3. d7-e7\nAnn resigns"), win(white, Reason::Resignation)),
        (
            format!("Black: Ann\nWhite: Bob Jones\n\n{MOVES}Bob Jones resigned"),
            win(black, Reason::Resignation),
        ),
        (
            format!("Result: White\nBlack: Ann\n\n{MOVES}3. d7-e7\nAnn resigns"),
            win(white, Reason::Resignation),
        ),
        (format!("{MOVES}Draw agreed"), Outcome::draw(Reason::Agreement)),
        (format!("{MOVES}White lost on time"), win(black, Reason::Timeout)),
        (format!("{MOVES}3. d7-e7\nWhite lost on time"), win(black, Reason::Timeout)),
    ] {
        let (record, _) = read(&text);
        assert_eq!(replay(&record).recorded.map(|end| end.outcome), Some(expected), "{text}");
        for format in Format::ALL.into_iter().filter(holds_results) {
            let written = convert(&record, format).unwrap();
            let again = named(format.parse(&Source::new(written.trim_end())).value);
            let played = replay(&again);
            // HEN has no draws.
            if format == Format::Hen && expected.winner.is_none() {
                assert_eq!(played.recorded, None, "{format}: {written}");
                continue;
            }
            let recorded = played.recorded.map(|end| end.outcome.winner);
            assert_eq!(recorded, Some(expected.winner), "{format} of {text}: {written}");
            let contradiction = played.diagnostics.iter().any(|found| found.code().as_str() == "E009");
            assert!(!contradiction, "{format}: {written}");
            // Archives and HEN have no words for the reason.
            if !matches!(format, Format::MoveList | Format::Hen) {
                assert_eq!(
                    played.recorded.map(|end| end.outcome),
                    Some(expected),
                    "{format} of {text}: {written}"
                );
            }
        }
    }
}

#[test]
fn an_ending_that_contradicts_the_board_is_an_error() {
    let game = "1. d6-f6 d5-d6\n2. g4-g5 d4-d5\n3. g5-g4 d5-a5\n4. g4-g5 a5-a7\n";
    for (end, is_error) in [("White resigned", true), ("Draw agreed", true), ("Black resigned", false)] {
        let (record, codes) = read(&format!("{game}{end}"));
        let played = replay(&record);
        assert_eq!(played.outcome.map(|outcome| outcome.winner), Some(Some(Side::Defenders)), "{codes:?}");
        assert_eq!(codes, if is_error { vec!["E001"] } else { Vec::new() }, "{end}");
    }
}

/// Returns a game in which a side resigned, without its name, when the attackers were to move.
fn resigned(verdict: WrittenVerdict) -> Record {
    let span = Span::default();
    let result = Some(WrittenResult { verdict, reason: None, span });
    let ending = Some(WrittenEnding { kind: EndingKind::Resigned, side: None, after: 4, span });
    let variant = Some(Written { text: "hnefatafl-org-7".into(), span });
    Record { format: Format::AageNielsen, variant, result, ending, ..read(MOVES).0 }
}

#[test]
fn a_resignation_decides_an_open_result_and_the_change_is_listed() {
    let open = [WrittenVerdict::Unknown, WrittenVerdict::Ongoing];
    for (verdict, format) in open.into_iter().flat_map(|verdict| Format::ALL.map(|format| (verdict, format)))
    {
        if !holds_results(&format)
            || matches!(format, Format::Jsonl | Format::Cyngesheall | Format::Hen | Format::Ollamh)
        {
            continue;
        }
        let record = resigned(verdict);
        let replay = replay(&record);
        let rules = replay.rules.as_ref().unwrap().book.rules().to_string();
        let played = PlayedMoves::new(&record, &replay, rules.into());
        let mut text = String::new();
        let losses = write_record(WriteGame { record: &record, played: played.as_ref() }, format, &mut text);
        let losses: Vec<String> = losses.unwrap().iter().map(|loss| loss.message(&text)).collect();
        assert!(losses.iter().any(|loss| loss.contains("the result")), "{format}: {losses:?}\n{text}");
    }
}

#[test]
fn words_that_are_no_result_become_none_in_another_notation() {
    let prose =
        |words: &str| Format::MoveList.parse(&Source::new(&format!("Result: {words}\n{MOVES}"))).value;
    let tagged =
        |words: &str| Format::OpenTafl.parse(&Source::new(&format!("[result:{words}]\n\n{MOVES}"))).value;
    for record in [prose("1"), prose("0"), tagged("white"), tagged("draw"), tagged("\u{2}1\u{a0}0")] {
        assert!(record.result.is_none() && record.tag("result").is_some());
        for format in Format::ALL.into_iter().filter(|format| format.is_writable()) {
            let mut text = String::new();
            let losses = write_record(WriteGame { record: &record, played: None }, format, &mut text);
            let Ok(losses) = losses else { continue };
            let again = format.parse(&Source::new(&text)).value;
            let verdict = again.result.map(|result| result.verdict);
            assert!(matches!(verdict, None | Some(WrittenVerdict::Unknown)), "{format}: {text}");
            let is_kept = again.tag("result").is_some();
            assert!(is_kept || !losses.is_empty(), "{format}: {text}");
        }
    }
}

#[test]
fn a_resignation_without_a_side_is_that_of_the_loser_in_htp() {
    for (verdict, line) in [
        (WrittenVerdict::Win(Side::Attackers), "play defender resigns _"),
        (WrittenVerdict::Win(Side::Defenders), "play attacker resigns _"),
        (WrittenVerdict::Unknown, "play attacker resigns _"),
    ] {
        let text = convert(&resigned(verdict), Format::Htp).unwrap();
        assert_eq!(text.lines().last(), Some(line), "{verdict:?}");
    }
    // Without moves, nothing shows whose turn it is.
    let Record { variant, ending, .. } = resigned(WrittenVerdict::Unknown);
    let ending = ending.map(|ending| WrittenEnding { after: 0, ..ending });
    let record = Record { variant, ending, ..Record::new(Format::AageNielsen) };
    let mut text = String::new();
    let losses = write_record(WriteGame { record: &record, played: None }, Format::Htp, &mut text).unwrap();
    let changes: Vec<String> = losses.iter().map(|loss| loss.message(&text)).collect();
    assert!(changes.iter().any(|change| change.contains("resignation")), "{changes:?}");
}

#[test]
fn sentences_about_the_end_are_read_or_reported() {
    let (black, white) = (Some(Side::Attackers), Some(Side::Defenders));
    for (end, winner) in [
        ("I resign.", Some(black)),
        ("Bob: I resign", Some(black)),
        ("White: resigns", Some(black)),
        ("3. ... resigns", Some(black)),
        ("and White lost on time.", Some(black)),
        ("We agreed a draw.", Some(None)),
        ("Black (Ann) wins", Some(black)),
        ("attackers", Some(black)),
        ("defenders", Some(white)),
        ("Result: White (Ann resigned)", Some(white)),
        ("Result: 1-0 (White resigned)", Some(black)),
        ("Draw offered, declined", None),
        ("Black wins if White plays on", None),
        ("If White plays on, Black wins", None),
        ("White wins soon, but we stopped.", None),
    ] {
        let text = format!("Black: Ann\nWhite: Bob\n\n{MOVES}3. d7-e7\n{end}");
        let (record, codes) = read(&text);
        let recorded = replay(&record).recorded.map(|end| end.outcome.winner);
        assert_eq!(recorded, winner, "{end}: {codes:?}");
        assert_eq!(codes, if winner.is_none() { vec!["E010"] } else { Vec::new() }, "{end}");
    }
    let (record, codes) = read(&format!("{MOVES}king captured"));
    assert_eq!(record.result.and_then(|result| result.reason), Some(Reason::KingCaptured));
    assert_eq!(codes, ["E012"], "the board does not show it");
    let (record, codes) = read(&format!("Ann (Black) - Bob (White)\n\n{MOVES}3. d7-e7\nAnn resigned"));
    assert_eq!(replay(&record).recorded.map(|end| end.outcome.winner), Some(white), "{codes:?}");
    let (record, _) =
        read(&format!("{MOVES}Draw offered, declined\n3. d7-e7 Black wins if White plays on\n"));
    let comments: Vec<&str> = record.comments.iter().map(|comment| comment.text).collect();
    assert_eq!(comments, ["Draw offered, declined", "Black wins if White plays on"]);
    assert_eq!((record.result, record.ending), (None, None));
}

#[test]
fn a_reason_in_words_is_never_replaced_by_another_one() {
    for (end, reason) in [
        ("Black wins (encirclement)", Reason::Encirclement),
        ("Attackers win because the king is captured", Reason::KingCaptured),
        ("Black wins because White blundered", Reason::Unknown),
    ] {
        let (record, _) = read(&format!("{MOVES}3. d7-e7\n{end}"));
        assert_eq!(
            replay(&record).recorded.map(|end| end.outcome),
            Some(Outcome::win(Side::Attackers, reason)),
            "{end}"
        );
    }
}

#[test]
fn a_move_list_of_pgn_may_end_with_the_result_in_words() {
    let parsed = Format::Pgn.parse(&Source::new("[Event \"x\"]\n\n1. d6f6 e4e3 2. g4g5 e3g3 attackers\n"));
    assert_eq!(parsed.diagnostics, []);
    let verdict = parsed.value.result.map(|result| result.verdict.winner());
    assert_eq!(verdict, Some(Some(Side::Attackers)));
}

#[test]
fn a_marked_king_may_be_left_out_of_the_counts() {
    let game = "d6-f6 d4-d6 d7-c7 c4-c6 a4-a6,0,0,\n";
    let (record, _) = read(game);
    let written = convert(&record, Format::Csv).unwrap();
    let again = Format::Csv.parse(&Source::new(written.trim_end())).value;
    let codes: Vec<_> = replay(&again).diagnostics.iter().map(|found| found.code().as_str()).collect();
    assert!(!codes.contains(&"C004"), "{written}: {codes:?}");
}

#[test]
fn what_a_writer_accepts_reads_back_as_the_same_game() {
    let mut n_refused = 0;
    for name in [
        "brandubh7",
        "copenhagen11",
        "tablut9",
        "hexentafl4",
        "hexentafl5",
        "cyngesheall7",
        "ashton9",
        "hnefatafl-org-7",
        "hnefatafl-org-13",
        "fetlar11",
    ] {
        let variant = Written { text: name.into(), span: Span::default() };
        let mut record = Record { variant: Some(variant), ..Record::new(Format::Jsonl) };
        let Some(found) = tafl_rules::catalog::find(name) else { panic!("unknown variant {name}") };
        let book = tafl_rules::AnyRulebook::compile(&found.rules()).unwrap();
        let mut game = tafl_rules::Game::new(&book);
        // Every move is taken from another part of the list, so that the games differ without a generator.
        for nth in 0..12usize {
            let moves: Vec<_> = game.moves().into_iter().collect();
            let Some(mv) = moves.get(nth * 7919 % moves.len().max(1)).copied() else { break };
            if game.outcome().is_some() || game.play(mv).is_err() {
                break;
            }
            let shape = game.shape();
            record.push_move(
                crate::record::WrittenMove::new(shape.coord(mv.from), shape.coord(mv.to), Span::default()),
                record.captures.len(),
            );
        }
        record.capture_style = crate::record::CaptureStyle::NotWritten;
        let expected = replay(&record);
        let cells =
            |record: &Record| record.main().moves.iter().map(|mv| (mv.from, mv.to)).collect::<Vec<_>>();
        for format in Format::ALL.into_iter().filter(|format| format.is_writable() && *format != Format::Fen)
        {
            let Ok(written) = convert(&record, format) else {
                n_refused += 1;
                continue;
            };
            let mut records = Records::new("-", written.as_bytes(), ReadOptions::default()).unwrap();
            assert_eq!(records.format(), Some(format), "{name}: {written}");
            let batch = records.next_batch().unwrap().unwrap();
            let (_, parsed) = batch.parse().next().unwrap();
            assert_eq!(cells(&parsed.value), cells(&record), "{name} in {format}: {written}");
            // Lists of moves and positions name no variant.
            let is_named = !matches!(format, Format::MoveList | Format::Hen | Format::Uci);
            if is_named {
                let again = replay(&parsed.value);
                assert_eq!(again.plies.len(), expected.plies.len(), "{name} in {format}: {written}");
                assert_eq!(again.last, expected.last, "{name} in {format}: {written}");
            }
        }
    }
    assert!(n_refused > 10, "{n_refused}");
}
