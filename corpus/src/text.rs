//! The analysis of texts that are searched for words: words are runs of letters and digits, in lower case and without
//! diacritics. An index and its queries use the same analysis.

use tantivy::tokenizer::{
    AsciiFoldingFilter, RawTokenizer, SimpleTokenizer, TextAnalyzer, Tokenizer, TokenizerManager,
};

use crate::words::{composed, is_combining_mark};

/// The name of the analyzer in an index.
pub(crate) const WORDS: &str = "words";

/// Splits texts into words, in lower case and without combining marks.
#[derive(Clone, Default)]
struct WordTokenizer {
    words: SimpleTokenizer,
    /// The text to split.
    text: String,
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = <SimpleTokenizer as Tokenizer>::TokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Self::TokenStream<'a> {
        self.text = lowercase(text);
        self.words.token_stream(&self.text)
    }
}

/// Returns a text in lower case, without combining marks. A filter removes the diacritics that are part of a letter.
fn lowercase(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // The lower case of `İ` has a mark.
    composed(text).chars().flat_map(char::to_lowercase).filter(|symbol| !is_combining_mark(*symbol)).collect()
}

/// Returns the analyzer that splits texts into words.
pub(crate) fn word_analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(WordTokenizer::default()).filter(AsciiFoldingFilter).build()
}

/// Returns the analyzers of an index.
pub(crate) fn analyzers() -> TokenizerManager {
    let analyzers = TokenizerManager::default();
    analyzers.register(WORDS, word_analyzer());
    analyzers
}

/// Returns the words of a text, in lower case and without diacritics.
pub(crate) fn words(text: &str) -> Vec<String> {
    tokens(&mut word_analyzer(), text)
}

/// Returns a text in lower case and without diacritics.
pub(crate) fn folded(text: &str) -> String {
    let raw = TextAnalyzer::builder(RawTokenizer::default()).filter(AsciiFoldingFilter);
    tokens(&mut raw.build(), &lowercase(text)).concat()
}

fn tokens(analyzer: &mut TextAnalyzer, text: &str) -> Vec<String> {
    let mut words = Vec::new();
    analyzer.token_stream(text).process(&mut |token| words.push(token.text.clone()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_no_case_and_no_diacritics() {
        assert_eq!(words("Sven Åberg-Øst, 2nd"), ["sven", "aberg", "ost", "2nd"]);
        assert_eq!(words("Straße Ægir Þór"), ["strasse", "aegir", "thor"]);
        assert_eq!(folded("Sven ÅBERG!"), "sven aberg!");
        for name in ["\u{c5}sa", "A\u{30a}sa", "\u{c5}SA", "a\u{30a}sa"] {
            assert_eq!((words(name), folded(name)), (vec!["asa".to_owned()], "asa".to_owned()), "{name}");
        }
        assert_eq!(words("\u{130}stanbul i\u{307}i"), ["istanbul", "ii"]);
        // Diacritics of other scripts remain, with a letter or after it.
        assert_eq!(words("\u{386} \u{391}\u{301}"), ["\u{3ac}", "\u{3ac}"]);
        assert!(words(" -- ").is_empty());
    }
}
