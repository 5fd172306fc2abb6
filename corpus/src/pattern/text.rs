//! Parsing and writing of patterns.
//!
//! ```text
//! layer = [ "/" ] , row , { "/" , row } , [ "/" ] ;     the lowest rank first, in a row the lowest file first
//! row   = { cell | blank } ;
//! cell  = letter | "x" | "o" | "*" | "." | "?" | number | "[" , [ "^" ] , { letter | "x" | "o" | "*" | "." } , "]" ;
//! ```

use std::fmt;
use std::str::FromStr;

use tafl_rules::{Piece, PieceSet, Shape, Span, UnknownName};

use super::{Anchor, ContentMask, Layer, boards_with_ranks};
use crate::query::PatternErrorKind;

impl Anchor {
    /// The anchors that have a name.
    pub(crate) const NAMES: [(Anchor, &'static str); 6] = [
        (Anchor::Anywhere, "anywhere"),
        (Anchor::Board, "board"),
        (Anchor::Corner, "corner"),
        (Anchor::Edge, "edge"),
        (Anchor::Throne, "throne"),
        (Anchor::King, "king"),
    ];
}

impl FromStr for Anchor {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Anchor, UnknownName> {
        let found = Anchor::NAMES.into_iter().find(|(_, known)| *known == name);
        found.map(|(anchor, _)| anchor).ok_or(UnknownName::new("an anchor"))
    }
}

impl Layer {
    /// Parses the rows of a pattern with an anchor.
    ///
    /// # Errors
    ///
    /// Returns the span that cannot be parsed, and the reason.
    pub fn parse(anchor: Anchor, text: &str) -> Result<Layer, (Span, PatternErrorKind)> {
        let body = text.strip_prefix('/').unwrap_or(text);
        let base = text.len() - body.len();
        let body = body.strip_suffix('/').unwrap_or(body);
        let mut rows: Vec<Vec<ContentMask>> = Vec::new();
        let mut at = base;
        for row in body.split('/') {
            let cells = parse_row(row).map_err(|(span, kind)| (span.shift(at), kind))?;
            let expected = rows.first().map_or(cells.len(), Vec::len);
            if anchor != Anchor::Board && cells.len() != expected {
                let kind = PatternErrorKind::RowLength { row: rows.len() + 1, found: cells.len(), expected };
                return Err((Span::new(at, at + row.len()), kind));
            }
            rows.push(cells);
            at += row.len() + 1;
        }
        let layer = Layer { rows };
        layer.check(anchor).map_err(|kind| (Span::new(0, text.len()), kind))?;
        Ok(layer)
    }

    fn check(&self, anchor: Anchor) -> Result<(), PatternErrorKind> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let rows = self.rows.len();
        if columns == 0 {
            return Err(PatternErrorKind::Empty);
        }
        let max = usize::from(Shape::MAX_SIDE);
        if columns > max || rows > max {
            return Err(PatternErrorKind::TooLarge { columns, rows, max });
        }
        match anchor {
            Anchor::Board if self.board().is_none() => Err(PatternErrorKind::NoBoard),
            Anchor::Throne | Anchor::King if rows.is_multiple_of(2) || columns.is_multiple_of(2) => {
                Err(PatternErrorKind::NoMiddle)
            }
            Anchor::Anywhere | Anchor::Board | Anchor::Corner | Anchor::Edge => Ok(()),
            Anchor::Throne | Anchor::King | Anchor::At(_) => Ok(()),
        }
    }

    /// Returns the board whose ranks have the lengths of the rows.
    pub(crate) fn board(&self) -> Option<Shape> {
        let has_rows = |shape: &Shape| {
            self.rows.iter().zip(0..).all(|(row, rank)| row.len() == shape.rank_len(rank) as usize)
        };
        boards_with_ranks(self.rows.len()).find(has_rows)
    }

