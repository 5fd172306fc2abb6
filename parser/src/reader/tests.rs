use std::io::Write;

use proptest::prelude::*;

use super::*;

fn options(format: Option<Format>) -> ReadOptions {
    ReadOptions { format, ..ReadOptions::default() }
}

/// Reads everything and returns the records' texts and the names of the findings.
fn read(bytes: &[u8], options: ReadOptions) -> (Vec<String>, Vec<&'static str>) {
    let mut records = Records::new("test", bytes, options).unwrap();
    let (mut texts, mut findings, mut ordinal) = (Vec::new(), Vec::new(), 0);
    while let Some(batch) = records.next_batch().unwrap() {
        findings.extend(batch.findings().iter().map(|finding| finding.kind.code().name()));
        for (source, parsed) in batch.parse() {
            assert!(source.ordinal > ordinal, "records are numbered in order");
            ordinal = source.ordinal;
            texts.push(source.text.to_owned());
            findings.extend(parsed.diagnostics.iter().map(|finding| finding.code().name()));
        }
    }
    (texts, findings)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const LINES: &str = "d1-d3 e5-e2,0,0,White\r\n\n# a comment\nh1-h3,0,0,Ongoing";

#[test]
fn lines_are_records_and_know_their_place() {
    let mut records = Records::new("x.csv", LINES.as_bytes(), options(None)).unwrap();
    assert_eq!(records.format(), Some(Format::MoveList));
    let batch = records.next_batch().unwrap().unwrap();
    let places: Vec<_> = batch.sources().map(|s| (s.ordinal, s.base, s.line, s.text)).collect();
    assert_eq!(places, [(1, 0, 1, "d1-d3 e5-e2,0,0,White"), (2, 36, 4, "h1-h3,0,0,Ongoing")]);
    assert!(records.next_batch().unwrap().is_none());
}

#[test]
fn a_comment_read_in_pieces_is_not_a_record() {
    let text = format!(
        "d1-d3 e5-e2,0,0,White\n  # a comment {}\nh1-h3,0,0,Ongoing\n# its end",
        "e1-e2 ".repeat(4000)
    );
    for batch in [1, 30, 64, 5000, 1 << 18] {
        let options = ReadOptions { batch, ..options(Some(Format::MoveList)) };
        assert_eq!(
            read(text.as_bytes(), options).0,
            ["d1-d3 e5-e2,0,0,White", "h1-h3,0,0,Ongoing"],
            "{batch}"
        );
    }
}

#[test]
fn packed_streams_are_unpacked_up_to_the_damage() {
    let many = LINES.to_owned() + "\n" + &"d1-d3 e5-e2,0,0,White\n".repeat(2000);
    let packed = gzip(many.as_bytes());
    assert_eq!(read(&packed, options(None)), read(many.as_bytes(), options(None)));
    let (texts, findings) = read(&packed[..packed.len() - 12], options(None));
    assert!(texts.len() > 100 && findings.contains(&"truncated-file"), "{} {findings:?}", texts.len());
    let twice = [gzip(b"d1-d3,0,0,White\n"), gzip(b"e5-e2,0,0,Black\n")].concat();
    assert_eq!(read(&twice, options(None)).0, ["d1-d3,0,0,White", "e5-e2,0,0,Black"]);
}

#[test]
fn utf_16_with_its_mark_is_read_as_the_same_text_in_utf_8() {
    let text = format!("\u{feff}{LINES}");
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let plain = read(LINES.as_bytes(), options(None));
    assert_eq!(plain.0.len(), 2);
    assert_eq!(read(&little, options(None)), plain);
    assert_eq!(read(&big, options(None)), plain);
    assert_eq!(read(&little[2..], options(None)).1, ["binary-data"]);
}

#[test]
fn carriage_returns_alone_end_lines() {
    // More than the part that is inspected.
    let text = format!("{LINES}\n").replace("\r\n", "\n").repeat(1000);
    let with_feeds = read(text.as_bytes(), options(None));
    assert_eq!(with_feeds.0.len(), 2000);
    assert_eq!(read(text.replace('\n', "\r").as_bytes(), options(None)), with_feeds);
    // A comment as long as the inspected part, whose last byte is the first carriage return.
    let text = format!("# {}\r\nd1-d3 e5-e2,0,0,White\r\n", "a".repeat(HEAD - 3));
    let lines: Vec<u64> = Records::new("x.csv", text.as_bytes(), options(Some(Format::MoveList)))
        .unwrap()
        .next_batch()
        .unwrap()
        .unwrap()
        .sources()
        .map(|source| source.line)
        .collect();
    assert_eq!(lines, [2]);
}

#[test]
fn a_pdf_is_not_text() {
    assert_eq!(read(b"%PDF-1.4\n1 0 obj\nendobj\n", options(None)).1, ["binary-data"]);
}

#[test]
fn zstandard_is_unpacked() {
    let twice = [frame("d1-d3,0,0,White\n"), frame("e5-e2,0,0,Black\n")].concat();
    assert_eq!(
        read(&twice, options(None)),
        (vec!["d1-d3,0,0,White".into(), "e5-e2,0,0,Black".into()], vec![])
    );
    let (texts, findings) = read(&twice[..twice.len() - 3], options(None));
    assert_eq!(texts[0], "d1-d3,0,0,White");
    assert!(findings.contains(&"truncated-file"));
}

/// Returns a text as a Zstandard frame.
fn frame(text: &str) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Uncompressed)
}

