//! The goals, and the figures that show whether they are met.

use crate::format::measure;

/// A goal.
#[derive(Debug)]
pub(crate) struct Goal {
    pub(crate) part: &'static str,
    pub(crate) what: &'static str,
    /// The unit of its figures, for missing ones.
    pub(crate) unit: &'static str,
    pub(crate) evidence: Evidence,
}

/// The evidence for a goal.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Evidence {
    /// Measurements with their targets.
    By(&'static [(&'static str, Target)]),
    /// Evidence elsewhere, with the reason and the place.
    Elsewhere(&'static str),
}

/// The target of a measurement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// At least the goal; better, the stretch.
    AtLeast(f64, f64),
    /// At most the goal; better, the stretch.
    AtMost(f64, f64),
    /// Between the two.
    Within(f64, f64),
    /// At least as much as another figure.
    AsMuchAs(&'static str),
    /// No target: the measurement must exist.
    Shown,
}

/// Whether a goal is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GoalStatus {
    Stretch,
    Met,
    Missed,
}

impl GoalStatus {
    pub(crate) fn words(self) -> &'static str {
        match self {
            GoalStatus::Stretch => "met, stretch too",
            GoalStatus::Met => "met",
            GoalStatus::Missed => "**not met**",
        }
    }
}

impl Target {
    /// Returns whether a value reaches the target; `other` looks up another measurement.
    pub(crate) fn status(self, value: f64, other: impl Fn(&str) -> Option<f64>) -> GoalStatus {
        let graded = |is_met: bool, is_far: bool| match (is_met, is_far) {
            (_, true) => GoalStatus::Stretch,
            (true, false) => GoalStatus::Met,
            (false, false) => GoalStatus::Missed,
        };
        match self {
            Target::AtLeast(goal, stretch) => graded(value >= goal, stretch > goal && value >= stretch),
            Target::AtMost(goal, stretch) => graded(value <= goal, stretch < goal && value <= stretch),
            Target::Within(low, high) => graded((low..=high).contains(&value), false),
            Target::Shown => graded(true, false),
            Target::AsMuchAs(id) => graded(other(id).is_some_and(|other| value >= other), false),
        }
    }

    /// Returns the goal and the stretch in words, in the unit of the figure.
    pub(crate) fn words(self, unit: &str, other: impl Fn(&str) -> Option<f64>) -> (String, String) {
        let number = |value: f64| measure(value, unit);
        match self {
            Target::AtLeast(goal, stretch) => {
                (number(goal), if stretch > goal { number(stretch) } else { String::new() })
            }
            Target::AtMost(goal, stretch) => (
                format!("at most {}", number(goal)),
                if stretch < goal { number(stretch) } else { String::new() },
            ),
            Target::Within(low, high) => {
                (format!("{} to {}", crate::format::number(low), number(high)), String::new())
            }
            Target::Shown => ("shown".to_owned(), String::new()),
            Target::AsMuchAs(id) => (other(id).map_or_else(|| "all".to_owned(), number), String::new()),
        }
    }
}

use Evidence::{By, Elsewhere};
use Target::{AsMuchAs, AtLeast, AtMost, Shown, Within};

const RECORDS: &str = "Records and rules";
const SPEED: &str = "Speed and size";
const NOTES: &str = "Annotation";
const BALANCE: &str = "Balance";

const fn goal(part: &'static str, what: &'static str, unit: &'static str, evidence: Evidence) -> Goal {
    Goal { part, what, unit, evidence }
}

