//! Every line gets an answer, in order, whatever it contains.

use std::io::Read;

use proptest::prelude::*;

use super::*;
use crate::reader::{Container, ReadOptions};

const RECORD: &str = "{\"taflbase_record\":1,\"input\":2,\"source\":\"a.csv\",\"place\":17,\"offset\":99,\"ordinal\":3,\"format\":\"movelist\",\"text\":\"d2-c2 e4-e1\"}";

fn options() -> ReadOptions {
    ReadOptions { container: Container::RecordLines, largest: 1 << 16, ..ReadOptions::default() }
}

/// Returns an answer for each line: the text of a record, or the error message.
fn answers(bytes: impl Read + Send, options: ReadOptions) -> Vec<Result<String, String>> {
    let mut records = Records::new("lines.jsonl", bytes, options).unwrap();
    let mut answers = Vec::new();
    while let Some(batch) = records.next_batch().unwrap() {
        assert!(batch.is_wrapped());
        for found in batch.findings() {
            answers.push(Err(
                crate::Diagnostic::new(tafl_rules::Span::default(), found.kind.clone()).message("")
            ));
        }
        answers.extend(batch.parse().map(|(source, _)| Ok(source.text.to_owned())));
    }
    answers
}

#[test]
fn a_record_has_the_place_of_the_original() {
    let mut records = Records::new("lines.jsonl", RECORD.as_bytes(), ReadOptions::default()).unwrap();
    let batch = records.next_batch().unwrap().unwrap();
    let source = batch.sources().next().unwrap();
    assert_eq!((source.name, source.line, source.base, source.ordinal), ("a.csv", 17, 99, 3));
    assert_eq!((batch.input(), batch.format(), batch.name()), (Some(2), Some(Format::MoveList), "a.csv"));
    let mut out = Vec::new();
    RecordLine::of(&batch, 0, 9, None).write(&mut out);
    assert_eq!(String::from_utf8(out).unwrap(), format!("{RECORD}\n"));
    let text = batch.rewritten(|_| Some("d2-c2".to_owned()));
    assert_eq!(text, format!("{}\n", RECORD.replace(" e4-e1", "")));
}

#[test]
fn a_record_in_the_middle_of_a_line_has_its_column() {
    let trees = "(;GM[29]C[æ])(;GM[29]\n;B[d6-c6])(;GM[29])";
    let rows = r#"[{"moves":"d6-c6"}, {"moves":"d6-c6"}]"#;
    for (text, expected) in [(trees, &[(1, 1), (1, 14), (2, 11)][..]), (rows, &[(1, 2), (1, 21)])] {
        for batch in [1, 1 << 18] {
            let options = ReadOptions { batch, ..ReadOptions::default() };
            let (mut places, mut lines) = (Vec::new(), Vec::new());
            let mut records = Records::new("games", text.as_bytes(), options).unwrap();
            while let Some(batch) = records.next_batch().unwrap() {
                places.extend(batch.sources().map(|source| (source.line, source.column)));
                (0..batch.len()).for_each(|nth| RecordLine::of(&batch, nth, 1, None).write(&mut lines));
            }
            assert_eq!(places, expected);
            let mut records = Records::new("lines.jsonl", &lines[..], ReadOptions::default()).unwrap();
            let batch = records.next_batch().unwrap().unwrap();
            let places: Vec<_> = batch.sources().map(|source| (source.line, source.column)).collect();
            assert_eq!(places, expected, "record lines");
        }
    }
}

#[test]
fn lines_with_the_same_source_come_together() {
    let other = RECORD.replace("a.csv", "b.csv");
    let text = [RECORD, RECORD, &other, "x", RECORD].join("\n");
    let mut records = Records::new("lines.jsonl", text.as_bytes(), ReadOptions::default()).unwrap();
    let mut sizes = Vec::new();
    while let Some(batch) = records.next_batch().unwrap() {
        sizes.push((batch.len(), batch.findings().len()));
    }
    assert_eq!(sizes, [(2, 0), (1, 0), (0, 1), (1, 0)]);
}

