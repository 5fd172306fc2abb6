//! Invariants of every position of every game: keys, symmetries, single moves, explanations.

use tafl_rules::{
    AnyRulebook, Cell, CellSet, Game, Move, RepetitionMode, Rng, RuleSet, Side, Successor, Symmetry, catalog,
    explain_ply, rules_symmetries,
};
use tafl_tests::random::{Draw, random_rules};

/// Returns a game at its start that repetition does not end.
fn start(rules: &RuleSet) -> Game {
    let book = AnyRulebook::compile(rules).expect("the rules are sound");
    Game::with_mode(&book, RepetitionMode::Report)
}

/// Plays a random game and calls `look` with every position and its next move.
fn walk(rules: &RuleSet, rng: &mut Rng, max_plies: usize, mut look: impl FnMut(&mut Rng, &Game, Move)) {
    let mut game = start(rules);
    for _ in 0..max_plies {
        let moves = game.moves();
        if game.outcome().is_some() || moves.is_empty() {
            return;
        }
        let mv = rng.one_of(&moves);
        look(rng, &game, mv);
        game.play(mv).expect("listed moves are legal");
    }
}

/// Returns the game with the same board and side to move, and no history.
fn without_history(game: &Game, map: impl Fn(Cell) -> Cell, side: Side) -> Game {
    let book = AnyRulebook::compile(game.rules()).expect("the rules are sound");
    Game::from_setup(&book, &game.setup().mapped(map), side, RepetitionMode::Report).expect("the same board")
}

fn key_is_that_of_the_board(game: &Game) {
    let again = without_history(game, |cell| cell, game.to_move());
    if game.chain().is_none() {
        assert_eq!(game.key(), again.key(), "{} {}", game.rules(), game.setup());
    }
    let other = without_history(game, |cell| cell, game.to_move().other());
    assert_ne!(again.key(), other.key(), "the side to move is part of the key");
}

fn single_moves_agree_with_the_list(rng: &mut Rng, game: &Game, mv: Move) {
    let moves = game.moves();
    assert_eq!(game.count_moves(), moves.len() as u64);
    assert!(moves.is_sorted(), "moves rise");
    let n_cells = game.shape().n_cells();
    let random = |rng: &mut Rng| Cell::new(rng.below(n_cells));
    let near: Vec<Move> = (0..20).map(|_| Move::new(mv.from, random(rng))).collect();
    let any: Vec<Move> = (0..20).map(|_| Move::new(random(rng), random(rng))).collect();
    for tried in near.into_iter().chain(any).chain([mv]) {
        let words = || format!("{} {} {}", game.rules(), game.setup(), tried.display(game.shape()));
        let check = game.check(tried);
        assert_eq!(check.is_ok(), moves.contains(&tried), "{}: {check:?}", words());
        let mut copy = game.clone();
        assert_eq!(copy.play(tried).map(|_| ()), check, "{}", words());
        let explained = explain_ply(game, tried);
        assert_eq!(explained.as_ref().err(), check.as_ref().err(), "{}", words());
        if let Ok(explanation) = explained {
            let cells: CellSet = explanation.captures.iter().map(|cause| cause.cell).collect();
            assert_eq!(cells, explanation.ply.captured, "{}", words());
            let lines = explanation.lines(game.shape());
            for cell in explanation.captures.iter().map(|cause| cause.cell) {
                let falls = format!("on `{}` falls", game.shape().name(cell));
                let count = lines.iter().filter(|line| line.contains(&falls)).count();
                assert_eq!(count, 1, "{falls}: {lines:?}: {}", words());
            }
        }
    }
}

fn images_play_alike(game: &Game, mv: Move, symmetry: &Symmetry) {
    let image_of = |mv: Move| Move::new(symmetry.image(mv.from), symmetry.image(mv.to));
    let mut image = without_history(game, |cell| symmetry.image(cell), game.to_move());
    let words = format!("{} {} {}", game.rules(), game.setup(), symmetry.describe(game.shape()));
    assert_eq!(image.canonical_key().0, game.canonical_key().0, "{words}");
    let mut moves: Vec<Move> = game.moves().into_iter().map(image_of).collect();
    moves.sort_unstable();
    assert_eq!(image.moves(), moves, "{words}");
    let mut game = without_history(game, |cell| cell, game.to_move());
    let (ply, played) = (game.play(mv), image.play(image_of(mv)));
    let (ply, played) = (ply.expect("a legal move"), played.expect("its image is legal"));
    let mut captured: Vec<Cell> = ply.captured.iter().map(|cell| symmetry.image(cell)).collect();
    captured.sort_unstable();
    assert_eq!(played.captured.iter().collect::<Vec<_>>(), captured, "{words} {}", mv.display(game.shape()));
    assert_eq!(played.outcome, ply.outcome, "{words} {}", mv.display(game.shape()));
}

fn successors_are_what_play_gives(game: &Game) {
    let played = |mv: Move| {
        let mut after = game.clone();
        let ply = after.play(mv).expect("listed moves are legal");
        Successor { mv, captured: ply.captured, key: after.canonical_key().0 }
    };
    let expected: Vec<Successor> = game.moves().into_iter().map(played).collect();
    assert_eq!(game.successors(), expected, "{} {}", game.rules(), game.setup());
}

#[test]
fn keys_and_single_moves_agree_under_random_rules() {
    for seed in 0..250 {
        let mut rng = Rng::new(seed);
        let rules = random_rules(&mut rng);
        walk(&rules, &mut rng, 12, |rng, game, mv| {
            key_is_that_of_the_board(game);
            successors_are_what_play_gives(game);
            single_moves_agree_with_the_list(rng, game, mv);
        });
    }
}

#[test]
fn images_of_positions_play_alike_in_every_variant() {
    for (seed, variant) in catalog::all().enumerate() {
        let rules =
            RuleSet { repetition: Vec::new(), ply_limit: None, captureless_limit: None, ..variant.rules() };
        let symmetries = rules_symmetries(&rules);
        let mut rng = Rng::new(seed as u64);
        walk(&rules, &mut rng, 30, |rng, game, mv| {
            if rng.percent(8) {
                successors_are_what_play_gives(game);
            }
            // A position inside a chain is not determined by its board.
            if game.chain().is_none() && rng.percent(8) {
                symmetries.iter().for_each(|symmetry| images_play_alike(game, mv, symmetry));
            }
        });
    }
}

#[test]
fn symmetries_preserve_single_shieldwall_captures() {
    let text = "dim:7 sw:s surf:n xsw:one start:/1TT1TT1/1tt1tt1/7/3t3/7/3K3/7/";
    let rules: RuleSet = text.parse().expect("a rules string");
    let mv = tafl_tests::oracle::mv(rules.shape(), "d4-d1");
    let ply = start(&rules).play(mv).expect("the move is legal");
    assert_eq!(ply.captured.iter().count(), 2, "one of two shieldwalls is captured");
    for symmetry in rules_symmetries(&rules) {
        images_play_alike(&start(&rules), mv, &symmetry);
    }
}
