//! The rules pages of `fixtures/rules`, whose examples are executed.

use std::path::Path;

use tafl_tests::fast::Fast;
use tafl_tests::model::RulesModel;
use tafl_tests::naive::Naive;
use tafl_tests::oracle;
use tafl_tests::pages::{self, Example};

/// Plays an example and returns the differences from its page.
fn difference<M: RulesModel>(example: &Example) -> Option<String> {
    let shape = example.rules.shape();
    let mut model = M::at(&example.rules, &example.rules.start, example.side);
    let mut captured = Vec::new();
    let mut then = "continues".to_owned();
    for text in &example.moves {
        if then != "continues" {
            return Some(format!("{then} before {text}"));
        }
        then = match model.play(oracle::mv(shape, text)) {
            Err(_) => {
                captured = Vec::new();
                "illegal".to_owned()
            }
            Ok(cells) => {
                captured = cells;
                model.outcome().map_or("continues".to_owned(), |outcome| outcome.to_string())
            }
        };
    }
    let mut captures: Vec<String> = captured.into_iter().map(|cell| shape.name(cell)).collect();
    captures.sort();
    if (&captures, &then) != (&example.captures, &example.then) {
        return Some(format!("captures {captures:?}, then {then}"));
    }
    let mut legal: Vec<String> = model.moves().into_iter().map(|mv| mv.display(shape).to_string()).collect();
    legal.sort();
    example.legal.as_ref().filter(|expected| **expected != legal).map(|_| format!("legal moves {legal:?}"))
}

fn check<M: RulesModel>() {
    let examples = pages::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rules"));
    let wrong: Vec<String> = examples
        .iter()
        .filter_map(|example| {
            let found = difference::<M>(example)?;
            Some(format!(
                "{}: {} gives {found}; the page says captures {:?}, then {}",
                example.place,
                example.moves.join(" "),
                example.captures,
                example.then
            ))
        })
        .collect();
    println!("{} examples", examples.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(examples.len() > 250, "only {} examples", examples.len());
}

#[test]
fn naive_model_follows_every_page() {
    check::<Naive>();
}

#[test]
fn engine_follows_every_page() {
    check::<Fast>();
}
