//! The report on a comparison of rules by games of the engine against itself.

use tafl_rules::counted;

use super::formatting::{self, games};
use super::sentences;
use crate::BoardPicture;
use crate::document::{
    Block, BoardBlock, NumberFormat, Provenance, Report, SMALL_SAMPLE, Section, Table, TableCell,
};
use crate::measure::control::{ControlFindings, ControlVariant};
use crate::measure::effect::RuleChangeEffect;
use crate::measure::rule_comparison::{
    ArmFindings, LabeledRules, RuleComparisonEnd, RuleComparisonFindings, SelfplayLevel,
};
use crate::plot::{Axis, Chart, CurvePlot, Forest, ForestRow, Line, Plot, PlotCurve, Point};
use crate::stats::Estimate;
use crate::stats::compare::DifferenceEstimate;

/// Returns the report on rules that the engine tested.
/// `control` has the games of the same engine under known rules, if there are any.
pub fn rule_comparison_report(
    found: &RuleComparisonFindings,
    control: Option<&ControlFindings>,
    name: &str,
    provenance: Provenance,
) -> Report {
    let mut report = Report::new(
        "selfplay",
        &format!("{name}: who wins when the engine plays against itself?"),
        provenance,
    );
    report.summary = summary(found);
    report.summary.extend(control.and_then(control_sentence));
    let mut blocks = vec![Block::Warning(
        "These figures describe games of the engine against itself. Games between people can have a different balance, above all \
         if the curve below still rises or falls with the number of nodes."
            .to_owned(),
    )];
    if found.arms.iter().flat_map(|arm| &arm.levels).any(SelfplayLevel::is_at_limit) {
        blocks.push(Block::Warning(
            "Some scores are below 10 % or above 90 %. Near these limits, a change of the rules has little effect on the score in \
             percentage points, even if it matters between people. Compare the effects in log odds, or use rules or handicaps \
             with a score nearer to 50 %."
                .to_owned(),
        ));
    }
    blocks.extend(found.arms.iter().filter_map(trend).map(Block::Prose));
    if found.games > 0 {
        blocks.extend([Block::Plot(strength(found)), Block::Table(levels(found))]);
    }
    let mut sections = vec![Section::new("balance", "Balance by number of nodes").with(blocks)];
    sections.extend(control.map(control_section));
    if !found.effects.is_empty() {
        sections.push(
            Section::new("effects", "Effects of the changes")
                .with([Block::Plot(effects_plot(found)), Block::Table(effects(found))]),
        );
    }
    sections.push(rules_section(found.arms.iter().map(|arm| &arm.arm), name));
    report.with(sections)
}

/// Returns the section with the text and the start position of rules, which are changes of the rules `name`.
pub(super) fn rules_section<'r>(rules: impl Iterator<Item = &'r LabeledRules>, name: &str) -> Section {
    let blocks = (1..).zip(rules).flat_map(|(number, rules)| {
        let board = BoardBlock {
            key: format!("start_{number}"),
            title: format!("Start position: {}", rules.label),
            note: name.to_owned(),
            picture: BoardPicture::of(&rules.rules),
        };
        [Block::Prose(format!("{}: {}", rules.label, rules.rules)), Block::Board(Box::new(board))]
    });
    Section::new("rules", "Rules").with(blocks)
}

/// Returns the label of the rules whose effect was measured.
fn effect_label<'f>(found: &'f RuleComparisonFindings, effect: &RuleChangeEffect) -> &'f str {
    found.arms.get(effect.arm).map_or("", |arm| arm.arm.label.as_str())
}

