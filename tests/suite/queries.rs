//! Plans find the same hits as the naive evaluator, and never require a token that a game with hits lacks.

use std::collections::HashSet;

use tafl_corpus::query::{Anchor, ContentMask, Layer};
use tafl_corpus::query::{BlockFilter, GameHit, Placement, Prefilter, Query, Token, tokens_of};
use tafl_corpus::query::{Expr, PlyTest};
use tafl_corpus::{BLOCK_SIZE, CellContent};
use tafl_rules::{
    Cell, Coord, Event, Rng, RuleSet, Setup, Side, canonical_key, catalog, rules_symmetries, shape_symmetries,
};
use tafl_tests::logged_games::{LoggedGames, naive_hits, play_logged_games, truth};
use tafl_tests::naive_query::{ReplayedPositions, test_holds};
use tafl_tests::random::{random_condition, random_query};

/// The tokens of each position of a game.
fn tokens(played: &LoggedGames, game: usize) -> Vec<HashSet<Token>> {
    let mut cursor = played.log.cursor(game as u32).unwrap();
    let mut all = Vec::new();
    let game_setup = usize::from(played.log.entry(game as u32).game_setup);
    let rules: RuleSet = played.log.game_setups()[game_setup].rules.parse().unwrap();
    let symmetries = rules_symmetries(&rules);
    loop {
        let state = cursor.state();
        let mut tokens = vec![Token::Key(played.keys[game][state.ply as usize])];
        if state.facts.events.contains(Event::ChainGoesOn) {
            let key = canonical_key(&state.setup(), Side::Attackers, None, &symmetries);
            tokens.push(Token::KeyInChain(key));
        }
        tokens_of(state, &mut tokens);
        all.push(tokens.into_iter().collect());
        if !cursor.advance().unwrap() {
            return all;
        }
    }
}

/// The tokens of each block of a game.
fn blocks(positions: &[HashSet<Token>]) -> Vec<HashSet<Token>> {
    positions.chunks(BLOCK_SIZE as usize).map(|block| block.iter().flatten().copied().collect()).collect()
}

/// Returns whether a single position is enough to evaluate a query.
fn is_about_single_positions(expr: &Expr) -> bool {
    match expr {
        Expr::All(parts) | Expr::Any(parts) => parts.iter().all(is_about_single_positions),
        Expr::Not(part) => is_about_single_positions(part),
        Expr::Game(_) | Expr::Setup(_) | Expr::Ply(_) => true,
        Expr::Then(_) | Expr::Before(_) | Expr::Ever(_) | Expr::Never(_) => false,
        Expr::Count(..) | Expr::First(_) | Expr::Last(_) => false,
    }
}

/// Returns whether blocks have the properties that a prefilter requires.
fn prefilter_holds(prefilter: &Prefilter, blocks: &[HashSet<Token>], game: usize) -> bool {
    let block_has =
        |block: &HashSet<Token>, filter: &BlockFilter| filter.holds(&|token| block.contains(token));
    match prefilter {
        Prefilter::Anything => true,
        Prefilter::Nothing => false,
        Prefilter::All(parts) => parts.iter().all(|part| prefilter_holds(part, blocks, game)),
        Prefilter::Any(parts) => parts.iter().any(|part| prefilter_holds(part, blocks, game)),
        Prefilter::Block(filter) => blocks.iter().any(|block| block_has(block, filter)),
        Prefilter::Game(condition) => truth(condition, game),
        Prefilter::NotGame(condition) => !truth(condition, game),
    }
}

/// Counts, so that a test without hits fails.
#[derive(Debug, Default)]
struct Tally {
    queries: usize,
    hits: usize,
    placed: usize,
    with_prefilter: usize,
    games_ruled_out: usize,
    hits_with_required_tokens: usize,
}

