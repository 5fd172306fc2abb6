//! The rules of BoardSpace's Tablut: its options and its older rules as a rules string.

use std::fmt::Write;

/// A day: year, month, and day.
type Day = (u16, u8, u8);

/// Before this day, the site played by its older rules of captures: the flagship always captures, and the center and the
/// corners are hostile only to the silver ships, and to a flagship that is surrounded on four sides.
const NEW_CAPTURES: Day = (2009, 11, 1);

/// The first and the last day on which only the flagship could enter the center, whatever the options say.
const ALWAYS_EXCLUSIVE: (Day, Day) = ((2007, 2, 1), (2009, 3, 31));

/// The options of a game, with the values that the site uses if none are written.
#[derive(Debug, Clone)]
pub(super) struct TablutOptions {
    pub(super) side: u8,
    /// The flagship must reach a corner, not any cell of the edge.
    corner_win: bool,
    /// The flagship takes part in captures.
    flagship_captures: bool,
    /// Only the flagship may enter the center, which is hostile.
    exclusive_center: bool,
    /// The flagship is captured only on all sides.
    fourside_capture: bool,
    /// The site played by its older rules of captures.
    is_old: bool,
}

impl TablutOptions {
    /// Creates the options of a setup such as `tablut-9`.
    pub(super) fn named(name: &str) -> Option<TablutOptions> {
        let side = match name.to_ascii_lowercase().as_str() {
            "tablut-7" => 7,
            "tablut-9" => 9,
            "tablut-11" => 11,
            _ => return None,
        };
        Some(TablutOptions {
            side,
            corner_win: false,
            flagship_captures: true,
            exclusive_center: false,
            fourside_capture: false,
            is_old: false,
        })
    }

    /// Sets an option; returns whether its name and value are known.
    pub(super) fn set(&mut self, name: &str, value: &str) -> bool {
        let option = match name.to_ascii_lowercase().as_str() {
            "corner-win" => &mut self.corner_win,
            "flagship-captures" => &mut self.flagship_captures,
            "exclusive-center" => &mut self.exclusive_center,
            "fourside-capture" => &mut self.fourside_capture,
            _ => return false,
        };
        match value.to_ascii_lowercase().as_str() {
            "true" => *option = true,
            "false" => *option = false,
            _ => return false,
        }
        true
    }

    /// Applies the rules of the day on which the game was played.
    pub(super) fn set_day(&mut self, day: Day) {
        self.is_old = day < NEW_CAPTURES;
        self.flagship_captures |= self.is_old;
        self.exclusive_center |= (ALWAYS_EXCLUSIVE.0..=ALWAYS_EXCLUSIVE.1).contains(&day);
    }

    /// Returns the start: gold in a cross around the flagship, silver in a T on each edge.
    pub(super) const fn start(&self) -> &'static str {
        match self.side {
            7 => "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
            9 => "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
            _ => "/3ttttt3/5t5/5T5/t4T4t/t4T4t/ttTTTKTTTtt/t4T4t/t4T4t/5T5/5t5/3ttttt3/",
        }
    }

    /// Returns the rules string. Gold, the defenders, moves first.
    pub(super) fn rules(&self) -> String {
        let side = self.side;
        let mut rules = format!("dim:{side} name:BoardSpace_Tablut_{side}x{side} surf:n atkf:n");
        rules.push_str(if self.flagship_captures { "" } else { " ka:n" });
        rules.push_str(if self.fourside_capture { " ks:m" } else { " ks:w" });
        // By the older rules, the center and the corners do not help to capture gold ships.
        let old = if self.fourside_capture { "tcnkK" } else { "tcnk" };
        if !self.corner_win {
            rules.push_str(" esc:e cor:");
        } else if self.is_old {
            write!(rules, " corh:{old}").expect("a String takes everything");
        }
        if !self.exclusive_center {
            rules.push_str(" cen:");
        } else if self.is_old {
            write!(rules, " cenhe:{old} cenh:tcnk").expect("a String takes everything");
        } else {
            rules.push_str(if self.flagship_captures { " cenh:tcnkTCNK" } else { " cenh:" });
        }
        // Gold rearranges its ships around the flagship, and silver the others; then gold may swap the sides.
        let area = match side {
            7 => 1,
            9 => 2,
            _ => 3,
        };
        write!(rules, " xarr:a=far{area};d=near{area} xswap:0").expect("a String takes everything");
        write!(rules, " start:{}", self.start()).expect("a String takes everything");
        rules
    }

    /// Returns the rules of the site that no key of a rules string expresses.
    pub(super) fn unexpressed(&self) -> impl Iterator<Item = &'static str> {
        let edge = (self.fourside_capture && self.corner_win).then_some(
            "on the edge, the flagship is captured only if the last captor moves to a cell of the same edge",
        );
        let center = (self.fourside_capture && self.is_old && !self.exclusive_center).then_some(
            "the center counts as a captor of the flagship next to it if the last captor moves to another side",
        );
        edge.into_iter().chain(center)
    }
}