#[test]
fn zstandard_of_very_many_frames_needs_no_deep_stack() {
    let packed = frame("d1-d3,0,0,White\n").repeat(8000);
    let read = move || read(&packed, options(None));
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(read).unwrap();
    let (texts, findings) = thread.join().unwrap();
    assert_eq!((texts.len(), findings.len()), (8000, 0));
}

#[test]
fn frames_of_zstandard_without_text_are_skipped() {
    let index = b"\x5e\x2a\x4d\x18\x05\0\0\0index";
    let (one, other) = (frame("d1-d3,0,0,White\n"), frame("e5-e2,0,0,Black\n"));
    let packed = [&index[..], &one[..], &index[..], &other[..], &index[..]].concat();
    assert_eq!(
        read(&packed, options(None)),
        (vec!["d1-d3,0,0,White".into(), "e5-e2,0,0,Black".into()], vec![])
    );
    let (texts, findings) = read(&packed[..packed.len() - 2], options(None));
    assert_eq!((texts.len(), findings), (2, vec!["truncated-file"]));
}

#[test]
fn limits_of_any_size_hold() {
    let small = ReadOptions { batch: 0, ..options(None) };
    let large = ReadOptions { batch: usize::MAX, largest: usize::MAX, ..options(None) };
    let usual = read(LINES.as_bytes(), options(None));
    assert_eq!(read(LINES.as_bytes(), small), usual);
    assert_eq!(read(LINES.as_bytes(), large), usual);
}

#[test]
fn other_text_is_reported_once() {
    assert_eq!(read(b"", options(None)), (vec![], vec!["empty-file"]));
    assert_eq!(read(b" \n\n", options(None)), (vec![], vec!["empty-file"]));
    assert_eq!(read(b"\x7fELF\0\0\0", options(Some(Format::MoveList))), (vec![], vec!["binary-data"]));
    assert_eq!(read(b"Dear diary", options(None)), (vec![], vec!["unknown-format"]));
}

#[test]
fn bytes_that_are_not_utf_8_are_read_as_windows_1252_and_reported_for_their_record_only() {
    let (texts, findings) = read(b"d1-d3 e5-e2 \xe9\n d1-d3 e5-e2 d3-d4\n", options(Some(Format::MoveList)));
    assert_eq!(texts, ["d1-d3 e5-e2 é", "d1-d3 e5-e2 d3-d4"]);
    assert_eq!(findings, ["older-encoding", "bad-move"]);
}

#[test]
fn text_between_records_is_kept_despite_invalid_unicode() {
    let bytes = b"# caf\xe9\nd1-d3 e5-e2 \xe9\n\n# b\nd1-d3\n";
    let mut records = Records::new("a", &bytes[..], options(Some(Format::MoveList))).unwrap();
    let batch = records.next_batch().unwrap().unwrap();
    assert_eq!(batch.len(), 2);
    let text = batch.rewritten(|nth| (nth == 1).then(|| "d1-d4".to_owned()));
    assert_eq!(text, "# café\nd1-d3 e5-e2 é\n\n# b\nd1-d4\n");
    let mut records = Records::new("a", &b"# caf\xe9\nd1-d3\n"[..], options(Some(Format::MoveList))).unwrap();
    let batch = records.next_batch().unwrap().unwrap();
    assert_eq!(
        (batch.rewritten(|_| None).as_str(), batch.encoding()),
        ("# café\nd1-d3\n", StreamEncoding::NotUtf8)
    );
}

#[test]
fn the_header_of_a_table_is_decoded_like_its_rows() {
    let table = "Variante;Züge;Ergebnis\nbrandubh7;d1-f1 d3-a3;Remis\n";
    let bytes: Vec<u8> = table.chars().map(|symbol| symbol as u8).collect();
    let found = read(&bytes, options(None));
    assert_eq!(found.0, [table.trim_end()]);
    assert_eq!(found, read(table.as_bytes(), options(None)));
}

