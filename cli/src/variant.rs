//! The rules that a command line names: a variant, a rules string, or a file with one.

use std::fs;
use std::path::Path;

use tafl_parser::{LineIndex, Severity, Source};
use tafl_rules::catalog::{self, NamedRules, SideNames};
use tafl_rules::rulebook::CompileError;
use tafl_rules::text::ruleset::{ReadOptions, RuleNotice, RuleSetError};
use tafl_rules::text::setup::SetupError;
use tafl_rules::{AnyRulebook, BySide, PieceSet, RuleSet, Setup, Shape, Side, Span};

use crate::args::rules::VariantArgs;
use crate::io::{Style, escape};
use crate::snippet::{Place, Snippet};
use crate::{Exit, Io};

/// Rules that were named, and what is known about them.
#[derive(Debug, Clone)]
pub(crate) struct Variant {
    /// The entry of the catalog, if the rules were named by it.
    pub(crate) named: Option<&'static NamedRules>,
    /// The rules.
    pub(crate) rules: RuleSet,
    /// What a reader of the rules string should know.
    notices: Vec<RuleNotice>,
    text: Text,
}

/// The text of rules, and what to call it.
#[derive(Debug, Clone, Default)]
struct Text {
    name: String,
    text: String,
}

/// Why there are no rules.
#[derive(Debug, thiserror::Error)]
pub(crate) enum VariantError {
    /// No variant, no rules string, no file.
    #[error("`{}` is no variant, no rules string and no file{}", escape(name), did_you_mean(similar))]
    Unknown {
        /// What was named.
        name: String,
        /// Names of variants that come near.
        similar: Vec<&'static str>,
    },
    /// The file with the rules cannot be read.
    #[error("{name}: {error}")]
    Unreadable {
        /// The file.
        name: String,
        /// Why.
        error: std::io::Error,
    },
    /// The rules string has a mistake.
    #[error("{error}")]
    Broken {
        /// The mistake.
        error: RuleSetError,
        /// What the text is called.
        name: String,
        /// The text.
        text: String,
    },
    /// The rules cannot be played.
    #[error("these rules cannot be played: {0}")]
    Unplayable(#[from] CompileError),
}

/// Why a position record does not fit.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PositionError {
    /// The record has a mistake, or is for another board.
    #[error("{error}{}", for_board(*.other))]
    Broken {
        /// The mistake.
        error: SetupError,
        /// The record.
        text: String,
        /// The board that the record would fit.
        other: Option<Shape>,
    },
    /// Nothing stands on the board.
    #[error("the position is empty")]
    Empty,
}

fn did_you_mean(similar: &[&str]) -> String {
    match similar {
        [] => "; `tafl rules list` names the variants".to_owned(),
        names => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("; did you mean {}? `tafl rules list` has all names", names.join(" or "))
        }
    }
}

fn for_board(other: Option<Shape>) -> String {
    other.map_or_else(String::new, |shape| format!("; it is a position of a {shape} board"))
}

impl Variant {
    /// Returns the rules that `--variant` or `--rules` name, or nothing where neither is given. What is wrong or worth
    /// knowing has been said on standard error.
    ///
    /// # Errors
    ///
    /// Returns the exit of the program where there are no such rules.
    pub(crate) fn of(args: &VariantArgs, io: &mut Io<'_>) -> Result<Option<Variant>, Exit> {
        match args.variant.as_ref().or(args.rules.as_ref()) {
            Some(text) => Variant::named(text, io).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the rules of a name, rules string or file. What is wrong or worth knowing has been said on standard error.
    ///
    /// # Errors
    ///
    /// As [`Variant::of`].
    pub(crate) fn named(text: &str, io: &mut Io<'_>) -> Result<Variant, Exit> {
        match Variant::find(text) {
            Ok(variant) => {
                variant.say_notices(io);
                Ok(variant)
            }
            Err(error) => {
                error.say(io);
                Err(Exit::Error)
            }
        }
    }

    /// Returns the rules of a name or a rules string. No file is looked at.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub(crate) fn of_text(text: &str) -> Result<Variant, VariantError> {
        if text.contains("dim:") {
            return Variant::read("rules string", text.to_owned());
        }
        let Some(named) = catalog::find(text) else {
            return Err(VariantError::Unknown { name: text.to_owned(), similar: catalog::similar(text) });
        };
        let text = Text { name: named.name.to_owned(), text: named.text.to_owned() };
        Ok(Variant { named: Some(named), rules: named.rules(), notices: Vec::new(), text })
    }

    /// Returns the rules of a name, rules string or file.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub(crate) fn find(text: &str) -> Result<Variant, VariantError> {
        let found = Variant::of_text(text);
        if !matches!(found, Err(VariantError::Unknown { .. })) || !Path::new(text).is_file() {
            return found;
        }
        match fs::read_to_string(text) {
            Ok(content) => Variant::read(text, content),
            Err(error) => Err(VariantError::Unreadable { name: text.to_owned(), error }),
        }
    }

    fn read(name: &str, text: String) -> Result<Variant, VariantError> {
        let name = name.to_owned();
        match RuleSet::read(&text, ReadOptions::default()) {
            Ok((rules, notices)) => Ok(Variant { named: None, rules, notices, text: Text { name, text } }),
            Err(error) => Err(VariantError::Broken { error, name, text }),
        }
    }

    fn say_notices(&self, io: &mut Io<'_>) {
        for notice in &self.notices {
            let text = (self.text.name.as_str(), self.text.text.as_str());
            let message = notice.kind.to_string();
            let text = marked(io.error_style(), text, notice.span, (Severity::Warning, &message));
            io.notice(&text);
        }
    }

