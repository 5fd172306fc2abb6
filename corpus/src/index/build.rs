//! Building of an index from a move log, the keys of its positions, and the rows of its games.

use std::path::Path;

use tafl_rules::{CanonicalKey, Event, RuleSet, Side, Symmetry, canonical_key, rules_symmetries};
use tantivy::directory::error::OpenWriteError;
use tantivy::directory::{MmapDirectory, RamDirectory};
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::{Directory, Index, TantivyDocument, TantivyError};

use super::IndexError;
use super::conditions::extra_terms;
use super::key_table::{KEYS_FILE, KeyTableBuilder};
use super::schema::{IndexFields, IndexedColumn, settings};
use super::token_table::{TOKENS_FILE, TokenTableBuilder};
use super::tokens::{TokenReader, shape_code};
use crate::move_log::{BLOCK_SIZE, MoveLog, MoveLogError};
use crate::query::{Date, Token};
use crate::row::GameRow;
use crate::text::analyzers;

/// The memory for which tantivy sizes its first table of terms. It allocates more if necessary.
const TABLE: usize = 16 << 20;

/// Builds the index of a segment in an empty folder, which is created if it does not exist.
///
/// `keys` are the canonical keys of all positions of all games in the order of the move log, the start of each game
/// included. `games` are the rows of its games, in the same order.
///
/// # Errors
///
/// Fails if the move log is damaged, keys or games are missing, or the folder cannot be written.
pub fn build<'g, K, G>(folder: &Path, move_log: &MoveLog, keys: K, games: G) -> Result<(), IndexError>
where
    K: IntoIterator<Item = CanonicalKey>,
    G: IntoIterator<Item = &'g GameRow>,
{
    std::fs::create_dir_all(folder).map_err(TantivyError::from)?;
    let directory = MmapDirectory::open(folder).map_err(TantivyError::from)?;
    for (name, bytes) in build_in(Box::new(directory), move_log, keys, games)? {
        let write_error = |error| TantivyError::from(OpenWriteError::wrap_io_error(error, name.into()));
        std::fs::write(folder.join(name), bytes).map_err(write_error)?;
    }
    Ok(())
}

/// Returns whether the index in a folder equals one built from the move log, the keys, and the rows. A second index
/// is built in memory and compared with it file by file.
///
/// # Errors
///
/// As [`build`].
pub(crate) fn is_as_built<'g, K, G>(
    folder: &Path,
    move_log: &MoveLog,
    keys: K,
    games: G,
) -> Result<bool, IndexError>
where
    K: IntoIterator<Item = CanonicalKey>,
    G: IntoIterator<Item = &'g GameRow>,
{
    let memory = RamDirectory::create();
    for (name, bytes) in build_in(Box::new(memory.clone()), move_log, keys, games)? {
        if std::fs::read(folder.join(name)).ok() != Some(bytes) {
            return Ok(false);
        }
    }
    let files = Index::open(memory.clone())?.directory().list_managed_files();
    let mut new = files.into_iter().filter(|name| name.extension().is_some_and(|ending| ending != "json"));
    let read = |name: &Path| memory.open_read(name).ok().and_then(|file| file.read_bytes().ok());
    let old: Vec<_> = std::fs::read_dir(folder)
        .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
        .map_err(TantivyError::from)?;
    // The names of the new files are random, except their endings.
    Ok(new.all(|name| {
        let Some(bytes) = read(&name) else { return true };
        let has_same = |entry: &&std::fs::DirEntry| entry.path().extension() == name.extension();
        old.iter().filter(has_same).any(|entry| std::fs::read(entry.path()).is_ok_and(|old| old == *bytes))
    }))
}