#[test]
fn a_line_without_a_record_has_a_reason() {
    let with = |from: &str, to: &str| RECORD.replace(from, to);
    let long = with("d2-c2", &"d2-c2 ".repeat(20_000));
    let longer = with("d2-c2", &"d2-c2 ".repeat(200_000));
    let lines = [
        "",
        "what",
        &with("\"taflbase_record\":1", "\"taflbase_record\":2"),
        &with("movelist", "runes"),
        &with("\"text\"", "\"variant\":\"chess\",\"text\""),
        &with("\"text\"", "\"txet\""),
        &long,
        &longer,
        "{\"taflbase_error\":1,\"code\":\"T014\",\"message\":\"too large\"}",
        "{\"taflbase_error\":2,\"code\":\"T014\",\"message\":\"too large\"}",
        RECORD,
    ];
    let messages: Vec<String> = answers(lines.join("\n").as_bytes(), options())
        .into_iter()
        .map(|answer| answer.unwrap_or_else(|why| why))
        .collect();
    assert_eq!(messages.len(), lines.len(), "{messages:?}");
    let words = [
        "empty",
        "not a record line",
        "version 2",
        "`runes`",
        "`chess`",
        "missing field",
        "larger than 65,536 bytes",
        "larger than 65,536 bytes",
        "T014: too large",
        "error lines of version 2 are newer than 1, the newest supported version",
        "d2-c2 e4-e1",
    ];
    for (message, word) in messages.iter().zip(words) {
        assert!(message.contains(word), "{message}: {word}");
    }
}

#[test]
fn long_names_are_shortened_in_messages() {
    for field in ["variant", "format"] {
        let name = format!("\"{field}\":\"{}\",\"text\"", "x".repeat(50_000));
        let line = RECORD.replace("\"format\":\"movelist\",", "").replace("\"text\"", &name);
        let messages = answers(line.as_bytes(), options());
        assert!(matches!(&messages[..], [Err(why)] if why.len() < 200), "{field}: {messages:?}");
    }
}

#[test]
fn a_byte_order_mark_is_ignored() {
    for n_lines in [1, 2] {
        let text = format!("\u{feff}{}", format!("{RECORD}\n").repeat(n_lines));
        for container in [Container::FindOut, Container::RecordLines] {
            let messages = answers(text.as_bytes(), ReadOptions { container, ..options() });
            assert_eq!(messages, vec![Ok("d2-c2 e4-e1".to_owned()); n_lines], "{container:?}");
        }
    }
}

/// A reader that returns one byte at a time, with an interrupt before each.
struct Slow<'b>(&'b [u8], bool);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = self.0.len().min(1).min(buffer.len());
        buffer[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

proptest! {
    #[test]
    fn every_line_has_one_answer(lines in proptest::collection::vec(
        prop_oneof![
            proptest::collection::vec(any::<u8>().prop_filter("no line feed", |byte| *byte != b'\n'), 0..60),
            Just(RECORD.as_bytes().to_vec()),
            (0..RECORD.len(), any::<u8>().prop_filter("no line feed", |byte| *byte != b'\n')).prop_map(|(at, byte)| {
                let mut line = RECORD.as_bytes().to_vec();
                line[at] = byte;
                line
            }),
        ],
        1..12,
    )) {
        let mut bytes = lines.join(&b'\n');
        bytes.push(b'\n');
        // Bytes that look packed are unpacked first.
        prop_assume!(!bytes.starts_with(&[0x1f, 0x8b]) && !bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
        let fast = answers(&bytes[..], options());
        prop_assert_eq!(fast.len(), lines.len());
        for (line, answer) in lines.iter().zip(&fast) {
            if line == RECORD.as_bytes() {
                prop_assert_eq!(answer.as_deref(), Ok("d2-c2 e4-e1"));
            }
        }
        prop_assert_eq!(answers(Slow(&bytes, false), options()), fast);
    }
}

#[test]
fn a_record_of_a_table_keeps_its_place_in_record_lines() {
    let table = "variant,moves\nbrandubh7,d2-c2\nbrandubh7,d2-zz\n";
    let first_batch = |name: &str, bytes: &[u8]| {
        let mut records = Records::new(name, bytes, ReadOptions::default()).unwrap();
        records.next_batch().unwrap().unwrap()
    };
    let batch = first_batch("a.csv", table.as_bytes());
    let mut lines = Vec::new();
    for nth in 0..batch.len() {
        RecordLine::of(&batch, nth, 1, None).write(&mut lines);
    }
    let places = |batch: &Batch| {
        batch.sources().map(|source| (source.line, source.base, source.header)).collect::<Vec<_>>()
    };
    assert_eq!(places(&batch), [(2, 14, 14), (3, 30, 14)]);
    assert_eq!(places(&first_batch("-", &lines)), places(&batch));
}
