//! OpenTafl's engine protocol, as its external engines speak it.

use std::time::Duration;

use tafl_analyzer::{Engine, EngineError, Limits, SearchReport};
use tafl_rules::{BySide, RuleSet, RulesReadOptions, Side};

use super::seat::{Seat, read_side};
use super::{Dialogue, Next, Urgent};

/// A conversation in this protocol.
pub(crate) struct Otep {
    seat: Seat,
    /// How long to think without a clock.
    time: Duration,
    clock: Option<Clock>,
    task: Task,
}

/// What the engine thinks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    Play,
    Analyze,
}

/// The time that is left.
#[derive(Debug, Clone, Copy)]
struct Clock {
    left: BySide<Duration>,
    in_overtime: BySide<bool>,
}

impl Clock {
    fn read(words: &[&str]) -> Option<Clock> {
        let time = |word: &str| {
            let millis = word.trim_end_matches('*').parse().ok()?;
            Some((Duration::from_millis(millis), word.ends_with('*')))
        };
        let (attackers, defenders) = (time(words.first()?)?, time(words.get(1)?)?);
        Some(Clock {
            left: BySide { attackers: attackers.0, defenders: defenders.0 },
            in_overtime: BySide { attackers: attackers.1, defenders: defenders.1 },
        })
    }

    /// Returns how long to think about a move: a small part of what is left, or half of a period of overtime.
    fn share(&self, side: Side) -> Duration {
        let part = if self.in_overtime[side] { 2 } else { 40 };
        (self.left[side] / part).max(Duration::from_millis(20))
    }
}

impl Otep {
    /// Returns a conversation about a seat; without a clock the engine thinks for `time`.
    pub(crate) const fn new(seat: Seat, time: Duration) -> Otep {
        Otep { seat, time, clock: None, task: Task::Play }
    }

    fn opponent_moved(&mut self, rest: &str) -> Next {
        let (moves, record) = rest.split_once(' ').unwrap_or((rest, ""));
        let mover = self.seat.game().to_move();
        let played = moves.split('|').try_for_each(|mv| self.seat.play(mv).map(drop));
        let record = record.trim();
        let agrees = record.is_empty() || self.seat.game().setup().to_string() == record;
        if played.is_ok() && agrees {
            return Next::nothing();
        }
        if record.is_empty() {
            return wrong(&played.err().unwrap_or_default());
        }
        // What the other program says is on the board is on the board; it will say whose turn it is.
        match self.seat.place(record, mover.other()) {
            Ok(()) => Next::nothing(),
            Err(why) => wrong(&why),
        }
    }

    fn own_move_was_made(&mut self, record: &str) -> Next {
        let side = self.seat.game().to_move();
        if self.seat.game().setup().to_string() == record {
            return Next::nothing();
        }
        self.seat.place(record, side).map_or_else(|why| wrong(&why), |()| Next::nothing())
    }

    fn play(&mut self, rest: &str) -> Next {
        let Some(side) = read_side(rest.trim()) else { return wrong(&format!("`{rest}` is no side")) };
        self.seat.set_side(side);
        self.task = Task::Play;
        let time = self.clock.map_or(self.time, |clock| clock.share(side));
        self.seat.think(Limits::time(time))
    }

    fn analyze(&mut self, rest: &str) -> Next {
        let mut words = rest.split_whitespace();
        let mut number = || words.next().and_then(|word| word.parse::<u64>().ok()).filter(|n| *n > 0);
        let (Some(lines), Some(seconds)) = (number(), number()) else {
            return wrong("expected `analyze NUMBER SECONDS`");
        };
        self.task = Task::Analyze;
        let time = Duration::from_secs(seconds.min(86_400));
        self.seat.think(Limits { multi_pv: Some(lines.min(500) as u16), ..Limits::time(time) })
    }

    fn analysis(&self, report: &SearchReport) -> String {
        let mut out = format!("analysis {}", report.lines.len());
        for (at, line) in report.lines.iter().enumerate() {
            let score = line.score.for_side(Side::Attackers).value();
            out.push_str(&format!(" {} {score}", self.seat.line(report, at).join("|")));
        }
        out
    }
}

/// Returns an error that ends nothing.
fn wrong(why: &str) -> Next {
    Next::say(format!("error 0 {why}"))
}

impl Dialogue for Otep {
    const FAREWELL: &'static str = "goodbye";

    fn greeting(&self) -> Vec<String> {
        vec!["hello".to_owned(), "simple-moves on".to_owned()]
    }

    fn hear(&mut self, line: &str) -> Next {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" | "hello" | "simple-moves" | "status" => Next::nothing(),
            "rules" => {
                let read =
                    RuleSet::read(rest, RulesReadOptions::default()).map_err(|error| error.to_string());
                match read.and_then(|(rules, _)| self.seat.set_rules(&rules)) {
                    Ok(()) => Next::nothing(),
                    Err(why) => Next::say(format!("error -1 {why}")),
                }
            }
            "position" => {
                let side = self.seat.game().to_move();
                self.seat.place(rest, side).map_or_else(|why| wrong(&why), |()| Next::nothing())
            }
            "side" => match read_side(rest) {
                Some(side) => {
                    self.seat.set_side(side);
                    Next::nothing()
                }
                None => wrong(&format!("`{rest}` is no side")),
            },
            "clock" => {
                self.clock = Clock::read(&rest.split_whitespace().collect::<Vec<_>>());
                if self.clock.is_some() { Next::nothing() } else { wrong("this is no clock") }
            }
            "play" => self.play(rest),
            "analyze" => self.analyze(rest),
            "opponent-move" => self.opponent_moved(rest),
            "move" => self.own_move_was_made(rest),
            // What was wrong is told with the next `opponent-move`, position included.
            "error" => Next::nothing(),
            "finish" => {
                self.clock = None;
                self.seat.forget();
                Next::nothing()
            }
            "goodbye" => Next::End(Vec::new()),
            _ => wrong(&format!("there is no command `{word}`")),
        }
    }

    fn interrupt(&self, line: &str) -> Urgent {
        match line.split_whitespace().next() {
            Some("finish") => Urgent::Stop,
            Some("goodbye") => Urgent::End,
            Some(_) | None => Urgent::Later,
        }
    }

    fn tell(&self, report: &SearchReport) -> Vec<String> {
        let score = report.lines[0].score.for_side(self.seat.game().to_move());
        let best = &self.seat.line(report, 0)[0];
        vec![format!("status depth {}: {best} {score}, {} nodes", report.depth.0, report.nodes.0)]
    }

    fn finish(&mut self, engine: Engine, result: Result<SearchReport, EngineError>) -> Vec<String> {
        self.seat.take_engine(engine);
        let report = match result {
            Ok(report) => report,
            Err(why) => return vec![format!("error 0 {why}")],
        };
        match self.task {
            Task::Analyze => vec![self.analysis(&report)],
            Task::Play => {
                let best = self.seat.line(&report, 0)[0].clone();
                // The move is legal: it was searched from this position.
                let _ = self.seat.play(&best);
                vec![format!("move {best}")]
            }
        }
    }
}
