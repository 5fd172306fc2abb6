//! Trains a network on files of samples: `school VARIANT NETFILE EPOCHS OUTCOME SCALE SEED RATE FILES...`.

use std::fs;

use tafl_analyzer::Weights;
use tafl_analyzer::eval::Evaluator;
use tafl_analyzer::learn::curve::Curve;
use tafl_analyzer::learn::sample::{self, Sample};
use tafl_analyzer::learn::trainer::{Schooling, train};
use tafl_rules::{AnyRulebook, Side, catalog, with_rulebook};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let rules = catalog::find(&words[1]).expect("a variant").rules();
    let book = AnyRulebook::compile(&rules).expect("rules");
    let number = |at: usize| words[at].parse::<f32>().expect("a number");
    let mut samples = Vec::new();
    for (at, path) in words[8..].iter().enumerate() {
        let found = sample::read(&mut fs::File::open(path).expect("a file"), book.shape()).expect("samples");
        samples.extend(found.into_iter().map(|mut sample| {
            sample.game += at as u32 * 10_000_000;
            sample
        }));
    }
    let schooling = Schooling {
        epochs: number(3) as usize,
        outcome: number(4),
        scale: number(5),
        seed: number(6) as u64,
        rate: number(7),
        ..Schooling::default()
    };
    let halves = samples.iter().fold([0; 3], |mut all, sample| {
        all[usize::from(sample.halves)] += 1;
        all
    });
    println!("{} samples, by result {halves:?}", samples.len());
    let curve = Curve::fit(&samples);
    println!("{curve:?}");
    with_rulebook!(&book, rulebook => {
        let eval = Evaluator::new(rulebook, Weights::of_rules(&rules));
        let mut scratch = eval.scratch();
        let standing: Vec<Sample> = samples.iter().map(|sample| {
            let pos = rulebook.position(&sample.setup, sample.to_move);
            let score = eval.evaluate(&mut scratch, rulebook, &pos).of(sample.to_move).for_side(Side::Attackers).value();
            Sample { score, halves: 2 * u8::from(sample.score > 0), ..sample.clone() }
        }).collect();
        let stand = Curve::fit(&standing);
        let loss = |a: f32, t: f32| -(t * a.max(1e-6).ln() + (1.0 - t) * (1.0 - a).max(1e-6).ln());
        let n = samples.len() as f32;
        let terms: f32 = samples.iter().zip(&standing).map(|(s, t)| loss(stand.expectation(t.score), curve.expectation(s.score))).sum();
        let own: f32 = samples.iter().map(|s| loss(curve.expectation(s.score), curve.expectation(s.score))).sum();
        println!("terms as they stand {stand:?} against search: {:.4}, search itself {:.4}", terms / n, own / n);
    });
    let network = train(&book, &samples, &schooling, |report| {
        let (held, search) = (report.held_out, report.search);
        println!(
            "epoch {}: shown {:.4}, held out {:.4} (outcome {:.4}, brier {:.4}); search {:.4} (outcome {:.4}, brier {:.4}) of {}",
            report.epoch, report.shown, held.loss, held.outcome, held.brier, search.loss, search.outcome, search.brier, held.count
        );
    })
    .expect("trained");
    fs::write(&words[2], network.to_bytes()).expect("written");
}
