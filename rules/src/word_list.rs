//! Lists of words in sentences.

/// Joins words: `a`, `a and b`, `a, b and c`. The list of no words is an empty string.
pub(crate) fn word_list<T: AsRef<str>>(words: &[T]) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}
