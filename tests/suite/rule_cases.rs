//! Single moves with a known effect.

use tafl_rules::Setup;
use tafl_tests::data;
use tafl_tests::fast::Fast;
use tafl_tests::model::RulesModel;
use tafl_tests::naive::Naive;
use tafl_tests::oracle::{self, Case};
use tafl_tests::variants;

/// Returns a model's result for a case, in the format of the case, and the board afterwards.
fn answer<M: RulesModel>(case: &Case) -> (String, Option<String>) {
    let rules = variants::rules(&case.variant);
    let shape = rules.shape();
    let board = Setup::parse(shape, &case.position).expect("the case has a position");
    let mut model = M::at(&rules, &board, case.side);
    let Ok(captured) = model.play(oracle::mv(shape, &case.mv)) else {
        return ("illegal".to_owned(), None);
    };
    let names: Vec<String> = captured.into_iter().map(|cell| shape.name(cell)).collect();
    let captured = if names.is_empty() { "-".to_owned() } else { format!("x{}", sorted(names).join("/")) };
    let end = match model.outcome() {
        None => "continues".to_owned(),
        Some(outcome) => {
            let winner = outcome.winner.map_or("draw".to_owned(), |side| format!("{side} wins"));
            format!("{winner} ({})", outcome.reason)
        }
    };
    (format!("{captured} ; {end}"), Some(model.board().to_string()))
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

fn check<M: RulesModel>() {
    let folder = data::oracle();
    let cases = oracle::cases(&folder);
    assert_eq!(cases.len(), 91);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let (found, after) = answer::<M>(case);
            let right = found == case.expected && after == case.after;
            (!right).then(|| {
                format!("{}: {found} {after:?}, expected {} {:?}", case.id, case.expected, case.after)
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[cfg_attr(not(has_oracle), ignore = "TAFL_ORACLE is not set")]
fn naive_model_answers_every_case() {
    check::<Naive>();
}

#[test]
#[cfg_attr(not(has_oracle), ignore = "TAFL_ORACLE is not set")]
fn engine_answers_every_case() {
    check::<Fast>();
}
