//! The figures, as text or as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::Tally;
use crate::measure::{Comparison, is_cpu_time};

/// How figures are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Text,
    Json,
}

/// Returns the report.
pub(crate) fn report(comparisons: &[Comparison], style: Style) -> String {
    match style {
        Style::Text => text(comparisons),
        Style::Json => {
            let all: Vec<Value> = comparisons.iter().map(value).collect();
            let report = json!({
                "peer": "hnefatafl 0.0.2",
                "time": if is_cpu_time() { "cpu" } else { "wall" },
                "threads": 1,
                "comparisons": all,
            });
            format!("{report:#}\n")
        }
    }
}

fn text(comparisons: &[Comparison]) -> String {
    let time = if is_cpu_time() { "CPU time" } else { "wall time" };
    let mut text = format!("Taflbase and hnefatafl 0.0.2 by turns, one thread, medians of {time}\n");
    for comparison in comparisons {
        let [ours, theirs] = comparison.medians().map(|median| median.as_secs_f64() * 1e3);
        let [our_speed, their_speed] = comparison.speeds().map(|speed| speed / 1e6);
        let [least, median, most] = comparison.ratios();
        let (unit, [amount, _]) = (comparison.unit, comparison.amounts);
        let rounds = comparison.samples[0].len();
        write!(
            text,
            "\n{}\n  {amount} {unit}, {rounds} rounds\n  \
             taflbase   {ours:>10.3} ms {our_speed:>8.2} M {unit}/s\n  \
             hnefatafl  {theirs:>10.3} ms {their_speed:>8.2} M {unit}/s\n  \
             ratio      {median:>10.2} (rounds from {least:.2} to {most:.2})\n",
            comparison.what,
        )
        .expect("strings can be written");
        if let Some((ours, theirs)) = comparison.tallies {
            for (name, tally) in [("taflbase ", ours), ("hnefatafl", theirs)] {
                let Tally { games, plies, illegal, wrong_captures, wrong_results } = tally;
                writeln!(
                    text,
                    "  {name}  found {games} games, {plies} plies, {illegal} games illegal, \
                     {wrong_captures} captures and {wrong_results} results that differ",
                )
                .expect("strings can be written");
            }
        }
    }
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