fn summary(found: &RuleComparisonFindings) -> Vec<String> {
    if found.games == 0 {
        return vec!["No game was played, so the balance is unknown.".to_owned()];
    }
    let end = match found.end {
        RuleComparisonEnd::Narrow => "all intervals were narrow enough",
        RuleComparisonEnd::Budget => "the requested number of games was played",
        RuleComparisonEnd::NoOpenings => "there were no further distinct openings",
        RuleComparisonEnd::Stopped => "the run was stopped",
    };
    let mut sentences = vec![format!("The engine played {} against itself until {end}.", games(found.games))];
    let strongest = |arm: &ArmFindings| arm.levels.last().cloned();
    if let Some((arm, level)) = found.arms.first().and_then(|arm| Some((arm, strongest(arm)?))) {
        sentences.push(match &level.score {
            Ok(score) if level.tally.ended() >= SMALL_SAMPLE => format!(
                "With {1} nodes per move ({0}), the attackers scored {2}, with draws as half a win: {3}.",
                arm.arm.label,
                formatting::count(level.nodes),
                formatting::percent(*score),
                favored(&level)
            ),
            Ok(_) | Err(_) => format!(
                "Of the games with {} nodes per move ({}): {}",
                formatting::count(level.nodes),
                arm.arm.label,
                sentences::who_wins(&level.tally, None).join(" ")
            ),
        });
    }
    for effect in found
        .effects
        .iter()
        .filter(|effect| Some(effect.nodes) == found.arms[0].levels.last().map(|level| level.nodes))
    {
        let label = effect_label(found, effect);
        if let Some(score) = effect.score {
            let points = |proportion: f64| formatting::signed_integer(proportion * 100.0);
            sentences.push(format!(
                "At the same number of nodes, {label} changes the attackers' score by {} percentage points ({} to {}{}; {} in which both games \
                 finished).",
                points(score.value.value),
                points(score.value.low),
                points(score.value.high),
                effect.p_holm.map_or_else(String::new, |p| format!(
                    "; {}, adjusted for all effects",
                    formatting::p_value(p)
                )),
                counted(effect.pairs, "pair", "pairs")
            ));
            sentences.extend(disagreement(effect));
        }
    }
    sentences
}

/// Returns the sentence about an effect that is significant in percentage points only, or in log odds only.
fn disagreement(effect: &RuleChangeEffect) -> Option<String> {
    let (points, log_odds) = (effect.p_holm?, effect.log_odds_holm?);
    if (points < 0.05) == (log_odds < 0.05) {
        return None;
    }
    let Estimate { value, low, high } = effect.log_odds?.value;
    let figure = format!("{value:+.2} ({low:+.2} to {high:+.2}").replace('-', "\u{2212}");
    Some(format!(
        "In log odds, the change is {figure}; {}, adjusted): the two tests disagree, so the data are not conclusive.",
        formatting::p_value(log_odds)
    ))
}

/// Returns the sentence on the control; `None` if too few variants were played.
fn control_sentence(control: &ControlFindings) -> Option<String> {
    let correlation = control.correlation.as_ref().ok()?;
    let n = control.variants.iter().filter_map(ControlVariant::scores).count();
    let figure = format!(
        "rank correlation {:+.2} ({:+.2} to {:+.2})",
        correlation.value, correlation.low, correlation.high
    );
    let figure = figure.replace('-', "\u{2212}");
    Some(if correlation.low > 0.0 {
        format!(
            "Control: on {n} known variants, the engine's scores are ordered like those of people ({figure}). The order of the \
             engine's scores is therefore some evidence about games between people; the size of its differences is not."
        )
    } else {
        format!(
            "Control: on {n} known variants, the data do not show that the engine's scores are ordered like those of people \
             ({figure}). Differences between rules in this report are therefore not evidence about games between people."
        )
    })
}

