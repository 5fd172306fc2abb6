//! The sources of reasons: the board, the record, and conclusions, which must never turn into statements of a record.

use std::collections::BTreeMap;

use tafl_parser::{
    Format, PlayedMoves, ReadOptions, ReasonSource, Record, Records, Replay, ReplayOptions, Replayer,
    RuleChoice, Source, WriteError, WriteGame, write_record,
};
use tafl_rules::{Outcome, Reason, Side, catalog};
use tafl_tests::data;

/// A game of Copenhagen in which nothing is decided on the board.
const OPENING: &str = "d1-d2 e5-c5 g1-g2 g5-i5";

/// Replays a record by the rules of a variant.
fn replay_record(record: &Record, variant: &str) -> Replay {
    let rules = catalog::find(variant).map(RuleChoice::named);
    Replayer::new(ReplayOptions { rules, ..ReplayOptions::default() }).replay(record)
}

/// Parses a list of moves, and replays it by the rules of Copenhagen.
fn replay(text: &str) -> (Record, Replay) {
    let record = Format::MoveList.parse(&Source::new(text)).value;
    let replay = replay_record(&record, "copenhagen11");
    (record, replay)
}

fn source(ending: &str) -> (Option<Outcome>, Option<ReasonSource>) {
    let (_, replay) = replay(&format!("{OPENING}{ending}"));
    let end = replay.sourced_result();
    (end.map(|end| end.outcome), end.and_then(|end| end.source))
}

#[test]
fn a_result_without_an_end_has_an_inferred_reason() {
    let win = |side, reason| Some(Outcome::win(side, reason));
    let inferred = Some(ReasonSource::Inference);
    // The attackers are to move.
    assert_eq!(source(",0,0,White"), (win(Side::Defenders, Reason::Resignation), inferred));
    assert_eq!(source(",0,0,Black"), (win(Side::Attackers, Reason::Adjudication), inferred));
    assert_eq!(source(",0,0,Draw"), (Some(Outcome::draw(Reason::Unknown)), None));
}

#[test]
fn a_written_end_has_the_record_as_its_source() {
    let written = Some(ReasonSource::Record);
    let win = |reason| Some(Outcome::win(Side::Defenders, reason));
    assert_eq!(source(" resigned,0,0,White"), (win(Reason::Resignation), written));
    assert_eq!(source(" timeout,0,0,White"), (win(Reason::Timeout), written));
    assert_eq!(source(",0,0,"), (None, None));
}

#[test]
fn an_end_by_the_rules_has_the_board_as_its_source() {
    let text = "d1-f1 d3-a3 d2-e2 d4-d1 a4-a6 d1-a1,0,0,White";
    let record = Format::MoveList.parse(&Source::new(text)).value;
    let replay = replay_record(&record, "brandubh7");
    let sources = [replay.sourced_result(), replay.recorded].map(|end| end.and_then(|end| end.source));
    assert_eq!(sources, [Some(ReasonSource::Board); 2]);
}

#[test]
fn an_inferred_reason_is_written_with_a_mark() {
    let (_, replay) = replay(&format!("{OPENING},0,0,White"));
    let end = replay.sourced_result().unwrap();
    assert_eq!(end.to_string(), "defenders win (resignation, inferred)");
    assert_eq!(end.outcome.to_string(), "defenders win (resignation)");
}

/// Writes the game in a notation, and returns the replay of the text; `None` if the notation cannot express it.
fn round_trip(ending: &str, format: Format) -> Option<(String, Replay)> {
    let (record, played) = replay(&format!("{OPENING}{ending}"));
    let rules = played.rules.as_ref().unwrap().book.rules().to_string();
    let moves = PlayedMoves::new(&record, &played, rules.into());
    let mut text = String::new();
    match write_record(WriteGame { record: &record, played: moves.as_ref() }, format, &mut text) {
        Ok(_) => {}
        Err(WriteError::ReadOnly { .. } | WriteError::NotExpressible { .. }) => return None,
        Err(error) => panic!("{error}"),
    }
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let mut records = Records::new("game", text.as_bytes(), options).unwrap();
    let record = records.next_batch().unwrap().unwrap().parse().next().unwrap().1.value;
    drop(records);
    Some((text, replay_record(&record, "copenhagen11")))
}

