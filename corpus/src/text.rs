//! The analysis of texts that are searched for words: words are runs of letters and digits, in lower case and without
//! diacritics.

use tantivy::tokenizer::{
    AsciiFoldingFilter, LowerCaser, RawTokenizer, SimpleTokenizer, TextAnalyzer, TokenizerManager,
};

/// The name of the analyzer in an index.
pub(crate) const WORDS: &str = "words";

/// Returns the analyzer that splits texts into words.
pub(crate) fn word_analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default()).filter(LowerCaser).filter(AsciiFoldingFilter).build()
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
    let raw = TextAnalyzer::builder(RawTokenizer::default()).filter(LowerCaser).filter(AsciiFoldingFilter);
    tokens(&mut raw.build(), text).concat()
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
        assert!(words(" -- ").is_empty());
    }
}
