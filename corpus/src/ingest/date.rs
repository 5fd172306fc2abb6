//! Dates in the forms that records use.

use crate::query::days_of;
use crate::row::GameRow;

/// The date of a record, as far as it is stated; unknown parts are 0. Queries have [`Date`](crate::query::Date).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct StatedDate {
    /// The year; 0 if it is unknown.
    pub(crate) year: u16,
    /// The month; 0 if it is unknown.
    pub(crate) month: u8,
    /// The day; 0 if it is unknown.
    pub(crate) day: u8,
}

/// Returns the date of a game, as far as it is known.
pub(crate) fn date_of(row: &GameRow) -> StatedDate {
    row.date.as_deref().and_then(StatedDate::read).unwrap_or_default()
}

impl StatedDate {
    /// Reads `2019-03-01`, `2019.03.01`, `2019/3/1`, `2019.??.??`, the beginnings of such texts, and `01.03.2019`. A time after the
    /// day is ignored. A month above 12 and a day that the month does not have are unknown. In `03/04/2019` both are, because
    /// either may come first.
    pub(crate) fn read(text: &str) -> Option<StatedDate> {
        let text = text.trim();
        let text = text.split(['T', ' ']).next().unwrap_or(text);
        let mut parts = text.split(['-', '.', '/']);
        let parts = [parts.next(), parts.next(), parts.next(), parts.next()];
        let [year, month, day] = match parts {
            [year, month, day, None] if year_of(year?).is_some() => [year, month, day],
            [Some(day), Some(month), year, None] if text.contains('.') => [year, Some(month), Some(day)],
            [Some(first), Some(second), year, None] => {
                match (part(Some(first), 31)?, part(Some(second), 31)?) {
                    (13.., 1..=12) => [year, Some(second), Some(first)],
                    (1..=12, 13..) => [year, Some(first), Some(second)],
                    (one, other) if one == other => [year, Some(first), Some(second)],
                    _ => [year, None, None],
                }
            }
            _ => return None,
        };
        let year = year_of(year?)?;
        let (month, day) = (part(month, 12)?, part(day, 31)?);
        // A day that the month lacks is unknown: the 31st of February may be any day of that month. After a month
        // above 12, which is unknown as well, so is every day.
        let is_day = month > 0 && u16::from(day) <= days_of(year, month.into());
        Some(StatedDate { year, month, day: if is_day { day } else { 0 } })
    }

    /// Returns whether two dates may be the same day.
    pub(crate) fn fits(self, other: StatedDate) -> bool {
        let fits = |left: u16, right: u16| left == 0 || right == 0 || left == right;
        fits(self.year, other.year)
            && fits(self.month.into(), other.month.into())
            && fits(self.day.into(), other.day.into())
    }
}

fn year_of(text: &str) -> Option<u16> {
    let is_year = text.len() == 4 && is_number(text);
    text.parse().ok().filter(|year| is_year && *year > 0)
}

/// Returns a month or a day: 0 if it is missing, `?`, or above `largest`; `None` if the text is neither question marks nor one or two
/// digits.
fn part(text: Option<&str>, largest: u8) -> Option<u8> {
    match text {
        None => Some(0),
        Some(text) if text.chars().all(|symbol| symbol == '?') => Some(0),
        Some(text) if text.len() <= 2 && is_number(text) => {
            text.parse().ok().map(|number: u8| if number <= largest { number } else { 0 })
        }
        Some(_) => None,
    }
}

/// Returns whether a text has only digits: numbers are parsed with a sign, too, which no date has.
fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Writes `2019-03-01`, `2019-03` or `2019`.
impl std::fmt::Display for StatedDate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}", self.year)?;
        if self.month > 0 {
            write!(f, "-{:02}", self.month)?;
        }
        if self.day > 0 {
            write!(f, "-{:02}", self.day)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_as_far_as_they_are_known() {
        let read = |text| StatedDate::read(text).map(|day| day.to_string());
        for (text, day) in [
            ("2019-03-01", "2019-03-01"),
            ("2019.3.1", "2019-03-01"),
            ("2019.03.??", "2019-03"),
            ("2019.??.??", "2019"),
            ("2019", "2019"),
            ("2019-03-01T10:00:00Z", "2019-03-01"),
            ("2019-03-01 10:00", "2019-03-01"),
            ("2019-02-31", "2019-02"),
            ("2019-02-29", "2019-02"),
            ("2020-02-29", "2020-02-29"),
            ("2019.4.31", "2019-04"),
            ("2019-13-01", "2019"),
            ("2019-04-99", "2019-04"),
            ("30.02.2019", "2019-02"),
            ("??.??.2019", "2019"),
            ("?.3.2019", "2019-03"),
            ("1.3.2019 10:00", "2019-03-01"),
            ("03/04/2019", "2019"),
            ("25/12/2019", "2019-12-25"),
            ("12-25-2019", "2019-12-25"),
            ("5/5/2019", "2019-05-05"),
            ("31/2/2019", "2019-02"),
            ("13/14/2019", "2019"),
            ("??-??-2019", "2019"),
        ] {
            assert_eq!(read(text).as_deref(), Some(day), "{text}");
            assert!(crate::query::Date::parse(day).is_some(), "queries know the day of {text}");
        }
        let others = [
            "",
            "March 2019",
            "19-03-01",
            "2019-03-01-05",
            "????.??.??",
            "0000",
            "2019-01-2019",
            "1.2.0000",
            "a/b/2019",
            "1.2019",
        ];
        let signed = ["+201-01-01", "+201", "2019.+3.01", "2019/03/+1", "+1.03.2019"];
        for text in others.into_iter().chain(signed) {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn days_that_may_be_the_same_fit() {
        let day = |text| StatedDate::read(text).unwrap_or_default();
        assert!(day("2019-03-01").fits(day("2019")));
        assert!(day("2019-03").fits(day("")));
        assert!(!day("2019-03-01").fits(day("2019-03-02")));
    }
}
