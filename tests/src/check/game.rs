//! Games, and their mirror images.

use tafl_rules::{
    AnyRulebook, ByZone, Cell, Game, Goal, Move, Piece, Ply, PositionKey, RepetitionMode, RuleSet, Symmetry,
    Zone, explain_ply, shape_symmetries, with_rulebook,
};

use super::Choices;

/// Returns the image of rules under a symmetry of the board.
pub fn mirrored(rules: &RuleSet, symmetry: &Symmetry) -> RuleSet {
    let cells = |cells: &[Cell]| {
        let mut images: Vec<Cell> = cells.iter().map(|cell| symmetry.image(*cell)).collect();
        images.sort_unstable();
        images
    };
    let zone = |zone: &Zone| Zone { cells: cells(&zone.cells), ..zone.clone() };
    let goal = |goal: &Goal| match goal {
        Goal::Cells(goals) => Goal::Cells(cells(goals)),
        Goal::None | Goal::Corners | Goal::Edge => goal.clone(),
    };
    let mut mirrored = RuleSet {
        start: rules.start.mapped(|cell| symmetry.image(cell)),
        zones: ByZone::from_fn(|kind| zone(&rules.zones[kind])),
        camps_spared: cells(&rules.camps_spared),
        ..rules.clone()
    };
    mirrored.goals.attackers = goal(&rules.goals.attackers);
    mirrored.goals.defenders = goal(&rules.goals.defenders);
    mirrored
}

/// Plays a game of up to `n_plies` plies and its image under a random symmetry, and returns the number of plies.
///
/// Rules that cannot be compiled are not a fault.
///
/// # Panics
///
/// Panics if the moves that are listed, counted, and checked differ, if an illegal move is played or not explained, if a
/// key is not that of the board, or if the two games are not images of each other in moves, captures, ends, and canonical
/// keys.
pub fn play_with_mirror(rules: &RuleSet, n_plies: usize, choices: &mut impl Choices) -> usize {
    let Ok(book) = AnyRulebook::compile(rules) else { return 0 };
    let symmetries = shape_symmetries(rules.shape());
    let symmetry = &symmetries[choices.below(symmetries.len())];
    let mirror_book = AnyRulebook::compile(&mirrored(rules, symmetry)).expect("a mirror changes no rule");
    let mut pair = Pair { game: Game::new(&book), twin: Game::new(&mirror_book), symmetry };
    let keeps_rules = book.symmetries().iter().any(|own| own.id == symmetry.id);
    let mut moves = Vec::new();
    let mut keys = vec![pair.game.key()];
    while moves.len() < n_plies {
        pair.check_keys(&book, keeps_rules);
        if pair.game.outcome().is_some() && !pair.pass_end(choices) {
            break;
        }
        let legal = pair.check_moves(choices);
        if legal.is_empty() {
            break;
        }
        let mv = legal[choices.below(legal.len())];
        pair.play(mv);
        moves.push(mv);
        keys.push(pair.game.key());
    }
    check_keys_of_plies(&book, &moves, &keys);
    moves.len()
}

/// A game and its mirror image.
struct Pair<'s> {
    game: Game,
    twin: Game,
    symmetry: &'s Symmetry,
}