fn check(query: &Query, played: &LoggedGames, tally: &mut Tally) {
    tally.queries += 1;
    let plan = query.compile(&played.log.game_setups()[0]).unwrap();
    tally.with_prefilter +=
        usize::from(!matches!(plan.prefilter(), Prefilter::Anything | Prefilter::Nothing));
    for (number, game) in played.games.iter().enumerate() {
        let truths: Vec<bool> =
            query.game_conditions().iter().map(|condition| truth(condition, number)).collect();
        let mut hits = Vec::new();
        plan.run(&mut played.log.cursor(number as u32).unwrap(), &truths, &mut hits).unwrap();
        let plies: Vec<u32> = hits.iter().map(|hit| hit.ply).collect();
        assert_eq!(plies, naive_hits(query, game, number), "{query}\ngame {number} by {}", game.rules);
        tally.hits += plies.len();
        let tokens = tokens(played, number);
        let needed = prefilter_holds(plan.prefilter(), &blocks(&tokens), number);
        assert!(
            needed || plies.is_empty(),
            "{query}\nrequires {:?}\ngame {number} by {}",
            plan.prefilter(),
            game.rules
        );
        tally.games_ruled_out += usize::from(!needed);
        if is_about_single_positions(query.expr()) {
            // The required tokens exist at the position of the hit itself, not only near it.
            for ply in &plies {
                let alone = &tokens[*ply as usize..=*ply as usize];
                assert!(
                    prefilter_holds(plan.prefilter(), alone, number),
                    "{query}, ply {ply}\n{:?}",
                    plan.prefilter()
                );
                tally.hits_with_required_tokens += 1;
            }
        }
        plan.locate(&mut played.log.cursor(number as u32).unwrap(), &mut hits).unwrap();
        tally.placed += check_places(query, game, &hits);
    }
}

/// Checks that each hit names the first matching board or pattern, and returns the number of hits that name one.
fn check_places(query: &Query, game: &ReplayedPositions, hits: &[GameHit]) -> usize {
    let boards = query.boards();
    for hit in hits.iter().filter(|_| !query.is_about_games()) {
        let first = boards.iter().position(|test| test_holds(test, game, hit.ply as usize));
        let named = hit.placement.map(|placement| usize::from(placement.pattern));
        assert_eq!(named, first, "{query}: {hit:?}");
        if let Some(placement) = hit.placement {
            let cells = query.cells(game.rules.shape(), &placement);
            assert!(cells.windows(2).all(|pair| pair[0] < pair[1]), "{query}: {hit:?}");
            let setup = &game.positions[hit.ply as usize].setup;
            if let PlyTest::Pattern(pattern) = boards[usize::from(placement.pattern)] {
                let layers = pattern.look_for.iter();
                let lies = layers.filter_map(|layer| cells_where(layer, pattern.anchor, setup, &placement));
                let lies: Vec<_> = lies.collect();
                assert!(!lies.is_empty(), "{query}: {hit:?}");
                assert!(lies.iter().flatten().all(|cell| cells.contains(cell)), "{query}: {hit:?}");
            }
        }
    }
    hits.iter().filter(|hit| hit.placement.is_some()).count()
}

/// Returns the cells of a layer with a placement; `None` if it does not match.
fn cells_where(layer: &Layer, anchor: Anchor, setup: &Setup, placement: &Placement) -> Option<Vec<Cell>> {
    let shape = setup.shape();
    let symmetry = shape_symmetries(shape).into_iter().find(|known| known.id == placement.symmetry).unwrap();
    let mut cells = Vec::new();
    for (row, rank) in layer.rows.iter().zip(0..) {
        let first = if anchor == Anchor::Board { shape.first_file(rank) } else { 0 };
        for (mask, file) in row.iter().zip(first..).filter(|(mask, _)| **mask != ContentMask::ANY) {
            let at = Coord::new(file + i16::from(placement.files), rank + i16::from(placement.ranks));
            let cell = symmetry.image(shape.cell(at)?);
            let mask = if placement.swapped { mask.swapped() } else { *mask };
            if !mask.fits(CellContent::of(setup.piece(cell))) {
                return None;
            }
            cells.push(cell);
        }
    }
    Some(cells)
}