    /// Returns whether the rows have the number and lengths of those of another layer.
    pub(crate) fn has_rows_of(&self, other: &Layer) -> bool {
        let lengths = |layer: &Layer| layer.rows.iter().map(Vec::len).collect::<Vec<_>>();
        lengths(self) == lengths(other)
    }

    /// Returns whether every board matches.
    pub(crate) fn has_no_conditions(&self) -> bool {
        self.rows.iter().flatten().all(|mask| *mask == ContentMask::ANY)
    }
}

fn parse_row(row: &str) -> Result<Vec<ContentMask>, (Span, PatternErrorKind)> {
    let mut cells = Vec::new();
    let mut at = 0;
    while let Some(sign) = row[at..].chars().next() {
        let fail = |length: usize, kind| Err((Span::new(at, at + length), kind));
        if sign.is_ascii_digit() {
            let digits = row[at..].bytes().take_while(u8::is_ascii_digit).count();
            let n_empty = row[at..at + digits]
                .parse::<usize>()
                .unwrap_or(usize::MAX)
                .min(usize::from(Shape::MAX_SIDE) + 1);
            cells.extend(std::iter::repeat_n(ContentMask::EMPTY, n_empty));
            at += digits;
        } else if sign == '[' {
            let Some(end) = row[at..].find(']') else {
                return fail(row.len() - at, PatternErrorKind::UnclosedSet);
            };
            let mask =
                parse_set(&row[at + 1..at + end]).map_err(|(span, kind)| (span.shift(at + 1), kind))?;
            if mask == ContentMask::NEVER {
                return fail(end + 1, PatternErrorKind::EmptySet);
            }
            cells.push(mask);
            at += end + 1;
        } else {
            if !sign.is_whitespace() {
                let mask = if sign == '?' { Some(ContentMask::ANY) } else { mask_of(sign) };
                let Some(mask) = mask else {
                    return fail(sign.len_utf8(), PatternErrorKind::Letter(sign));
                };
                cells.push(mask);
            }
            at += sign.len_utf8();
        }
    }
    Ok(cells)
}

fn parse_set(text: &str) -> Result<ContentMask, (Span, PatternErrorKind)> {
    let signs = text.strip_prefix('^').unwrap_or(text);
    let base = text.len() - signs.len();
    let mut mask = ContentMask::NEVER;
    for (at, sign) in signs.char_indices() {
        let span = Span::new(base + at, base + at + sign.len_utf8());
        mask = mask.union(mask_of(sign).ok_or((span, PatternErrorKind::Letter(sign)))?);
    }
    Ok(if base == 1 { mask.complement() } else { mask })
}

fn mask_of(sign: char) -> Option<ContentMask> {
    Some(match sign {
        '.' => ContentMask::EMPTY,
        '*' => ContentMask::PIECE,
        'x' => ContentMask::of_pieces(PieceSet::ATTACKERS),
        'o' => ContentMask::of_pieces(PieceSet::DEFENDERS),
        letter => ContentMask::of_pieces(PieceSet::of(Piece::from_letter(letter)?)),
    })
}

/// Writes the shortest notation of the mask.
impl fmt::Display for ContentMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (attackers, defenders) =
            (ContentMask::of_pieces(PieceSet::ATTACKERS), ContentMask::of_pieces(PieceSet::DEFENDERS));
        let named = [(ContentMask::ANY, '?'), (ContentMask::PIECE, '*'), (attackers, 'x'), (defenders, 'o')];
        if let Some((_, sign)) = named.into_iter().find(|(mask, _)| mask == self) {
            return write!(f, "{sign}");
        }
        let letters: String =
            self.contents().map(|content| content.piece().map_or('.', Piece::letter)).collect();
        if letters.len() == 1 { write!(f, "{letters}") } else { write!(f, "[{letters}]") }
    }
}

/// Writes the rows with slashes between them.
impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, row) in self.rows.iter().enumerate() {
            if at > 0 {
                write!(f, "/")?;
            }
            row.iter().try_for_each(|mask| write!(f, "{mask}"))?;
        }
        Ok(())
    }
}
