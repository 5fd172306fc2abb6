use std::path::PathBuf;

use super::*;
use crate::format::survival;
use crate::format::test_text::moves_and_captures;

const ESCAPE: &str = include_str!("../../../../tests/fixtures/records/valid/ashton-log-escape.txt");
const REFUSED: &str = include_str!("../../../../tests/fixtures/records/valid/ashton-log-refused.txt");
const TIMEOUT: &str = include_str!("../../../../tests/fixtures/records/valid/ashton-log-timeout.txt");
const GAPS: &str = include_str!("../../../../tests/fixtures/records/invalid/ashton-log-gaps.txt");

fn findings(text: &str) -> Vec<String> {
    let findings = parse(&Source::new(text)).diagnostics;
    findings.iter().map(|found| format!("{} {}", found.code(), found.span.of(text))).collect()
}

#[test]
fn ranks_count_from_the_bottom() {
    let record = parse(&Source::new(ESCAPE)).value;
    // The log has E4 to G4 and E5 to E4; its first row is the top one.
    assert!(moves_and_captures(&record).starts_with("e6-g6 a6-a7 e5-e6 "));
    let last = record.boards.last().unwrap();
    assert_eq!(last.setup.to_string(), "/3ttt3/4t4/t3T4/4T3t/ttTT1TTtt/6T1t/4T4/t3t4/2Kttt3/");
}

#[test]
fn there_is_a_board_after_every_ply() {
    let Parsed { value, diagnostics } = parse(&Source::new(ESCAPE));
    assert_eq!(diagnostics, []);
    let after: Vec<u32> = value.boards.iter().map(|board| board.after).collect();
    assert_eq!(after, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(value.boards[1].to_move, Some(Side::Attackers));
    assert_eq!(value.first_mover, Some(Side::Defenders));
    let result = value.result.unwrap();
    assert_eq!(
        (result.verdict, result.reason),
        (WrittenVerdict::Win(Side::Defenders), Some(Reason::KingReachedGoal))
    );
}

#[test]
fn names_settings_and_the_game_are_kept() {
    for text in [ESCAPE, REFUSED] {
        let record = parse(&Source::new(text)).value;
        assert_eq!(record.tag(tag::DEFENDERS), Some("light"));
        assert_eq!(record.tag(tag::ATTACKERS), Some("dark"));
        assert_eq!(record.tag("repeated-moves-allowed"), Some("0"));
        assert_eq!((record.tag("game"), record.variant.as_ref()), (Some("GameAshtonTablut"), None));
    }
}

#[test]
fn a_refused_move_is_stored_with_its_reason() {
    let Parsed { value, diagnostics } = parse(&Source::new(REFUSED));
    assert_eq!(moves_and_captures(&value), "e7-f7 f9-f8 c5-c4 i6-f6xf7");
    let [refused] = &value.refused[..] else { panic!("one move was refused") };
    assert_eq!(
        (refused.mv.from.to_string(), refused.mv.to.to_string(), refused.after),
        ("c4".into(), "d3".into(), 4)
    );
    let reason = refused.reason.as_ref().unwrap();
    assert_eq!((&*reason.text, reason.span.of(REFUSED)), ("Mossa in diagonale", "Mossa in diagonale"));
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].code().name(), "refused-move");
    assert_eq!(diagnostics[0].span.of(REFUSED), "c6 to d7");
}

#[test]
fn a_man_that_is_reported_twice_is_captured_once() {
    let line = "BUONO: Pedina bianca rimossa in: f3\n";
    let text = REFUSED.replace(line, &format!("{line}{line}"));
    let record = parse(&Source::new(&text)).value;
    assert_eq!(moves_and_captures(&record).split(' ').nth(3), Some("i6-f6xf7"));
}

#[test]
fn a_client_that_sends_nothing_has_lost_on_time() {
    let Parsed { value, diagnostics } = parse(&Source::new(TIMEOUT));
    assert_eq!(diagnostics, []);
    let ending = value.ending.unwrap();
    assert_eq!((ending.kind, ending.side, ending.after), (EndingKind::Timeout, Some(Side::Attackers), 1));
    let result = value.result.unwrap();
    assert_eq!(
        (result.verdict, result.reason),
        (WrittenVerdict::Win(Side::Defenders), Some(Reason::Timeout))
    );
}

