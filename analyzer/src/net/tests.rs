use std::sync::Arc;

use proptest::prelude::*;
use tafl_rules::{
    AnyRulebook, Game, Move, Position, Rng, Rulebook, catalog, rules_symmetries, with_rulebook,
};

use super::*;
use crate::engine::{Engine, EngineError, NetChoice, SearchOptions};
use crate::limits::Limits;

/// Rule sets of every kind: square and hexagonal boards, specialists, chains, two kings, few
/// symmetries.
const VARIANTS: &[&str] =
    &["copenhagen11", "brandubh7", "ashton9", "hexentafl4", "hexentafl5", "berserk11", "cyngesheall7"];

fn books() -> Vec<AnyRulebook> {
    let found = VARIANTS.iter().filter_map(|name| catalog::find(name));
    let books: Vec<AnyRulebook> = found.map(|named| AnyRulebook::compile(&named.rules()).unwrap()).collect();
    assert!(books.len() == VARIANTS.len() && books.iter().any(|book| book.shape().is_hex()));
    books
}

/// Returns a network with random weights.
fn random_network<const N: usize>(book: &Rulebook<N>, seed: u64) -> Network {
    let mut random = Rng::new(seed);
    let inputs = NetworkInputs::of(book);
    let mut whole = || std::array::from_fn(|_| (random.below(300) as i16) - 130);
    let (filters, bias) = ((0..inputs.count()).map(|_| whole()).collect(), whole());
    let mut row = || std::array::from_fn(|_| random.unit() as f32 - 0.5);
    let heads = [0, 1].map(|_| NetworkHead {
        pools: std::array::from_fn(|_| row()),
        signals: (0..signals::COUNT).map(|_| row()).collect(),
        bias: row(),
        hidden: row(),
        direct: (0..signals::COUNT).map(|_| row()[0]).collect(),
        base: 0.25,
    });
    let provenance = NetworkProvenance::new(&inputs, vec![book.rules().to_string()], "none".into());
    Network { provenance, scale: 300.0, filters, bias, heads }
}

/// Plays random moves and calls `visit` after each one.
fn random_walk<const N: usize>(book: &Rulebook<N>, seed: u64, mut visit: impl FnMut(&Position<N>)) {
    let mut random = Rng::new(seed);
    let mut pos = book.start();
    for _ in 0..60 {
        let moves: Vec<Move> = book.moves(&pos).collect();
        if moves.is_empty() {
            return;
        }
        if book.play(&mut pos, moves[random.below(moves.len())]).outcome.is_some() {
            return;
        }
        visit(&pos);
    }
}

#[test]
fn incremental_updates_equal_a_new_accumulator() {
    for (number, book) in books().iter().enumerate() {
        with_rulebook!(book, book => {
            let eval = CompiledNet::new(&random_network(book, 7), book).unwrap();
            let mut last = eval.accumulator();
            let mut seen = 0;
            for game in 0..6 {
                random_walk(book, 100 * number as u64 + game, |pos| {
                    let score = eval.evaluate(&mut last, book, pos);
                    let mut anew = eval.accumulator();
                    assert_eq!(score, eval.evaluate(&mut anew, book, pos));
                    assert_eq!(last, anew);
                    seen += 1;
                });
            }
            assert!(seen > 30, "random games were too short to test anything");
        });
    }
}

#[test]
fn mirrored_positions_have_identical_scores() {
    for book in books() {
        with_rulebook!(&book, book => {
            let eval = CompiledNet::new(&random_network(book, 3), book).unwrap();
            let mut scores = std::collections::BTreeSet::new();
            random_walk(book, 5, |pos| {
                let setup = pos.setup(book.shape());
                let score = eval.evaluate(&mut eval.accumulator(), book, pos);
                for symmetry in rules_symmetries(book.rules()) {
                    let mirrored = setup.mapped(|cell| symmetry.image(cell));
                    let mirrored = book.position(&mirrored, pos.to_move());
                    let mut last = eval.accumulator();
                    if pos.chain().is_none() {
                        assert_eq!(score, eval.evaluate(&mut last, book, &mirrored), "{}", symmetry.id);
                    }
                }
                scores.insert(score);
            });
            assert!(scores.len() > 5, "a network that always says the same proves nothing");
        });
    }
}