#[test]
fn a_record_that_is_too_large_is_skipped_and_the_next_one_is_read() {
    let small = ReadOptions { batch: 64, largest: 256, ..options(Some(Format::MoveList)) };
    let text = format!("d1-d3,0,0,White\n{}\ne5-e2,0,0,Black\n", "x".repeat(5000));
    let (texts, findings) = read(text.as_bytes(), small);
    assert_eq!(texts, ["d1-d3,0,0,White", "e5-e2,0,0,Black"]);
    assert_eq!(findings, ["record-too-large"]);
}

#[test]
fn a_stream_above_the_limit_is_cut_off() {
    let text = "d1-d3 e5-e2,0,0,White\n".repeat(100);
    let count = |unpacked: u64| {
        let options = ReadOptions { unpacked, ..options(Some(Format::MoveList)) };
        let mut records = Records::new("a", text.as_bytes(), options).unwrap();
        let mut count = 0;
        while let Some(batch) = records.next_batch().unwrap() {
            count += batch.len();
        }
        (count, records.is_cut_off())
    };
    assert_eq!(count(220), (10, true));
    assert_eq!(count(u64::MAX), (100, false));
}

#[test]
fn a_stream_of_record_lines_is_cut_off_at_the_limit_as_well() {
    let line = "{\"taflbase_record\":1,\"source\":\"a.csv\",\"place\":1,\"format\":\"movelist\",\"text\":\"d1-d3\"}\n";
    let text = line.repeat(5000);
    let options = ReadOptions { unpacked: 100 * line.len() as u64, ..options(None) };
    let mut records = Records::new("a", text.as_bytes(), options).unwrap();
    let mut count = 0;
    while let Some(batch) = records.next_batch().unwrap() {
        count += batch.len();
    }
    assert_eq!((count, records.is_cut_off()), (100, true));
}

#[test]
fn opentafl_records_are_cut_before_tags_and_not_inside_of_comments() {
    let game = "[date:2015.05.04]\n[rules:dim:7 x]\n[start-comment:One\n\n[in a comment: 3]\n\ntwo]\n\n\
        1. d1-d3 e5-e2 \n[date: was that good?|\n\nno]\n\n2. d3-d4 e2-e3\n";
    let puzzle = "[date:2016.01.01]\n[rules:dim:7 x]\n\n";
    let text = format!("{game}\n{puzzle}{game}");
    let (texts, _) = read(text.as_bytes(), options(None));
    assert_eq!(
        texts.iter().map(|text| &**text).collect::<Vec<_>>(),
        [game.trim(), puzzle.trim(), game.trim()]
    );
}

#[test]
fn an_unclosed_bracket_does_not_swallow_the_next_record() {
    let text = "[event:One\n1. d1-d3 e5-e2\n\n[event:Two]\n1. d1-d3 e5-e2\n";
    let (texts, _) = read(text.as_bytes(), options(Some(Format::OpenTafl)));
    assert_eq!(texts.len(), 2, "{texts:?}");
}

#[test]
fn pgn_records_are_cut_before_tags() {
    let text = "[Event \"1\"]\n[Site \"x\"]\n1. d1d3 e5e2\n[Event \"2\"]\n\n1. d1d3 e5e2\n2. d3d4 *\n\n[Event \"3\"]\n";
    let (texts, _) = read(text.as_bytes(), options(None));
    assert_eq!(texts.len(), 3);
    assert_eq!(texts[1], "[Event \"2\"]\n\n1. d1d3 e5e2\n2. d3d4 *");
}

#[test]
fn json_values_are_cut_from_lines_arrays_and_pretty_text() {
    let values = ["{\"a\":\"}{\\\"\",\"b\":{}}", "{\"a\":1}", "{\n  \"a\": [\n    {},\n    {}\n  ]\n}"];
    let json = options(Some(Format::AbstractPlay));
    for text in [values.join("\n"), values.join(""), format!("[\n{}\n]", values.join(",\n"))] {
        assert_eq!(read(text.as_bytes(), json).0, values, "{text}");
    }
}

#[test]
fn a_broken_json_value_does_not_swallow_the_next_one() {
    let text = "{\"a\":[\"b1\n{\"a\":1}\n{\"a\":{\n{\"a\":2}\n{\"a\":3}\n";
    let (texts, _) = read(text.as_bytes(), options(Some(Format::AbstractPlay)));
    assert_eq!(texts, ["{\"a\":[\"b1", "{\"a\":1}", "{\"a\":{", "{\"a\":2}", "{\"a\":3}"]);
}

#[test]
fn a_broken_json_value_ends_at_the_same_place_however_much_is_at_hand() {
    let odd_quotes = "{\"a\":b\":\"c\"}";
    let values = [
        odd_quotes,
        "{\"a\":{\"b\":1}",
        "{\"a\":1}}",
        "{\"a\":}x} y",
        "{\"a\":1}",
        "{\"a\":{\"b\":1}",
        "{\"c\":1}",
    ];
    let text = format!("{}\r\n \n  {{\"d\":1}}", values.join("\n"));
    let wanted = [&values[..], &["{\"d\":1}"]].concat();
    for batch in [1, 7, 16, 40, 1 << 18] {
        let options = ReadOptions { batch, ..options(Some(Format::AageNielsen)) };
        assert_eq!(read(text.as_bytes(), options).0, wanted, "{batch}");
    }
}

