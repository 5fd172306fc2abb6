//! Trains a network on files of samples: `school VARIANT NETFILE EPOCHS OUTCOME SCALE SEED RATE FILES...`.

use std::fs;

use tafl_analyzer::learn::curve::Curve;
use tafl_analyzer::learn::sample;
use tafl_analyzer::learn::trainer::{Schooling, train};
use tafl_rules::{AnyRulebook, catalog};

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
    println!("{:?}", Curve::fit(&samples));
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
