//! The signs before a move that belong to the layout of turns.

use tafl_rules::Span;

use super::line::word_length;
use super::turn::{gap, label, placeholder, turn_number};
use crate::words::PlayerNames;

/// The signs directly before a move: blanks, borders of a table, a turn number, the name of the side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TurnGap {
    /// The span of the signs, which ends where the move begins.
    pub(crate) span: Span,
    /// The turn number.
    pub(crate) number: Option<GapNumber>,
}

/// A turn number before a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GapNumber {
    pub(crate) value: u32,
    /// The span of its digits.
    pub(crate) digits: Span,
    /// Whether the move is the second one of the turn: `4... d4-g4`.
    pub(crate) is_second: bool,
}

impl TurnGap {
    /// Reads the signs before a move at `mv`. Text between them and `from` is not part of the layout.
    pub(crate) fn before(text: &str, from: usize, mv: Span, players: &PlayerNames) -> TurnGap {
        let to = mv.start as usize;
        let upto = &text[..mv.end as usize];
        let mut found = TurnGap { span: Span::new(from, to), number: None };
        let mut at = from;
        while at < to {
            let start = at;
            at += gap(upto, at);
            if at >= to {
                break;
            }
            let rest = &text[at..to];
            if let Some(number) = turn_number(rest) {
                if found.number.is_some() {
                    // A turn without moves precedes.
                    found.span = Span::new(start, to);
                }
                let digits = Span::new(at + number.digits.start as usize, at + number.digits.end as usize);
                let is_second = number.skips_first;
                found.number = Some(GapNumber { value: number.value, digits, is_second });
                at += number.length;
            } else if placeholder(rest) > 0 {
                at += placeholder(rest);
                if let Some(number) = &mut found.number {
                    number.is_second = true;
                }
            } else if label(upto, at, players).is_some_and(|(_, next)| next == to) {
                at = to;
            } else {
                at += word_length(rest);
                found = TurnGap { span: Span::new(at, to), number: None };
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_earlier_numbers_are_not_part_of_a_gap() {
        for (before, expected, value, is_second) in [
            ("", "", None, false),
            (" ", " ", None, false),
            ("\n12. ", "\n12. ", Some(12), false),
            (" | (12) | ", " | (12) | ", Some(12), false),
            (" {good} 4... ", " 4... ", Some(4), true),
            ("\n2. ... ", "\n2. ... ", Some(2), true),
            (" 3. 4. ", " 4. ", Some(4), false),
            (" see 3 of 7 games\n4) White: ", "\n4) White: ", Some(4), false),
            (" $2 ", " ", None, false),
        ] {
            let text = format!("d1-e1{before}d4-g4 d7-f7");
            let mv = Span::new(5 + before.len(), 10 + before.len());
            let found = TurnGap::before(&text, 5, mv, &PlayerNames::default());
            assert_eq!(&text[found.span.start as usize..found.span.end as usize], expected, "{text}");
            let number = found.number.map(|number| (Some(number.value), number.is_second));
            assert_eq!(number.unwrap_or((None, false)), (value, is_second), "{text}");
        }
    }
}
