//! The fields of an index.
//!
//! An index has one tantivy segment. Its first documents are the blocks of the tape, in order; after them comes a document
//! for each game. So a number of a document is the number of a block, or that of a game plus the number of blocks.

use tantivy::IndexSettings;
use tantivy::schema::{Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};
use tantivy::store::Compressor;
use tantivy::tokenizer::{LowerCaser, SimpleTokenizer, TextAnalyzer, TokenizerManager};

/// The name of the tokenizer of texts: words of letters and digits, in lower case.
const WORDS: &str = "words";

/// How many bits of a canonical key the index has. A key leads to blocks, and the tape says which of them are meant: so
/// few bits make a small dictionary, and a segment of two million positions has about eight blocks too many for a key.
pub(super) const KEY_BITS: u32 = 18;

/// How the values of a field of games are in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Whole values in lower case, each a term.
    Word,
    /// Whole numbers, each a term.
    Number,
    /// Words with their places, for phrases.
    Text,
}

/// A field of games that the index has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameField {
    /// The name of the column.
    pub name: &'static str,
    /// How its values are in the index.
    pub mode: Mode,
}

/// The fields of an index.
#[derive(Debug, Clone)]
pub(super) struct Fields {
    pub(super) schema: Schema,
    /// The canonical keys of a block's positions, cut to [`KEY_BITS`].
    pub(super) key: Field,
    /// What is true in a block, as numbers.
    pub(super) token: Field,
    /// What is known of a game, in the order of the list that was given.
    pub(super) games: Vec<(GameField, Field)>,
}

impl Fields {
    /// Returns the fields of an index that knows these fields of games.
    pub(super) fn new(games: impl IntoIterator<Item = GameField>) -> Fields {
        let mut builder = Schema::builder();
        // Nothing is stored, counted or normed: only which documents have a term.
        let numbers = NumericOptions::default().set_indexed();
        let key = builder.add_u64_field("key", numbers.clone());
        let token = builder.add_u64_field("token", numbers.clone());
        let games = games
            .into_iter()
            .map(|field| {
                let made = match field.mode {
                    Mode::Word => {
                        builder.add_text_field(field.name, text_options("raw", IndexRecordOption::Basic))
                    }
                    Mode::Number => builder.add_i64_field(field.name, numbers.clone()),
                    Mode::Text => builder
                        .add_text_field(field.name, text_options(WORDS, IndexRecordOption::WithFreqsAndPositions)),
                };
                (field, made)
            })
            .collect();
        Fields { schema: builder.build(), key, token, games }
    }
}

fn text_options(tokenizer: &str, recorded: IndexRecordOption) -> TextOptions {
    let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer).set_index_option(recorded);
    TextOptions::default().set_indexing_options(indexing.set_fieldnorms(false))
}

/// Returns what cuts texts into words.
pub(super) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::new();
    manager.register("raw", TextAnalyzer::from(tantivy::tokenizer::RawTokenizer::default()));
    manager.register(WORDS, words());
    manager
}

/// Returns what cuts a text into words: letters and digits, in lower case.
pub(super) fn words() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default()).filter(LowerCaser).build()
}

/// Returns the settings of an index in which nothing is stored.
pub(super) fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    }
}
