//! The report on a search for rules that meet a target.

use tafl_rules::counted;

use super::formatting::{self, games};
use super::rule_comparison::rules_section;
use crate::document::{Block, NumberFormat, Provenance, Report, SMALL_SAMPLE, Section, Table, TableCell};
use crate::measure::rule_search::{DesignTarget, RuleSearchFinalist, RuleSearchFindings, TargetDecision};
use crate::stats::{Estimate, Z95};

/// Returns the report on a search for rules.
pub fn design_report(found: &RuleSearchFindings, name: &str, provenance: Provenance) -> Report {
    let title = format!("{name}: rules with {}", target(&found.spec.target));
    let mut report = Report::new("design", &title, provenance);
    report.summary = summary(found);
    let warning = Block::Warning(
        "These figures describe games of the engine against itself. Games between people can have a different balance: compare the \
         control of tafl report balance --selfplay, and test the best rules with people."
            .to_owned(),
    );
    let mut sections = Vec::new();
    if !found.finalists.is_empty() {
        let at_limit = found.finalists.iter().any(|finalist| finalist.level.is_at_limit());
        let at_limit = at_limit.then(|| {
            Block::Warning(
                "Some scores are below 10 % or above 90 %. Near these limits, a change of the rules has little effect on games of the \
                 engine. Start from rules or handicaps with a score nearer to 50 %."
                    .to_owned(),
            )
        });
        let blocks = [warning].into_iter().chain(at_limit).chain([Block::Table(finalists(found))]);
        sections.push(Section::new("finalists", "The best rules").with(blocks));
    }
    if !found.rounds.is_empty() {
        sections.push(Section::new("rounds", "The search").with([Block::Table(rounds(found))]));
    }
    let rules = found.finalists.iter().map(|finalist| &found.spec.candidates[finalist.candidate]);
    sections.push(rules_section(rules, name));
    report.with(sections)
}

fn target(target: &DesignTarget) -> String {
    let percent = |part: f64| formatting::trimmed(part * 100.0);
    let plies = target.max_plies.map_or_else(String::new, |most| {
        format!(", a median of at most {} plies", formatting::trimmed(most))
    });
    format!(
        "an attackers' score of {} % within {} points{plies}, and at most {} % draws",
        percent(target.score),
        percent(target.within),
        percent(target.max_draws)
    )
}

const fn decision(decision: TargetDecision) -> &'static str {
    match decision {
        TargetDecision::Met => "yes",
        TargetDecision::Missed => "no",
        TargetDecision::Undecided => "undecided",
    }
}

fn summary(found: &RuleSearchFindings) -> Vec<String> {
    let spec = &found.spec;
    if found.games == 0 {
        return vec!["No game was played, so nothing is known about the rules.".to_owned()];
    }
    let mut sentences = vec![format!(
        "The engine played {} with {} nodes per move under {}.",
        games(found.games),
        formatting::count(spec.nodes),
        counted(spec.candidates.len() as u64, "rule set", "rule sets")
    )];
    if found.is_stopped {
        sentences.push("The search was stopped before its end.".to_owned());
    }
    let label = |finalist: &RuleSearchFinalist| spec.candidates[finalist.candidate].label.clone();
    let met: Vec<String> = found
        .finalists
        .iter()
        .filter(|finalist| finalist.decision == TargetDecision::Met)
        .map(label)
        .collect();
    if let Some(best) = found.finalists.first() {
        let score = best.level.score.as_ref().ok().filter(|_| best.level.tally.ended() >= SMALL_SAMPLE);
        let figures = score
            .map_or_else(String::new, |score| format!(", with a score of {}", formatting::percent(*score)));
        sentences.push(format!("The nearest to the target is \u{201c}{}\u{201d}{figures}.", label(best)));
        sentences.push(if met.is_empty() {
            "The data do not show that any of these rules meets the target.".to_owned()
        } else {
            format!(
                "The whole 95 % intervals of score, length, and draws are within the target for: {}.",
                met.join("; ")
            )
        });
    }
    sentences
}

fn finalists(found: &RuleSearchFindings) -> Table {
    let mut table = formatting::with_result_columns(Table::new("finalists", "The best rules, in new games", "change of the rules"))
        .column("score", "attackers' score (%)", NumberFormat::PercentNumber(1))
        .column("simultaneous", "the same, for all of these rules together", NumberFormat::PercentNumber(1))
        .column("plies", "plies (median)", NumberFormat::Number(0))
        .column("met", "target met", NumberFormat::Text)
        .noted(
            "In parentheses: 95 % intervals, of games from openings that the search did not use, so the selection does not bias them. \
             For all rules together: with a probability of 95 %, all of these intervals contain their values (Bonferroni). \
             Met: yes if the whole intervals of score, median length, and draws are within the target, no if one of them is outside. \
             Games that reach the ply limit are unfinished.",
        );
    let n = found.finalists.len().max(1) as f64;
    let widening = crate::stats::normal_quantile(1.0 - 0.025 / n) / Z95;
    for finalist in &found.finalists {
        let level = &finalist.level;
        let is_small = level.tally.ended() < SMALL_SAMPLE;
        let points = |score: Estimate| formatting::estimate(score);
        let score = level.score.as_ref().ok().filter(|_| !is_small);
        let all = score.map(|score| Estimate {
            value: score.value,
            low: (score.value - widening * (score.value - score.low)).max(0.0),
            high: (score.value + widening * (score.high - score.value)).min(1.0),
        });
        table.push(
            &found.spec.candidates[finalist.candidate].label,
            formatting::result_cells(&level.tally).into_iter().chain([
                score.map_or(TableCell::Empty, |score| points(*score)),
                all.map_or(TableCell::Empty, points),
                formatting::median(level.plies.as_ref()),
                TableCell::text(decision(finalist.decision)),
            ]),
        );
    }
    table
}

fn rounds(found: &RuleSearchFindings) -> Table {
    let mut table = Table::new("rounds", "Candidates by round", "change of the rules")
        .column("rounds", "rounds", NumberFormat::Count)
        .column("games", "games", NumberFormat::Count)
        .column("distance", "distance from the target", NumberFormat::Number(2))
        .noted(
            "Every round keeps the nearer half with twice the number of games. Distance: the square of the deviation of the score in \
             units of its tolerance, plus the squares of the excess of the median length in quarters of the maximum, and of draws in tenths. The distances \
             of the games of the search are used only for the selection.",
        );
    let mut last: Vec<LastRound> = Vec::new();
    for (number, round) in (1..).zip(&found.rounds) {
        for (candidate, distance) in &round.distances {
            last.retain(|known| known.candidate != *candidate);
            last.push(LastRound { candidate: *candidate, number, games: round.games, distance: *distance });
        }
    }
    last.sort_by(|one, two| two.number.cmp(&one.number).then(one.distance.total_cmp(&two.distance)));
    for LastRound { candidate, number, games, distance } in last {
        table.push(
            &found.spec.candidates[candidate].label,
            [TableCell::Count(number), TableCell::Count(games), TableCell::number(distance)],
        );
    }
    table
}

/// The last round of a candidate.
struct LastRound {
    candidate: usize,
    /// The number of the round, from 1.
    number: u64,
    /// The number of games of the candidate up to this round.
    games: u64,
    distance: f64,
}
