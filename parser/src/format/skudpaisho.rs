//! SkudPaiSho's heXentafl notation.
//!
//! ```text
//! game  = step , { ";" , step } ;
//! step  = number , player , "." , ( setup | [ "K" ] , cell , "-" , cell ) ;
//! player= "D" | "A" ;              defenders, attackers; older records: "H" host, "G" guest
//! setup = "1" | "2" ;              number 0: four or five cells per side
//! ```
//!
//! The number increases with every second move. Captures and results are not written.

use nom::Parser;
use nom::character::complete::{char as sign, one_of};
use nom::sequence::terminated;
use tafl_rules::{Side, Span};

use super::Format;
use crate::diagnostic::{Diagnostic, Findings, Parsed, TextFinding};
use crate::record::{CaptureStyle, Record, Written, WrittenMove};
use crate::source::Source;
use crate::token::{MoveReader, Read, number};

/// The variants of the setup codes.
pub(crate) const SETUPS: [(&str, &str); 2] = [("1", "hexentafl4"), ("2", "hexentafl5")];

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut record = Record::new(Format::SkudPaiSho);
    record.capture_style = CaptureStyle::NotWritten;
    let mut diagnostics = Findings::default();
    for step in source.text.split(';').map(str::trim).filter(|step| !step.is_empty()) {
        let span = source.span_of(step).unwrap_or_default();
        if let Err(finding) = read_step(source, span, &mut record, &mut diagnostics) {
            diagnostics.push(finding);
        }
    }
    record.first_mover = record.main().moves.first().and_then(|mv| mv.side);
    Parsed { value: record, diagnostics: diagnostics.into_vec() }
}

/// Reads the number and the player of a step: `12D.`.
fn head(input: &[u8]) -> Read<'_, (u32, Option<Side>)> {
    let player = one_of("DAHG").map(|player| match player {
        'D' => Some(Side::Defenders),
        'A' => Some(Side::Attackers),
        _ => None,
    });
    terminated((number, player), sign('.')).parse(input)
}

fn read_step(
    source: &Source<'_>,
    span: Span,
    record: &mut Record,
    diagnostics: &mut Findings,
) -> Result<(), Diagnostic> {
    let bad = || Diagnostic::new(span, TextFinding::BadMove);
    let step = source.at(span).as_bytes();
    let (rest, (number, side)) = head(step).map_err(|_| bad())?;
    if number == 0 {
        return read_setup(source, Span { start: span.end - rest.len() as u32, ..span }, record);
    }
    let expected = record.main().moves.len() as u32 / 2 + 1;
    if number != expected {
        let digits = step.iter().take_while(|byte| byte.is_ascii_digit()).count() as u32;
        let number = Span { end: span.start + digits, ..span };
        diagnostics.push(Diagnostic::new(number, TextFinding::MoveNumber { expected }));
    }
    let first = record.captures.len();
    match MoveReader::new(span.end as usize, &mut record.captures).step(rest) {
        Ok(([], mv)) => record.push_move(WrittenMove { side, ..mv }, first),
        Ok(_) | Err(_) => {
            record.captures.truncate(first);
            return Err(bad());
        }
    }
    Ok(())
}

fn read_setup(source: &Source<'_>, span: Span, record: &mut Record) -> Result<(), Diagnostic> {
    let code = source.at(span).trim();
    let variant = SETUPS.iter().find(|(known, _)| *known == code).map(|(_, variant)| *variant);
    match (variant, &record.variant) {
        (Some(variant), None) => {
            record.variant = Some(Written { text: variant.into(), span });
            Ok(())
        }
        (Some(variant), Some(written)) if *written.text == *variant => Ok(()),
        (Some(_), Some(_)) => Err(Diagnostic::new(
            span,
            TextFinding::BadValue { field: "setup", expected: "the other side's setup" },
        )),
        (None, _) => Err(Diagnostic::new(span, TextFinding::BadValue { field: "setup", expected: "1 or 2" })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::test_text::names;

    #[test]
    fn a_game_names_its_board_and_its_players() {
        let parsed = parse(&Source::new("0D.1;0A.1;1D.c4-b4;1A.a1-a2;2D.Kd4-d3"));
        assert_eq!(names(&parsed), [""; 0]);
        let record = parsed.value;
        assert_eq!(record.variant.as_ref().map(|variant| &*variant.text), Some("hexentafl4"));
        assert_eq!(record.first_mover, Some(Side::Defenders));
        let sides: Vec<_> = record.main().moves.iter().filter_map(|mv| mv.side).collect();
        assert_eq!(sides, [Side::Defenders, Side::Attackers, Side::Defenders]);
    }

    #[test]
    fn a_bad_step_is_reported_and_the_others_survive() {
        let text = "0D.3;1D.c4-b4;1A.what;2D.d3-d2";
        let parsed = parse(&Source::new(text));
        assert_eq!(names(&parsed), ["bad-value", "bad-move", "move-number"]);
        assert_eq!(parsed.diagnostics[1].span.of(text), "1A.what");
        assert_eq!(parsed.value.main().moves.len(), 2);
    }
}
