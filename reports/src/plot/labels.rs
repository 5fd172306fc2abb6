//! Labels of items that must differ in a plot, whatever their width.

use std::collections::{HashMap, HashSet};

use super::canvas::{plain, text_width};

/// The maximum number of characters of a label. Of longer texts, at most the first and the last half of this number are shown.
const MAX_CHARS: usize = 200;
/// The maximum number of words of a title that is shortened by words.
const MAX_WORDS: usize = 16;

/// The names of an item of a plot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotLabel {
    /// The name for programs, such as `brandubh7`. It is the label if the shortened titles of two items are equal.
    pub name: String,
    /// The title for people.
    pub title: String,
}

/// Returns a different label for each item, at most `max_width` units wide: the title, shortened in the middle; if another item
/// has the same one, the name, shortened in the same way; and if that is taken, the name with a number.
pub(super) fn distinct_labels<'l>(
    items: impl IntoIterator<Item = &'l PlotLabel>,
    max_width: f64,
) -> Vec<String> {
    let items: Vec<(&PlotLabel, String)> =
        items.into_iter().map(|item| (item, shortened(&item.title, max_width))).collect();
    let mut n_items: HashMap<&str, usize> = HashMap::new();
    for (_, title) in &items {
        *n_items.entry(title).or_default() += 1;
    }
    let is_unique = |title: &str| n_items.get(title) == Some(&1);
    // Titles that no other item has are taken first.
    let mut taken: HashSet<String> =
        items.iter().map(|(_, title)| title).filter(|title| is_unique(title)).cloned().collect();
    let label = |(item, title): &(&PlotLabel, String)| {
        if is_unique(title) {
            return title.clone();
        }
        let numbered = |n: usize| {
            let number = format!(" {n}");
            shortened(&item.name, max_width - text_width(&number)) + &number
        };
        let mut label = shortened(&item.name, max_width);
        let mut numbers = 2..;
        while !taken.insert(label.clone()) {
            label = numbered(numbers.next().unwrap_or_default());
        }
        label
    };
    items.iter().map(label).collect()
}

/// Replaces words in the middle of a text by `…` if it is wider than `max_width` units, as few as possible; or letters, if the
/// first and the last word are too wide.
fn shortened(text: &str, max_width: f64) -> String {
    let fits = |text: &String| text_width(text) <= max_width;
    let text: Vec<char> = plain(text).chars().collect();
    let n = text.len();
    if n <= MAX_CHARS {
        let whole: String = text.iter().collect();
        if fits(&whole) {
            return whole;
        }
        if let Some(short) = without_words(&whole, fits) {
            return short;
        }
    }
    let with_ends = |kept: usize| {
        let [start, end] = [&text[..kept.div_ceil(2)], &text[n - kept / 2..]].map(String::from_iter);
        format!("{}…{}", start.trim_end(), end.trim_start())
    };
    (1..n.min(MAX_CHARS)).rev().map(with_ends).find(fits).unwrap_or_else(|| "…".to_owned())
}

/// Returns the widest text that fits with `…` instead of words between the first and the last one; `None` if none fits.
fn without_words(text: &str, fits: impl Fn(&String) -> bool) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let n = words.len();
    if n > MAX_WORDS {
        return None;
    }
    let without = |(from, to): (usize, usize)| {
        let ends = [&words[..from], &["…"], &words[to..]];
        ends.concat().join(" ")
    };
    let ranges = (1..n).flat_map(|from| (from + 1..n).map(move |to| (from, to)));
    ranges.map(without).filter(fits).max_by(|one, two| text_width(one).total_cmp(&text_width(two)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(items: &[(&str, &str)], max_width: f64) -> Vec<String> {
        let of =
            |(name, title): &(&str, &str)| PlotLabel { name: (*name).to_owned(), title: (*title).to_owned() };
        distinct_labels(&items.iter().map(of).collect::<Vec<_>>(), max_width)
    }

    #[test]
    fn long_titles_keep_their_ends() {
        for (title, max_width, short) in [
            ("Brandubh 7x7", 200.0, "Brandubh 7x7"),
            ("Historical Hnefatafl 7x7 (Irish Brandubh 2)", 220.0, "Historical … (Irish Brandubh 2)"),
            ("Tawlbwrdd Lewis cross 11x11 on aagenielsen.dk", 260.0, "Tawlbwrdd … 11x11 on aagenielsen.dk"),
            ("Historical_Hnefatafl", 100.0, "Histori…efatafl"),
            ("", 100.0, ""),
        ] {
            assert_eq!(labels(&[("x", title)], max_width), [short]);
            assert!(text_width(short) <= max_width);
        }
    }

    #[test]
    fn labels_differ_even_if_the_titles_and_names_do_not() {
        // The titles differ only in the middle, which is cut off.
        let items = [
            ("bell", "Historical Hnefatafl of the North (Bell) with a strong king and corners"),
            ("cross", "Historical Hnefatafl of the North (cross) with a strong king and corners"),
        ];
        assert_eq!(labels(&items, 150.0), ["bell", "cross"]);
        let same = labels(&[("x", "Tafl"), ("x", "Tafl"), ("x 2", "Tafl"), ("y", "x")], 150.0);
        assert_eq!(same, ["x 2", "x 3", "x 2 2", "x"], "a unique title is taken first");
        let narrow = labels(&[("abcdef", "title"), ("abcdeg", "title"), ("abcdeh", "title")], 12.0);
        assert_eq!(narrow.iter().collect::<HashSet<_>>().len(), 3, "{narrow:?}");
        let long = "x".repeat(100_000);
        assert_eq!(labels(&[("x", &long)], 150.0)[0].chars().filter(|c| *c == '…').count(), 1);
    }
}
