//! The figures, as text or as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::Tally;
use crate::measure::Comparison;

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Text,
    Json,
}

/// Returns the figures of all comparisons for programs.
pub(crate) fn json(comparisons: &[Comparison]) -> Value {
    let all: Vec<Value> = comparisons.iter().map(value).collect();
    json!({ "peer": "hnefatafl 0.0.2", "time": "cpu", "threads": 1, "comparisons": all })
}

/// Returns the figures of a comparison for people.
pub(crate) fn text(comparison: &Comparison) -> String {
    let [ours, theirs] = comparison.medians().map(|median| median.as_secs_f64() * 1e3);
    let [our_speed, their_speed] = comparison.speeds().map(|speed| speed / 1e6);
    let [least, median, most] = comparison.ratios();
    let (unit, [amount, _]) = (comparison.unit, comparison.amounts);
    let rounds = comparison.samples[0].len();
    let mut text = format!(
        "{}\n  {amount} {unit}, {rounds} alternating rounds, one thread, medians of CPU time\n  \
         taflbase         {ours:>10.3} ms {our_speed:>8.2} M {unit}/s\n  \
         hnefatafl 0.0.2  {theirs:>10.3} ms {their_speed:>8.2} M {unit}/s\n  \
         ratio            {median:>10.2} (rounds from {least:.2} to {most:.2})\n",
        comparison.what,
    );
    if let Some((ours, theirs)) = comparison.tallies {
        for (name, tally) in [("taflbase", ours), ("hnefatafl", theirs)] {
            let Tally { games, plies, illegal, wrong_captures, wrong_results } = tally;
            writeln!(
                text,
                "  {name} found {games} games, {plies} plies, {illegal} games illegal, \
                 {wrong_captures} captures and {wrong_results} results that differ",
            )
            .expect("strings can be written");
        }
    }
    text.push('\n');
    text
}

fn value(comparison: &Comparison) -> Value {
    let [ours, theirs] = comparison.medians().map(|median| median.as_secs_f64());
    let [our_speed, their_speed] = comparison.speeds();
    let [least, median, most] = comparison.ratios();
    let tally = |tally: Tally| {
        let Tally { games, plies, illegal, wrong_captures, wrong_results } = tally;
        json!({
            "games": games, "plies": plies, "illegal_games": illegal,
            "wrong_captures": wrong_captures, "wrong_results": wrong_results,
        })
    };
    json!({
        "what": comparison.what,
        "unit": comparison.unit,
        "amount": comparison.amounts[0],
        "rounds": comparison.samples[0].len(),
        "taflbase": { "seconds": ours, "per_second": our_speed,
                      "found": comparison.tallies.map(|(ours, _)| tally(ours)) },
        "hnefatafl": { "seconds": theirs, "per_second": their_speed,
                       "found": comparison.tallies.map(|(_, theirs)| tally(theirs)) },
        "ratio": { "least": least, "median": median, "greatest": most },
    })
}
