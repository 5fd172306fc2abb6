//! The move tokens in the sites' JSON: [`crate::token`] words that are whole strings.

use tafl_rules::Span;

use crate::record::Record;
use crate::source::Source;
use crate::token::MoveReader;

/// A written turn: a step, or several steps of one piece (`e3-e5-g5xe4`).
#[derive(Debug, Clone, Copy)]
pub(super) struct WrittenTurn<'a> {
    /// The text of the record.
    pub(super) source: &'a Source<'a>,
    /// The token: a slice of the text, or the value of a string with escapes.
    pub(super) token: &'a str,
    /// The span of the token, or of the nearest text if the token has none.
    pub(super) span: Span,
}

impl WrittenTurn<'_> {
    /// Appends the steps of the turn to the record's main line.
    ///
    /// # Errors
    ///
    /// Returns the unreadable part of the token; the record does not change.
    #[inline]
    pub(super) fn push_to(self, record: &mut Record) -> Result<(), Span> {
        let (n_moves, n_captures) = (record.main().moves.len(), record.captures.len());
        self.steps(record).map_err(|rest| {
            record.main_mut().moves.truncate(n_moves);
            record.captures.truncate(n_captures);
            // If nothing is left, the token is truncated and the error covers all of it.
            let start = if rest == 0 { 0 } else { self.token.len() - rest };
            let part = Span::new(start, self.token.len()).shift(self.span.start as usize);
            if self.is_part_of_text() { part } else { self.span }
        })
    }

    /// Reads all steps; on an error, returns the number of remaining bytes.
    fn steps(&self, record: &mut Record) -> Result<(), usize> {
        let in_text = self.is_part_of_text();
        // The reader is faster if it sees the text after the token.
        let (input, n_after) = if in_text {
            (&self.source.text[self.span.start as usize..], self.source.text.len() - self.span.end as usize)
        } else {
            (self.token, 0)
        };
        let whole = if in_text { self.source.text.len() } else { self.token.len() };
        let mut rest = input.as_bytes();
        let mut from = None;
        loop {
            let left = rest.len().checked_sub(n_after).ok_or(0_usize)?;
            let first_capture = record.captures.len();
            let mut reader = MoveReader::new(whole, &mut record.captures);
            let read = match from {
                None => reader.step(rest),
                Some(from) => reader.next_step(rest, from),
            };
            let (tail, mut mv) = read.map_err(|_| left)?;
            if !in_text {
                record.captures[first_capture..].iter_mut().for_each(|capture| capture.span = self.span);
                mv.span = self.span;
            }
            record.main_mut().moves.push(mv);
            if tail.len() == n_after {
                return Ok(());
            }
            if tail.first() != Some(&b'-') {
                return Err(tail.len().saturating_sub(n_after));
            }
            (rest, from) = (tail, Some(mv.to));
        }
    }

    fn is_part_of_text(&self) -> bool {
        self.span.len() == self.token.len() && self.source.at(self.span) == self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Format;

    fn read(token: &str) -> (Record, Result<(), Span>) {
        let text = format!("[\"a1-a2\", \"{token}\"]");
        let source = Source::new(&text);
        let mut record = Record::new(Format::AageNielsen);
        let result = WrittenTurn { source: &source, token, span: Span::new(11, 11 + token.len()) }
            .push_to(&mut record);
        (record, result)
    }

    /// Returns the steps of a token with their captures as text, or the span of the error.
    fn steps(token: &str) -> Result<Vec<String>, (u32, u32)> {
        let (record, result) = read(token);
        result.map_err(|span| (span.start - 11, span.end - 11))?;
        let captures = |mv| {
            record.captures_of(mv).iter().map(|capture| format!("x{}", capture.cell)).collect::<String>()
        };
        Ok(record.main().moves.iter().map(|mv| format!("{}-{}{}", mv.from, mv.to, captures(mv))).collect())
    }

    #[test]
    fn the_tokens_of_the_sites_are_read() {
        assert_eq!(steps("h1h3"), Ok(vec!["h1-h3".into()]));
        assert_eq!(steps("e7-k7xk6xk6"), Ok(vec!["e7-k7xk6xk6".into()]));
        assert_eq!(steps("e3-e5-g5xe4"), Ok(vec!["e3-e5".into(), "e5-g5xe4".into()]));
        assert_eq!(steps("Kc2^c4xKd5"), Ok(vec!["c2-c4xd5".into()]));
        assert_eq!(steps("z99-a0"), Ok(vec!["z99-a0".into()]));
    }

    #[test]
    fn a_broken_token_is_reported_with_its_place() {
        assert_eq!(steps("d1-d3xe9y"), Err((0, 9)));
        assert_eq!(steps("resign"), Err((0, 6)));
        assert_eq!(steps(""), Err((0, 0)));
        assert_eq!(steps("d1-d3, e5-e2"), Err((5, 12)));
        assert_eq!(steps("e3-e5-g5y"), Err((5, 9)));
        assert_eq!(read("e3-e5xe4-g5y").0, Record::new(Format::AageNielsen));
    }

    #[test]
    fn places_lie_in_the_text_or_stand_for_it() {
        let (record, _) = read("e3-e5xe6-g5xe4");
        let places: Vec<_> = record.main().moves.iter().map(|mv| (mv.span.start, mv.span.end)).collect();
        assert_eq!(places, [(11, 19), (19, 25)]);
        let source = Source::new(r#"["\u0064\u0031-d3xe3"]"#);
        let mut record = Record::new(Format::AageNielsen);
        let turn = WrittenTurn { source: &source, token: "d1-d3xe3", span: Span::new(1, 5) };
        turn.push_to(&mut record).unwrap();
        let later = WrittenTurn { token: "e5-e2", span: Span::new(7, 9), ..turn };
        later.push_to(&mut record).unwrap();
        assert_eq!((record.main().moves[0].span, record.captures[0].span), (turn.span, turn.span));
        assert_eq!(record.main().moves[1].span, later.span);
    }
}
