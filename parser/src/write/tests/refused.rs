//! Formats and games that cannot be written.

use crate::Source;
use crate::record::{Format, Record};
use crate::write::{WriteError, WriteGame, write_record};

#[test]
fn formats_that_are_only_read_are_refused() {
    let record = Record::new(Format::Jsonl);
    for format in Format::ALL {
        let outcome = write_record(WriteGame { record: &record, played: None }, format, &mut String::new());
        let is_refused = matches!(outcome, Err(WriteError::ReadOnly { .. }));
        assert_eq!(is_refused, !format.is_writable(), "{format}");
    }
}

#[test]
fn games_that_a_notation_cannot_express_are_refused_before_anything_is_written() {
    let hex = "/t2t/5/3T2/t1TK2t/3T2/5/t2t/";
    let own = |members: &str| {
        let text = format!("{{\"taflbase\":1,{members},\"lines\":[{{\"moves\":\"d2-c2\"}}]}}");
        let mut record = Format::Jsonl.parse(&Source::new(&text)).value;
        record.forget_places();
        record
    };
    let start = |board: &str, position: &str| {
        format!("\"start\":{{\"board\":\"{board}\",\"position\":\"{position}\"}}")
    };
    let cases = [
        (Format::SkudPaiSho, own("\"variant\":\"tablut9\""), Some("the board is 9x9, not hex 4 or hex 5")),
        (Format::SkudPaiSho, own("\"variant\":\"x\""), Some("the variant is not known to be heXentafl")),
        (
            Format::SkudPaiSho,
            own(&start("hex 4", &hex.replace("/t2t/5/", "/t2t/tt3/"))),
            Some("the game begins with more pieces than heXentafl"),
        ),
        (
            Format::SkudPaiSho,
            own(&start("hex 4", &hex.replace("/t2t/5/", "/4/t3t/"))),
            Some("the game does not begin with the position of heXentafl"),
        ),
        (Format::SkudPaiSho, own(&start("hex 4", hex)), None),
        (Format::SkudPaiSho, own("\"variant\":\"hexentafl5\""), None),
        (Format::Cyngesheall, own("\"variant\":\"tablut9\""), Some("the board is 9x9, not 7x7")),
        (Format::Cyngesheall, own("\"variant\":\"hexentafl4\""), Some("the board is hex 4, not 7x7")),
        (Format::Cyngesheall, own("\"variant\":\"brandubh7\""), None),
        (Format::Ftzm, own("\"variant\":\"brandubh7\""), Some("the board is 7x7, not 11x11")),
        (Format::Ftzm, own("\"variant\":\"copenhagen11\""), None),
        (Format::Ollamh, own("\"variant\":\"tablut9\""), Some("the board is 9x9, not 7x7")),
        (Format::Ollamh, own("\"variant\":\"copenhagen11\""), Some("the board is 11x11, not 7x7")),
        (Format::Ollamh, own("\"variant\":\"brandubh7\""), None),
        (Format::Htp, own("\"variant\":\"tablut9\""), Some("the board is 9x9, not 7x7, 11x11, or 13x13")),
        (
            Format::Htp,
            own("\"variant\":\"hexentafl4\""),
            Some("the board is hex 4, not 7x7, 11x11, or 13x13"),
        ),
        (Format::Htp, own("\"variant\":\"brandubh7\""), None),
        (Format::Hen, own(&start("hex 4", hex)), Some("the board is hex 4, not square")),
        (
            Format::Hen,
            own("\"variant\":\"x\""),
            Some("the rules are unknown, and with them the board that begins a game"),
        ),
        (Format::Hen, own("\"variant\":\"brandubh7\""), None),
        (
            Format::Fen,
            own("\"variant\":\"hexentafl4\""),
            Some("the rules are unknown, and with them the last position"),
        ),
        (Format::Pgn, own("\"variant\":\"hexentafl4\""), None),
        (Format::MoveList, own("\"variant\":\"hexentafl4\""), None),
    ];
    for (format, record, expected) in cases {
        let mut out = "before".to_owned();
        let found = write_record(WriteGame { record: &record, played: None }, format, &mut out);
        match expected {
            Some(reason) => {
                assert_eq!(found, Err(WriteError::NotExpressible { format, reason: reason.into() }));
                assert_eq!(out, "before");
            }
            None => assert!(found.is_ok(), "{format}: {found:?}"),
        }
    }
}
