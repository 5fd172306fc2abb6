//! The index agrees with the games.

use std::collections::{HashMap, HashSet};

use tafl_rules::Rng;

use super::fixture::Fixture;
use super::key_table::{KEYS_FILE, stored_bits};
use super::token_table::TOKENS_FILE;
use super::tokens::code;
use super::{IndexError, IndexLookup, SegmentIndex, build};
use crate::error::CorpusError;
use crate::move_log::BLOCK_SIZE;
use crate::query::FieldKind;
use crate::query::{
    BlockFilter, Comparison, ConditionValue, Date, GameCondition, GameField, GameFields, Prefilter, Token,
    tokens_of,
};
use crate::row::GameRow;
use crate::schema;

/// A fixture with its index.
struct Indexed {
    fixture: Fixture,
    index: SegmentIndex,
    _folder: tempfile::TempDir,
}

fn indexed(seed: u64, n_games: usize) -> Indexed {
    let fixture = Fixture::new(seed, n_games);
    let folder = tempfile::tempdir().unwrap();
    fixture.build(folder.path());
    let index = SegmentIndex::open(folder.path(), &fixture.move_log).unwrap();
    Indexed { fixture, index, _folder: folder }
}

/// Returns the tokens and the stored bits of keys of every block, by brute force.
fn blocks_of(fixture: &Fixture) -> Vec<(HashSet<Token>, HashSet<u64>)> {
    let mut blocks = Vec::new();
    let mut keys = fixture.keys.iter();
    for game in 0..fixture.move_log.n_games() {
        let mut cursor = fixture.move_log.cursor(game).unwrap();
        loop {
            let state = cursor.state();
            if state.ply.is_multiple_of(BLOCK_SIZE) {
                blocks.push((HashSet::new(), HashSet::new()));
            }
            let mut tokens = Vec::new();
            tokens_of(state, &mut tokens);
            let block = blocks.last_mut().unwrap();
            block.0.extend(tokens);
            block.1.insert(stored_bits(*keys.next().unwrap()));
            if !cursor.advance().unwrap() {
                break;
            }
        }
    }
    blocks
}

#[test]
fn blocks_follow_the_move_log_with_all_tokens_and_keys() {
    let indexed = indexed(1, 60);
    let blocks = blocks_of(&indexed.fixture);
    assert_eq!(blocks.len(), indexed.index.n_blocks() as usize);
    let tokens: HashSet<Token> = blocks.iter().flat_map(|(tokens, _)| tokens).copied().collect();
    for token in &tokens {
        let code = code(token).unwrap();
        let found: Vec<u32> = indexed.index.places_with_token(code).unwrap().iter().collect();
        let wanted = (0..).zip(&blocks).filter(|(_, (tokens, _))| tokens.contains(token));
        let wanted = wanted.map(|(number, _)| number);
        let mut wanted: Vec<u32> = indexed.index.order.places(&indexed.fixture.move_log, wanted).collect();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{token:?}");
        assert_eq!(indexed.index.token_frequency(code).n_blocks as usize, found.len());
    }
    for key in &indexed.fixture.keys {
        let found = indexed.index.blocks_with_keys(&[*key]).unwrap();
        let wanted = (0..).zip(&blocks).filter(|(_, (_, keys))| keys.contains(&stored_bits(*key)));
        assert_eq!(found, wanted.map(|(number, _)| number).collect::<Vec<u32>>());
    }
    for keys in indexed.fixture.keys.windows(3) {
        let bits: Vec<u64> = keys.iter().copied().map(stored_bits).collect();
        let has = |own: &HashSet<u64>| bits.iter().any(|bits| own.contains(bits));
        let wanted = (0..).zip(&blocks).filter(|(_, (_, own))| has(own));
        let found = indexed.index.blocks_with_keys(keys).unwrap();
        assert_eq!(found, wanted.map(|(number, _)| number).collect::<Vec<u32>>());
    }
}

#[test]
fn different_tokens_have_different_numbers() {
    let blocks = blocks_of(&Fixture::new(2, 60));
    let tokens: HashSet<Token> = blocks.into_iter().flat_map(|(tokens, _)| tokens).collect();
    let codes: HashMap<u64, Token> = tokens.iter().map(|token| (code(token).unwrap(), *token)).collect();
    assert_eq!(codes.len(), tokens.len());
    assert!(tokens.len() > 1000, "{}", tokens.len());
}

