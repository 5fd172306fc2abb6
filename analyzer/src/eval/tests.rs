//! Properties of every evaluation.

use tafl_rules::{AnyRulebook, Rng, Rulebook, Setup, Side, catalog, with_rulebook};

use super::{EvalTerm, Evaluator, N_TERMS, Weights};
use crate::score::Score;

/// Returns the difference between the counts of a term for the defenders in two positions of
/// Brandubh, with the attackers to move in both.
pub(super) fn difference(term: EvalTerm, one: &str, other: &str) -> i32 {
    let rules = catalog::find("brandubh7").unwrap().rules();
    let book = AnyRulebook::compile(&rules).unwrap();
    let count = |position: &str| {
        let setup = Setup::parse(rules.shape(), position).unwrap();
        with_rulebook!(&book, book => {
            let eval = Evaluator::new(book, Weights::of_rules(&rules));
            eval.features(book, &book.position(&setup, Side::Attackers))[term.index()]
        })
    };
    count(other) - count(one)
}

#[test]
fn an_additional_man_has_the_weight_of_a_man() {
    let (one, other) = ("/7/2T4/7/3K3/7/7/7/", "/7/7/7/3K3/7/7/7/");
    assert_eq!(difference(EvalTerm::ManDefenders, one, other), 1);
    assert_eq!(difference(EvalTerm::ManAttackers, "/7/2t4/7/3K3/7/7/7/", other), -1);
}

#[test]
fn mirrored_positions_have_equal_scores() {
    for named in catalog::all() {
        let book = AnyRulebook::compile(&named.rules()).unwrap();
        with_rulebook!(&book, book => {
            let eval = Evaluator::new(book, Weights::of_rules(book.rules()));
            walk(book, |pos| {
                if pos.chain().is_some() {
                    return;
                }
                let score = eval.evaluate(book, pos);
                for symmetry in book.symmetries() {
                    let mut setup = Setup::empty(book.shape());
                    for (cell, piece) in pos.setup(book.shape()).pieces() {
                        setup.put(symmetry.image(cell), Some(piece));
                    }
                    let image = book.position(&setup, pos.to_move());
                    assert_eq!(eval.evaluate(book, &image), score, "{} {setup}", named.name);
                }
            });
        });
    }
}

/// Plays a game of arbitrary legal moves and calls `look` with every position.
fn walk<const N: usize>(book: &Rulebook<N>, mut look: impl FnMut(&tafl_rules::Position<N>)) {
    let mut pos = book.start();
    let mut rng = Rng::new(1);
    for _ in 0..120 {
        look(&pos);
        let moves: Vec<_> = book.moves(&pos).collect();
        if moves.is_empty() {
            return;
        }
        let mv = moves[rng.below(moves.len())];
        if book.play(&mut pos, mv).outcome.is_some() {
            return;
        }
    }
}

#[test]
fn features_times_weights_are_the_score() {
    for named in catalog::all() {
        let rules = named.rules();
        let book = tafl_rules::AnyRulebook::compile(&rules).unwrap();
        tafl_rules::with_rulebook!(&book, book => {
            let weights = Weights::from_values(std::array::from_fn::<i32, N_TERMS, _>(|at| 7 * at as i32 - 40));
            let eval = Evaluator::new(book, weights);
            walk(book, |pos| {
                let features = eval.features(book, pos);
                let value: i32 = features.iter().zip(eval.weights().values()).map(|(n, weight)| n * weight).sum();
                let relative = if pos.to_move() == Side::Attackers { value } else { -value };
                assert_eq!(eval.evaluate(book, pos), Score::evaluation(relative), "{}", named.name);
            });
        });
    }
}
