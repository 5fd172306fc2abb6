use std::path::PathBuf;

use super::*;
use crate::format::survival;
use crate::format::test_text::moves_and_captures;

const BRANDUB: &str = include_str!("../../../../tests/fixtures/records/valid/ludii-trial-brandub.trl");
const HEX: &str = include_str!("../../../../tests/fixtures/records/valid/ludii-trial-hexentafl.trl");
const BROKEN: &str = include_str!("../../../../tests/fixtures/records/invalid/ludii-trial.trl");

fn start(record: &Record) -> String {
    record.start.as_ref().expect("the trial places pieces").setup.to_string()
}

#[test]
fn squares_are_numbered_rank_by_rank() {
    let Parsed { value, diagnostics } = parse(&Source::new(BRANDUB));
    assert_eq!(diagnostics, []);
    assert_eq!(start(&value), "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/");
    assert_eq!(moves_and_captures(&value), "d2-e2 d3-d2 b4-b2 e4-e5 b2-c2xd2 d4-d2 d6-e6");
    assert_eq!(value.main().moves[0].side, Some(Side::Attackers));
    assert_eq!(value.captures[0].span.of(BRANDUB), "10");
    assert_eq!(value.main().moves[0].span.of(BRANDUB), "from=10,to=11");
    assert_eq!(value.result.map(|result| result.verdict), Some(WrittenVerdict::Ongoing));
}

#[test]
fn hexes_have_the_labels_of_the_game() {
    let Parsed { value, diagnostics } = parse(&Source::new(HEX));
    assert_eq!(diagnostics, []);
    assert_eq!(start(&value), "/t2t/5/3T2/t1TK2t/3T2/5/t2t/");
    assert_eq!(moves_and_captures(&value), "d3-g6 g4-g5xg6 d4-d3 a4-b4 d3-e3 b4-a4 e3-f3 a4-b4 f3-g4");
    assert_eq!(value.variant.as_ref().map(|variant| &*variant.text), Some("ludii-hexentafl4"));
    assert_eq!(value.main().moves[0].side, Some(Side::Defenders));
    assert_eq!(value.result.map(|result| result.verdict), Some(WrittenVerdict::Win(Side::Defenders)));
}

#[test]
fn the_five_cell_board_is_numbered_alike() {
    let sites = Sites(Shape::Hex { side: 5 });
    let name = |site| sites.coord(site).map(|coord| coord.to_string());
    assert_eq!(name(30), Some("e5".into()));
    let mut all: Vec<Coord> = (0..61).filter_map(|site| sites.coord(site)).collect();
    assert!(all.iter().all(|coord| Shape::Hex { side: 5 }.has(*coord)));
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 61);
    assert_eq!(name(61), None);
}

#[test]
fn counts_of_legal_moves_stand_before_their_moves() {
    let record = parse(&Source::new(BRANDUB)).value;
    let counts: Vec<(u32, u32)> = record.move_counts.iter().map(|count| (count.after, count.count)).collect();
    assert_eq!(counts[..3], [(0, 40), (1, 23), (2, 38)]);
}

#[test]
fn a_count_that_cannot_be_read_leaves_the_others_at_their_moves() {
    let text = BRANDUB.replacen("SIZE = 40", "SIZE = forty", 1);
    assert_ne!(text, BRANDUB);
    let record = parse(&Source::new(&text)).value;
    let counts: Vec<(u32, u32)> = record.move_counts.iter().map(|count| (count.after, count.count)).collect();
    assert_eq!(counts[..2], [(1, 23), (2, 38)]);
}

#[test]
fn a_surrounded_king_is_captured() {
    let text = BRANDUB
        .replace("[Remove:type=Cell,to=10]", "[Trigger:event=Surrounded,player=2]")
        .replace("winner=-1", "winner=1");
    let last = text.find("Move=[Move:mover=2,from=24").unwrap();
    let text = text[..last].to_owned() + &text[text.find("LEGAL").unwrap()..];
    let result = parse(&Source::new(&text)).value.result.unwrap();
    assert_eq!(
        (result.verdict, result.reason),
        (WrittenVerdict::Win(Side::Attackers), Some(Reason::KingCaptured))
    );
}

#[test]
fn options_make_another_variant() {
    let record = parse(&Source::new(BROKEN)).value;
    assert_eq!(
        record.variant.map(|variant| variant.text.into()),
        Some("ludii-tablut/Play Rules/King Surrounded".to_owned())
    );
}

#[test]
fn bad_lines_are_named_and_the_rest_is_read() {
    let Parsed { value, diagnostics } = parse(&Source::new(BROKEN));
    assert_eq!(moves_and_captures(&value), "d1-c1 c1-d1");
    let found: Vec<String> =
        diagnostics.iter().map(|found| format!("{} {}", found.code(), found.span.of(BROKEN))).collect();
    let cut = "T001 [Move:mover=1,from=2,to";
    let expected =
        ["T009 from=99,to=99", "T001 from=-1,to=-1", cut, "T002 what is this", "T009 many", "T009 7"];
    assert_eq!(found, expected);
}

#[test]
fn nothing_makes_it_panic() {
    for text in [BRANDUB, HEX, BROKEN, ""] {
        survival::check(Format::LudiiTrial, text);
    }
}

/// The published trials are consistent: every piece that moves or is removed is on the cell that they name.
#[test]
fn real_trials_read_whole_and_replay() {
    let Some(folder) = std::env::var_os("TAFL_RECORDS").map(PathBuf::from) else {
        return println!("skipped: TAFL_RECORDS is not set");
    };
    for (name, n_plies) in [("HeXentafl", 71), ("Hnefatafl", 576), ("Tablut", 69)] {
        let text = std::fs::read_to_string(folder.join(format!("ludii/{name}_RandomTrial_0.txt"))).unwrap();
        let Parsed { value: record, diagnostics } = parse(&Source::new(&text));
        assert_eq!(diagnostics, [], "{name}");
        assert_eq!((record.main().moves.len(), record.move_counts.len()), (n_plies, n_plies), "{name}");
        let mut setup = record.start.clone().unwrap().setup;
        for mv in &record.main().moves {
            let cell = |coord| setup.shape().cell(coord).expect("the cell is on the board");
            let (from, to) = (cell(mv.from), cell(mv.to));
            let captured: Vec<_> = record.captures_of(mv).iter().map(|capture| cell(capture.cell)).collect();
            let piece = setup.piece(from).expect("a piece moves");
            assert_eq!((Some(piece.side), setup.piece(to)), (mv.side, None), "{name}");
            setup.put(from, None);
            setup.put(to, Some(piece));
            for cell in captured {
                assert_eq!(setup.piece(cell).map(|piece| piece.side), Some(piece.side.other()), "{name}");
                setup.put(cell, None);
            }
        }
    }
}