/// Returns the day of a date such as `Sat Jan 27 20:58:27 PST 2007`, `Nov 1 2009`, or `2009-11-01`.
pub(super) fn day(date: &str) -> Option<Day> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let words = date.split(|symbol: char| symbol.is_whitespace() || ",-/.".contains(symbol));
    let words: Vec<&str> = words.filter(|word| !word.is_empty() && !word.contains(':')).collect();
    let month_of = |word: &str| {
        let begin = word.get(..3)?.to_ascii_lowercase();
        MONTHS.iter().position(|month| *month == begin).map(|month| month as u8 + 1)
    };
    let numbers: Vec<u16> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let year = numbers.iter().copied().find(|number| (1000..10_000).contains(number))?;
    let mut others = numbers.iter().copied().filter(|number| *number <= 31).map(|number| number as u8);
    let month = words.iter().find_map(|word| month_of(word)).or_else(|| others.next())?;
    let day = others.next()?;
    (1..=12).contains(&month).then_some((year, month, day))
}

#[cfg(test)]
mod tests {
    use tafl_rules::RuleSet;

    use super::*;

    #[test]
    fn every_combination_of_options_gives_rules_without_notices() {
        for (name, old, bits) in ["tablut-7", "tablut-9", "tablut-11"]
            .into_iter()
            .flat_map(|name| [false, true].map(|old| (name, old)))
            .flat_map(|(name, old)| (0..16).map(move |bits| (name, old, bits)))
        {
            let mut options = TablutOptions::named(name).unwrap();
            let names = ["corner-win", "flagship-captures", "exclusive-center", "fourside-capture"];
            for (nth, option) in names.into_iter().enumerate() {
                assert!(options.set(option, if bits >> nth & 1 == 1 { "true" } else { "false" }));
            }
            if old {
                options.set_day((2006, 1, 1));
            }
            let text = options.rules();
            let rules: RuleSet = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(rules.unknown, [""; 0], "{text}");
        }
    }

    #[test]
    fn days_of_every_form_are_read() {
        assert_eq!(day("Sat Jan 27 20:58:27 PST 2007"), Some((2007, 1, 27)));
        assert_eq!(day("Nov 1 2009"), Some((2009, 11, 1)));
        assert_eq!(day("2009-10-31"), Some((2009, 10, 31)));
        assert_eq!(day("12 March, 2011"), Some((2011, 3, 12)));
        assert_eq!(day("yesterday"), None);
        assert_eq!(day(""), None);
    }

    #[test]
    fn the_rules_of_the_day_overrule_options() {
        let mut options = TablutOptions::named("tablut-9").unwrap();
        options.set("flagship-captures", "false");
        options.set_day((2008, 5, 1));
        assert!(options.flagship_captures && options.exclusive_center && options.is_old);
        let mut options = TablutOptions::named("tablut-9").unwrap();
        options.set_day((2009, 11, 1));
        assert!(!options.is_old && !options.exclusive_center);
    }
}
