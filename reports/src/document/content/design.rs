//! The design report: rules that were tested by the engine.

use super::words::{self, games};
use crate::BoardPicture;
use crate::document::{Block, BoardBlock, Cell, FEW, Provenance, Report, Section, Style, Table};
use crate::measure::design::{ArmFindings, DesignEnd, DesignFindings, Level};
use crate::plot::{Axis, Chart, CurvePlot, Forest, ForestRow, Line, Plot, PlotCurve, Point};

/// Returns the report on rules that the engine tested.
pub fn design_report(found: &DesignFindings, name: &str, provenance: Provenance) -> Report {
    let mut report =
        Report::new("design", &format!("{name}: who wins when the engine plays itself?"), provenance);
    report.summary = summary(found);
    let mut blocks = vec![Block::Warning(
        "The engine is not a human: the figures say how its own games end. What people make of these rules can differ, above all \
         where the curve still rises or falls with strength."
            .to_owned(),
    )];
    if found.games > 0 {
        blocks.extend([Block::Plot(strength(found)), Block::Table(levels(found))]);
    }
    let mut sections = vec![Section::new("balance", "Balance against strength").with(blocks)];
    if !found.effects.is_empty() {
        sections.push(
            Section::new("effects", "What the changes do")
                .with([Block::Plot(effects_plot(found)), Block::Table(effects(found))]),
        );
    }
    let rules = found.arms.iter().enumerate().flat_map(|(at, arm)| {
        let board = BoardBlock {
            key: format!("start_{}", at + 1),
            title: format!("The start: {}", arm.arm.label),
            note: name.to_owned(),
            picture: BoardPicture::of(&arm.arm.rules),
        };
        [Block::Prose(format!("{}: {}", arm.arm.label, arm.arm.rules)), Block::Board(Box::new(board))]
    });
    sections.push(Section::new("rules", "The rules").with(rules));
    report.with(sections)
}

fn summary(found: &DesignFindings) -> Vec<String> {
    if found.games == 0 {
        return vec!["No game was played, so nothing can be said about the balance.".to_owned()];
    }
    let end = match found.end {
        DesignEnd::Narrow => "all intervals were as narrow as asked",
        DesignEnd::Budget => "the number of games that was asked for was played",
        DesignEnd::NoOpenings => "there were no more openings that differ",
        DesignEnd::Stopped => "it was stopped",
    };
    let mut said = vec![format!("The engine played {} against itself, until {end}.", games(found.games))];
    let strongest = |arm: &ArmFindings| arm.levels.last().cloned();
    if let Some((arm, level)) = found.arms.first().and_then(|arm| Some((arm, strongest(arm)?))) {
        said.push(match &level.score {
            Ok(score) if level.tally.ended() >= FEW => format!(
                "With {1} nodes per move ({0}) the attackers score {2}, draws as halves: {3}.",
                arm.arm.label,
                words::count(level.nodes),
                words::of_100(*score),
                favored(&level)
            ),
            Ok(_) | Err(_) => words::few_warning(&level.tally),
        });
    }
    for effect in found
        .effects
        .iter()
        .filter(|effect| Some(effect.nodes) == found.arms[0].levels.last().map(|level| level.nodes))
    {
        let label = found.arms.get(effect.arm).map_or("", |arm| arm.arm.label.as_str());
        if let Some(score) = effect.score {
            let points = |share: f64| words::whole(share * 100.0);
            said.push(format!(
                "With as many, {label} changes the attackers' score by {} points of 100 (between {} and {}).",
                points(score.value.value),
                points(score.value.low),
                points(score.value.high)
            ));
        }
    }
    said
}

fn favored(level: &Level) -> &'static str {
    match level.score {
        Ok(score) if score.low > 0.5 => "the attackers are favored",
        Ok(score) if score.high < 0.5 => "the defenders are favored",
        Ok(_) | Err(_) => "neither side is shown to be favored",
    }
}

