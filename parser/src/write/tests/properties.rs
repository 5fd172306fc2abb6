//! Properties of what is written for random records.

use proptest::prelude::*;

use super::random::{record, sparse};
use super::*;
use crate::{Diagnostic, DiagnosticKind, LossFinding};

/// The formats that are written and read again.
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
        let mut again = String::new();
        let losses = write_record(WriteGame { record: &once, played: None }, format, &mut again).unwrap();
        // What needs the rules can't be written in either case.
        let is_new = |loss: &&Diagnostic| !matches!(loss.kind, DiagnosticKind::Loss(LossFinding::NeedsRules { .. }));
        let losses: Vec<_> = losses.iter().filter(is_new).map(|loss| loss.message(&again)).collect();
        prop_assert_eq!(losses, Vec::<String>::new(), "{}\nagain: {}\n{:?}", text, again, once.comments);
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
            for (line, id) in record.lines().zip((0..again.n_lines() as u32).map(MoveLineId)) {
                let moves = line.moves.iter().zip(again.moves_mut(id));
                moves.for_each(|(one, other)| other.side = one.side);
            }
            let moves = |record: &Record| record.lines().map(|line| line.moves.to_vec()).collect::<Vec<_>>();
            prop_assert_eq!(moves(&again), moves(&record), "{}", text);
            prop_assert_eq!(&again.comments, &record.comments, "{}", text);
        }
    }
}
