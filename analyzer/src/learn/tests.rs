use tafl_rules::{AnyRulebook, Game, Rng, Setup, Side, catalog, with_rulebook};

use super::curve::ScoreCurve;
use super::example::Examples;
use super::label::{LabelConfig, Labeler};
use super::model::{Model, logit};
use super::optimizer::sigmoid;
use super::sample::{self, SampleError, TrainingGame, TrainingSample};
use super::selfplay::{DataGen, DataGenConfig};
use super::split::{TrainError, is_held_out};
use super::trainer::{TrainConfig, train};
use super::tune::{TuneConfig, tune};
use crate::engine::{NetChoice, SearchOptions};
use crate::eval::{Evaluator, Weights};
use crate::eval_term::EvalTerm;
use crate::limits::Nodes;

fn brandubh() -> AnyRulebook {
    AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap()
}

/// Games with one sample each, which are positions of random games with results assigned by `judge`.
/// Positions of the same random game have the same number.
fn random_samples(
    book: &AnyRulebook,
    count: usize,
    mut judge: impl FnMut(&Setup, Side) -> (i16, u8),
) -> Vec<TrainingGame> {
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
            let (score, half_points) = judge(&game.setup(), game.to_move());
            samples.push(TrainingGame {
                number,
                variant: "brandubh7".into(),
                has_changed_rules: false,
                rules: book.rules().clone(),
                half_points,
                samples: vec![TrainingSample { setup: game.setup(), to_move: game.to_move(), score }],
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
        epochs: 120,
        batch: 8,
        result_weight: 1.0,
        decay: 0.0,
        held_out: 2,
        ..TrainConfig::default()
    };
    let mut losses = Vec::new();
    let net = train(&samples, &config, |report| losses.push(report.train_loss)).unwrap();
    assert!(losses[0] > 0.55, "{losses:?}");
    assert!(*losses.last().unwrap() < 0.35, "{losses:?}");
    // The rounded network of the engine reproduces them.
    with_rulebook!(&book, book => {
        let eval = Evaluator::new(book, Weights::of_rules(book.rules())).with_net(book, &net);
        let known = samples.iter().filter(|game| !is_held_out(game.number, 2));
        let scored: Vec<(i16, u8)> = known
            .map(|game| {
                let TrainingSample { setup, to_move, .. } = &game.samples[0];
                let score = eval.evaluate(book, &book.position(setup, *to_move)).of(*to_move);
                (score.for_side(Side::Attackers).value(), game.half_points)
            })
            .collect();
        // Scores are relative to the start, so only their order is known.
        let of = |half_points: u8| scored.iter().filter(move |(_, found)| *found == half_points);
        let right = of(2).map(|won| of(0).filter(|lost| won.0 > lost.0).count()).sum::<usize>();
        let pairs = of(2).count() * of(0).count();
        assert!(pairs > 100 && right * 10 >= pairs * 9, "{right} of {pairs}");
    });
    // The same seed gives the same network.
    let config = TrainConfig { epochs: 3, ..config };
    assert_eq!(train(&samples, &config, |_| {}).unwrap(), train(&samples, &config, |_| {}).unwrap());
}

#[test]
fn the_engine_computes_what_was_trained() {
    let mut source = datagen(3);
    let games: Vec<TrainingGame> = (0..12).map(|_| source.next_game()).collect();
    let examples = Examples::of(&games);
    let slope = 0.002;
    let mut random = Rng::new(6);
    let mut model = Model::new(&examples, slope, &mut random);
    model.weights.iter_mut().for_each(|weight| *weight += 0.1 * (random.unit() as f32 - 0.5));
    let net = model.network("none".into());
    let mut at = 0;
    for game in games.iter().filter(|game| !game.samples.is_empty()) {
        let book = AnyRulebook::compile(&game.rules).unwrap();
        with_rulebook!(&book, book => {
            let eval = Evaluator::new(book, Weights::of_rules(book.rules())).with_net(book, &net);
            let mut offsets = Vec::new();
            for sample in &game.samples {
                let pos = book.position(&sample.setup, sample.to_move);
                let score = eval.evaluate(book, &pos).of(sample.to_move).for_side(Side::Attackers).value();
                offsets.push(logit(&model, &examples, at) / slope - f32::from(score));
                at += 1;
            }
            // They differ by the correction of the start, which is the same for all positions of a game, and by rounding.
            let mean = offsets.iter().sum::<f32>() / offsets.len() as f32;
            let most = offsets.iter().map(|offset| (offset - mean).abs()).fold(0.0, f32::max);
            assert!(most < 12.0, "{} {offsets:?}", game.rules);
        });
    }
    assert!(at > 100 && at == examples.positions.len(), "{at}");
}

#[test]
fn too_few_games_are_an_error() {
    let error = train(&[], &TrainConfig::default(), |_| {}).unwrap_err();
    assert_eq!(error, TrainError::TooFew { train_split: 0, held_out: 0 });
    let weights = Weights::of_rules(brandubh().rules());
    assert!(tune(&brandubh(), &[], &weights, &TuneConfig::default()).is_err());
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
    let config = TuneConfig { result_weight: 1.0, penalty: 1.0, ..TuneConfig::default() };
    let tuned = tune(&book, &samples, &before, &config).unwrap();
    assert!(tuned.after < tuned.before - 0.005, "{tuned:?}");
    // Only the ratios of the weights are determined.
    let of = |weights: &Weights, term: EvalTerm| f64::from(weights.of(term));
    let ratio = |weights: &Weights| {
        of(weights, EvalTerm::ManDefenders) / of(weights, EvalTerm::ManAttackers).max(1.0)
    };
    // The mobility of men takes part of the difference, because it grows with their number.
    assert!(ratio(&tuned.weights) > 2.0 * ratio(&before), "{}", tuned.weights);
    assert!(of(&tuned.weights, EvalTerm::KingMobility) < 0.0, "{}", tuned.weights);
    assert_eq!(tuned, tune(&book, &samples, &before, &config).unwrap());
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
    let rare = |game: &TrainingGame| game.half_points == 0 || game.number.is_multiple_of(5);
    let uneven: Vec<TrainingGame> = samples.iter().filter(|game| rare(game)).cloned().collect();
    let curve = ScoreCurve::fit(&uneven);
    assert!(curve.shift.abs() < 0.15 && (curve.slope * 400.0 - 1.0).abs() < 0.15, "{curve:?}");
}

/// Returns the options and the configuration of fast self-play.
fn fast_selfplay() -> (SearchOptions, DataGenConfig) {
    let options = SearchOptions { mebibytes: 1, net: NetChoice::Terms, ..SearchOptions::default() };
    (options, DataGenConfig { nodes: Nodes(60), max_plies: 60, ..DataGenConfig::default() })
}

/// Returns a generator for games of a square board, a hexagonal board, and a game with two kings.
fn datagen(seed: u64) -> DataGen {
    let (options, config) = fast_selfplay();
    let rules = |name: &str| (name.to_owned(), catalog::find(name).unwrap().rules());
    let variants = ["brandubh7", "hexentafl4", "cyngesheall7", "berserk11"].map(rules);
    DataGen::new(variants.to_vec(), options, config, seed)
}

fn file_of(games: &[TrainingGame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    sample::write_sample_header(&mut bytes).unwrap();
    games.iter().for_each(|game| game.write(&mut bytes).unwrap());
    bytes
}

#[test]
fn games_round_trip_through_a_file() {
    let mut source = datagen(5);
    let games: Vec<TrainingGame> = (0..8).map(|_| source.next_game()).collect();
    let bytes = file_of(&games);
    assert_eq!(sample::read_samples(&bytes).unwrap(), games);
    assert!(matches!(sample::read_samples(&bytes[..5]), Err(SampleError::Header)));
    let cut = &bytes[..bytes.len() - 1];
    assert!(matches!(sample::read_samples(cut), Err(SampleError::Truncated(7))));
    let (whole, length) = sample::read_whole_games(cut).unwrap();
    assert_eq!((whole.as_slice(), &bytes[..length]), (&games[..7], file_of(&games[..7]).as_slice()));
    let mut damaged = bytes.clone();
    damaged[40] ^= 1;
    assert!(matches!(sample::read_samples(&damaged), Err(SampleError::Damaged(0))));
}

#[test]
fn positions_are_packed() {
    let (options, config) = fast_selfplay();
    let rules = catalog::find("copenhagen11").unwrap().rules();
    let mut source = DataGen::new(vec![("copenhagen11".into(), rules)], options, config, 1);
    let games = [source.next_game(), source.next_game()];
    let n_samples: usize = games.iter().map(|game| game.samples.len()).sum();
    assert!(n_samples > 10);
    assert!(file_of(&games).len() < 45 * n_samples, "{} for {n_samples}", file_of(&games).len());
}

#[test]
fn self_play_is_labeled_and_reproducible() {
    let play = |seed| -> Vec<TrainingGame> {
        let mut source = datagen(seed);
        (0..8).map(|_| source.next_game()).collect()
    };
    let games = play(1);
    let samples: Vec<&TrainingSample> = games.iter().flat_map(|game| &game.samples).collect();
    assert!(samples.len() > 50 && samples.iter().all(|sample| sample.score.abs() <= 3000));
    assert!(
        games.iter().any(|game| game.has_changed_rules) && games.iter().any(|game| !game.has_changed_rules)
    );
    assert_eq!(games, play(1));
    assert_ne!(games, play(2));
    // An interrupted run continues with the same games.
    let mut resumed = datagen(1);
    games[..5].iter().for_each(|game| resumed.resume_after(game));
    assert_eq!(resumed.next_game(), games[5]);
    // The file of an interrupted run can have any number.
    resumed.resume_after(&TrainingGame { number: u32::MAX, ..games[0].clone() });
    assert_eq!(resumed.next_game().number, u32::MAX);
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
    let config = LabelConfig { nodes: Nodes(100), skip: 0, ..LabelConfig::default() };
    let options = SearchOptions { mebibytes: 1, net: NetChoice::Terms, ..SearchOptions::default() };
    let mut labeler = Labeler::new(&book, options, config);
    let all = labeler.game(&moves, Some(Side::Attackers), 5);
    assert!(!all.samples.is_empty());
    assert_eq!((all.number, all.half_points, &all.rules), (5, 2, book.rules()));
    moves.insert(1, moves[0]);
    assert!(labeler.game(&moves, None, 5).samples.len() <= 2);
}