fn strength(found: &DesignFindings) -> Plot {
    let curve = |arm: &ArmFindings| PlotCurve {
        label: arm.arm.label.clone(),
        n: arm.levels.iter().map(|level| level.tally.ended()).sum(),
        points: arm
            .levels
            .iter()
            .filter(|level| level.tally.ended() >= FEW)
            .filter_map(|level| {
                let score = level.score.as_ref().ok()?;
                Some(Point { x: level.nodes as f64, y: score.value, interval: Some((score.low, score.high)) })
            })
            .collect(),
    };
    Plot {
        key: "strength".to_owned(),
        title: "Balance against strength".to_owned(),
        note: format!(
            "{}. Bands: 95 % intervals; behind each name the games that ended.",
            games(found.games)
        ),
        chart: Chart::Curves(CurvePlot {
            x: Axis::logarithmic("nodes a move"),
            y: Axis::percent("score of the attackers (%)"),
            line: Line::Straight,
            reference: Some((0.5, "even".to_owned())),
            curves: found.arms.iter().map(curve).collect(),
        }),
    }
}

fn levels(found: &DesignFindings) -> Table {
    let mut table = words::results(Table::new("levels", "How games ended", "rules and strength"))
        .column("score", "attackers' score (of 100)", Style::Number(1))
        .column("always", "the same, safe to watch", Style::Number(1))
        .column("signed", "signed balance", Style::Signed(2))
        .column("plies", "plies (median)", Style::Number(0))
        .noted(
            "In parentheses: 95 % intervals. Safe to watch: an interval that holds however often somebody looks and stops. Games that \
             reach the limit of plies do not end.",
        );
    for arm in &found.arms {
        for level in &arm.levels {
            let few = level.tally.ended() < FEW;
            let points = |score: crate::stats::Estimate| words::estimate(score.map(|share| share * 100.0));
            let nodes = words::count(level.nodes);
            let cells = words::result_cells(&level.tally).into_iter();
            table.push(
                &format!("{}, {nodes} nodes", arm.arm.label),
                cells.chain([
                    level.score.as_ref().ok().filter(|_| !few).map_or(Cell::Empty, |score| points(*score)),
                    level.always.filter(|_| !few).map_or(Cell::Empty, points),
                    if few { Cell::Missing("too few".to_owned()) } else { words::signed(&level.balance) },
                    level
                        .plies
                        .as_ref()
                        .map_or(Cell::Empty, |plies| words::of_summary(plies, |all| all.median)),
                ]),
            );
        }
    }
    table
}

fn effects_plot(found: &DesignFindings) -> Plot {
    let rows = found.effects.iter().map(|effect| {
        let label = found.arms.get(effect.arm).map_or("", |arm| arm.arm.label.as_str());
        ForestRow {
            label: format!("{label}, {} nodes", words::count(effect.nodes)),
            whisker: effect
                .score
                .filter(|_| effect.pairs >= FEW)
                .map(|score| words::whisker(score.value.map(|share| share * 100.0))),
            second: None,
            n: effect.pairs,
        }
    });
    Plot {
        key: "effects".to_owned(),
        title: "What each change does to the attackers' score".to_owned(),
        note: "Pairs of games with the same opening. Bars: 95 % intervals.".to_owned(),
        chart: Chart::Forest(Forest {
            axis: Axis::signed("change of the attackers' score (points of 100)"),
            reference: Some((0.0, "no effect".to_owned())),
            rows: rows.collect(),
            counts: "pairs".to_owned(),
        }),
    }
}

fn effects(found: &DesignFindings) -> Table {
    let mut table = Table::new("effects", "What each change does", "change and strength")
        .column("pairs", "pairs", Style::Count)
        .column("score", "attackers' score (points of 100)", Style::Signed(1))
        .column("draws", "draws (points of 100)", Style::Signed(1))
        .column("plies", "length (plies)", Style::Signed(1))
        .column("p", "p after control for all effects", Style::Number(4));
    for effect in &found.effects {
        let label = found.arms.get(effect.arm).map_or("", |arm| arm.arm.label.as_str());
        let points = |difference: Option<crate::stats::compare::DifferenceEstimate>| {
            words::maybe(difference.map(|found| found.value.map(|share| share * 100.0)))
        };
        table.push(
            &format!("{label}, {} nodes", words::count(effect.nodes)),
            [
                Cell::Count(effect.pairs),
                points(effect.score),
                points(effect.draws),
                words::maybe(effect.plies.map(|plies| plies.value)),
                effect.p_holm.map_or(Cell::Empty, Cell::number),
            ],
        );
    }
    table
}