fn control_section(control: &ControlFindings) -> Section {
    let mut table = Table::new("control", "The engine and people on known variants", "variant")
        .column("games", "finished games of the engine", NumberFormat::Count)
        .column("engine", "attackers' score, engine (%)", NumberFormat::PercentNumber(1))
        .column("human_games", "games between people", NumberFormat::Count)
        .column("human", "attackers' expected score between equals, people (%)", NumberFormat::PercentNumber(1))
        .noted(&format!(
            "In parentheses: 95 % intervals. The engine played with {} nodes per move. People: recorded games, adjusted for the \
             strength of the players. The variants are those whose boards are the most similar in size to that of the rules under \
             test, and of these the ones with the most games. The interval of the rank correlation is for a sample of variants; \
             chance in the engine's games makes the correlation smaller.",
            formatting::count(control.nodes)
        ));
    for variant in &control.variants {
        let is_small = variant.engine.tally.ended() < SMALL_SAMPLE;
        let engine = match &variant.engine.score {
            Ok(score) if !is_small => formatting::estimate(*score),
            Ok(_) | Err(_) => formatting::small_sample(),
        };
        let known = tafl_rules::catalog::find(&variant.human.variant);
        table.push_keyed(
            &variant.human.variant,
            known.map_or(variant.human.variant.as_str(), |known| known.title),
            [
                TableCell::Count(variant.engine.tally.ended()),
                engine,
                TableCell::Count(variant.human.games),
                formatting::estimate(variant.human.score),
            ],
        );
    }
    let prose = match (&control.correlation, control_sentence(control)) {
        (Ok(_), Some(sentence)) => sentence,
        (Err(_), _) | (_, None) => {
            "Too few known variants have 30 finished games of the engine for a rank correlation.".to_owned()
        }
    };
    Section::new("control", "Control: known variants").with([Block::Prose(prose), Block::Table(table)])
}

/// Returns the sentence on the trend with the number of nodes, if it is significant.
fn trend(arm: &ArmFindings) -> Option<String> {
    let trend = arm.trend.filter(|trend| trend.p < 0.05)?;
    Some(format!(
        "{}: with ten times as many nodes, the odds of the attackers' score are multiplied by {:.2} ({:.2} to {:.2}, {}). \
         Stronger players may see another balance.",
        arm.arm.label,
        trend.slope.value.exp(),
        trend.slope.low.exp(),
        trend.slope.high.exp(),
        formatting::p_value(trend.p)
    ))
}

fn favored(level: &SelfplayLevel) -> &'static str {
    match level.score {
        Ok(score) if score.low > 0.5 => "the attackers are favored",
        Ok(score) if score.high < 0.5 => "the defenders are favored",
        Ok(_) | Err(_) => "the data do not show which side is favored",
    }
}

fn strength(found: &RuleComparisonFindings) -> Plot {
    let curve = |arm: &ArmFindings| PlotCurve {
        label: arm.arm.label.clone(),
        n: arm.levels.iter().map(|level| level.tally.ended()).sum(),
        points: arm
            .levels
            .iter()
            .filter(|level| level.tally.ended() >= SMALL_SAMPLE)
            .filter_map(|level| {
                let score = level.score.as_ref().ok()?;
                Some(Point { x: level.nodes as f64, y: score.value, interval: Some((score.low, score.high)) })
            })
            .collect(),
    };
    Plot {
        key: "strength".to_owned(),
        title: "Balance by number of nodes".to_owned(),
        note: format!(
            "{}. Bands: 95 % intervals. In the legend: the number of finished games.",
            games(found.games)
        ),
        chart: Chart::Curves(CurvePlot {
            scatter: None,
            x: Axis::logarithmic("nodes per move"),
            y: Axis::percent("attackers' score (%)"),
            line: Line::Straight,
            reference: Some((0.5, "even".to_owned())),
            curves: found.arms.iter().map(curve).collect(),
        }),
    }
}

