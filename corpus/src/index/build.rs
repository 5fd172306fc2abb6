//! Making an index from a tape, the keys of its positions, and what is known of its games.

use std::path::Path;

use tafl_rules::zobrist::CanonicalKey;
use tantivy::directory::MmapDirectory;
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::{Index, TantivyDocument};

use super::schema::{Fields, GameField, Mode, settings, tokenizers};
use super::tokens::BlockTokens;
use super::{IndexError, key_term};
use crate::tape::{BLOCK, Tape};

/// Memory that tantivy lays its first table of terms out for; it takes more where it needs more.
const TABLE: usize = 64 << 20;

/// The longest value of a field that is indexed, in bytes; tantivy drops longer terms altogether.
const LONGEST: usize = 60_000;

/// A value of a field of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A word, a name or a text.
    Text(String),
    /// A number.
    Number(i64),
}

/// What an index is made from, besides the tape.
#[derive(Debug, Clone, Copy)]
pub struct Source<'s> {
    /// The games, as they passed over the board.
    pub tape: &'s Tape,
    /// The fields of games.
    pub fields: &'s [GameField],
}

/// Makes the index of a segment in an empty folder.
///
/// `keys` are the canonical keys of all positions of all games in the order of the tape, the start of each game
/// included. `values` are those of each game: the number of the field in `source.fields`, and the value; a field may have
/// several values or none.
///
/// # Errors
///
/// Returns that the tape is damaged, that keys or games are missing, or that the folder cannot be written.
pub fn build<K, G>(folder: &Path, source: Source<'_>, keys: K, values: G) -> Result<(), IndexError>
where
    K: IntoIterator<Item = CanonicalKey>,
    G: IntoIterator<Item = Vec<(usize, Value)>>,
{
    let fields = Fields::new(source.fields.iter().copied());
    std::fs::create_dir_all(folder).map_err(|error| IndexError::Folder(error.to_string()))?;
    let directory = MmapDirectory::open(folder).map_err(|error| IndexError::Folder(error.to_string()))?;
    let writer = Index::builder()
        .schema(fields.schema.clone())
        .settings(settings())
        .tokenizers(tokenizers())
        .single_segment_index_writer(directory, TABLE)?;
    let mut builder = Builder { fields, writer };
    builder.blocks(source.tape, &mut keys.into_iter())?;
    builder.games(source.tape, &mut values.into_iter())?;
    builder.writer.finalize()?;
    Ok(())
}

struct Builder {
    fields: Fields,
    writer: SingleSegmentIndexWriter,
}

impl Builder {
    /// Adds a document for each block of the tape, in order.
    fn blocks(
        &mut self,
        tape: &Tape,
        keys: &mut dyn Iterator<Item = CanonicalKey>,
    ) -> Result<(), IndexError> {
        let mut tokens = BlockTokens::default();
        let mut terms = Vec::new();
        for game in 0..tape.n_games() {
            let mut player = tape.play(game)?;
            loop {
                let moment = player.moment();
                tokens.add(moment);
                terms.push(key_term(keys.next().ok_or(IndexError::TooFewKeys)?));
                let ply = moment.ply;
                let has_next = player.advance()?;
                if !has_next || (ply + 1).is_multiple_of(BLOCK) {
                    self.block(&mut tokens, &mut terms)?;
                }
                if !has_next {
                    break;
                }
            }
        }
        Ok(())
    }

    fn block(&mut self, tokens: &mut BlockTokens, keys: &mut Vec<u64>) -> Result<(), IndexError> {
        let mut document = TantivyDocument::with_capacity(16 * (tokens.len() + keys.len()));
        keys.sort_unstable();
        keys.dedup();
        keys.drain(..).for_each(|key| document.add_u64(self.fields.key, key));
        tokens.drain(|token| document.add_u64(self.fields.token, token));
        self.writer.add_document(document)?;
        Ok(())
    }

    /// Adds a document for each game, in order.
    fn games(
        &mut self,
        tape: &Tape,
        values: &mut dyn Iterator<Item = Vec<(usize, Value)>>,
    ) -> Result<(), IndexError> {
        for _ in 0..tape.n_games() {
            let mut document = TantivyDocument::new();
            for (number, value) in values.next().ok_or(IndexError::TooFewGames)? {
                let (field, at) = &self.fields.games[number];
                match (field.mode, value) {
                    (Mode::Word, Value::Text(text)) => document.add_text(*at, whole_term(&text)),
                    (Mode::Text, Value::Text(text)) => document.add_text(*at, text),
                    (Mode::Number, Value::Number(number)) => document.add_i64(*at, number),
                    (Mode::Number, Value::Text(_)) | (Mode::Word | Mode::Text, Value::Number(_)) => {
                        return Err(IndexError::WrongValue { field: field.name });
                    }
                }
            }
            self.writer.add_document(document)?;
        }
        Ok(())
    }
}

/// Returns the term of a whole value: in lower case, cut where it is longer than terms may be.
fn whole_term(text: &str) -> String {
    let mut term = text.to_lowercase();
    if term.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|end| term.is_char_boundary(*end)).unwrap_or(0);
        term.truncate(end);
    }
    term
}
