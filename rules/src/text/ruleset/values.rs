//! The words of rules strings and the values of their keys.

use super::{RuleSetError, RuleSetErrorKind};
use crate::piece::{Piece, PieceSet};
use crate::ruleset::{ByZone, RepetitionRule, RepetitionRuleError, ZoneKind};
use crate::text::Span;

/// A word of a rules string, usually `key:value`.
pub(super) struct Word<'t> {
    pub(super) span: Span,
    pub(super) key: Option<&'t str>,
    pub(super) value: &'t str,
}

impl<'t> Word<'t> {
    pub(super) fn name(&self) -> &'t str {
        self.key.unwrap_or("")
    }

    pub(super) fn has_key(&self, key: &str) -> bool {
        self.key == Some(key)
    }

    /// Returns the position of a part of the value.
    pub(super) fn value_span(&self, part: &str) -> Span {
        let offset = part.as_ptr() as usize - self.value.as_ptr() as usize;
        let start = self.span.end as usize - self.value.len() + offset;
        Span::new(start, start + part.len())
    }

    pub(super) fn bad(&self, expected: &'static str) -> RuleSetError {
        let kind = RuleSetErrorKind::BadValue {
            key: self.name().to_owned(),
            value: self.value.to_owned(),
            expected,
        };
        RuleSetError { span: self.span, kind }
    }
}

pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    text.split_whitespace()
        .map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let span = Span::new(start, start + word.len());
            match word.split_once(':') {
                Some((key, value)) => Word { span, key: Some(key), value },
                None => Word { span, key: None, value: word },
            }
        })
        .collect()
}

/// The property of a zone set by a key.
#[derive(Clone, Copy)]
pub(super) enum ZonePart {
    Cells,
    Hostile,
    Pass,
    Stop,
    Reenter,
}

/// The keys that set the cells of zones.
pub(super) const ZONE_KEYS: ByZone<&str> =
    ByZone { throne: "cen", corners: "cor", camps: "afor", forts: "dfor" };

pub(super) fn zone_key(key: &str) -> Option<(ZoneKind, ZonePart)> {
    let (zone, part) =
        ZONE_KEYS.iter().find_map(|(zone, name)| key.strip_prefix(name).map(|part| (zone, part)))?;
    let part = match part {
        "" => ZonePart::Cells,
        "h" => ZonePart::Hostile,
        "p" => ZonePart::Pass,
        "s" => ZonePart::Stop,
        "re" => ZonePart::Reenter,
        _ => return None,
    };
    Some((zone, part))
}

pub(super) fn yes(word: &Word<'_>) -> Result<bool, RuleSetError> {
    match word.value {
        "y" => Ok(true),
        "n" => Ok(false),
        _ => Err(word.bad("`y` or `n`")),
    }
}

pub(super) fn limit(word: &Word<'_>) -> Result<u32, RuleSetError> {
    match word.value.parse::<u32>() {
        Ok(plies) if plies > 0 => Ok(plies),
        Ok(_) | Err(_) => Err(word.bad("a number of plies, at least 1")),
    }
}

/// Returns a number of plies that may be 0.
pub(super) fn plies_played(word: &Word<'_>) -> Result<u32, RuleSetError> {
    word.value.parse().map_err(|_| word.bad("a number of plies; 0 means before the first move"))
}

pub(super) fn piece_set(letters: &str) -> Option<PieceSet> {
    letters.chars().map(Piece::from_letter).collect()
}

pub(super) fn pieces(word: &Word<'_>) -> Result<PieceSet, RuleSetError> {
    piece_set(word.value).ok_or_else(|| word.bad("letters of pieces: t c n k m g, uppercase for defenders"))
}

pub(super) fn repetitions(word: &Word<'_>) -> Result<Vec<RepetitionRule>, RuleSetError> {
    if word.value == "none" {
        return Ok(Vec::new());
    }
    let rules = word.value.split('+').map(str::parse).collect::<Result<_, _>>();
    rules.map_err(|RepetitionRuleError| word.bad(RepetitionRuleError::EXPECTED))
}