fn levels(found: &RuleComparisonFindings) -> Table {
    let mut table = formatting::with_result_columns(Table::new("levels", "Results by rules and number of nodes", "rules and nodes"))
        .column("score", "attackers' score (%)", NumberFormat::PercentNumber(1))
        .column("always", "the same, anytime-valid", NumberFormat::PercentNumber(1))
        .column("if_lost", "the same, if all unfinished games were lost (%)", NumberFormat::PercentNumber(1))
        .column("if_won", "the same, if all were won (%)", NumberFormat::PercentNumber(1))
        .column("win_ratio", "win ratio", NumberFormat::Signed(2))
        .column("plies", "plies (median)", NumberFormat::Number(0))
        .noted(
            "In parentheses: 95 % intervals. Anytime-valid: an interval that remains valid if the run is watched and stopped at any \
             time. Games that reach the ply limit are unfinished.",
        );
    for arm in &found.arms {
        for level in &arm.levels {
            let is_small = level.tally.ended() < SMALL_SAMPLE;
            let nodes = formatting::count(level.nodes);
            let bounds = level
                .bounds
                .filter(|_| level.tally.unfinished > 0 && level.tally.games >= SMALL_SAMPLE)
                .map(|bounds| bounds.map(TableCell::number));
            let [if_lost, if_won] = bounds.unwrap_or_default();
            let cells = formatting::result_cells(&level.tally).into_iter();
            table.push(
                &format!("{}, {nodes} nodes", arm.arm.label),
                cells.chain([
                    level
                        .score
                        .as_ref()
                        .ok()
                        .filter(|_| !is_small)
                        .map_or(TableCell::Empty, |score| formatting::estimate(*score)),
                    level.anytime_score.filter(|_| !is_small).map_or(TableCell::Empty, formatting::estimate),
                    if_lost,
                    if_won,
                    if is_small { formatting::small_sample() } else { formatting::win_ratio(&level.balance) },
                    formatting::median(level.plies.as_ref()),
                ]),
            );
        }
    }
    table
}

fn effects_plot(found: &RuleComparisonFindings) -> Plot {
    let rows = found.effects.iter().map(|effect| {
        let label = effect_label(found, effect);
        ForestRow {
            label: format!("{label}, {} nodes", formatting::count(effect.nodes)),
            whisker: effect
                .score
                .filter(|_| effect.pairs >= SMALL_SAMPLE)
                .map(|score| formatting::whisker(score.value.map(|proportion| proportion * 100.0))),
            second: None,
            n: effect.pairs,
        }
    });
    Plot {
        key: "effects".to_owned(),
        title: "Effect of each change on the attackers' score".to_owned(),
        note: "Pairs of games with the same opening. Bars: 95 % intervals.".to_owned(),
        chart: Chart::Forest(Forest {
            axis: Axis::signed("change of the attackers' score (percentage points)"),
            reference: Some((0.0, "no effect".to_owned())),
            rows: rows.collect(),
            counts: "pairs".to_owned(),
        }),
    }
}

fn effects(found: &RuleComparisonFindings) -> Table {
    let mut table = Table::new("effects", "Effect of each change", "change and nodes")
        .column("pairs", "pairs", NumberFormat::Count)
        .column("score", "attackers' score (percentage points)", NumberFormat::SignedPercent(1))
        .column("log_odds", "attackers' score (log odds)", NumberFormat::Signed(2))
        .column("draws", "draws (percentage points)", NumberFormat::SignedPercent(1))
        .column("plies", "length (plies)", NumberFormat::Signed(1))
        .column("p", "p of the score in points (Holm)", NumberFormat::Number(4))
        .column("log_odds_p", "p of the score in log odds (Holm)", NumberFormat::Number(4))
        .noted(
            "In parentheses: 95 % intervals, not adjusted for the number of effects. The p-values are adjusted. In points, they are \
             those of a score test over pairs (McNemar's test if no game is drawn); in log odds, those of a test with the \
             standard error. With few pairs, or near 0 % and 100 %, the two tests can disagree; then the data are not conclusive.",
        );
    for effect in &found.effects {
        let label = effect_label(found, effect);
        let points = |difference: Option<DifferenceEstimate>| {
            difference.map_or(TableCell::Empty, |found| formatting::estimate(found.value))
        };
        table.push(
            &format!("{label}, {} nodes", formatting::count(effect.nodes)),
            [
                TableCell::Count(effect.pairs),
                points(effect.score),
                formatting::estimate_or_empty(effect.log_odds.map(|found| found.value)),
                points(effect.draws),
                formatting::estimate_or_empty(effect.plies.map(|plies| plies.value)),
                effect.p_holm.map_or(TableCell::Empty, TableCell::number),
                effect.log_odds_holm.map_or(TableCell::Empty, TableCell::number),
            ],
        );
    }
    table
}