#[test]
fn records_of_other_games_are_noted_once_and_are_not_records() {
    let game = |name: &str| format!("{{\"header\": {{\"game\": {{\"name\": \"{name}\"}}}}, \"moves\": []}}");
    let names = ["Amazons", "Hnefatafl", "Hex", "Amazons", "AlmaTafl", "Hex"];
    let text = format!("[{}]", names.map(game).join(",\n"));
    for batch in [1, 50, 1000] {
        let options = ReadOptions { batch, ..options(Some(Format::AbstractPlay)) };
        let mut records = Records::new("x.json", text.as_bytes(), options).unwrap();
        let (mut places, mut notes) = (Vec::new(), Vec::new());
        while let Some(batch) = records.next_batch().unwrap() {
            places.extend(batch.sources().map(|source| (source.ordinal, source.line)));
            notes.extend(batch.findings().iter().map(|found| (found.line, found.kind.clone())));
        }
        let note = |game: &str| HeaderFinding::OtherGame { game: game.into() }.into();
        assert_eq!(places, [(1, 2), (2, 5)]);
        assert_eq!(notes, [(1, note("Amazons")), (3, note("Hex"))]);
    }
}

#[test]
fn a_transcript_is_cut_where_another_game_starts() {
    let text =
        "board_size 7\nplay d 0d5 0b5\n= \nboard_size 11\nfirst_move attacker\nplay a d1 d3\nboard_size 7";
    let (texts, _) = read(text.as_bytes(), options(None));
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[1].starts_with("board_size 11\nfirst_move"), "{texts:?}");
}

proptest! {
    #[test]
    fn transcripts_are_cut_alike_in_batches_of_every_size(
        lines in prop::collection::vec("play a d1 d3|play_undo|= e3|board_size 7|new_game|time_settings un-timed|# x|\r?", 0..12),
        batch in 1usize..60,
    ) {
        let (text, format) = (lines.join("\n"), Some(Format::Htp));
        let whole = read(text.as_bytes(), options(format));
        let parts = read(text.as_bytes(), ReadOptions { batch, ..options(format) });
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn batches_of_every_size_give_the_same_records(
        text in "[\\[\\]{}\" ,:\\n\\ra-e1-3\\-.#|]{0,120}",
        nth in 0..Format::ALL.len(),
        batch in 1usize..40,
    ) {
        let format = Some(Format::ALL[nth]);
        let whole = read(text.as_bytes(), options(format));
        let parts = read(text.as_bytes(), ReadOptions { batch, ..options(format) });
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn pieces_of_json_are_cut_alike_in_batches_of_every_size(
        pieces in prop::collection::vec("\\{|\\{\"a\":|\\}|\\}|\"b\"|\"|\\\\|,|\\[|\\]| |\n|\n", 0..40),
        batch in 1usize..40,
    ) {
        let (text, format) = (pieces.concat(), Some(Format::AageNielsen));
        let whole = read(text.as_bytes(), options(format));
        let parts = read(text.as_bytes(), ReadOptions { batch, ..options(format) });
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn pieces_of_trees_are_cut_alike_in_batches_of_every_size(
        pieces in prop::collection::vec("\\(|\\(;|;|\\)|\\)|\\[|\\]|\\]|\\\\|\n| |a|FF\\[4\\]|\n\\(;FF\\[4\\]|\n\\( ;GM\\[29\\]", 0..40),
        batch in 1usize..40,
    ) {
        let (text, format) = (pieces.concat(), Some(Format::Sgf));
        let whole = read(text.as_bytes(), options(format));
        let parts = read(text.as_bytes(), ReadOptions { batch, ..options(format) });
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn texts_with_moves_are_cut_alike_in_batches_of_every_size(
        pieces in prop::collection::vec("1\\. |2\\. |1\\.\\.\\. |d2-f2 |d3-d2 |f2-f1|\n|\n\n|\n\n|Event: x\n|White resigns|Dear Ann, |\\{|\\}|> ", 0..40),
        batch in 1usize..40,
    ) {
        let (text, format) = (format!("Title\n{}", pieces.concat()), Some(Format::MoveList));
        let whole = read(text.as_bytes(), options(format));
        let parts = read(text.as_bytes(), ReadOptions { batch, ..options(format) });
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn any_bytes_are_read_without_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        largest in 1usize..60,
        nth in 0..Format::ALL.len(),
    ) {
        read(&bytes, ReadOptions { batch: 16, largest, ..options(Some(Format::ALL[nth])) });
    }
}
