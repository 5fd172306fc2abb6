use proptest::prelude::*;
use tafl_rules::{
    AnyRulebook, Move, Piece, Position, Rng, Rulebook, Side, catalog, rules_symmetries, with_rulebook,
};

use super::inputs::{N_INPUTS, NetworkInputs};
use super::*;
use crate::eval::{Evaluator, Weights};
use crate::facts::NodeFacts;

/// A network with random weights.
fn random_network(seed: u64) -> Network {
    random_network_up_to(0.15, seed)
}

/// A network with random weights, whose floats are at most `limit`.
fn random_network_up_to(limit: f32, seed: u64) -> Network {
    let mut random = Rng::new(seed);
    let table = (0..N_INPUTS).map(|_| std::array::from_fn(|_| random.below(400) as i16 - 200)).collect();
    let floats: Vec<f32> = (0..FLOATS).map(|_| (random.unit() as f32 - 0.5) * (2.0 * limit)).collect();
    Network::of_floats("none".into(), 300.0, table, &floats)
}

fn evaluator<const N: usize>(book: &Rulebook<N>, seed: u64) -> Evaluator<N> {
    Evaluator::new(book, Weights::of_rules(book.rules())).with_net(book, &random_network(seed))
}

/// Plays random moves and calls `visit` after each one.
fn random_walk<const N: usize>(book: &Rulebook<N>, seed: u64, mut visit: impl FnMut(&Position<N>)) {
    let mut random = Rng::new(seed);
    let mut pos = book.start();
    for _ in 0..60 {
        let moves: Vec<Move> = book.moves(&pos).collect();
        if moves.is_empty() || book.play(&mut pos, moves[random.below(moves.len())]).outcome.is_some() {
            return;
        }
        visit(&pos);
    }
}

#[test]
fn one_network_evaluates_every_variant_and_its_mirror_images_alike() {
    let mut scores = std::collections::BTreeSet::new();
    for named in catalog::all() {
        let book = AnyRulebook::compile(&named.rules()).unwrap();
        with_rulebook!(&book, book => {
            let eval = evaluator(book, 3);
            random_walk(book, 5, |pos| {
                let setup = pos.setup(book.shape());
                let score = eval.evaluate(book, pos);
                for symmetry in rules_symmetries(book.rules()) {
                    let mirrored = setup.mapped(|cell| symmetry.image(cell));
                    let mirrored = book.position(&mirrored, pos.to_move());
                    if pos.chain().is_none() {
                        assert_eq!(score, eval.evaluate(book, &mirrored), "{} {}", named.name, symmetry.id);
                    }
                }
                scores.insert(score);
            });
        });
    }
    assert!(scores.len() > 500, "a network that always says the same proves nothing");
}

#[test]
fn scores_do_not_depend_on_earlier_positions() {
    for named in catalog::all() {
        let book = AnyRulebook::compile(&named.rules()).unwrap();
        with_rulebook!(&book, book => {
            let eval = evaluator(book, 3);
            let mut row_sums = RowSums::new();
            for seed in [5, 6, 5] {
                random_walk(book, seed, |pos| {
                    let facts = NodeFacts::of(book, pos);
                    let score = eval.evaluate_with(book, pos, &facts, &mut row_sums);
                    assert_eq!(score, eval.evaluate(book, pos), "{}", named.name);
                });
            }
        });
    }
}

#[test]
fn a_network_does_not_change_the_score_of_the_start() {
    for name in ["copenhagen11", "hexentafl4", "cyngesheall7"] {
        let book = AnyRulebook::compile(&catalog::find(name).unwrap().rules()).unwrap();
        with_rulebook!(&book, book => {
            let terms = Evaluator::new(book, Weights::of_rules(book.rules())).evaluate(book, &book.start());
            assert_eq!(evaluator(book, 8).evaluate(book, &book.start()), terms, "{name}");
        });
    }
}

#[test]
fn extreme_weights_do_not_overflow() {
    let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
    with_rulebook!(&book, book => {
        let mut n_extreme = 0;
        for seed in 0..8 {
            let network = random_network_up_to(1e10, seed);
            let eval = Evaluator::new(book, Weights::of_rules(book.rules())).with_net(book, &network);
            random_walk(book, seed, |pos| n_extreme += u32::from(eval.evaluate(book, pos).value().abs() > 30_000));
        }
        assert!(n_extreme > 0, "all corrections are equal");
    });
}

