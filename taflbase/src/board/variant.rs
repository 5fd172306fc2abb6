//! Rules that a text names: a variant, a rules string, or a file with one.

use std::ops::Range;

use tafl_rules::{
    AnyRulebook, BySide, CompileError, Fen, PieceSet, RuleNotice, RuleSet, RulesReadOptions, Setup, Shape,
    Side, Span,
    catalog::{self, NamedRules, SideNames},
};

use super::rule_change::change_rules;
use super::rules_source::{RulesSource, did_you_mean, is_rules_string};
use crate::escape::escape;
use crate::{Error, ErrorKind, Result};

/// Rules that a text names, and the catalog's information about them.
///
/// # Examples
///
/// ```
/// use taflbase::Variant;
///
/// let variant = Variant::named("brandubh7")?;
/// assert_eq!(variant.rules.shape().to_string(), "7x7");
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Variant {
    /// The entry of the catalog, if the rules were named by it.
    pub named: Option<&'static NamedRules>,
    /// The rules.
    pub rules: RuleSet,
    /// Notices about the rules string, with places in [`Variant::text`].
    pub notices: Vec<RuleNotice>,
    /// The name of the text of the rules: the variant, `rules string`, or the file.
    pub text_name: String,
    /// The text of the rules.
    pub text: String,
}

fn span_bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

impl Variant {
    /// Returns the rules of a name or a rules string. No file is read.
    ///
    /// # Errors
    ///
    /// Returns an error for an unknown variant, or with the place of the mistake in the rules string.
    pub fn named(text: &str) -> Result<Variant> {
        if is_rules_string(text) {
            return Variant::read("rules string", text.to_owned());
        }
        let Some(named) = catalog::find(text) else {
            let error = Error::new(ErrorKind::UnknownVariant, format!("unknown variant `{}`", escape(text)));
            return Err(Error { help: did_you_mean(&catalog::similar(text)), ..error });
        };
        Ok(Variant {
            named: Some(named),
            rules: named.rules(),
            notices: Vec::new(),
            text_name: named.name.to_owned(),
            text: named.text.to_owned(),
        })
    }

    /// Returns the rules of a name, a rules string, or a file.
    ///
    /// # Errors
    ///
    /// As [`Variant::named`]; and that the file can't be read.
    pub fn find(text: &str) -> Result<Variant> {
        Variant::of(text, true)
    }

    /// Returns the rules of a name, a rules string, or if `may_be_file`, a file.
    pub(crate) fn of(text: &str, may_be_file: bool) -> Result<Variant> {
        Variant::from_source(&RulesSource::of(text, may_be_file)?)
    }

    /// Reads the rules that a text names.
    pub(super) fn from_source(source: &RulesSource) -> Result<Variant> {
        match source.content() {
            Some(content) => Variant::read(source.text(), content.to_owned()),
            None => Variant::named(source.text()),
        }
    }

    /// Reads a rules string, or the content of a file of rules. Errors begin with `name`.
    ///
    /// # Errors
    ///
    /// Returns the place of the mistake.
    fn read(name: &str, text: String) -> Result<Variant> {
        match RuleSet::read(&text, RulesReadOptions::default()) {
            Ok((rules, notices)) => {
                Ok(Variant { named: None, rules, notices, text_name: name.to_owned(), text })
            }
            Err(error) => Err(Error::new(ErrorKind::BadRules, error.kind.to_string()).at(
                name,
                &text,
                span_bytes(error.span),
            )),
        }
    }

    /// Returns the variant with single rules changed, as by `KEY=VALUE`. Changed rules are no longer those of the catalog.
    ///
    /// # Errors
    ///
    /// Returns the first change that can't be made.
    ///
    /// # Examples
    ///
    /// ```
    /// use taflbase::Variant;
    ///
    /// let variant = Variant::named("copenhagen11")?.changed(&["sw=w".to_owned()])?;
    /// assert!(variant.named.is_none());
    /// # Ok::<(), taflbase::Error>(())
    /// ```
    pub fn changed(self, changes: &[String]) -> Result<Variant> {
        let rules =
            change_rules(self.rules.clone(), changes).map_err(|error| Error::from(error).of("rule"))?;
        if rules == self.rules {
            return Ok(self);
        }
        let text = rules.to_string();
        // Notices have places in the text that the rules were read from.
        Ok(Variant { named: None, rules, notices: Vec::new(), text_name: "rules string".to_owned(), text })
    }

