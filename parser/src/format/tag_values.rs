//! Tags of any notation whose values are not free text.

use crate::diagnostic::{Diagnostic, HeaderFinding};
use crate::format::date;
use crate::record::{self, Record, tag};

/// Returns the findings about days that the calendar does not have, and about ratings that are not numbers.
pub(crate) fn check(record: &Record) -> impl Iterator<Item = Diagnostic> + '_ {
    record.tags.iter().filter_map(|written| {
        let is = |name: &str| written.name.eq_ignore_ascii_case(name);
        let rating = [tag::ATTACKERS_RATING, tag::DEFENDERS_RATING].into_iter().find(|name| is(name));
        let (tag, expected) = match rating {
            Some(tag) if is_bad_rating(written.value) => (tag, RATING),
            None if is(tag::DATE) && date::is_impossible_day(written.value) => {
                (tag::DATE, "a day of the calendar, such as 2024.02.29")
            }
            _ => return None,
        };
        Some(Diagnostic::new(written.span, HeaderFinding::BadTag { tag, expected }))
    })
}

const RATING: &str = "a number up to 9999, such as 1500, 1500?, or 1500 +- 350";

fn is_bad_rating(text: &str) -> bool {
    record::read_rating(text).is_none() && !record::is_unknown_rating(text)
}

#[cfg(test)]
mod tests {
    use crate::format::{Format, test_text};
    use crate::record::tag;
    use crate::source::Source;

    #[test]
    fn a_rating_that_is_no_number_is_kept_and_reported() {
        let table = |rating: &str| (Format::Csv, format!("attackers rating,moves\n{rating},d6-c6 e4-e6\n"));
        let pgn =
            |name: &str, rating: &str| (Format::Pgn, format!("[{name} \"{rating}\"]\n\n1. d6-c6 e4-e6"));
        let tree = |rating: &str| (Format::Sgf, format!("(;GM[29]BR[{rating}]RU[Brandubh];B[d6-c6])"));
        for ((format, text), rating, is_rating) in [
            (table("1500"), "1500", true),
            (table("1500?"), "1500?", true),
            (table("-"), "-", true),
            (table("abc"), "abc", false),
            (table("99999"), "99999", false),
            (pgn("AttackersRating", "1500 +- 80"), "1500 +- 80", true),
            (pgn("BlackElo", "?"), "?", true),
            (pgn("blackelo", "1500"), "1500", true),
            (pgn("AttackersElo", "strong"), "strong", false),
            (tree("12.5"), "12.5", true),
            (tree("10k"), "10k", false),
        ] {
            let parsed = format.parse(&Source::new(&text));
            assert_eq!(parsed.value.tag(tag::ATTACKERS_RATING), Some(rating), "{text}");
            assert_eq!(test_text::codes(&parsed), if is_rating { &[][..] } else { &["H001"] }, "{text}");
        }
    }
}