/// Builds the index in a directory, and returns the names and the bytes of the tables that belong there, too.
fn build_in<'g, K, G>(
    directory: Box<dyn Directory>,
    move_log: &MoveLog,
    keys: K,
    games: G,
) -> Result<[(&'static str, Vec<u8>); 2], IndexError>
where
    K: IntoIterator<Item = CanonicalKey>,
    G: IntoIterator<Item = &'g GameRow>,
{
    let fields = IndexFields::new();
    let mut writer = Index::builder()
        .schema(fields.schema.clone())
        .settings(settings())
        .tokenizers(analyzers())
        .single_segment_index_writer(directory, TABLE)?;
    add_games(&fields, &mut writer, move_log, &mut games.into_iter())?;
    writer.finalize()?;
    let mut tables = TableBuilders::default();
    tables.blocks(move_log, &mut keys.into_iter())?;
    Ok([(KEYS_FILE, tables.keys.finish(tables.n_blocks)), (TOKENS_FILE, tables.tokens.finish())])
}

/// The builders of the tables of keys and tokens.
#[derive(Default)]
struct TableBuilders {
    keys: KeyTableBuilder,
    tokens: TokenTableBuilder,
    /// The number of complete blocks.
    n_blocks: u32,
}

/// The symmetries of the game setups of a move log, determined on first use.
struct SetupSymmetries(Vec<Option<Vec<Symmetry>>>);

impl SetupSymmetries {
    fn of(&mut self, move_log: &MoveLog, game_setup: usize) -> Result<&[Symmetry], IndexError> {
        let known = &mut self.0[game_setup];
        if known.is_none() {
            let text = &move_log.game_setups()[game_setup].rules;
            let rules: RuleSet = text.parse().map_err(|_| MoveLogError::Setups(text.clone()))?;
            *known = Some(rules_symmetries(&rules));
        }
        Ok(known.as_deref().unwrap_or_default())
    }
}

impl TableBuilders {
    /// Adds the keys and the tokens of each block of the move log, in order.
    fn blocks(
        &mut self,
        move_log: &MoveLog,
        keys: &mut dyn Iterator<Item = CanonicalKey>,
    ) -> Result<(), IndexError> {
        let mut reader = TokenReader::default();
        let mut symmetries = SetupSymmetries(vec![None; move_log.game_setups().len()]);
        for game in 0..move_log.n_games() {
            let mut cursor = move_log.cursor(game)?;
            let game_setup = usize::from(move_log.entry(game).game_setup);
            let tokens = self.tokens.of_shape(shape_code(cursor.state().shape()));
            loop {
                let is_first = cursor.state().ply.is_multiple_of(BLOCK_SIZE);
                if is_first {
                    tokens.begin_block();
                }
                reader.each(cursor.state(), is_first, |code| tokens.add(code));
                self.keys.add(keys.next().ok_or(IndexError::TooFewKeys)?, self.n_blocks);
                if cursor.state().facts.events.contains(Event::ChainGoesOn) {
                    // Searches for the board do not know which piece continues.
                    let of_setup = symmetries.of(move_log, game_setup)?;
                    let key = canonical_key(&cursor.state().setup(), Side::Attackers, None, of_setup);
                    let key = Token::KeyInChain(key).table_key();
                    key.into_iter().for_each(|key| self.keys.add(key, self.n_blocks));
                }
                let next = cursor.state().ply + 1;
                let has_next = cursor.advance()?;
                self.n_blocks += u32::from(!has_next || next.is_multiple_of(BLOCK_SIZE));
                if !has_next {
                    break;
                }
            }
        }
        match keys.next() {
            Some(_) => Err(IndexError::TooManyKeys),
            None => Ok(()),
        }
    }
}

/// Adds a document for each game, in order.
fn add_games(
    fields: &IndexFields,
    writer: &mut SingleSegmentIndexWriter,
    move_log: &MoveLog,
    games: &mut dyn Iterator<Item = &GameRow>,
) -> Result<(), IndexError> {
    for _ in 0..move_log.n_games() {
        let row = games.next().ok_or(IndexError::TooFewGames)?;
        writer.add_document(document(fields, row))?;
    }
    match games.next() {
        Some(_) => Err(IndexError::TooManyGames),
        None => Ok(()),
    }
}

/// Returns the document of a game.
fn document(fields: &IndexFields, row: &GameRow) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    for (column, field) in &fields.columns {
        let value = (column.get)(row);
        match (*field, value.as_text(), value.as_number()) {
            (IndexedColumn::Words(field), Some(text), _) => {
                document.add_text(field, text);
                document.add_pre_tokenized_text(field, extra_terms(text));
            }
            (IndexedColumn::Word(field), Some(word), _) => document.add_text(field, word),
            (IndexedColumn::Number(field), _, Some(number)) => document.add_i64(field, number),
            (IndexedColumn::Id(field), _, Some(number)) => document.add_u64(field, number as u64),
            (IndexedColumn::Days(ends), Some(text), _) => {
                let days = Date::parse(text).map(Date::day_numbers).into_iter().flatten();
                ends.into_iter().zip(days).for_each(|(field, day)| document.add_i64(field, day));
            }
            _ => {}
        }
    }
    document
}
