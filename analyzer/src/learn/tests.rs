use tafl_rules::{AnyRulebook, Game, Rng, Setup, Side, catalog, with_rulebook};

use super::curve::{ScoreCurve, SideWeights};
use super::label::{Labeler, Labels};
use super::optimizer::sigmoid;
use super::sample::{self, SampleError, TrainingSample};
use super::selfplay::{DataGen, DataGenConfig};
use super::trainer::{TrainConfig, TrainError, train};
use super::tune::{Tuning, tune};
use crate::engine::{NetChoice, SearchOptions};
use crate::eval::{EvalTerm, Evaluator, Weights};
use crate::limits::Nodes;
use crate::net::CompiledNet;

fn brandubh() -> AnyRulebook {
    AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap()
}

/// Positions of random games with results assigned by `judge`.
fn random_samples(
    book: &AnyRulebook,
    count: usize,
    mut judge: impl FnMut(&Setup, Side) -> (i16, u8),
) -> Vec<TrainingSample> {
    let mut random = Rng::new(9);
    let mut samples = Vec::new();
    let mut number = 0;
    while samples.len() < count {
        let mut game = Game::new(book);
        number += 1;
        for _ in 0..30 {
            let moves = game.moves();
            if moves.is_empty() || game.outcome().is_some() {
                break;
            }
            game.play(moves[random.below(moves.len())]).unwrap();
            let (score, halves) = judge(&game.setup(), game.to_move());
            samples.push(TrainingSample {
                setup: game.setup(),
                to_move: game.to_move(),
                score,
                halves,
                game: number,
            });
        }
    }
    samples
}

#[test]
fn a_network_memorizes_a_small_set() {
    let book = brandubh();
    let mut random = Rng::new(4);
    // The results are random, so only a network that sees the pieces' cells can learn them.
    let samples = random_samples(&book, 90, |_, _| (0, 2 * random.below(2) as u8));
    let config = TrainConfig {
        epochs: 200,
        batch: 8,
        outcome: 1.0,
        decay: 0.0,
        rate: 0.01,
        held_out: 2,
        ..TrainConfig::default()
    };
    let mut losses = Vec::new();
    let net = train(&book, &samples, &config, |report| losses.push(report.train_loss)).unwrap();
    assert!(losses[0] > 0.55, "{losses:?}");
    assert!(*losses.last().unwrap() < 0.35, "{losses:?}");
    // The rounded network of the engine reproduces them.
    with_rulebook!(&book, book => {
        let eval = CompiledNet::new(&net, book).unwrap();
        let mut last = eval.accumulator();
        let right = |sample: &&TrainingSample| {
            let score = eval.evaluate(&mut last, book, &book.position(&sample.setup, sample.to_move));
            (score.of(sample.to_move).for_side(Side::Attackers).value() > 0) == (sample.halves == 2)
        };
        let right = samples.iter().filter(right).count();
        // The held-out part can only be guessed.
        assert!(right * 10 >= samples.len() * 6, "{right} of {}", samples.len());
    });
    // The same seed gives the same network.
    assert_eq!(net, train(&book, &samples, &config, |_| {}).unwrap());
}

#[test]
fn too_few_games_are_an_error() {
    let error = train(&brandubh(), &[], &TrainConfig::default(), |_| {}).unwrap_err();
    assert_eq!(error, TrainError::TooFew { train_split: 0, held_out: 0 });
    let weights = Weights::of_rules(brandubh().rules());
    assert!(tune(&brandubh(), &[], &weights, &Tuning::default()).is_err());
}

#[test]
fn tuning_finds_the_weights_that_decided_the_games() {
    let book = brandubh();
    let before = Weights::of_rules(book.rules());
    let mut truth = before.clone();
    truth.set(EvalTerm::ManAttackers, 40);
    truth.set(EvalTerm::ManDefenders, 300);
    truth.set(EvalTerm::KingMobility, -20);
    let mut random = Rng::new(21);
    let samples = with_rulebook!(&book, rulebook => {
        let eval = Evaluator::new(rulebook, truth.clone());
        random_samples(&book, 20_000, |setup, to_move| {
            let features = eval.features(rulebook, &rulebook.position(setup, to_move));
            let value: i32 = features.iter().zip(truth.values()).map(|(count, weight)| count * weight).sum();
            let wins = (random.unit() as f32) < sigmoid(value as f32 / 300.0);
            (0, if wins { 2 } else { 0 })
        })
    });
    let tuning = Tuning { outcome: 1.0, pull: 1.0, ..Tuning::default() };
    let tuned = tune(&book, &samples, &before, &tuning).unwrap();
    assert!(tuned.after < tuned.before - 0.005, "{tuned:?}");
    // Only the ratios of the weights are determined.
    let of = |weights: &Weights, term: EvalTerm| f64::from(weights.of(term));
    let ratio = |weights: &Weights| {
        of(weights, EvalTerm::ManDefenders) / of(weights, EvalTerm::ManAttackers).max(1.0)
    };
    assert!(ratio(&tuned.weights) > 3.0, "{}", tuned.weights);
    assert!(of(&tuned.weights, EvalTerm::KingMobility) < 0.0, "{}", tuned.weights);
    assert_eq!(tuned, tune(&book, &samples, &before, &tuning).unwrap());
}

