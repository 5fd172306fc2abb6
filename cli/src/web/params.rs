//! The parameters of a request: texts by name, and how to read them.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use tafl_corpus::query::Query;
use tafl_rules::Side;

use taflbase::{PositionRequest, RulesRequest, SideName};

use super::problem::Problem;
use super::routes::{Param, ParamKind};

const VARIANT: Param =
    Param { name: "variant", kind: ParamKind::Text, words: "The name of the variant; else give `rules`." };
const RULES_STRING: Param =
    Param { name: "rules", kind: ParamKind::Text, words: "The rules string, where the variant has no name." };

/// The parameters that name rules.
pub(crate) const RULES: &[Param] = &[VARIANT, RULES_STRING];

/// The parameters that name a position.
pub(crate) const POSITION: &[Param] = &[
    VARIANT,
    RULES_STRING,
    Param {
        name: "position",
        kind: ParamKind::Text,
        words: "The position record, rank 1 first. Without it, the start of the rules.",
    },
    Param {
        name: "side",
        kind: ParamKind::Choice(&["attackers", "defenders"]),
        words: "Who is to move in it. Without it, who moves first by the rules.",
    },
    Param {
        name: "moves",
        kind: ParamKind::Text,
        words: "Moves that are played from there, such as `d1-d3 f4-f2`, with blanks or commas between.",
    },
];

/// The parameters of a request, each given once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Params(Vec<(&'static str, String)>);

impl Params {
    /// Returns the parameters that a route knows, from what was given.
    ///
    /// # Errors
    ///
    /// Returns that a parameter is unknown, or given twice.
    pub(crate) fn new(given: Vec<(String, String)>, known: &[&'static str]) -> Result<Params, Problem> {
        let mut params: Vec<(&'static str, String)> = Vec::new();
        for (name, value) in given {
            let Some(known_name) = known.iter().find(|known| **known == name) else {
                let problem = Problem::new(
                    super::problem::Code::BadParameter,
                    format!("there is no parameter `{}` here", taflbase::escape::escape(&name)),
                );
                return Err(match known.is_empty() {
                    true => problem.help("nothing can be said here"),
                    false => problem.help(format!("known are: {}", known.join(", "))),
                });
            };
            if params.iter().any(|(other, _)| other == known_name) {
                return Err(Problem::parameter(known_name, format!("`{known_name}` is given twice")));
            }
            params.push((known_name, value));
        }
        Ok(Params(params))
    }

    /// Returns the text of a parameter; nothing where it is not given or blank.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(other, _)| *other == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.trim().is_empty())
    }

    /// Returns a number, or another one where it is not given.
    ///
    /// # Errors
    ///
    /// Returns that it is no number, or out of its range.
    pub(crate) fn number<T>(
        &self,
        name: &'static str,
        range: RangeInclusive<T>,
        otherwise: T,
    ) -> Result<T, Problem>
    where
        T: FromStr + PartialOrd + Display,
    {
        let Some(text) = self.text(name) else { return Ok(otherwise) };
        let number = text.trim().parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (least, most) = (range.start(), range.end());
            let text = taflbase::escape::escape(text);
            Problem::parameter(name, format!("`{name}` is a number from {least} to {most}, not `{text}`"))
        })
    }

    /// Returns whether a parameter says 1, yes or true; it is no where it is not given.
    ///
    /// # Errors
    ///
    /// Returns that it says neither yes nor no.
    pub(crate) fn is_set(&self, name: &'static str) -> Result<bool, Problem> {
        match self.text(name) {
            None | Some("0" | "no" | "false") => Ok(false),
            Some("1" | "yes" | "true") => Ok(true),
            Some(other) => {
                let other = taflbase::escape::escape(other);
                Err(Problem::parameter(name, format!("`{name}` is 1 or 0, not `{other}`")))
            }
        }
    }

    /// Returns one of several values by its word, or the first one where nothing is given.
    ///
    /// # Errors
    ///
    /// Returns that no value has the word.
    ///
    /// # Panics
    ///
    /// Panics if there are no values.
    pub(crate) fn choice<T: Copy>(&self, name: &'static str, values: &[(&str, T)]) -> Result<T, Problem> {
        let Some(text) = self.text(name) else { return Ok(values[0].1) };
        let found = values.iter().find(|(word, _)| *word == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let words: Vec<&str> = values.iter().map(|(word, _)| *word).collect();
            let text = taflbase::escape::escape(text);
            Problem::parameter(name, format!("`{name}` is one of {}, not `{text}`", words.join(", ")))
        })
    }

    /// Returns a side; nothing where it is not given.
    ///
    /// # Errors
    ///
    /// Returns that it is no side.
    pub(crate) fn side(&self, name: &'static str) -> Result<Option<Side>, Problem> {
        if self.text(name).is_none() {
            return Ok(None);
        }
        self.choice(name, &Side::ALL.map(|side| (side.word(), Some(side))))
    }

    /// Returns the rules that are named.
    pub(crate) fn rules(&self) -> RulesRequest {
        let text = |name| self.text(name).map(str::to_owned);
        RulesRequest { variant: text("variant"), rules: text("rules") }
    }

    /// Returns the position that is named.
    ///
    /// # Errors
    ///
    /// Returns that the side is unknown.
    pub(crate) fn position(&self) -> Result<PositionRequest, Problem> {
        let text = |name| self.text(name).map(str::to_owned);
        let (rules, side) = (self.rules(), self.side("side")?.map(SideName::from));
        Ok(PositionRequest { rules, position: text("position"), side, moves: text("moves") })
    }

    /// Returns a question; nothing where it is not given.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it, and where.
    pub(crate) fn query(&self, name: &'static str) -> Result<Option<Query>, Problem> {
        let Some(text) = self.text(name) else { return Ok(None) };
        Query::parse(text).map(Some).map_err(|error| Problem::of_query(&error, text, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(given: &[(&str, &str)]) -> Result<Params, Problem> {
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Params::new(given, &["limit", "side", "as_it_stands"])
    }

    #[test]
    fn an_unknown_parameter_is_named_with_the_known_ones() {
        let problem = params(&[("limt", "3")]).unwrap_err();
        assert_eq!(problem.message, "there is no parameter `limt` here");
        assert_eq!(problem.help.as_deref(), Some("known are: limit, side, as_it_stands"));
    }

    #[test]
    fn a_parameter_is_given_once() {
        assert_eq!(params(&[("limit", "3"), ("limit", "4")]).unwrap_err().parameter, Some("limit"));
    }

    #[test]
    fn values_out_of_range_are_refused() {
        let given = params(&[("limit", "300"), ("side", "white"), ("as_it_stands", "perhaps")]).unwrap();
        assert_eq!(given.number("limit", 1..=200, 20).unwrap_err().parameter, Some("limit"));
        assert_eq!(given.side("side").unwrap_err().parameter, Some("side"));
        assert_eq!(given.is_set("as_it_stands").unwrap_err().parameter, Some("as_it_stands"));
    }

    #[test]
    fn what_is_not_given_has_its_default() {
        let given = params(&[("limit", " ")]).unwrap();
        assert_eq!(given.number("limit", 1..=200, 20), Ok(20));
        assert_eq!(given.side("side"), Ok(None));
        assert_eq!(given.is_set("as_it_stands"), Ok(false));
    }
}