#[test]
fn every_piece_of_every_variant_has_inputs() {
    for named in catalog::all() {
        let rules = named.rules();
        let inputs = NetworkInputs::of(&rules);
        let mut seen =
            std::collections::BTreeSet::from_iter(inputs.rules().iter().map(|input| usize::from(*input)));
        assert_eq!(seen.len(), inputs.rules().len(), "{}: answers share an input", named.name);
        for (cell, piece) in rules.start.pieces() {
            inputs.of_piece(piece, cell, &mut |input| {
                seen.insert(input);
            });
            for side in Side::ALL {
                let relation = inputs.king_relation(side, cell);
                for (other, man) in rules.start.pieces() {
                    inputs.of_piece_and_king(man, other, &relation, &mut |input| {
                        seen.insert(input);
                    });
                }
            }
        }
        assert!(seen.iter().all(|input| *input < N_INPUTS), "{}", named.name);
    }
}

#[test]
fn inputs_distinguish_what_matters() {
    let rules = catalog::find("copenhagen11").unwrap().rules();
    let (inputs, shape) = (NetworkInputs::of(&rules), rules.shape());
    let of = |piece: char, cell: &str, king: &str| {
        let at = |name: &str| shape.cell(name.parse().unwrap()).unwrap();
        let piece = Piece::from_letter(piece).unwrap();
        let (mut on, relation) = (Vec::new(), inputs.king_relation(Side::Defenders, at(king)));
        inputs.of_piece(piece, at(cell), &mut |input| on.push(input));
        inputs.of_piece_and_king(piece, at(cell), &relation, &mut |input| on.push(input));
        on
    };
    assert_ne!(of('t', "c3", "f6"), of('T', "c3", "f6"));
    assert_ne!(of('t', "c3", "f6"), of('t', "c4", "f6"));
    // A man between the king and the nearest corner is not the same as one behind the king.
    assert_ne!(of('t', "c3", "d4"), of('t', "e5", "d4"));
    assert_eq!(of('t', "c3", "d4"), of('t', "i3", "h4"));
}

#[test]
fn a_file_round_trips() {
    let net = random_network(11);
    let back = Network::from_bytes(&net.to_bytes()).unwrap();
    assert_eq!(back, net);
    assert_eq!(back.hash(), net.hash());
}

#[test]
fn the_built_in_network_is_small_and_says_how_it_was_trained() {
    let net = builtin_network();
    assert!(net.to_bytes().len() < 4_000_000);
    assert!(net.training.contains("positions of"), "{}", net.training);
}

/// Returns the file of a random network whose bytes were changed, with a correct checksum.
fn changed(change: impl FnOnce(&mut String, &mut Vec<u8>)) -> Result<Network, NetError> {
    let bytes = random_network(1).to_bytes();
    let end = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap();
    let (mut text, mut numbers) =
        (String::from_utf8(bytes[..end].to_vec()).unwrap(), bytes[end + 2..].to_vec());
    change(&mut text, &mut numbers);
    let at = text.find("checksum: ").unwrap();
    text.replace_range(at.., &format!("checksum: {:016x}\n\n", crate::hash::fnv1a(&numbers)));
    Network::from_bytes(&[text.as_bytes(), &numbers].concat())
}

#[test]
fn damaged_files_are_rejected() {
    assert_eq!(Network::from_bytes(b""), Err(NetError::FirstLine));
    assert_eq!(Network::from_bytes(b"something else\n\n"), Err(NetError::FirstLine));
    let mut bytes = random_network(1).to_bytes();
    *bytes.last_mut().unwrap() ^= 1;
    assert!(matches!(Network::from_bytes(&bytes), Err(NetError::Checksum { .. })));
    assert_eq!(changed(|_, _| {}), Ok(random_network(1)));
    let shorter = changed(|_, numbers| numbers.truncate(numbers.len() - 4));
    assert!(matches!(shorter, Err(NetError::Length { .. })));
    let other = changed(|text, _| *text = text.replace("32 hidden", "64 hidden"));
    assert!(matches!(other, Err(NetError::Sizes { .. })));
    assert_eq!(
        changed(|text, _| *text = text.replace("scale: 300", "scale: x")),
        Err(NetError::Line("scale"))
    );
    let nan = changed(|_, numbers| {
        let at = numbers.len() - 4;
        numbers[at..].copy_from_slice(&f32::NAN.to_le_bytes());
    });
    assert_eq!(nan, Err(NetError::NotANumber));
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(at in 0_usize..2000, byte: u8, cut in 0_usize..40_000) {
        let mut bytes = random_network(1).to_bytes();
        bytes[at] = byte;
        bytes.truncate(cut.max(at + 1));
        let _ = Network::from_bytes(&bytes);
    }
}
