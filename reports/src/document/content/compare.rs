//! The comparison of two selections of games.

use tafl_rules::Side;

use super::words::{self, games};
use crate::document::{Block, Cell, FEW, Provenance, Report, Section, Style, Table};
use crate::measure::SelectionComparison;
use crate::plot::{Axis, Chart, Forest, ForestRow, Plot};
use crate::stats::compare::DifferenceEstimate;
use crate::stats::sequential::TestDecision;

/// Returns the report on two selections with their names.
pub fn compare_report(comparison: &SelectionComparison, names: [&str; 2], provenance: Provenance) -> Report {
    let title = format!("{} against {}", names[0], names[1]);
    let mut report = Report::new("compare", &title, provenance);
    report.summary = summary(comparison, names);
    let few = [&comparison.first, &comparison.second].into_iter().zip(names);
    let few: Vec<Block> = few
        .filter(|(tally, _)| tally.ended() < FEW)
        .map(|(tally, name)| Block::Warning(format!("{name}: {}", words::few_warning(tally))))
        .collect();
    let section = Section::new("comparison", "The comparison")
        .with(few)
        .with([Block::Plot(plot(comparison, names)), Block::Table(sides(comparison, names))])
        .with([Block::Table(differences(comparison)), Block::Prose(sequential(comparison))]);
    report.with([section])
}

fn summary(comparison: &SelectionComparison, names: [&str; 2]) -> Vec<String> {
    let tallies = [&comparison.first, &comparison.second];
    let mut said: Vec<String> = tallies
        .iter()
        .zip(names)
        .map(|(tally, name)| match tally.wins(Side::Attackers).filter(|_| tally.ended() >= FEW) {
            Some(rate) => {
                format!("{name}: attackers win {} in {}.", words::of_100(rate.share), games(rate.n))
            }
            None => format!("{name}: {}", words::few_warning(tally)),
        })
        .collect();
    if tallies.iter().any(|tally| tally.decided() < FEW) {
        said.push("There are too few games to compare the two.".to_owned());
        return said;
    }
    if let Some(defenders) = comparison.defenders {
        let points = |share: f64| format!("{:.0}", share.abs() * 100.0);
        let DifferenceEstimate { value, p } = defenders;
        said.push(if value.low > 0.0 || value.high < 0.0 {
            let more = if value.value > 0.0 { names[0] } else { names[1] };
            let (least, most) = (value.low.abs().min(value.high.abs()), value.low.abs().max(value.high.abs()));
            format!(
                "The defenders win more often in {more}: {} games of 100 more (between {} and {}). If there were no difference, chance \
                 would show one as large in {} cases.",
                points(value.value),
                points(least),
                points(most),
                one_in(p)
            )
        } else {
            format!(
                "The games do not show a difference: in {} the defenders may win anything from {} games of 100 less to {} more.",
                names[0],
                points(value.low),
                points(value.high)
            )
        });
    }
    said
}

/// Formats a small probability in words.
fn one_in(p: f64) -> String {
    if p < 1e-6 {
        "fewer than one in a million".to_owned()
    } else {
        format!("one in {}", crate::plot::axis::grouped(&format!("{:.0}", 1.0 / p)))
    }
}

fn plot(comparison: &SelectionComparison, names: [&str; 2]) -> Plot {
    let rows =
        [&comparison.first, &comparison.second].into_iter().zip(names).map(|(tally, name)| ForestRow {
            label: name.to_owned(),
            whisker: words::whisker_of(tally.attackers_share()),
            second: None,
            n: tally.decided(),
        });
    Plot {
        key: "wins".to_owned(),
        title: "Who wins".to_owned(),
        note: "Share of the attackers' wins among won games. Bars: 95 % intervals.".to_owned(),
        chart: Chart::Forest(Forest {
            axis: Axis::percent("won games that the attackers win (%)"),
            reference: Some((0.5, "even".to_owned())),
            rows: rows.collect(),
            counts: "games".to_owned(),
        }),
    }
}

fn sides(comparison: &SelectionComparison, names: [&str; 2]) -> Table {
    let mut table = words::results(Table::new("sides", "The two", "which games"))
        .column("signed", "signed balance", Style::Signed(2))
        .column("elo", "attackers' advantage between equals (Elo)", Style::Signed(0));
    let both = [&comparison.first, &comparison.second].into_iter().zip(&comparison.adjusted).zip(names);
    for ((tally, adjusted), name) in both {
        let elo = match adjusted {
            Ok(adjusted) => words::estimate(adjusted.elo),
            Err(missing) => Cell::Missing(missing.to_string()),
        };
        let signed = match tally.decided() < FEW {
            true => Cell::Missing("too few".to_owned()),
            false => words::signed(&tally.balance()),
        };
        table.push(name, words::result_cells(tally).into_iter().chain([signed, elo]));
    }
    table
}

fn differences(comparison: &SelectionComparison) -> Table {
    let mut table = Table::new("differences", "How they differ: the first less the second", "figure")
        .column("difference", "difference", Style::Signed(1))
        .column("p", "p", Style::Number(4))
        .column("controlled", "p after control for five comparisons", Style::Number(4))
        .noted(
            "p: how often chance alone would show a difference as large. Lengths: how often of 100 a game of the first is longer \
             than one of the second.",
        );
    let percent = |difference: Option<DifferenceEstimate>| {
        difference.map(|found| (found.value.map(|share| share * 100.0), found.p))
    };
    let plain = |difference: Option<DifferenceEstimate>| difference.map(|found| (found.value, found.p));
    let lengths = comparison.lengths.map(|ranks| (ranks.superiority.map(|share| share * 100.0), ranks.p));
    let rows = [
        ("defenders' share of won games (points of 100)", percent(comparison.defenders)),
        ("attackers' score (points of 100)", percent(comparison.score)),
        ("draws (points of 100)", percent(comparison.draws)),
        ("attackers' advantage between equals (Elo)", plain(comparison.elo)),
        ("longer games (of 100)", lengths),
    ];
    for ((label, found), controlled) in rows.into_iter().zip(comparison.controlled) {
        let controlled = controlled.map_or(Cell::Empty, Cell::number);
        match found {
            Some((value, p)) => table.push(label, [words::estimate(value), Cell::number(p), controlled]),
            None => table.push(label, []),
        }
    }
    table
}

/// Returns the sentence about the sequential test.
fn sequential(comparison: &SelectionComparison) -> String {
    let found = &comparison.sequential;
    let mut said = match (found.decision, found.after) {
        (TestDecision::GoOn, _) => format!(
            "Seen as played now, one game of each by turns, {} pairs are not enough to decide whether the scores differ by what matters.",
            words::count(found.pairs)
        ),
        (TestDecision::Null | TestDecision::Alternative, after) => format!(
            "Seen as played now, one game of each by turns, a test with fixed errors decides{}: {}.",
            after.map_or(String::new(), |after| format!(" after {} pairs", words::count(after))),
            match found.first_scores_more {
                Some(true) => "the attackers of the first score more",
                Some(false) => "the attackers of the second score more",
                None => "the scores do not differ by what matters",
            }
        ),
    };
    if let Some(needed) = comparison.needed {
        said +=
            &format!(" To tell the two shares apart, {} won games of each are needed.", words::count(needed));
    }
    said
}
