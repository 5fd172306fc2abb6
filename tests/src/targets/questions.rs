//! The query language.

use std::cell::RefCell;
use std::collections::HashMap;

use tafl_corpus::query::Query;
use tafl_rules::{Rng, catalog};

use crate::logged_games::{LoggedGames, naive_hits, play_logged_games, truth};
use crate::random::random_rules;

/// The maximum length of queries that are also evaluated on games, because the naive evaluator is slow.
const MAX_EVALUATED: usize = 160;
/// The number of rule sets.
const N_RULES: u64 = 40;

/// Variants with different boards; random rules follow them.
const VARIANTS: [&str; 4] = ["brandubh7", "hexentafl4", "cyngesheall7", "copenhagen11"];

thread_local! {
    static GAMES: RefCell<HashMap<u64, LoggedGames>> = RefCell::default();
}

fn played(number: u64) -> LoggedGames {
    let mut rng = Rng::new(number);
    let rules = match VARIANTS.get(number as usize) {
        Some(name) => catalog::find(name).expect("a variant of the catalog").rules(),
        None => random_rules(&mut rng),
    };
    play_logged_games(&mut rng, &rules, 1)
}

/// Queries: the tree survives writing and parsing, errors refer to a part of the text, and plans find the same hits as the
/// naive evaluator.
pub(super) fn questions(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let query = match Query::parse(text) {
        Ok(query) => query,
        Err(error) => {
            let part = text.get(error.span.start as usize..error.span.end as usize);
            assert!(part.is_some(), "{error:?} is about no part of {text:?}");
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let written = query.to_string();
    assert_eq!(Query::parse(&written).as_ref(), Ok(&query), "{text:?} is written as {written:?}");
    if text.len() > MAX_EVALUATED {
        return;
    }
    let number = data.iter().fold(0, |sum, byte| (sum * 31 + u64::from(*byte)) % N_RULES);
    GAMES.with_borrow_mut(|games| ask(&query, games.entry(number).or_insert_with(|| played(number))));
}

fn ask(query: &Query, played: &LoggedGames) {
    let plan = query.compile(&played.log.game_setups()[0]).expect("the rules of a played game");
    for (number, game) in (0..).zip(&played.games) {
        let conditions = query.game_conditions();
        let truths: Vec<bool> = conditions.iter().map(|condition| truth(condition, number)).collect();
        let mut cursor = played.log.cursor(number as u32).expect("the log was just written");
        let mut hits = Vec::new();
        plan.run(&mut cursor, &truths, &mut hits).expect("the log was just written");
        let plies: Vec<u32> = hits.iter().map(|hit| hit.ply).collect();
        assert_eq!(plies, naive_hits(query, game, number), "{query} by {}", game.rules);
    }
}
