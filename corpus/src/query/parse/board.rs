//! Boards and parts of them: `position "..."`, `pattern corner "..." or "..." except "..."`.

use tafl_rules::{Setup, SetupError, SetupErrorKind, Shape, Span};

use super::field::cell;
use super::{Parsed, Parser, PlacedText, lex};
use crate::pattern::{Anchor, Colors, Layer, Pattern, PatternSymmetries, boards_with_ranks, content_of};
use crate::query::QueryError;
use crate::query::ast::{Expr, PlyTest};
use crate::query::error::{Expected, PatternErrorKind, QueryErrorKind};

impl<'t> Parser<'t> {
    /// `position = "position" [ "as_is" ] text`
    pub(super) fn position(&mut self) -> Parsed<Expr> {
        self.take(lex::word);
        let symmetries =
            if self.keyword("as_is") { PatternSymmetries::AsWritten } else { PatternSymmetries::All };
        let Some(PlacedText { text, at }) = self.quoted()? else { return Err(self.expected(Expected::Text)) };
        let setup = setup_of(text).map_err(|error| {
            let kind = QueryErrorKind::BadPosition(error.kind);
            QueryError { span: error.span, kind }.shift(at)
        })?;
        Ok(Expr::Ply(PlyTest::Position { setup, symmetries }))
    }

    /// `pattern = "pattern" { "as_is" | "swapped" | anchor } text { ("or" | "except") text }`
    pub(super) fn pattern(&mut self) -> Parsed<Expr> {
        self.take(lex::word);
        let (mut symmetries, mut colors, mut anchor) =
            (PatternSymmetries::All, Colors::AsWritten, Anchor::Anywhere);
        loop {
            match self.peek().as_str() {
                "as_is" => symmetries = PatternSymmetries::AsWritten,
                "swapped" => colors = Colors::Swapped,
                "at" => {
                    self.take(lex::word);
                    let word = lex::word(self.rest).map_or("", |(_, word)| word);
                    anchor = Anchor::At(cell(word).ok_or_else(|| self.expected(Expected::Cell))?);
                }
                word => match word.parse() {
                    Ok(known) => anchor = known,
                    Err(_) => break,
                },
            }
            self.take(lex::word);
        }
        let Some(text) = self.quoted()? else { return Err(self.pattern_expected()) };
        let mut look_for = vec![(layer(anchor, LayerRole::LookFor, text)?, text)];
        let mut except = Vec::new();
        while let Some(role) = self.layer_follows() {
            self.take(lex::word);
            let Some(text) = self.quoted()? else { return Err(self.expected(Expected::Text)) };
            let layer = layer(anchor, role, text)?;
            if !layer.has_rows_of(&look_for[0].0) {
                return Err(bad_pattern(text, PatternErrorKind::LayerSize));
            }
            match role {
                LayerRole::LookFor => look_for.push((layer, text)),
                LayerRole::Except => except.push(layer),
            }
        }
        if let Some((_, text)) =
            look_for.iter().find(|(layer, _)| layer.has_no_conditions() && except.is_empty())
        {
            return Err(bad_pattern(*text, PatternErrorKind::NoConditions));
        }
        let look_for = look_for.into_iter().map(|(layer, _)| layer).collect();
        Ok(Expr::Ply(PlyTest::Pattern(Pattern { anchor, symmetries, colors, look_for, except })))
    }

    /// Returns the kind of layer that the next word introduces, if it introduces one.
    fn layer_follows(&self) -> Option<LayerRole> {
        let word = self.peek();
        match word.as_str() {
            "or" if lex::skip_blanks(self.after(&word)).starts_with('"') => Some(LayerRole::LookFor),
            "except" => Some(LayerRole::Except),
            _ => None,
        }
    }

    fn pattern_expected(&self) -> QueryError {
        let word = lex::word(self.rest).map_or("", |(_, word)| word);
        let anchors = Anchor::NAMES.into_iter().map(|(_, word)| word).chain(["as_is", "swapped", "at"]);
        match crate::query::vocabulary::nearest(word, anchors).filter(|_| !word.is_empty()) {
            Some(near) => {
                let kind = QueryErrorKind::UnknownWord { word: word.to_owned(), near: Some(near) };
                self.here(word.len(), kind)
            }
            None => self.expected(Expected::Text),
        }
    }
}

/// The purpose of a layer of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LayerRole {
    LookFor,
    Except,
}

/// Reads a layer from a text of the query.
fn layer(anchor: Anchor, role: LayerRole, quoted: PlacedText<'_>) -> Parsed<Layer> {
    let layer = Layer::parse(anchor, quoted.text).map_err(|(span, kind)| {
        QueryError { span, kind: QueryErrorKind::BadPattern(kind) }.shift(quoted.at)
    })?;
    match role {
        LayerRole::LookFor if anchor == Anchor::King && !layer.middle().fits(content_of('K')) => {
            Err(bad_pattern(quoted, PatternErrorKind::NoKing))
        }
        LayerRole::Except if layer.has_no_conditions() => {
            Err(bad_pattern(quoted, PatternErrorKind::NoConditions))
        }
        LayerRole::LookFor | LayerRole::Except => Ok(layer),
    }
}

fn bad_pattern(quoted: PlacedText<'_>, kind: PatternErrorKind) -> QueryError {
    quoted.error(QueryErrorKind::BadPattern(kind))
}

/// Reads a position record; the board is the one that its rows fit.
fn setup_of(text: &str) -> Result<Setup, SetupError> {
    let body = text.strip_prefix('/').unwrap_or(text);
    let n_rows = body.strip_suffix('/').unwrap_or(body).split('/').count();
    let mut first_error = None;
    for shape in boards_with_ranks(n_rows) {
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
