//! The fields of an index.
//!
//! An index has one tantivy segment. Its first documents are the blocks of the tape, in order; after them comes a document
//! for each game. So the number of a document is that of a block, or that of a game plus the number of blocks.

use std::sync::LazyLock;

use tantivy::IndexSettings;
use tantivy::schema::{Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};
use tantivy::store::Compressor;

use crate::schema::{GAMES, GameColumn, Kind, Usage};

/// How many bits of a canonical key the index has. A key leads to blocks, and the tape says which of them are meant: so
/// few bits make a small dictionary, and in a segment of two million positions a key finds about eight blocks too many.
pub(super) const KEY_BITS: u32 = 18;

/// How the values of a column are in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    /// Whole values, by game.
    Text,
    /// Numbers, by game.
    Number,
    /// Words with their places, for phrases.
    Words,
}

/// The columns of the table of games that the index has: those that conditions compare.
pub(super) static COLUMNS: LazyLock<Vec<(&str, Mode)>> = LazyLock::new(|| {
    let mode = |column: &GameColumn| match column.field.usage {
        // Comments and tags: the longest texts.
        Usage::Text if column.query_word == "text" => Some(Mode::Words),
        Usage::Word | Usage::Number if column.field.kind != Kind::Text => Some(Mode::Number),
        Usage::Word | Usage::Text | Usage::Number | Usage::Date => Some(Mode::Text),
        Usage::Setup | Usage::None => None,
    };
    GAMES.iter().filter_map(|column| Some((column.field.name, mode(column)?))).collect()
});

/// The fields of an index.
#[derive(Debug, Clone)]
pub(super) struct Fields {
    pub(super) schema: Schema,
    /// The canonical keys of a block's positions, cut to [`KEY_BITS`].
    pub(super) key: Field,
    /// What is true in a block, as numbers.
    pub(super) token: Field,
    /// Those of [`COLUMNS`], in their order.
    pub(super) columns: Vec<Field>,
}

impl Fields {
    /// Returns the fields of every index.
    pub(super) fn new() -> Fields {
        let mut builder = Schema::builder();
        // Nothing is stored, counted or normed: only which documents have a term.
        let terms = NumericOptions::default().set_indexed();
        let key = builder.add_u64_field("block_key", terms.clone());
        let token = builder.add_u64_field("block_token", terms);
        let columns = COLUMNS
            .iter()
            .map(|(name, mode)| match mode {
                Mode::Text => builder.add_text_field(name, TextOptions::default().set_fast("raw")),
                Mode::Number => builder.add_i64_field(name, NumericOptions::default().set_fast()),
                Mode::Words => builder.add_text_field(name, words_with_places()),
            })
            .collect();
        Fields { schema: builder.build(), key, token, columns }
    }
}

fn words_with_places() -> TextOptions {
    // No tokenizer is asked: words are cut where the language of queries cuts them.
    let indexing = TextFieldIndexing::default()
        .set_index_option(IndexRecordOption::WithFreqsAndPositions)
        .set_fieldnorms(false);
    TextOptions::default().set_indexing_options(indexing)
}

/// Returns the settings of an index in which nothing is stored.
pub(super) fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    }
}