#[test]
fn a_file_round_trips() {
    for book in books() {
        let net = with_rulebook!(&book, book => random_network(book, 11));
        let bytes = net.to_bytes();
        let back = Network::from_bytes(&bytes).unwrap();
        assert_eq!(back, net);
        assert_eq!(back.hash(), net.hash());
    }
}

#[test]
fn every_built_in_network_fits_its_rules() {
    for net in builtin::builtin_networks() {
        for text in &net.provenance.rules {
            let book = AnyRulebook::compile(&text.parse().unwrap()).unwrap();
            with_rulebook!(&book, book => CompiledNet::new(net, book).map(|_| ()).unwrap());
            assert_eq!(builtin::builtin_network(book.rules()).as_deref(), Some(&**net));
        }
    }
}

fn copenhagen() -> (AnyRulebook, Network) {
    let book = AnyRulebook::compile(&catalog::find("copenhagen").unwrap().rules()).unwrap();
    let net = with_rulebook!(&book, book => random_network(book, 1));
    (book, net)
}

#[test]
fn other_boards_and_pieces_are_rejected() {
    let (_, net) = copenhagen();
    for (variant, misfit) in [("brandubh7", "board"), ("berserk11", "special pieces")] {
        let book = AnyRulebook::compile(&catalog::find(variant).unwrap().rules()).unwrap();
        let error = with_rulebook!(&book, book => CompiledNet::new(&net, book).unwrap_err());
        assert!(matches!(error, NetError::Misfit { what, .. } if what == misfit), "{error}");
        if misfit == "board" {
            assert_eq!(
                error.to_string(),
                "the network does not fit: expected board `square 7`, found `square 11`"
            );
        }
        let options =
            SearchOptions { net: NetChoice::Given(Arc::new(net.clone())), ..SearchOptions::default() };
        let refused = Engine::new(&book, options).search(&Game::new(&book), &Limits::nodes(1)).unwrap_err();
        assert_eq!(refused, EngineError::OtherNet { what: misfit });
    }
}

#[test]
fn damaged_files_are_rejected() {
    let (_, net) = copenhagen();
    let bytes = net.to_bytes();
    assert_eq!(Network::from_bytes(b""), Err(NetError::FirstLine));
    assert_eq!(Network::from_bytes(b"something else\n\n"), Err(NetError::FirstLine));
    let mut other = bytes.clone();
    *other.last_mut().unwrap() ^= 1;
    assert!(matches!(Network::from_bytes(&other), Err(NetError::Checksum { .. })));
    assert!(matches!(Network::from_bytes(&bytes[..bytes.len() - 4]), Err(NetError::Checksum { .. })));
    let text = String::from_utf8_lossy(&bytes[..600]).into_owned();
    let at = text.find("inputs: ").unwrap() + 8;
    let mut other = bytes.clone();
    other[at] = b'9';
    assert!(matches!(Network::from_bytes(&other), Err(NetError::Length { .. })));
    let at = text.find("signals ").unwrap() + 8;
    let mut other = bytes.clone();
    other[at] = b'9';
    assert!(matches!(Network::from_bytes(&other), Err(NetError::Misfit { what: "sizes", .. })));
    let mut nan = net;
    nan.heads[1].base = f32::NAN;
    assert_eq!(Network::from_bytes(&nan.to_bytes()), Err(NetError::NotANumber));
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(at in 0_usize..2000, byte: u8, cut in 0_usize..40_000) {
        let (_, net) = copenhagen();
        let mut bytes = net.to_bytes();
        bytes[at] = byte;
        bytes.truncate(cut.max(at + 1));
        let _ = Network::from_bytes(&bytes);
    }
}