    /// Returns the same rules with others in their place, no longer those of the catalog.
    pub(crate) fn changed(self, rules: RuleSet) -> Variant {
        let named = self.named.filter(|_| rules == self.rules);
        Variant { named, rules, ..self }
    }

    /// Returns what the rules are called: the name in the catalog, the label, or `these rules`.
    pub(crate) fn name(&self) -> String {
        match (self.named, &self.rules.name) {
            (Some(named), _) => named.name.to_owned(),
            (None, Some(label)) => label.clone(),
            (None, None) => "these rules".to_owned(),
        }
    }

    /// Returns what the sides are called.
    pub(crate) fn sides(&self) -> BySide<&'static str> {
        let names = self.named.map_or(SideNames::BESIEGED, |named| named.sides);
        BySide { attackers: names.attackers, defenders: names.defenders }
    }

    /// Compiles the rules for the pieces of the start and of a position.
    ///
    /// # Errors
    ///
    /// Returns why the rules cannot be played.
    pub(crate) fn compile(&self, setup: &Setup) -> Result<AnyRulebook, VariantError> {
        Ok(compile(&self.rules, setup)?)
    }

    /// Returns the arrangement of a position record, or the start without one.
    ///
    /// # Errors
    ///
    /// Returns why the record does not fit the board.
    pub(crate) fn setup(&self, record: Option<&str>) -> Result<Setup, PositionError> {
        record.map_or_else(|| Ok(self.rules.start.clone()), |text| read_position(self.rules.shape(), text))
    }

    /// Returns the side to move: the one that is named, or who moves first.
    pub(crate) fn side(&self, named: Option<Side>) -> Side {
        named.unwrap_or(self.rules.first_mover)
    }
}

impl VariantError {
    /// Says it on standard error, with the place in a rules string.
    pub(crate) fn say(&self, io: &mut Io<'_>) {
        match self {
            VariantError::Broken { error, name, text } => {
                let message = error.kind.to_string();
                let text = marked(io.error_style(), (name, text), error.span, (Severity::Error, &message));
                io.notice_always(&text);
            }
            VariantError::Unknown { .. } | VariantError::Unreadable { .. } | VariantError::Unplayable(_) => {
                io.error(&self.to_string());
            }
        }
    }
}

impl PositionError {
    /// Says it on standard error, with the place in the record.
    pub(crate) fn say(&self, io: &mut Io<'_>) {
        match self {
            PositionError::Broken { error, text, .. } => {
                let place = ("position", text.as_str());
                let text = marked(io.error_style(), place, error.span, (Severity::Error, &self.to_string()));
                io.notice_always(&text);
            }
            PositionError::Empty => io.error(&self.to_string()),
        }
    }
}

/// Compiles rules for the pieces of their start and of a position.
///
/// # Errors
///
/// Returns why the rules cannot be played.
pub(crate) fn compile(rules: &RuleSet, setup: &Setup) -> Result<AnyRulebook, CompileError> {
    let present: PieceSet = setup.pieces().map(|(_, piece)| piece).collect();
    let turncoats = RuleSet::with_defaults(setup.clone()).pieces_in_play();
    AnyRulebook::compile_for(rules, rules.pieces_in_play().union(present).union(turncoats))
}

/// Reads a position record for a board.
///
/// # Errors
///
/// Returns what is wrong with it, and the board that it would fit.
pub(crate) fn read_position(shape: Shape, text: &str) -> Result<Setup, PositionError> {
    let setup = Setup::parse(shape, text).map_err(|error| {
        let other = shapes_of(text).into_iter().find(|other| *other != shape);
        PositionError::Broken { error, text: text.to_owned(), other }
    })?;
    if setup.pieces().next().is_none() {
        return Err(PositionError::Empty);
    }
    Ok(setup)
}

/// Returns the boards that a position record fits: one, none, or for rows of equal length as for hexagons, both.
pub(crate) fn shapes_of(text: &str) -> Vec<Shape> {
    let sides = || 0..=u8::MAX;
    let (squares, hexes) = (sides().filter_map(Shape::square), sides().filter_map(Shape::hex));
    squares.chain(hexes).filter(|shape| Setup::parse(*shape, text).is_ok()).collect()
}

/// Returns a message with its place in a text.
fn marked(
    style: Style,
    (name, text): (&str, &str),
    span: Span,
    (severity, message): (Severity, &str),
) -> String {
    let at = LineIndex::new(Source::named(name, text)).line_col(span.start);
    let start =
        text.get(..span.start as usize).and_then(|before| before.rfind('\n')).map_or(0, |feed| feed + 1);
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
    let part = (span.start as usize - start, span.end as usize - start);
    let place = Place { name, line: at.line, column: at.column, text: line, part, within: "" };
    let mut out = String::new();
    Snippet { severity, code: None, message, place: Some(place), help: None }.write(style, &mut out);
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_says_which_board_it_fits() {
        assert_eq!(shapes_of("/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"), [Shape::Square { side: 7 }]);
        assert_eq!(shapes_of("/t2t/5/3T2/t1TK2t/3T2/5/t2t/"), [Shape::Hex { side: 4 }]);
        assert!(shapes_of("/3/").is_empty());
    }

    #[test]
    fn a_position_of_another_board_is_named() {
        let error =
            read_position(Shape::Square { side: 9 }, "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/").unwrap_err();
        assert!(error.to_string().ends_with("it is a position of a 7x7 board"), "{error}");
    }
}
