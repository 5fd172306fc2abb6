//! Words of texts: runs of letters, digits, and the marks on them.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

/// Returns the words of a text in lower case, with diacritics, unlike the words of an index.
pub(crate) fn lowercase_words(text: &str) -> impl Iterator<Item = String> {
    let is_between = |symbol: char| !symbol.is_alphanumeric() && !is_combining_mark(symbol);
    text.split(is_between).filter(|word| word.contains(char::is_alphanumeric)).map(str::to_lowercase)
}

/// Returns whether a character is a diacritic on the letter before it, in the blocks of Unicode for such marks. Marks of single
/// scripts, such as the vowel signs of Devanagari, are parts of their words.
pub(crate) const fn is_combining_mark(symbol: char) -> bool {
    matches!(
        symbol,
        '\u{300}'..='\u{36f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// Returns a text in Unicode's normalization form C (NFC), so that texts that look alike have equal bytes.
pub(crate) fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_belongs_to_the_word_of_its_letter() {
        let words = |text: &str| lowercase_words(text).collect::<Vec<_>>();
        assert_eq!(words("A\u{30a}sa O\u{308}st-2"), ["a\u{30a}sa", "o\u{308}st", "2"]);
        assert!(words("\u{30a} -- ").is_empty());
    }

    #[test]
    fn equal_texts_have_equal_bytes() {
        assert_eq!(composed("A\u{30a}sa"), "\u{c5}sa");
        assert!(matches!(composed("\u{c5}sa"), Cow::Borrowed("\u{c5}sa")));
    }
}
