//! Tests of tables as streams.

use proptest::prelude::*;

use crate::format::Format;
use crate::format::survival;
use crate::format::test_text::{codes, moves_and_captures};
use crate::notation::detect;
use crate::reader::{ReadOptions, Records};
use crate::source::Source;

/// Reads a stream in batches of a size: line, text, moves, and findings of each record.
fn read(text: &str, batch: usize) -> Vec<(u64, String, usize, Vec<String>)> {
    let options = ReadOptions { format: Some(Format::Csv), batch, ..ReadOptions::default() };
    let mut records = Records::new("-", text.as_bytes(), options).unwrap();
    let mut found = Vec::new();
    while let Some(batch) = records.next_batch().unwrap() {
        for (source, parsed) in batch.parse() {
            let findings = parsed.diagnostics.iter();
            let findings = findings.map(|it| format!("{} {}", it.code(), it.span.of(source.text))).collect();
            found.push((source.line, source.text.to_owned(), parsed.value.main().moves.len(), findings));
        }
    }
    found
}

const GAMES: &str = "moves,result\n\nd2-f2 d3-d2,White\n\"d2-f2\nd3-z\",Black\nd2-f2,Whte\n";

#[test]
fn a_record_has_the_header_and_the_lines_of_its_rows() {
    let found = read(GAMES, 1 << 18);
    let (first, second, third) = (&found[0], &found[1], &found[2]);
    assert_eq!((first.0, &*first.1, first.2), (3, "moves,result\nd2-f2 d3-d2,White", 2));
    assert_eq!((second.0, second.3.clone()), (4, vec!["T001 d3-z".to_owned()]));
    assert_eq!((third.0, third.3.clone()), (6, vec!["E010 Whte".to_owned()]));
}

#[test]
fn a_stored_record_reads_the_same_as_in_its_file() {
    for (_, text, n_moves, findings) in read(GAMES, 1 << 18) {
        let again = read(&text, 1 << 18);
        assert_eq!(again.len(), 1, "{text}");
        assert_eq!((again[0].2, &again[0].3), (n_moves, &findings), "{text}");
    }
}

#[test]
fn a_changed_record_is_written_into_its_row() {
    let options = ReadOptions { format: Some(Format::Csv), ..ReadOptions::default() };
    let mut records = Records::new("-", GAMES.as_bytes(), options).unwrap();
    let batch = records.next_batch().unwrap().unwrap();
    let text = batch.rewritten(|nth| (nth == 2).then(|| "moves,result\nd2-f2,White".to_owned()));
    assert!(GAMES.replace("Whte", "White").ends_with(text.trim_start()), "{text}");
    let text = batch.rewritten(|nth| (nth == 0).then(|| "result,moves\nWhite,d2-f2".to_owned()));
    assert_eq!(read(&format!("moves,result\n{text}"), 1 << 18).len(), 3, "{text}");
}

#[test]
fn a_number_of_a_game_type_may_have_a_decimal_point() {
    for (key, variant) in [("16", Some("aage-16")), ("16.0", Some("aage-16")), ("x", None)] {
        let text = format!("AageGameTypeKey,moves\n{key},d2-c2 e4-e1\n");
        let record = Format::Csv.parse(&Source::new(&text)).value;
        assert_eq!(record.variant.as_ref().map(|variant| &*variant.text), variant, "{key}");
        assert_eq!(record.tags.len(), usize::from(variant.is_none()), "{key}");
    }
}

#[test]
fn moves_may_have_columns_for_their_parts() {
    for (text, expected) in [
        ("ply,from,to,captures\n1,d6,c6,\n2,e4,e6,\"f6,e7\"\n", [vec!["d6-c6", "e4-e6xf6xe7"], vec![]]),
        ("From;To\nd6;c6\ne4;e6\n", [vec!["d6-c6", "e4-e6"], vec![]]),
        ("move,side,from,to\n1,black,d6,c6\n2,white,e4,e6\n", [vec!["d6-c6", "e4-e6"], vec![]]),
        (
            "game,ply,from,to,captures\nx,1,d6,c6,0\nx,2,e4,e6,1\ny,1,d1,e1,0\n",
            [vec!["d6-c6", "e4-e6"], vec!["d1-e1"]],
        ),
        ("game,from,to\n1,d6,c6\n1,e4,e6\n2,d1,e1\n", [vec!["d6-c6", "e4-e6"], vec!["d1-e1"]]),
        ("ply,from,to,black,white\n1,d6,c6,Ann,Bob\n2,e4,e6,Ann,Bob\n", [vec!["d6-c6", "e4-e6"], vec![]]),
        ("moves,from,to\nd6-c6 e4-e6,3,4\n", [vec!["d6-c6", "e4-e6"], vec![]]),
    ] {
        assert_eq!(detect(text.as_bytes(), None).first(), Some(&Format::Csv), "{text}");
        let options = ReadOptions { format: Some(Format::Csv), ..ReadOptions::default() };
        let mut records = Records::new("-", text.as_bytes(), options).unwrap();
        let batch = records.next_batch().unwrap().unwrap();
        let games = batch.parse().map(|(_, parsed)| {
            assert_eq!(codes(&parsed), Vec::<&str>::new(), "{text}");
            let words = moves_and_captures(&parsed.value);
            words.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>()
        });
        let games: Vec<_> = games.collect();
        let expected: Vec<_> = expected.into_iter().filter(|moves| !moves.is_empty()).collect();
        assert_eq!(games, expected, "{text}");
    }
    let record = Format::Csv.parse(&Source::new("ply,from,to,board\n9,d6,c6,3a3/7/7/3K3/7/7/3a3\n"));
    assert!(codes(&record).contains(&"T025"), "a move for each position is not a game");
    let record = Format::Csv.parse(&Source::new("side,from,to\nblack,d6,c6\nwhite,zz,c6\n"));
    assert_eq!(codes(&record), ["T001"]);
    assert_eq!(record.value.main().moves[0].side, Some(tafl_rules::Side::Attackers));
    let span = record.value.main().moves[0].span;
    assert_eq!(span.of("side,from,to\nblack,d6,c6\n"), "d6,c6");
}

#[test]
fn damaged_tables_are_read_without_panic() {
    for text in [
        GAMES,
        "sep=;\nturn;attackers;defenders;note\n1;d2-f2;d3-d2;\"a\nb\"\n2;f4-f3;resigns;x\n",
        "id,variant,start,first mover,date,rated,tags,reason,attacker captures,defender captures,moves\n1,x,/7/,black,2026-05-03,yes,\"a: b\",timeout,1,2,d2-f2xe3\n",
    ] {
        survival::check(Format::Csv, text);
    }
}

proptest! {
    #[test]
    fn tables_are_cut_alike_in_batches_of_every_size(
        rows in prop::collection::vec("moves,result|sep=;|turn;black;white|1;d2-f2;d3-d2|2;f4-f3;|\"d2-f2\n|d3-d2\",White|d2-f2,0,0,|,,|\"|# x|\r", 0..12),
        batch in 1usize..60,
    ) {
        let text = rows.join("\n");
        prop_assert_eq!(read(&text, batch), read(&text, 1 << 18));
    }
}