/// A row of the table as conditions see it.
pub(crate) struct Row(HashMap<&'static str, (Option<String>, Option<i64>)>);

impl Row {
    pub(crate) fn of(row: &GameRow) -> Row {
        let values = schema::GAMES.iter().map(|column| {
            let value = (column.get)(row);
            (column.field.name, (value.as_text().map(str::to_owned), value.as_number()))
        });
        Row(values.collect())
    }
}

impl GameFields for Row {
    fn text(&self, column: &str) -> Option<&str> {
        self.0[column].0.as_deref()
    }

    fn number(&self, column: &str) -> Option<i64> {
        self.0[column].1
    }
}

/// Returns conditions on every field but the number, of all kinds that the language has.
fn conditions() -> Vec<GameCondition> {
    let phrases = [
        "aberg",
        "Sven Åberg",
        "SVEN aberg*",
        "anna",
        "Berg",
        "sv",
        "Sv*",
        "Anna Berg",
        "wall",
        "shield wall*",
        "a wall",
        "cup",
        "*",
        "",
    ];
    let words = ["brandubh7", "brandubh*", "draw", "attackers", "sound", "L001", "2.1", "games.csv"];
    let mut conditions = Vec::new();
    for field in GameField::all().filter(|field| *field != GameField::column("game")) {
        let values: Vec<ConditionValue> = match field.kind() {
            FieldKind::Word => words.iter().map(|word| ConditionValue::Word((*word).to_owned())).collect(),
            FieldKind::Text => {
                let forms = |text: &&str| {
                    // Queries do not take words that any other would match.
                    let is_long = text.split(' ').all(|word| word.len() > 1 && !word.contains('*'));
                    let fuzzy = (1..=2).map(|distance| ConditionValue::Fuzzy((*text).to_owned(), distance));
                    let plain = [ConditionValue::phrase(text), ConditionValue::Whole((*text).to_owned())];
                    plain.into_iter().chain(fuzzy.filter(|_| is_long && text.len() > 4)).collect::<Vec<_>>()
                };
                phrases.iter().chain(&words).flat_map(forms).collect()
            }
            FieldKind::Number => [0, 20, 1200, 2019].map(ConditionValue::Number).into(),
            FieldKind::Date => ["2019", "2019-03", "2020-01-01"]
                .map(|date| ConditionValue::Date(Date::parse(date).unwrap()))
                .into(),
        };
        for (comparison, _) in Comparison::ALL {
            let condition =
                |value: &ConditionValue| GameCondition { field, comparison, value: value.clone() };
            conditions.extend(values.iter().map(condition));
        }
    }
    conditions
}

#[test]
fn conditions_hold_for_the_games_for_whose_rows_they_hold() {
    let indexed = indexed(3, 50);
    let rows: Vec<Row> = indexed.fixture.rows.iter().map(Row::of).collect();
    let mut n_found = 0;
    for condition in conditions() {
        let found: Vec<u32> = indexed.index.games_with(&condition).unwrap().iter().collect();
        let wanted = (0..).zip(&rows).filter(|(_, row)| condition.holds(*row));
        assert_eq!(found, wanted.map(|(game, _)| game).collect::<Vec<u32>>(), "{condition:?}");
        n_found += found.len();
    }
    assert!(n_found > 1000, "{n_found}");
}

#[test]
fn games_are_found_by_their_number() {
    let indexed = indexed(4, 30);
    for (game, row) in (0..).zip(&indexed.fixture.rows) {
        let digits = row.game.to_string();
        for word in [digits.clone(), row.game.as_i64().to_string(), digits[..12].to_owned() + "*"] {
            let condition = |comparison| GameCondition {
                field: GameField::column("game"),
                comparison,
                value: ConditionValue::Word(word.clone()),
            };
            let found = indexed.index.games_with(&condition(Comparison::Equal)).unwrap();
            assert_eq!(found.iter().collect::<Vec<_>>(), [game], "{word}");
            let others = indexed.index.games_with(&condition(Comparison::Different)).unwrap();
            assert!(!others.contains(game) && others.count() == 29, "{word}");
        }
    }
}

/// Returns a random filter of blocks or games.
fn filter(rng: &mut Rng, (tokens, conditions): (&[Token], &[GameCondition]), depth: u32) -> Prefilter {
    let many =
        |rng: &mut Rng| (0..1 + rng.below(3)).map(|_| filter(rng, (tokens, conditions), depth - 1)).collect();
    match rng.below(if depth == 0 { 4 } else { 6 }) {
        0 => Prefilter::Game(conditions[rng.below(conditions.len())].clone()),
        1 => Prefilter::NotGame(conditions[rng.below(conditions.len())].clone()),
        2 => Prefilter::Block(block_need(rng, tokens, 2)),
        3 => Prefilter::Block(placements(rng, tokens)),
        4 => Prefilter::All(many(rng)),
        _ => Prefilter::Any(many(rng)),
    }
}

/// Returns a filter like that of the placements of a pattern: many conjunctions of tokens of a shape, or of any.
fn placements(rng: &mut Rng, tokens: &[Token]) -> BlockFilter {
    let shape = |token: &Token| code(token).map_or(0, |code| code >> 32);
    let own = shape(&tokens[rng.below(tokens.len())]);
    let tokens: Vec<Token> = tokens.iter().copied().filter(|token| own == 0 || shape(token) == own).collect();
    let placement = |rng: &mut Rng| {
        let cells = (0..3 + rng.below(4)).map(|_| BlockFilter::Has(tokens[rng.below(tokens.len())]));
        BlockFilter::All(cells.collect())
    };
    BlockFilter::Any((0..17 + rng.below(20)).map(|_| placement(rng)).collect())
}

fn block_need(rng: &mut Rng, tokens: &[Token], depth: u32) -> BlockFilter {
    let many = |rng: &mut Rng| (0..1 + rng.below(4)).map(|_| block_need(rng, tokens, depth - 1)).collect();
    match rng.below(if depth == 0 { 1 } else { 3 }) {
        0 => BlockFilter::Has(tokens[rng.below(tokens.len())]),
        1 => BlockFilter::All(many(rng)),
        _ => BlockFilter::Any(many(rng)),
    }
}

#[test]
fn the_prefilter_loses_no_game() {
    let indexed = indexed(5, 80);
    let move_log = &indexed.fixture.move_log;
    let blocks = blocks_of(&indexed.fixture);
    let rows: Vec<Row> = indexed.fixture.rows.iter().map(Row::of).collect();
    let mut tokens: Vec<Token> = blocks.iter().flat_map(|(tokens, _)| tokens).copied().collect();
    tokens.sort_by_key(code);
    tokens.dedup();
    let conditions = conditions();
    let mut rng = Rng::new(6);
    let (mut n_left, mut n_needed) = (0, 0);
    for _ in 0..400 {
        let filter = filter(&mut rng, (&tokens, &conditions), 2);
        let found = IndexLookup::new(&indexed.index, move_log).games(&filter).unwrap();
        for game in 0..move_log.n_games() {
            let entry = move_log.entry(game);
            let first = entry.first_block as usize;
            let blocks = &blocks[first..first + entry.n_blocks() as usize];
            let is_needed = holds(&filter, &rows[game as usize], blocks);
            assert!(!is_needed || found.contains(game), "{filter:?} loses game {game}");
            n_needed += u32::from(is_needed);
        }
        n_left += found.count();
    }
    assert!(n_needed > 1000 && n_left < 2 * n_needed, "{n_needed} of {n_left}");
}

fn holds(filter: &Prefilter, row: &Row, blocks: &[(HashSet<Token>, HashSet<u64>)]) -> bool {
    match filter {
        Prefilter::Anything => true,
        Prefilter::Nothing => false,
        Prefilter::All(filters) => filters.iter().all(|filter| holds(filter, row, blocks)),
        Prefilter::Any(filters) => filters.iter().any(|filter| holds(filter, row, blocks)),
        Prefilter::Block(filter) => {
            blocks.iter().any(|(tokens, _)| filter.holds(&|token| tokens.contains(token)))
        }
        Prefilter::Game(condition) => condition.holds(row),
        Prefilter::NotGame(condition) => !condition.holds(row),
    }
}

#[test]
fn keys_and_rows_must_match_the_move_log() {
    let fixture = Fixture::new(7, 5);
    let folder = tempfile::tempdir().unwrap();
    let build_with = |name: &str, n_keys: usize, n_rows: usize| {
        let keys = fixture.keys.iter().copied().cycle().take(n_keys);
        let rows = fixture.rows.iter().cycle().take(n_rows);
        build(&folder.path().join(name), &fixture.move_log, keys, rows)
    };
    let (n_keys, n_rows) = (fixture.keys.len(), fixture.rows.len());
    assert!(matches!(build_with("a", n_keys - 1, n_rows), Err(IndexError::TooFewKeys)));
    assert!(matches!(build_with("b", n_keys + 1, n_rows), Err(IndexError::TooManyKeys)));
    assert!(matches!(build_with("c", n_keys, n_rows - 1), Err(IndexError::TooFewGames)));
    assert!(matches!(build_with("d", n_keys, n_rows + 1), Err(IndexError::TooManyGames)));
    build_with("e", n_keys, n_rows).unwrap();
    let other = Fixture::new(8, 6);
    let opened = SegmentIndex::open(&folder.path().join("e"), &other.move_log);
    assert!(matches!(opened, Err(IndexError::OtherMoveLog)));
    assert!(SegmentIndex::open(&folder.path().join("f"), &fixture.move_log).is_err());
}

#[test]
#[cfg(unix)]
fn a_table_that_the_system_cannot_open_is_not_damaged() {
    let fixture = Fixture::new(9, 5);
    for name in [KEYS_FILE, TOKENS_FILE] {
        let folder = tempfile::tempdir().unwrap();
        fixture.build(folder.path());
        let file = folder.path().join(name);
        std::fs::remove_file(&file).unwrap();
        // A link to itself has no content that could be damaged.
        std::os::unix::fs::symlink(name, &file).unwrap();
        let error = SegmentIndex::open(folder.path(), &fixture.move_log).err().unwrap();
        let error = error.of_folder(folder.path());
        assert!(matches!(&error, CorpusError::Io { path, .. } if *path == file), "{error}");
    }
}

#[test]
fn a_table_that_cannot_be_written_is_named_with_the_error_of_the_system() {
    let fixture = Fixture::new(10, 5);
    for name in [KEYS_FILE, TOKENS_FILE] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::create_dir(&file).unwrap();
        let built = build(folder.path(), &fixture.move_log, fixture.keys.iter().copied(), &fixture.rows);
        let error = built.unwrap_err().of_new_folder(folder.path());
        let CorpusError::Io { path, source } = &error else { panic!("{error}") };
        assert!(*path == file && source.kind() != std::io::ErrorKind::Other, "{error}");
    }
}
