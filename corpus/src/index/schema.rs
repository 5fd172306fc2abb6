//! The fields of an index.
//!
//! An index has one tantivy segment with a document for each game, in order, so the ID of a document is the number of a game.

use tantivy::IndexSettings;
use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, Schema, SchemaBuilder, TextFieldIndexing, TextOptions,
};
use tantivy::store::Compressor;

use crate::schema::{ColumnType, ColumnUsage, GAMES, GameColumn};
use crate::text::WORDS;

/// How the values of a column of the table of games are in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IndexedColumn {
    /// The words of a text with their positions, and two more terms, see [`PRESENT`].
    Words(Field),
    /// One word of few, as a term.
    Word(Field),
    /// A number, as a fast field.
    Number(Field),
    /// An ID with its bits in order, as a fast field.
    Id(Field),
    /// The first and the last day that a date may mean, as fast fields.
    Days([Field; 2]),
}

/// The term of documents that have a text. The term of the whole text begins with the same character, which no word
/// has.
pub(super) const PRESENT: &str = "=";

/// The fields of an index.
#[derive(Debug, Clone)]
pub(super) struct IndexFields {
    pub(super) schema: Schema,
    /// The columns of the table of games that conditions compare.
    pub(super) columns: Vec<(&'static GameColumn, IndexedColumn)>,
}

impl IndexFields {
    /// Returns the fields of every index.
    pub(super) fn new() -> IndexFields {
        let mut builder = Schema::builder();
        let columns =
            GAMES.iter().filter_map(|column| Some((column, column_field(&mut builder, column)?))).collect();
        IndexFields { schema: builder.build(), columns }
    }

    /// Returns the field of a column.
    ///
    /// # Panics
    ///
    /// Panics if conditions do not compare the column.
    pub(super) fn column(&self, name: &str) -> IndexedColumn {
        let found = self.columns.iter().find(|(column, _)| column.field.name == name);
        found.expect("conditions compare columns that the index has").1
    }
}

fn column_field(builder: &mut SchemaBuilder, column: &GameColumn) -> Option<IndexedColumn> {
    let name = column.field.name;
    let fast = NumericOptions::default().set_fast();
    Some(match column.field.usage {
        ColumnUsage::Text => IndexedColumn::Words(builder.add_text_field(name, terms(WORDS))),
        ColumnUsage::Word if column.field.kind == ColumnType::Text => {
            IndexedColumn::Word(builder.add_text_field(name, terms("raw")))
        }
        ColumnUsage::Word => IndexedColumn::Id(builder.add_u64_field(name, fast)),
        ColumnUsage::Number => IndexedColumn::Number(builder.add_i64_field(name, fast)),
        ColumnUsage::Date => IndexedColumn::Days(
            ["first_day", "last_day"]
                .map(|end| builder.add_i64_field(&format!("{name}_{end}"), fast.clone())),
        ),
        ColumnUsage::Setup | ColumnUsage::None => return None,
    })
}

/// Returns the options of a field with the terms of an analyzer.
fn terms(analyzer: &str) -> TextOptions {
    let record =
        if analyzer == WORDS { IndexRecordOption::WithFreqsAndPositions } else { IndexRecordOption::Basic };
    let indexing =
        TextFieldIndexing::default().set_tokenizer(analyzer).set_index_option(record).set_fieldnorms(false);
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
