//! Boards and parts of them: `position "..."`, `pattern corner "..." or "..." except "..."`.

use tafl_rules::text::setup::{SetupError, SetupErrorKind};
use tafl_rules::{Setup, Shape, Span};

use super::{Parsed, Parser, lex};
use crate::pattern::{Anchor, Colors, Layer, Pattern};
use crate::query::QueryError;
use crate::query::ast::{Expr, Test, Turns};
use crate::query::error::{Expected, PatternErrorKind, QueryErrorKind};

impl<'t> Parser<'t> {
    /// `position = "position" [ "as_is" ] text`
    pub(super) fn position(&mut self) -> Parsed<Expr> {
        self.take(lex::word);
        let turns = if self.keyword("as_is") { Turns::AsItStands } else { Turns::All };
        let Some((text, at)) = self.quoted()? else { return Err(self.expected(Expected::Text)) };
        let setup = setup_of(text).map_err(|error| {
            let kind = QueryErrorKind::BadPosition(error.kind);
            QueryError { span: error.span, kind }.shift(at)
        })?;
        Ok(Expr::Moment(Test::Position { setup, turns }))
    }

    /// `pattern = "pattern" { "as_is" | "swapped" | anchor } text { ("or" | "except") text }`
    pub(super) fn pattern(&mut self) -> Parsed<Expr> {
        self.take(lex::word);
        let (mut turns, mut colors, mut anchor) = (Turns::All, Colors::AsWritten, Anchor::Anywhere);
        loop {
            match self.peek().as_str() {
                "as_is" => turns = Turns::AsItStands,
                "swapped" => colors = Colors::Swapped,
                "at" => {
                    self.take(lex::word);
                    let word = lex::word(self.rest).map_or("", |(_, word)| word);
                    let bad = || self.here(word.len(), QueryErrorKind::BadArea(word.to_owned()));
                    let coord = word.to_lowercase().parse().ok();
                    let coord = coord.filter(|c: &tafl_rules::Coord| c.file < 21 && c.rank < 21);
                    anchor = Anchor::At(coord.ok_or_else(bad)?);
                }
                word => match Anchor::from_word(word) {
                    Some(known) => anchor = known,
                    None => break,
                },
            }
            self.take(lex::word);
        }
        let Some((text, at)) = self.quoted()? else { return Err(self.pattern_expected()) };
        let first = layer(anchor, text, at)?;
        let (mut look_for, mut except) = (vec![first], Vec::new());
        while let Some(use_of_layer) = self.layer_follows() {
            self.take(lex::word);
            let Some((text, at)) = self.quoted()? else { return Err(self.expected(Expected::Text)) };
            let layer = layer(anchor, text, at)?;
            if !layer.has_rows_of(&look_for[0]) {
                return Err(bad_pattern(text, at, PatternErrorKind::LayerSize));
            }
            match use_of_layer {
                UseOfLayer::LookFor => look_for.push(layer),
                UseOfLayer::Except => except.push(layer),
            }
        }
        let pattern = Pattern { anchor, turns, colors, look_for, except };
        pattern.check().map_err(|kind| bad_pattern(text, at, kind))?;
        Ok(Expr::Moment(Test::Pattern(pattern)))
    }

    /// Returns what the text behind the next word is for, if it is a layer.
    fn layer_follows(&self) -> Option<UseOfLayer> {
        let word = self.peek();
        match word.as_str() {
            "or" if lex::skip_blanks(self.after(&word)).starts_with('"') => Some(UseOfLayer::LookFor),
            "except" => Some(UseOfLayer::Except),
            _ => None,
        }
    }

    fn pattern_expected(&self) -> QueryError {
        let word = lex::word(self.rest).map_or("", |(_, word)| word);
        let anchors = Anchor::WORDS.into_iter().map(|(_, word)| word).chain(["as_is", "swapped", "at"]);
        match crate::query::words::nearest(word, anchors).filter(|_| !word.is_empty()) {
            Some(near) => {
                let kind = QueryErrorKind::UnknownWord { word: word.to_owned(), near: Some(near) };
                self.here(word.len(), kind)
            }
            None => self.expected(Expected::Text),
        }
    }
}

/// What a further layer of a pattern is for.
enum UseOfLayer {
    LookFor,
    Except,
}

fn layer(anchor: Anchor, text: &str, at: usize) -> Parsed<Layer> {
    Layer::parse(anchor, text)
        .map_err(|(span, kind)| QueryError { span, kind: QueryErrorKind::BadPattern(kind) }.shift(at))
}

fn bad_pattern(text: &str, at: usize, kind: PatternErrorKind) -> QueryError {
    QueryError { span: Span::new(at, at + text.len()), kind: QueryErrorKind::BadPattern(kind) }
}

/// Reads a position record; the board is the one that its rows fit.
fn setup_of(text: &str) -> Result<Setup, SetupError> {
    let body = text.strip_prefix('/').unwrap_or(text);
    let n_rows = body.strip_suffix('/').unwrap_or(body).split('/').count();
    let shapes = (5..=21).filter_map(Shape::square).chain((3..=8).filter_map(Shape::hex));
    let mut first_error = None;
    for shape in shapes.filter(|shape| shape.n_ranks() as usize == n_rows) {
        match Setup::parse(shape, text) {
            Ok(setup) => return Ok(setup),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    Err(first_error.unwrap_or_else(|| {
        let shape = Shape::square(11).expect("there is a board of 11 by 11 cells");
        let kind = SetupErrorKind::WrongRowCount { shape, expected: 11, found: n_rows };
        SetupError { span: Span::new(0, text.len()), kind }
    }))
}
