//! Lists of words in sentences.

/// Joins words: `a`, `a and b`, `a, b, and c`. The list of no words is an empty string.
pub(crate) fn word_list<T: AsRef<str>>(words: &[T]) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
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
    fn lists_have_a_serial_comma() {
        let lists: Vec<String> = (0..=4).map(|n| word_list(&["a", "b", "c", "d"][..n])).collect();
        assert_eq!(lists, ["", "a", "a and b", "a, b, and c", "a, b, c, and d"]);
    }
}