/// All goals, in order.
pub(crate) const GOALS: &[Goal] = &[
    goal(
        RECORDS,
        "cases, perft counts, and games of independent models: failed tests",
        "tests",
        By(&[("tests.suite.failed", AtMost(0.0, 0.0))]),
    ),
    goal(
        RECORDS,
        "games of the two CSV archives that are sound",
        "games",
        By(&[("records.csv.sound", AsMuchAs("records.csv.games"))]),
    ),
    goal(
        RECORDS,
        "the play site's archive: variants with 20 games or more in which 99 of 100 games agree",
        "variants",
        By(&[("records.aagenielsen.variants", AtLeast(75.0, 75.0))]),
    ),
    goal(
        RECORDS,
        "the play site's archive: games without a reason, of known rules",
        "games",
        By(&[("records.aagenielsen.unexplained", AtMost(15.0, 15.0))]),
    ),
    goal(
        RECORDS,
        "every notation read, round trips without loss",
        "",
        Elsewhere(
            "a test for each notation (`FORMATS.md`, `tests/fixtures/records`); `tafl convert` lists what a notation cannot express",
        ),
    ),
    goal(
        RECORDS,
        "single faults: the true game, or a mirror image of it, is the first suggestion",
        "%",
        By(&[("repair.own.same", AtLeast(97.0, 97.0)), ("repair.real.same", AtLeast(97.0, 97.0))]),
    ),
    goal(
        RECORDS,
        "false repairs",
        "%",
        By(&[("repair.own.false", AtMost(0.1, 0.1)), ("repair.real.false", AtMost(0.1, 0.1))]),
    ),
    goal(
        RECORDS,
        "rules inferred from 200 games: options that are wrong",
        "options",
        By(&[("infer.own.wrong", AtMost(0.0, 0.0)), ("infer.real.wrong", AtMost(0.0, 0.0))]),
    ),
    goal(
        RECORDS,
        "distinguishable options that are recovered",
        "%",
        By(&[("infer.own.share", AtLeast(99.0, 99.0)), ("infer.real.share", AtLeast(99.0, 99.0))]),
    ),
    goal(
        SPEED,
        "parse OpenTafl and move lists, one core",
        "MB/s",
        By(&[
            ("parse.opentafl", AtLeast(600.0, 1_000.0)),
            ("parse.movelist", AtLeast(600.0, 1_000.0)),
            ("parse.movelist.real", AtLeast(600.0, 1_000.0)),
        ]),
    ),
    goal(
        SPEED,
        "replay with everything checked, 11x11, parsing included, one core",
        "plies/s",
        By(&[("replay.copenhagen.parsed", AtLeast(10e6, 14e6))]),
    ),
    goal(
        SPEED,
        "the same against the crate `hnefatafl`",
        "times",
        By(&[("replay.copenhagen.parsed.ratio", AtLeast(5.0, 7.0))]),
    ),
    goal(
        SPEED,
        "perft Copenhagen, leaves counted in bulk and played",
        "leaves/s",
        By(&[
            ("perft.copenhagen.bulk", AtLeast(250e6, 400e6)),
            ("perft.copenhagen.played", AtLeast(50e6, 70e6)),
        ]),
    ),
    goal(
        SPEED,
        "perft Brandubh, leaves counted in bulk and played",
        "leaves/s",
        By(&[
            ("perft.brandubh.bulk", AtLeast(450e6, 600e6)),
            ("perft.brandubh.played", AtLeast(80e6, 100e6)),
        ]),
    ),
    goal(
        SPEED,
        "memory while streaming",
        "bytes",
        By(&[("memory.validate.much", AtMost(20e6, 20e6)), ("memory.convert.much", AtMost(20e6, 20e6))]),
    ),
    goal(
        SPEED,
        "import on 2 cores: parse, verify, index, store",
        "plies/s",
        By(&[
            ("corpus.import.2", AtLeast(500_000.0, 700_000.0)),
            ("import.2", AtLeast(500_000.0, 700_000.0)),
        ]),
    ),
    goal(
        SPEED,
        "bytes per position: everything, and all but the tables",
        "B",
        By(&[("corpus.bytes", AtMost(32.0, 25.0)), ("corpus.index", AtMost(12.0, 9.0))]),
    ),
    goal(
        SPEED,
        "exact position modulo symmetry, 10^7 positions, warm, first 10 hits, p99",
        "ms",
        By(&[("corpus.exact.p99", AtMost(0.3, 0.1))]),
    ),
    goal(
        SPEED,
        "the same, all hits counted, p99",
        "ms",
        By(&[("corpus.exact_all.p99", AtMost(2.0, 0.5)), ("corpus.exact_opening.p99", AtMost(2.0, 0.5))]),
    ),
    goal(
        SPEED,
        "2x3 cells anywhere, all hits, 10^7 positions, p99",
        "ms",
        By(&[("corpus.pattern_block.p99", AtMost(150.0, 50.0))]),
    ),
    goal(
        SPEED,
        "6 cells, all symmetries, all hits, 10^7 positions, p99",
        "ms",
        By(&[
            ("corpus.pattern.p99", AtMost(50.0, 20.0)),
            ("corpus.pattern_start_all.p99", AtMost(50.0, 20.0)),
        ]),
    ),
    goal(
        SPEED,
        "explorer node with counts of results, 10^7 positions, p99",
        "ms",
        By(&[("corpus.explorer.p99", AtMost(0.5, 0.1)), ("corpus.explorer_opening.p99", AtMost(0.5, 0.1))]),
    ),
    goal(SPEED, "balance report of a million games", "s", By(&[("reports.million", AtMost(2.0, 1.0))])),
    goal(
        SPEED,
        "memory of the balance report of a million games",
        "bytes",
        By(&[("reports.million.memory", AtMost(250e6, 250e6))]),
    ),
    goal(
        SPEED,
        "server, 500 explorer requests per second on 2 cores, p99",
        "ms",
        By(&[("server.p99", AtMost(5.0, 5.0))]),
    ),
    goal(
        SPEED,
        "engine with its network, Copenhagen (and the suite of all variants), positions per second and core",
        "positions/s",
        By(&[("engine.copenhagen11", AtLeast(1e6, 2e6)), ("engine.suite", AtLeast(1e6, 2e6))]),
    ),
    goal(
        SPEED,
        "engine, paired games at equal time: 85 points of 100 against ZevraTafl, 95 against libhnefatafl, 19 of 20 against \
         OpenTafl at ten times our time",
        "%",
        Elsewhere(
            "needs those programs: section `matches`; earlier matches are in [engine.md](engine.md#against-other-programs)",
        ),
    ),
    goal(
        SPEED,
        "two cores against one, replay",
        "times",
        By(&[("scaling.movelist", AtLeast(1.9, 1.95)), ("scaling.opentafl", AtLeast(1.9, 1.95))]),
    ),
    goal(
        SPEED,
        "two cores against one, import",
        "times",
        By(&[("corpus.scaling", AtLeast(1.8, 1.95)), ("import.scaling", AtLeast(1.8, 1.95))]),
    ),
    goal(
        SPEED,
        "cold build of the README's first command, 2 cores",
        "s",
        By(&[("cold.wall", AtMost(300.0, 240.0))]),
    ),
    goal(SPEED, "size of the packaged program", "bytes", By(&[("distribution.size", AtMost(60e6, 60e6))])),
    goal(
        SPEED,
        "size of the static program without the database",
        "bytes",
        By(&[("distribution.static", AtMost(8e6, 8e6))]),
    ),
    goal(
        SPEED,
        "`cargo test` of rules, parser and analyzer after a change in rules, warm",
        "s",
        By(&[("tests.warm", AtMost(30.0, 10.0))]),
    ),
    goal(
        NOTES,
        "curves of expectation, fitted for each variant and side, with their calibration error",
        "%",
        By(&[("curves.attackers", Shown), ("curves.defenders", Shown), ("curves.copenhagen", Shown)]),
    ),
    goal(
        NOTES,
        "written solutions of puzzles found, or proven wrong",
        "",
        Elsewhere("proven one by one: [solver.md](solver.md#what-is-solved); two positions stay open"),
    ),
    goal(
        NOTES,
        "same positions, one thread, same seed: the same bytes in two runs",
        "",
        By(&[("annotate.same", AtLeast(1.0, 1.0))]),
    ),
    goal(
        BALANCE,
        "coverage of 95 % intervals in simulated leagues",
        "%",
        By(&[("statistics.held", Within(94.0, 96.0))]),
    ),
    goal(
        BALANCE,
        "parameters recovered: bias of the advantage, stated error to true error",
        "",
        By(&[("statistics.bias", Within(-0.02, 0.02)), ("statistics.error", Within(0.9, 1.1))]),
    ),
    goal(
        BALANCE,
        "the site's `balance` figure reproduced with an interval",
        "",
        Elsewhere(
            "needs the site's figures, by hand: 95 of 101 within the interval, [statistics.md](statistics.md#the-play-sites-own-balance)",
        ),
    ),
    goal(
        BALANCE,
        "why sources disagree on Copenhagen",
        "",
        Elsewhere("a report: [statistics.md](statistics.md#why-sources-disagree-on-copenhagen)"),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_graded() {
        let none = |_: &str| None;
        assert_eq!(AtLeast(4.0, 7.0).status(3.9, none), GoalStatus::Missed);
        assert_eq!(AtLeast(4.0, 7.0).status(5.0, none), GoalStatus::Met);
        assert_eq!(AtLeast(4.0, 7.0).status(7.0, none), GoalStatus::Stretch);
        assert_eq!(AtMost(1.0, 0.1).status(1.34, none), GoalStatus::Missed);
        assert_eq!(AtMost(0.0, 0.0).status(0.0, none), GoalStatus::Met);
        assert_eq!(Within(94.0, 96.0).status(94.6, none), GoalStatus::Met);
        assert_eq!(AsMuchAs("x").status(5.0, |_| Some(5.0)), GoalStatus::Met);
        assert_eq!(AsMuchAs("x").status(5.0, none), GoalStatus::Missed);
    }
}
