//! Writing of parsed records.

use tafl_parser::{Format, ReadOptions, Record, Records, Source, WriteError, WriteGame, write_record};

use crate::round_trip::{lost_messages, writable_formats};

/// Writes a record in every format that can be written, and reads it again.
///
/// # Panics
///
/// Panics if our own JSON lines lose data, if the data kept by another format changes when it is written and parsed
/// again, or if a file with the written text does not contain exactly one record.
pub fn check_writing(record: &Record) {
    for format in writable_formats() {
        let Some((text, losses)) = written(record, format) else { continue };
        let once = read(&text, format);
        if format == Format::Jsonl {
            let mut wanted = record.clone();
            wanted.forget_places();
            assert_eq!(losses, [""; 0], "{text}");
            assert_eq!(once, wanted, "{text}");
        }
        if !text.trim().is_empty() && !has_known_fault(&text, record, format) {
            check_file(&text, format);
        }
        let (again, losses) = written(&once, format).expect("a record of the format can be written");
        assert_eq!(losses, [""; 0], "data of {format} was lost:\n{text}\n{again}");
        assert_eq!(read(&again, format), once, "{format}:\n{text}\n{again}");
    }
}

/// Returns whether a written file is known not to be read as one record.
///
/// - A NUL makes readers take the file for a binary one.
/// - In OpenTafl's notation a comment such as `White "A" is lost` looks like a tag of the next record.
/// - In the Cyngesheall notation, a record without tags ends at the blank line after its first comment.
fn has_known_fault(text: &str, record: &Record, format: Format) -> bool {
    let has_comments = !record.comments.is_empty();
    text.contains('\0') || has_comments && matches!(format, Format::OpenTafl | Format::Cyngesheall)
}

/// Returns the text of a record, and the losses in the format; `None` if the format cannot express the game.
fn written(record: &Record, format: Format) -> Option<(String, Vec<String>)> {
    let mut text = String::new();
    let losses = match write_record(WriteGame { record, played: None }, format, &mut text) {
        Ok(losses) => losses,
        Err(error) => {
            assert!(matches!(error, WriteError::NotExpressible { .. }) && text.is_empty(), "{error}");
            return None;
        }
    };
    let losses = lost_messages(&losses, &text);
    Some((text, losses))
}

fn read(text: &str, format: Format) -> Record {
    let mut parsed = format.parse(&Source::new(text.trim_end_matches('\n')));
    parsed.value.forget_places();
    parsed.value
}

fn check_file(text: &str, format: Format) {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let mut records = Records::new("-", text.as_bytes(), options).expect("bytes in memory can be read");
    let mut count = 0;
    while let Some(batch) = records.next_batch().expect("bytes in memory can be read") {
        count += batch.len();
    }
    assert_eq!(count, 1, "{format}: a record was written, and {count} are read:\n{text}");
}