    /// Returns the name in the catalog, by which requests get the same rules. Changed rules and rules strings have none.
    pub fn catalog_name(&self) -> Option<&'static str> {
        self.named.map(|named| named.name)
    }

    /// Returns a name of the rules for people: the name in the catalog, the label, or `these rules`.
    pub fn name(&self) -> String {
        match (self.named, &self.rules.name) {
            (Some(named), _) => named.name.to_owned(),
            (None, Some(label)) => label.clone(),
            (None, None) => "these rules".to_owned(),
        }
    }

    /// Returns the title in the catalog, or else [`Variant::name`].
    pub fn title(&self) -> String {
        self.named.map_or_else(|| self.name(), |named| named.title.to_owned())
    }

    /// Returns the names of the sides.
    pub fn sides(&self) -> BySide<&'static str> {
        let names = self.named.map_or(SideNames::BESIEGED, |named| named.sides);
        BySide { attackers: names.attackers, defenders: names.defenders }
    }

    /// Compiles the rules for the pieces of the start and of a position.
    ///
    /// # Errors
    ///
    /// Fails if the rules can't be played.
    pub fn compile(&self, setup: &Setup) -> Result<AnyRulebook> {
        Ok(compile_for(&self.rules, setup)?)
    }

    /// Returns the arrangement of a position record or a FEN, or the start without one.
    ///
    /// # Errors
    ///
    /// Fails if the record doesn't fit the board.
    pub fn setup(&self, record: Option<&str>) -> Result<Setup> {
        record.map_or_else(|| Ok(self.rules.start.clone()), |text| read_position(self.rules.shape(), text))
    }

    /// Returns the side to move: the given one, that of a position in FEN, or the one that moves first.
    pub fn side(&self, given: Option<Side>, position: Option<&str>) -> Side {
        given.or_else(|| position.and_then(Fen::side_to_move)).unwrap_or(self.rules.first_mover)
    }
}

impl From<CompileError> for Error {
    fn from(error: CompileError) -> Error {
        Error::new(ErrorKind::BadRules, format!("these rules cannot be played: {error}"))
    }
}

/// Compiles rules for the pieces of their start and of a position.
///
/// # Errors
///
/// Fails if the rules can't be played.
pub fn compile_for(rules: &RuleSet, setup: &Setup) -> Result<AnyRulebook, CompileError> {
    let present: PieceSet = setup.pieces().map(|(_, piece)| piece).collect();
    let turncoats = RuleSet::with_defaults(setup.clone()).pieces_in_play();
    AnyRulebook::compile_for(rules, rules.pieces_in_play().union(present).union(turncoats))
}

/// Reads a position record or a FEN for a board.
///
/// # Errors
///
/// Returns the mistake, and the board that the record would fit.
pub fn read_position(shape: Shape, text: &str) -> Result<Setup> {
    let setup = Setup::parse(shape, text).map_err(|error| {
        let other = shapes_of(text).into_iter().find(|other| *other != shape);
        let fits = other.map_or_else(String::new, |shape| format!("; it is a position of a {shape} board"));
        Error::new(ErrorKind::BadPosition, format!("{error}{fits}")).at(
            "position",
            text,
            span_bytes(error.span),
        )
    })?;
    if setup.pieces().next().is_none() {
        return Err(Error::new(ErrorKind::BadPosition, "the position is empty"));
    }
    Ok(setup)
}

/// Returns the boards that a position record or a FEN fits: one, none, or for rows of equal length as for hexagons, both.
pub fn shapes_of(text: &str) -> Vec<Shape> {
    let sides = || 0..=u8::MAX;
    let (squares, hexes) = (sides().filter_map(Shape::square), sides().filter_map(Shape::hex));
    squares.chain(hexes).filter(|shape| Setup::parse(*shape, text).is_ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRANDUBH: &str = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

    #[test]
    fn a_position_fits_a_board() {
        assert_eq!(shapes_of(BRANDUBH), [Shape::Square { side: 7 }]);
        assert_eq!(shapes_of("/t2t/5/3T2/t1TK2t/3T2/5/t2t/"), [Shape::Hex { side: 4 }]);
        assert!(shapes_of("/3/").is_empty());
    }

    #[test]
    fn a_position_of_another_board_is_named() {
        let error = read_position(Shape::Square { side: 9 }, BRANDUBH).unwrap_err();
        assert!(error.to_string().ends_with("it is a position of a 7x7 board"), "{error}");
        assert!(error.place.is_some());
    }

    #[test]
    fn an_unknown_variant_has_similar_names() {
        let error = Variant::named("brandubx7").unwrap_err();
        assert_eq!(
            (error.kind, error.message.as_str()),
            (ErrorKind::UnknownVariant, "unknown variant `brandubx7`")
        );
        assert!(error.help.unwrap().contains("`brandubh7`"));
    }
}