#[test]
fn no_notation_turns_an_inference_into_a_record() {
    let mut n_written = 0;
    for format in Format::ALL {
        for ending in [",0,0,White", ",0,0,Black"] {
            let Some((text, replay)) = round_trip(ending, format) else { continue };
            n_written += 1;
            let source = replay.sourced_result().map(|end| end.source);
            // Notations without results lose the winner, and with it the conclusion.
            assert!(
                matches!(source, None | Some(Some(ReasonSource::Inference))),
                "{format:?}: {source:?}\n{text}"
            );
        }
    }
    assert!(n_written >= 20, "{n_written}");
}

#[test]
fn no_notation_turns_a_recorded_resignation_into_an_inferred_timeout_or_adjudication() {
    let mut n_read = 0;
    for format in Format::ALL {
        let Some((text, replay)) = round_trip(" resigned,0,0,White", format) else { continue };
        // Notations without results lose the winner.
        let Some(end) = replay.sourced_result() else { continue };
        assert_eq!(end.outcome, Outcome::win(Side::Defenders, Reason::Resignation), "{format:?}\n{text}");
        n_read += 1;
    }
    assert!(n_read >= 7, "{n_read}");
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn written_and_inferred_ends_of_copenhagen_on_the_play_site_are_distinguished() {
    let path = data::records("aagenielsen/games.jsonl.gz");
    let options = ReadOptions { format: Some(Format::AageNielsen), ..ReadOptions::default() };
    let file = std::fs::File::open(&path).unwrap();
    let mut records = Records::new("games.jsonl.gz", file, options).unwrap();
    let mut replayer = Replayer::new(ReplayOptions::default());
    let mut ends = BTreeMap::<(Reason, Option<ReasonSource>), u32>::new();
    let mut n_written = 0;
    while let Some(batch) = records.next_batch().unwrap() {
        for (source, parsed) in batch.parse() {
            // Read without the parser, so that the expected figures do not depend on it.
            let game: serde_json::Value = serde_json::from_str(source.text).unwrap();
            if game["AageGameTypeKey"] != 16 {
                continue;
            }
            let is_resigned = game["Moves"]
                .as_array()
                .and_then(|moves| moves.last())
                .is_some_and(|last| last == "resigned");
            n_written += u32::from(is_resigned);
            let Some(end) = replayer.replay(&parsed.value).sourced_result() else { continue };
            if end.outcome.reason == Reason::Resignation {
                assert_eq!(is_resigned, end.source == Some(ReasonSource::Record), "{}", source.text);
            }
            *ends.entry((end.outcome.reason, end.source)).or_default() += 1;
        }
    }
    let count = |reason, source| ends.get(&(reason, Some(source))).copied().unwrap_or_default();
    let resigned =
        [ReasonSource::Record, ReasonSource::Inference].map(|source| count(Reason::Resignation, source));
    assert_eq!((n_written, resigned), (5728, [5725, 36]), "{ends:?}");
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn all_resignations_of_an_archive_that_writes_none_are_inferred() {
    let text = std::fs::read_to_string(data::records("csv/copenhagen.csv")).unwrap();
    assert!(!text.contains("resigned"));
    let mut ends = BTreeMap::<(Reason, Option<ReasonSource>), u32>::new();
    for line in text.lines() {
        let (_, replay) = replay(line);
        if let Some(end) = replay.sourced_result() {
            *ends.entry((end.outcome.reason, end.source)).or_default() += 1;
        }
    }
    let resigned = |source| ends.get(&(Reason::Resignation, Some(source))).copied();
    assert_eq!(
        (resigned(ReasonSource::Record), resigned(ReasonSource::Inference)),
        (None, Some(1057)),
        "{ends:?}"
    );
}