fn compare(variants: &[&str], seed: u64, n_queries: usize) -> Tally {
    let mut tally = Tally::default();
    let mut rng = Rng::new(seed);
    for name in variants {
        let played = play_logged_games(&mut rng, &catalog::find(name).unwrap().rules(), 4);
        for _ in 0..n_queries {
            let from = rng.below(played.games.len());
            let query = random_query(&mut rng, &played.games[from]);
            assert_eq!(Query::parse(&query.to_string()).as_ref(), Ok(&query), "{query}");
            check(&query, &played, &mut tally);
        }
    }
    tally
}

fn n_queries(default: usize) -> usize {
    std::env::var("TAFL_QUERY_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Whether there are enough queries to be certain of hits.
fn are_many(default: usize) -> bool {
    n_queries(default) >= default
}

/// Queries with one condition each, so that no condition hides the requirements of another one.
#[test]
fn every_kind_of_condition_finds_its_hits_and_requires_only_their_tokens() {
    let mut rng = Rng::new(3);
    for name in ["brandubh7", "copenhagen11", "cyngesheall7", "hexentafl4"] {
        let played = play_logged_games(&mut rng, &catalog::find(name).unwrap().rules(), 2);
        let mut tally = Tally::default();
        for _ in 0..n_queries(150) {
            let from = rng.below(played.games.len());
            check(&random_condition(&mut rng, &played.games[from]), &played, &mut tally);
        }
        println!("{name}: {tally:?}");
        assert!(!are_many(150) || tally.hits_with_required_tokens > 1000, "{name}: {tally:?}");
    }
}

#[test]
fn plans_equal_the_naive_evaluator_on_squares() {
    let tally =
        compare(&["brandubh7", "tablut-linnaeus", "copenhagen11", "alea-evangelii"], 1, n_queries(30));
    println!("{tally:?}");
    if are_many(30) {
        assert!(tally.hits > 5 * tally.queries && tally.placed > tally.queries, "{tally:?}");
        assert!(
            tally.with_prefilter * 4 > tally.queries && tally.games_ruled_out > tally.queries / 2,
            "{tally:?}"
        );
    }
}

#[test]
fn plans_equal_the_naive_evaluator_on_hexes_and_with_two_kings() {
    let tally = compare(&["hexentafl4", "cyngesheall7", "berserk11"], 2, n_queries(30));
    println!("{tally:?}");
    let found = tally.hits > 5 * tally.queries && tally.placed > tally.queries;
    assert!(!are_many(30) || found, "{tally:?}");
}

#[test]
fn a_pattern_larger_than_the_board_is_reported_and_has_no_hits() {
    let mut rng = Rng::new(5);
    let played = play_logged_games(&mut rng, &catalog::find("brandubh7").unwrap().rules(), 1);
    let plan = |text: &str| Query::parse(text).unwrap().compile(&played.log.game_setups()[0]).unwrap();
    let wide = "pattern \"tttttttt\"";
    let large = "position \"/9/9/9/9/4K4/9/9/9/9/\"";
    let fits = "pattern corner \"ttttttt\"";
    assert_eq!(plan(&format!("{fits} or {wide} or {large}")).misfits(), [1, 2]);
    assert_eq!(plan(wide).prefilter(), &Prefilter::Nothing);
    assert_eq!(plan(large).prefilter(), &Prefilter::Nothing);
    assert!(
        plan("pattern at h8 \"t\"").misfits() == [0]
            && plan("pattern board \"5/5/2K2/5/5\"").misfits() == [0]
    );
    // Pieces that the game lacks do not depend on the room.
    assert!(plan("pattern corner \"n\"").misfits().is_empty());
    assert_eq!(plan("pattern corner \"n\"").prefilter(), &Prefilter::Nothing);
}
