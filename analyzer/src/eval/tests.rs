//! What holds of every evaluation.

use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Side, catalog};

use super::{Evaluator, N_TERMS, Weights};
use crate::score::Score;

/// Walks through a game of odd but legal moves and hands over every position.
fn walk<const N: usize>(book: &Rulebook<N>, mut look: impl FnMut(&tafl_rules::position::Position<N>)) {
    let mut pos = book.start();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..120 {
        look(&pos);
        let moves: Vec<_> = book.moves(&pos).collect();
        if moves.is_empty() {
            return;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = moves[(seed >> 33) as usize % moves.len()];
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
            let mut scratch = eval.scratch();
            walk(book, |pos| {
                let features = eval.features(book, pos);
                let value: i32 = features.iter().zip(eval.weights().values()).map(|(n, weight)| n * weight).sum();
                let relative = if pos.to_move() == Side::Attackers { value } else { -value };
                assert_eq!(eval.evaluate(&mut scratch, book, pos), Score::opinion(relative), "{}", named.name);
            });
        });
    }
}
