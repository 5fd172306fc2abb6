//! The protocol of OpenTafl's external engines.

use std::time::Duration;

use tafl_analyzer::{Limits, SearchReport};
use tafl_rules::{BySide, RuleSet, RulesReadOptions, Side};

use super::clock::{EXPECTED_MOVES, MoveClock};
use super::session::{EngineSession, parse_side};
use super::{Action, EngineProtocol, FinishedSearch, Interrupt, split_word};

/// The state of this protocol.
pub(crate) struct Otep {
    session: EngineSession,
    /// The time for a move without a clock.
    time: Duration,
    clock: Option<OtepClock>,
    task: Task,
}

/// The purpose of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    Play,
    Analyze,
}

/// The remaining time.
#[derive(Debug, Clone, Copy)]
struct OtepClock {
    left: BySide<Duration>,
    in_overtime: BySide<bool>,
}

impl OtepClock {
    fn read(words: &[&str]) -> Option<OtepClock> {
        let time = |word: &str| {
            let millis = word.trim_end_matches('*').parse().ok()?;
            Some((Duration::from_millis(millis), word.ends_with('*')))
        };
        let (attackers, defenders) = (time(words.first()?)?, time(words.get(1)?)?);
        Some(OtepClock {
            left: BySide { attackers: attackers.0, defenders: defenders.0 },
            in_overtime: BySide { attackers: attackers.1, defenders: defenders.1 },
        })
    }

    /// Returns the time for a move: a small part of the remaining time, or half of a period of overtime.
    fn share(&self, side: Side) -> Duration {
        let moves = if self.in_overtime[side] { 2 } else { EXPECTED_MOVES };
        MoveClock { left: self.left[side], increment: Duration::ZERO, moves }.share()
    }
}

impl Otep {
    /// Creates the protocol for a session; without a clock, the engine searches for `time`.
    pub(crate) const fn new(session: EngineSession, time: Duration) -> Otep {
        Otep { session, time, clock: None, task: Task::Play }
    }

    fn opponent_moved(&mut self, rest: &str) -> Action {
        let (moves, record) = split_word(rest);
        let changed = self.session.change(|session| {
            let mover = session.game().to_move();
            let played = moves.split('|').try_for_each(|mv| session.play(mv).map(drop));
            if record.is_empty() || played.is_ok() && session.game().setup().to_string() == record {
                return played;
            }
            // The client's position is authoritative; it will send the side to move.
            session.set_position(record, mover.other())
        });
        changed.map_or_else(|why| wrong(&why), |()| Action::nothing())
    }

    fn own_move_was_made(&mut self, record: &str) -> Action {
        let side = self.session.game().to_move();
        if self.session.game().setup().to_string() == record {
            return Action::nothing();
        }
        self.session.set_position(record, side).map_or_else(|why| wrong(&why), |()| Action::nothing())
    }

    fn play(&mut self, rest: &str) -> Action {
        let Some(side) = parse_side(rest) else { return wrong(&format!("unknown side `{rest}`")) };
        self.session.set_side(side);
        self.task = Task::Play;
        let time = self.clock.map_or(self.time, |clock| clock.share(side));
        self.session.search(Limits::time(time))
    }

    fn analyze(&mut self, rest: &str) -> Action {
        let mut words = rest.split_whitespace();
        let mut number = || words.next().and_then(|word| word.parse::<u64>().ok()).filter(|n| *n > 0);
        let (Some(lines), Some(seconds)) = (number(), number()) else {
            return wrong("expected `analyze NUMBER SECONDS`");
        };
        self.task = Task::Analyze;
        let time = Duration::from_secs(seconds.min(86_400));
        self.session.search(Limits { multi_pv: Some(lines.min(500) as u16), ..Limits::time(time) })
    }

    fn analysis(&self, report: &SearchReport) -> String {
        let mut out = format!("analysis {}", report.lines.len());
        for (at, line) in report.lines.iter().enumerate() {
            let score = line.score.for_side(Side::Attackers).value();
            out.push_str(&format!(" {} {score}", self.session.line(report, at).join("|")));
        }
        out
    }
}

/// Returns the action that reports a nonfatal error.
fn wrong(why: &str) -> Action {
    Action::reply(format!("error 0 {why}"))
}

impl EngineProtocol for Otep {
    const QUIT_COMMAND: &'static str = "goodbye";

    fn greeting(&self) -> Vec<String> {
        vec!["hello".to_owned(), "simple-moves on".to_owned()]
    }

    fn handle_line(&mut self, line: &str) -> Action {
        let (word, rest) = split_word(line);
        match word {
            "" | "hello" | "simple-moves" | "status" => Action::nothing(),
            "rules" => {
                let read =
                    RuleSet::read(rest, RulesReadOptions::default()).map_err(|error| error.to_string());
                match read.and_then(|(rules, _)| self.session.set_rules(&rules)) {
                    Ok(()) => Action::nothing(),
                    Err(why) => Action::reply(format!("error -1 {why}")),
                }
            }
            "position" => {
                let side = self.session.game().to_move();
                self.session.set_position(rest, side).map_or_else(|why| wrong(&why), |()| Action::nothing())
            }
            "side" => match parse_side(rest) {
                Some(side) => {
                    self.session.set_side(side);
                    Action::nothing()
                }
                None => wrong(&format!("unknown side `{rest}`")),
            },
            "clock" => {
                self.clock = OtepClock::read(&rest.split_whitespace().collect::<Vec<_>>());
                if self.clock.is_some() { Action::nothing() } else { wrong("invalid clock") }
            }
            "play" => self.play(rest),
            "analyze" => self.analyze(rest),
            "opponent-move" => self.opponent_moved(rest),
            "move" => self.own_move_was_made(rest),
            // The next `opponent-move` has the right position.
            "error" => Action::nothing(),
            "finish" => {
                self.clock = None;
                self.session.new_game();
                Action::nothing()
            }
            "goodbye" => Action::Quit(Vec::new()),
            _ => wrong(&format!("unknown command `{word}`")),
        }
    }

    fn interrupt(&self, line: &str) -> Interrupt {
        match split_word(line).0 {
            "finish" => Interrupt::Stop,
            "goodbye" => Interrupt::Quit,
            "play" | "analyze" => Interrupt::Search,
            _ => Interrupt::Defer,
        }
    }

    fn on_info(&self, report: &SearchReport) -> Vec<String> {
        let score = report.lines[0].score.for_side(self.session.game().to_move());
        let best = &self.session.line(report, 0)[0];
        vec![format!("status depth {}: {best} {score}, {} nodes", report.depth.0, report.nodes.0)]
    }

    fn finish(&mut self, done: FinishedSearch<'_>) -> Vec<String> {
        self.session.return_engine(done.engine);
        let report = match done.result {
            Ok(report) => report,
            Err(why) => return vec![format!("error 0 {why}")],
        };
        match self.task {
            Task::Analyze => vec![self.analysis(&report)],
            Task::Play if self.session.declines(&report) => match self.session.decline() {
                Ok(()) => vec!["move decline".to_owned()],
                Err(why) => vec![format!("error 0 {why}")],
            },
            Task::Play => {
                let best = self.session.line(&report, 0)[0].clone();
                // The move is legal: it was searched from this position.
                let _ = self.session.play(&best);
                vec![format!("move {best}")]
            }
        }
    }
}
