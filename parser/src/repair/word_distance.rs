//! The distance between a word and its correct form, as a cost of repair.
//!
//! The costs are choices, on the scale of the [priors](super::prior): a character can be miswritten in many ways.

/// The cost of a character that looks like the right one.
const LOOKS_ALIKE: f64 = 3.0;
/// The cost of a neighbor of the right character.
const NEIGHBOR: f64 = 4.5;
/// The cost of any other character.
const OTHER: f64 = 5.5;
/// The cost of a missing or an additional character.
const GAP: f64 = 4.5;
/// The maximum distance: two characters of any kind. With more, the word is another one.
const MAX_DISTANCE: f64 = 2.0 * OTHER;

/// Returns the distance between a word and its correct form as a cost; `None` if they are too different.
///
/// Letters and digits that look alike or are adjacent cost less than others.
pub(super) fn word_distance(written: &str, right: &str) -> Option<f64> {
    let (one, other): (Vec<u8>, Vec<u8>) = (written.bytes().collect(), right.bytes().collect());
    if one.len().abs_diff(other.len()) > 2 || one.len() > 40 {
        return None;
    }
    let mut row: Vec<f64> = (0..=other.len()).map(|n| n as f64 * GAP).collect();
    for (i, a) in one.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], (i + 1) as f64 * GAP);
        for (j, b) in other.iter().enumerate() {
            let replaced = diagonal + exchange(*a, *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + GAP).min(diagonal + GAP);
        }
    }
    row.last().copied().filter(|cost| *cost <= MAX_DISTANCE)
}

/// Returns the cost of replacing one character by another.
fn exchange(a: u8, b: u8) -> f64 {
    const ALIKE: [&[u8]; 7] = [b"1lIi|", b"0oO", b"5sS", b"8B", b"9gq", b"2zZ", b"-_=~:. "];
    if a.eq_ignore_ascii_case(&b) {
        return 0.0;
    }
    if ALIKE.iter().any(|set| set.contains(&a) && set.contains(&b)) {
        LOOKS_ALIKE
    } else if are_neighbors(a, b) {
        NEIGHBOR
    } else {
        OTHER
    }
}

/// Returns whether two characters are neighbors: in the alphabet, or on a keyboard, where 0 follows 9.
fn are_neighbors(a: u8, b: u8) -> bool {
    a.abs_diff(b) == 1 || matches!((a, b), (b'0', b'9') | (b'9', b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_characters_are_nearer() {
        let to = |word| word_distance(word, "d1-d3");
        assert_eq!(to("d1-d3"), Some(0.0));
        assert!(to("dl-d3") < to("d1-q3"));
        assert!(to("d1-") > to("d1-d"));
        // 0 and 9 are neighbors on a keyboard, as 8 and 9 are.
        let to_ten = |word| word_distance(word, "d10-d3");
        assert_eq!(to_ten("d19-d3"), word_distance("d18-d3", "d19-d3"));
        assert!(to_ten("d19-d3") < to_ten("d17-d3"));
        assert_eq!(to("resigned by the attackers"), None);
    }
}