#[test]
fn a_log_that_just_stops_is_lost_on_time_by_the_side_to_move() {
    let cut = TIMEOUT.find("Turn: B").unwrap();
    let head = TIMEOUT[..cut].rsplit_once("16-mag").unwrap().0;
    let record = parse(&Source::new(head)).value;
    let ending = record.ending.unwrap();
    assert_eq!(
        (ending.kind, ending.side, ending.span.of(head)),
        (EndingKind::Timeout, Some(Side::Attackers), "B")
    );
}

#[test]
fn gaps_are_named_and_the_rest_is_read() {
    let record = parse(&Source::new(GAPS)).value;
    assert_eq!(moves_and_captures(&record), "e7-f7 f9-f8 c5-c4 i6-f6xf7");
    let found: Vec<String> = findings(GAPS).iter().map(|found| found.chars().take(9).collect()).collect();
    assert_eq!(found, ["T018 Stat", "T018 Stat", "T002 what", "P007 c6 t"]);
}

#[test]
fn text_in_place_of_the_first_row_is_no_row() {
    let row = |first: &str| format!("FINE: Stato: {first}\n{}-\nW\n", "OOOOOOOOO\n".repeat(8));
    assert_eq!(findings(&row("OOOOKOOOO")), [""; 0]);
    let found = findings(&row("end of it"));
    assert!(found.len() == 2 && found[1].starts_with("T018 Stato: end of it"), "{found:?}");
}

#[test]
fn a_draw_has_its_reason() {
    let text = ESCAPE
        .replace("Bianco vince con re in c1", "Partita terminata in pareggio per numero di stati ripetuti");
    let record = parse(&Source::new(&text.replace("\nWW", "\nD"))).value;
    let result = record.result.unwrap();
    assert_eq!((result.verdict, result.reason), (WrittenVerdict::Draw, Some(Reason::Repetition)));
}

#[test]
fn nothing_makes_it_panic() {
    for text in [ESCAPE, REFUSED, TIMEOUT, GAPS, ""] {
        survival::check(Format::AshtonLog, text);
    }
}

/// In the logs of the competition, each board is the previous one with the move made and the captured men
/// removed.
#[test]
fn real_logs_read_whole_and_every_board_follows_from_its_move() {
    let Some(folder) = std::env::var_os("TAFL_RECORDS").map(PathBuf::from) else {
        return println!("skipped: TAFL_RECORDS is not set");
    };
    let mut n_plies = 0;
    let mut names: Vec<_> =
        std::fs::read_dir(folder.join("ashton")).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|name| name.extension().is_some_and(|ending| ending == "txt"));
    names.sort();
    for name in &names {
        let text = std::fs::read_to_string(name).unwrap();
        let Parsed { value: record, diagnostics } = parse(&Source::new(&text));
        assert!(
            diagnostics.iter().all(|found| found.code().name() == "refused-move"),
            "{name:?}: {diagnostics:?}"
        );
        let mut setup = record.start.as_ref().expect("every log begins with a board").setup.clone();
        for (mv, board) in record.main().moves.iter().zip(&record.boards[1..]) {
            let cell = |coord| setup.shape().cell(coord).expect("the cell is on the board");
            let (from, to) = (cell(mv.from), cell(mv.to));
            let captured: Vec<_> = record.captures_of(mv).iter().map(|capture| cell(capture.cell)).collect();
            let piece = setup.piece(from);
            assert!(mv.side.is_none() || mv.side == piece.map(|piece| piece.side), "{name:?}");
            setup.put(from, None);
            setup.put(to, piece);
            captured.into_iter().for_each(|cell| setup.put(cell, None));
            assert_eq!(setup.to_string(), board.setup.to_string(), "{name:?} after {} moves", board.after);
            n_plies += 1;
        }
        assert_eq!(record.boards.len(), record.main().moves.len() + 1, "{name:?}");
    }
    println!("{} logs, {n_plies} plies", names.len());
}

#[test]
fn a_row_that_no_board_has_keeps_its_number() {
    let log = "it.unibo.ai.didattica.competition.tablut.domain.GameAshtonTablut checkMove\n\
               FINE: Turn: W Pawn from E4 to E77\n";
    let record = parse(&Source::new(log)).value;
    let tried = record.main().moves.iter().chain(record.refused.iter().map(|refused| &refused.mv)).next();
    assert_eq!(tried.map(|mv| (mv.from.to_string(), mv.to.to_string())), Some(("e6".into(), "e77".into())));
}
