//! Lists of words in sentences.

/// Joins the parts of a list: `a`, `a and b`, `a, b, and c`. The list of no parts is an empty string.
///
/// # Examples
///
/// ```
/// use tafl_reports::enumeration;
///
/// assert_eq!(enumeration(&["attackers", "defenders"]), "attackers and defenders");
/// assert_eq!(enumeration(&["wins", "draws", "losses"]), "wins, draws, and losses");
/// ```
pub fn enumeration<T: AsRef<str>>(parts: &[T]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [one, other] => format!("{} and {}", one.as_ref(), other.as_ref()),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{}, and {}", first.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_an_and_before_the_last_part() {
        let parts = ["a", "b", "c"];
        assert_eq!([0, 1, 2, 3].map(|n| enumeration(&parts[..n])), ["", "a", "a and b", "a, b, and c"]);
    }
}