#[test]
fn a_curve_finds_its_slope_regardless_of_the_balance() {
    let book = brandubh();
    let mut random = Rng::new(2);
    let samples = random_samples(&book, 20_000, |_, _| {
        let score = random.below(2000) as i16 - 1000;
        let wins = (random.unit() as f32) < sigmoid(f32::from(score) / 400.0);
        (score, if wins { 2 } else { 0 })
    });
    let curve = ScoreCurve::fit(&samples);
    assert!(curve.shift.abs() < 0.1 && (curve.slope * 400.0 - 1.0).abs() < 0.1, "{curve:?}");
    // Although one side nearly always wins, the curve stays balanced, because its wins count less.
    let rare = |sample: &TrainingSample| sample.halves == 0 || sample.game.is_multiple_of(5);
    let uneven: Vec<TrainingSample> = samples.iter().filter(|sample| rare(sample)).cloned().collect();
    let balance = SideWeights::of(&uneven);
    assert!(balance.of_result(2) > 3.0 * balance.of_result(0), "{balance:?}");
    let curve = ScoreCurve::fit(&uneven);
    assert!(curve.shift.abs() < 0.15 && (curve.slope * 400.0 - 1.0).abs() < 0.15, "{curve:?}");
}

#[test]
fn samples_round_trip_through_a_file() {
    let book = brandubh();
    let mut random = Rng::new(3);
    let samples = random_samples(&book, 200, |_, _| (random.below(900) as i16 - 450, random.below(3) as u8));
    let mut bytes = Vec::new();
    sample::write_samples(&mut bytes, book.shape(), &samples).unwrap();
    assert_eq!(sample::read_samples(&mut bytes.as_slice(), book.shape()).unwrap(), samples);
    let hex = tafl_rules::Shape::Hex { side: 4 };
    assert!(matches!(sample::read_samples(&mut bytes.as_slice(), hex), Err(SampleError::OtherBoard { .. })));
    assert!(matches!(sample::read_samples(&mut &bytes[..5], book.shape()), Err(SampleError::Header)));
    let last = samples.len() - 1;
    let cut = sample::read_samples(&mut &bytes[..bytes.len() - 1], book.shape());
    assert!(matches!(cut, Err(SampleError::CutOff(at)) if at == last));
    bytes[12 + 6] = 9;
    assert!(matches!(sample::read_samples(&mut bytes.as_slice(), book.shape()), Err(SampleError::Broken(0))));
}

#[test]
fn self_play_is_labeled_and_reproducible() {
    let book = brandubh();
    let config = DataGenConfig { nodes: Nodes(200), ..DataGenConfig::default() };
    let options = SearchOptions { mebibytes: 1, net: NetChoice::Terms, ..SearchOptions::default() };
    let play = |seed| -> Vec<TrainingSample> {
        let mut datagen = DataGen::new(&book, options.clone(), config.clone(), seed);
        (0..4).flat_map(|number| datagen.game(number)).collect()
    };
    let samples = play(1);
    assert!(samples.len() > 10 && samples.iter().all(|sample| sample.score.abs() <= config.clear));
    assert_eq!(samples, play(1));
    assert_ne!(samples, play(2));
}

#[test]
fn played_games_are_labeled_up_to_their_first_illegal_move() {
    let book = brandubh();
    let mut game = Game::new(&book);
    let mut random = Rng::new(8);
    let mut moves = Vec::new();
    for _ in 0..12 {
        let legal = game.moves();
        let mv = legal[random.below(legal.len())];
        if game.outcome().is_some() || game.play(mv).is_err() {
            break;
        }
        moves.push(mv);
    }
    let labels = Labels { nodes: Nodes(100), skip: 0, ..Labels::default() };
    let options = SearchOptions { mebibytes: 1, net: NetChoice::Terms, ..SearchOptions::default() };
    let mut labeler = Labeler::new(&book, options, labels);
    let all = labeler.game(&moves, Some(Side::Attackers), 5);
    assert!(!all.is_empty() && all.iter().all(|sample| sample.game == 5));
    let undecided = |sample: &&TrainingSample| sample.score.abs() < labels.clear;
    assert!(all.iter().filter(undecided).all(|sample| sample.halves == 2));
    moves.insert(1, moves[0]);
    assert!(labeler.game(&moves, None, 5).len() <= 2);
}
