//! Rules strings and position records.

use tafl_rules::{BySide, RowOrder, RuleSet, RulesReadOptions, Setup, Shape, Span, TfrReading, rules_sheet};

use super::Choices;
use super::game::play_with_mirror;

fn is_inside(span: Span, text: &str) -> bool {
    span.start <= span.end && text.get(span.start as usize..span.end as usize).is_some()
}

/// Parses a rules string, and plays a few plies under its rules.
///
/// # Panics
///
/// Panics if the rules differ after they were written and read again, if a place lies outside of the text, or if a game by the
/// rules violates a property of games.
pub fn check_rules_string(text: &str, choices: &mut impl Choices) {
    for tfr in [TfrReading::Specification, TfrReading::OpenTafl] {
        let options = RulesReadOptions { tfr };
        let (rules, notices) = match RuleSet::read(text, options) {
            Ok(read) => read,
            Err(error) => {
                assert!(is_inside(error.span, text), "{error:?} is about no part of {text:?}");
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        for notice in notices {
            assert!(is_inside(notice.span, text), "{notice:?} is about no part of {text:?}");
            assert!(!notice.kind.to_string().is_empty());
        }
        let written = rules.to_string();
        let again: RuleSet = written.parse().unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(again, rules, "{written}");
        assert_eq!(again.to_string(), written);
        let names = BySide { attackers: "attackers", defenders: "defenders" };
        assert!(rules_sheet(&rules, names).iter().all(|section| !section.title.is_empty()));
        play_with_mirror(&rules, 4, choices);
    }
}

/// Reads a text as a position record, for every board.
///
/// # Panics
///
/// Panics if an arrangement differs after it was written and read again, or if the place of an error lies outside of the text.
pub fn check_position_record(text: &str) {
    let shapes = (5..=21).filter_map(Shape::square).chain((3..=8).filter_map(Shape::hex));
    for shape in shapes {
        for order in [RowOrder::Rising, RowOrder::Falling] {
            match Setup::parse_in(shape, text, order) {
                Ok(setup) => {
                    assert_eq!(setup.shape(), shape);
                    assert_eq!(Setup::parse(shape, &setup.to_string()), Ok(setup), "{text}");
                }
                Err(error) => {
                    assert!(is_inside(error.span, text), "{error:?} is about no part of {text:?}");
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}
