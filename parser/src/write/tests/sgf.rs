//! SGF keeps everything that a record can have.

use tafl_rules::{Reason, Side, Span};

use super::{RULES, read, written};
use crate::record::*;

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
fn a_captured_mercenary_is_a_stone_of_the_other_color() {
    let game = "[rules:dim:7 start:/7/2tM3/7/3K3/7/7/4t2/]\n\n1. e7-e2xMd2 Kd4-d5\n2. d2-d1\n\n";
    let mut record = read(game, Format::OpenTafl);
    record.format = Format::Sgf;
    let (text, _) = written(&record, Format::Sgf);
    assert!(text.contains("N[e7-e2xMd2]AE[ea]AB[df][ef]LB[df:M][dd:K]\n"), "{text}");
    assert!(text.contains("N[d2-d1]AE[df]AB[dg]LB[dg:M][dc:K])\n"), "{text}");
}

#[test]
fn sgf_keeps_what_other_notations_lose() {
    let mut record = read("d2-c2 d4-d3 c2-c1,0,0,", Format::MoveList);
    record.format = Format::Sgf;
    let span = Span::default();
    let place = MovePlace::in_main(1);
    for text in ["good move", "one", "very bad move"] {
        record.comments.push(Comment { place, text, span });
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
    // A variation after the last move, one of a variation's first move, and an order that is not that of the moves.
    for (parent, at, number, moves) in
        [(0, 3, 1, "d1-d2"), (0, 1, 1, "d3-d2 a1-a2"), (2, 0, 1, "d3-d1"), (0, 1, 2, "c4-c3")]
    {
        let branch = LineBranch { parent: MoveLineId(parent), at, number };
        let line = record.variations.open(Some(branch), at % 2 == 1);
        for mv in &read(moves, Format::MoveList).main().moves {
            record.push_to(line, *mv);
        }
    }
    record.set_opens_with_second(MoveLineId(3), true);
    let at_start = MovePlace { line: MoveLineId(2), after: 0 };
    record.comments.push(Comment { place: at_start, text: "before", span });
    record.forget_places();
    let (text, losses) = written(&record, Format::Sgf);
    assert_eq!(losses, Vec::<String>::new(), "{text}");
    assert_eq!(read(&text, Format::Sgf), record, "{text}");
}

#[test]
fn sgf_is_written_with_stones_if_only_the_variant_is_named() {
    let root = "(;GM[29]RU[brandubh7]CS[listed]\n;MV[d2-c2]\n;MV[c4-c3xc2])\n";
    let (text, losses) = written(&read(root, Format::Sgf), Format::Sgf);
    assert_eq!(losses, Vec::<String>::new());
    let (first, last) = ("SZ[7]\nRU[brandubh7]CS[listed]\nAB[dg]", "AE[cf][cd]AW[ce]LB[dd:K])\n");
    assert!(text.contains(first) && text.ends_with(last), "{text}");
    // Where captures are not written, the later positions are unknown.
    let (text, _) = written(&read(&root.replace("listed", "not-written"), Format::Sgf), Format::Sgf);
    assert!(!text.contains("AB[") && !text.contains("\n\n"), "{text}");
}
