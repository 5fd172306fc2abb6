//! What games say in the columns that conditions ask about.

use std::collections::HashMap;

use tantivy::SegmentReader;

use super::read::{SegmentIndex, read_error};
use super::schema::{COLUMNS, Mode};
use super::{Bits, IndexError, guarded};
use crate::id::GameId;
use crate::query::game::FieldKind;
use crate::query::{Comparison, GameCondition, GameField, GameFields, Value};

/// Stands for no value.
const NOTHING: u32 = u32::MAX;

/// The values of a column for all games of a segment.
#[derive(Debug)]
pub(super) enum Column {
    /// For each game the number of its text, and the texts by number.
    Texts(Vec<u32>, Vec<String>),
    /// For each game its number.
    Numbers(Vec<Option<i64>>),
}

impl Column {
    /// Reads a column; the games are the documents after the blocks.
    pub(super) fn read(
        reader: &SegmentReader,
        (name, mode): (&str, Mode),
        n_blocks: u32,
    ) -> Result<Column, IndexError> {
        let games = n_blocks..reader.max_doc();
        Ok(match mode {
            Mode::Number => {
                let column = reader.fast_fields().column_opt::<i64>(name)?;
                let value = |game| column.as_ref().and_then(|column| column.first(game));
                Column::Numbers(games.map(value).collect())
            }
            Mode::Text | Mode::Words => {
                let Some(column) = reader.fast_fields().str(name)? else {
                    return Ok(Column::Texts(vec![NOTHING; games.len()], Vec::new()));
                };
                let mut texts = Vec::with_capacity(column.num_terms());
                let mut stream = column.dictionary().stream().map_err(read_error)?;
                while stream.advance() {
                    texts.push(String::from_utf8_lossy(stream.key()).into_owned());
                }
                let number = |game| column.ords().first(game).map_or(NOTHING, |ord| ord as u32);
                Column::Texts(games.map(number).collect(), texts)
            }
        })
    }
}

/// A game as conditions see it.
struct OneGame<'c> {
    columns: &'c [(&'static str, &'c Column)],
    game: usize,
}

impl GameFields for OneGame<'_> {
    fn text(&self, column: &str) -> Option<&str> {
        match self.columns.iter().find(|(name, _)| *name == column)?.1 {
            Column::Texts(numbers, texts) => texts.get(numbers[self.game] as usize).map(String::as_str),
            Column::Numbers(_) => None,
        }
    }

    fn number(&self, column: &str) -> Option<i64> {
        match self.columns.iter().find(|(name, _)| *name == column)?.1 {
            Column::Numbers(numbers) => numbers[self.game],
            Column::Texts(..) => None,
        }
    }
}

impl SegmentIndex {
    /// Returns the games for which a condition holds.
    ///
    /// # Errors
    ///
    /// Returns that the index cannot be read.
    pub fn games_with(&self, condition: &GameCondition) -> Result<Bits, IndexError> {
        match condition.field {
            GameField::Text => guarded(|| self.games_with_words(condition)),
            field if field.columns() == ["game"] => self.games_with_number(condition),
            _ => self.games_with_columns(condition),
        }
    }

    /// Returns the names of the variants that games have.
    ///
    /// # Errors
    ///
    /// Returns that the index cannot be read.
    pub fn variants(&self) -> Result<Vec<String>, IndexError> {
        Ok(match self.column(at("variant"))? {
            Column::Texts(_, texts) => texts.clone(),
            Column::Numbers(_) => Vec::new(),
        })
    }

    /// Asks the condition about every combination of values that occurs.
    fn games_with_columns(&self, condition: &GameCondition) -> Result<Bits, IndexError> {
        let mut names = condition.field.columns();
        if matches!(condition.field, GameField::Won | GameField::Lost) {
            names.push("result");
        }
        let columns = names.iter().map(|name| Ok((*name, self.column(at(name))?)));
        let columns = columns.collect::<Result<Vec<_>, IndexError>>()?;
        let classes: Vec<Option<Vec<bool>>> =
            columns.iter().map(|(name, column)| classes(condition, name, column)).collect();
        let mut known: HashMap<[i64; 3], bool> = HashMap::new();
        let mut found = Bits::none(self.n_games());
        for game in 0..self.n_games() {
            let mut values = [i64::MIN; 3];
            for ((value, (_, column)), classes) in values.iter_mut().zip(&columns).zip(&classes) {
                *value = match (column, classes) {
                    (Column::Texts(numbers, _), Some(classes)) => {
                        classes.get(numbers[game as usize] as usize).map_or(i64::MIN, |fits| i64::from(*fits))
                    }
                    (Column::Texts(numbers, _), None) => i64::from(numbers[game as usize]),
                    (Column::Numbers(numbers), _) => numbers[game as usize].unwrap_or(i64::MIN),
                };
            }
            let one = OneGame { columns: &columns, game: game as usize };
            if *known.entry(values).or_insert_with(|| condition.holds(&one)) {
                found.insert(game);
            }
        }
        Ok(found)
    }

    /// Compares the numbers of games, in whichever way they are written.
    fn games_with_number(&self, condition: &GameCondition) -> Result<Bits, IndexError> {
        let mut found = Bits::none(self.n_games());
        let Column::Numbers(numbers) = self.column(at("game"))? else { return Ok(found) };
        let wanted = match &condition.value {
            Value::Word(word) | Value::Phrase(word) | Value::Whole(word) => {
                word.parse().ok().map(GameId::as_i64)
            }
            Value::Number(number) => Some(*number),
            Value::Date(_) => None,
        };
        for (game, number) in (0..).zip(numbers) {
            let Some(number) = *number else { continue };
            let is_it = match wanted {
                Some(wanted) => number == wanted,
                None => condition.value.fits(&GameId::from_i64(number).to_string()),
            };
            if is_it != (condition.comparison == Comparison::Different) {
                found.insert(game);
            }
        }
        Ok(found)
    }
}

/// Returns which texts of a column fit, where conditions on the field ask nothing else about them. A result says who won,
/// whatever is looked for.
fn classes(condition: &GameCondition, name: &str, column: &Column) -> Option<Vec<bool>> {
    match column {
        Column::Texts(_, texts) if condition.field.kind() == FieldKind::Text && name != "result" => {
            Some(texts.iter().map(|text| condition.value.fits(text)).collect())
        }
        Column::Texts(..) | Column::Numbers(_) => None,
    }
}

/// Returns the number of a column in [`COLUMNS`].
///
/// # Panics
///
/// Panics if the index has no such column.
pub(super) fn at(name: &str) -> usize {
    let found = COLUMNS.iter().position(|(known, _)| *known == name);
    found.expect("conditions ask about columns that the index has")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_has_every_column_that_conditions_ask_about() {
        for field in GameField::all() {
            let columns = field.columns();
            assert!(columns.len() <= 2);
            columns.iter().for_each(|name| assert_eq!(COLUMNS[at(name)].0, *name));
        }
    }
}