impl Pair<'_> {
    fn image(&self, mv: Move) -> Move {
        Move::new(self.symmetry.image(mv.from), self.symmetry.image(mv.to))
    }

    fn place(&self) -> String {
        let game = &self.game;
        format!("{} {} to move, by {}", game.setup(), game.to_move(), game.rules())
    }

    /// Checks that no move of a finished game is legal, and continues it in half of the cases. Returns whether it continues.
    fn pass_end(&mut self, choices: &mut impl Choices) -> bool {
        for mv in self.game.moves() {
            assert!(
                self.game.check(mv).is_err(),
                "{} was played after the end",
                mv.display(self.game.shape())
            );
        }
        self.game.clear_outcome();
        self.twin.clear_outcome();
        choices.below(2) == 1
    }

    /// Compares the functions that return legal moves, and returns the moves.
    fn check_moves(&self, choices: &mut impl Choices) -> Vec<Move> {
        let game = &self.game;
        let moves = game.moves();
        assert!(moves.is_sorted(), "{}", self.place());
        assert_eq!(game.count_moves(), moves.len() as u64, "{}", self.place());
        let mut images: Vec<Move> = moves.iter().map(|mv| self.image(*mv)).collect();
        images.sort_unstable();
        assert_eq!(self.twin.moves(), images, "{} in the mirror {}", self.place(), self.symmetry.id);
        for mv in some_moves(game, choices) {
            let text = mv.display(game.shape());
            match game.check(mv) {
                Ok(()) => assert!(moves.binary_search(&mv).is_ok(), "{text} is not listed: {}", self.place()),
                Err(why) => {
                    assert!(moves.binary_search(&mv).is_err(), "{text} is {why:?}: {}", self.place());
                    let words = why.describe(game.shape(), mv);
                    assert!(!words.is_empty() && !words.ends_with('.'), "{text}: {words}");
                }
            }
        }
        for mv in &moves {
            assert_eq!(game.check(*mv), Ok(()), "{} is listed: {}", mv.display(game.shape()), self.place());
            assert!(game.targets(mv.from).contains(mv.to), "{}: {}", mv.display(game.shape()), self.place());
        }
        moves
    }

    /// Plays a legal move in both games, after an illegal one that must change nothing.
    fn play(&mut self, mv: Move) {
        let place = self.place();
        let nowhere = Move::new(mv.from, mv.from);
        let key = self.game.key();
        assert!(self.game.play(nowhere).is_err() && self.game.key() == key, "{place}");
        let shape = self.game.shape();
        let explanation = explain_ply(&self.game, mv).unwrap_or_else(|why| panic!("{why:?}: {place}"));
        assert!(explanation.lines(shape).iter().all(|line| !line.is_empty()));
        let ply = self.game.play(mv).unwrap_or_else(|why| panic!("{why:?}: {place}"));
        let image = self.image(mv);
        let twin = self.twin.play(image).unwrap_or_else(|why| panic!("{why:?} in the mirror: {place}"));
        let mut captured: Vec<Cell> = ply.captured.iter().map(|cell| self.symmetry.image(cell)).collect();
        captured.sort_unstable();
        let text = mv.display(shape);
        assert_eq!(twin.captured.iter().collect::<Vec<_>>(), captured, "{text}: {place}");
        let same = |ply: Ply| Ply { mv, captured: ply.captured.without(ply.captured), ..ply };
        assert_eq!(same(twin), same(ply), "{text} in the mirror {}: {place}", self.symmetry.id);
    }

    /// Compares keys with those of the same board without a history, and with those of the image.
    fn check_keys(&self, book: &AnyRulebook, keeps_rules: bool) {
        let game = &self.game;
        let (canonical, orientation) = game.canonical_key();
        if keeps_rules {
            assert_eq!(self.twin.canonical_key().0, canonical, "{}", self.place());
        }
        assert!(canonical.0 <= game.key().0, "{}", self.place());
        if game.chain().is_some() {
            return;
        }
        let (setup, to_move) = (game.setup(), game.to_move());
        let key = |setup: &_| with_rulebook!(book, book => book.position(setup, to_move).key());
        assert_eq!(key(&setup), game.key(), "{}", self.place());
        let there = setup.mapped(|cell| orientation.image(cell));
        assert_eq!(key(&there).0, canonical.0, "{}", self.place());
        let least =
            book.symmetries().iter().map(|symmetry| key(&setup.mapped(|cell| symmetry.image(cell))).0).min();
        assert_eq!(least, Some(canonical.0), "{}", self.place());
        let wanted: Vec<Option<Piece>> = setup.shape().cells().map(|cell| setup.piece(cell)).collect();
        let found: Vec<Option<Piece>> = setup.shape().cells().map(|cell| game.piece(cell)).collect();
        assert_eq!(found, wanted);
        if game.rules().start.pieces().count() == setup.pieces().count() {
            let again = Game::from_setup(book, &setup, to_move, RepetitionMode::Enforce);
            assert_eq!(again.expect("the same board").key(), game.key(), "{}", self.place());
        }
    }
}

/// Returns moves to check: those between any two cells of a small board, and some of a large one.
fn some_moves(game: &Game, choices: &mut impl Choices) -> Vec<Move> {
    let shape = game.shape();
    if shape.n_cells() <= 49 {
        return shape.cells().flat_map(|from| shape.cells().map(move |to| Move::new(from, to))).collect();
    }
    let pieces: Vec<Cell> = game.setup().pieces().map(|(cell, _)| cell).collect();
    let first = Cell::new(choices.below(shape.n_cells()));
    let second = pieces.get(choices.below(pieces.len().max(1))).copied().unwrap_or(first);
    let from = |from: Cell| shape.cells().map(move |to| Move::new(from, to));
    from(first).chain(from(second)).collect()
}

/// Plays the moves without a game's history and compares the keys, inside of chains as well.
fn check_keys_of_plies(book: &AnyRulebook, moves: &[Move], keys: &[PositionKey]) {
    with_rulebook!(book, book => {
        let mut pos = book.start();
        for (n, key) in keys.iter().enumerate() {
            assert_eq!(pos.key(), *key, "ply {n} by {}", book.rules());
            assert_eq!(pos.recomputed_key(book.shape()), *key, "ply {n} by {}", book.rules());
            if let Some(mv) = moves.get(n) {
                book.play(&mut pos, *mv);
            }
        }
    });
}
