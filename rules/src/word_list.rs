//! Lists of words in sentences.

/// Joins words with a conjunction before the last one: `a`, `a and b`, `a, b, and c`. The list of no words is an empty string.
///
/// # Examples
///
/// ```
/// use tafl_rules::word_list;
///
/// assert_eq!(word_list(&["attackers", "defenders"], "and"), "attackers and defenders");
/// assert_eq!(word_list(&["a win", "a draw", "a loss"], "or"), "a win, a draw, or a loss");
/// ```
pub fn word_list<T: AsRef<str>>(words: &[T], conjunction: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [one, other] => format!("{} {conjunction} {}", one.as_ref(), other.as_ref()),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{}, {conjunction} {}", first.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_a_serial_comma() {
        let lists: Vec<String> = (0..=4).map(|n| word_list(&["a", "b", "c", "d"][..n], "and")).collect();
        assert_eq!(lists, ["", "a", "a and b", "a, b, and c", "a, b, c, and d"]);
    }
}
