//! A protocol like the Universal Chess Interface, with rules and positions of every variant.

use std::time::Duration;

use tafl_analyzer::{Depth, Engine, EngineError, Limits, Nodes, SearchReport};
use tafl_rules::{RuleSet, RulesReadOptions, catalog};

use super::seat::{Seat, read_side};
use super::{Dialogue, Next, Urgent};

/// A conversation in this protocol.
pub(crate) struct Uci {
    seat: Seat,
    lines: u16,
}

impl Uci {
    /// Returns a conversation about a seat.
    pub(crate) const fn new(seat: Seat) -> Uci {
        Uci { seat, lines: 1 }
    }

    fn set_option(&mut self, rest: &str) -> Next {
        let Some((name, value)) = rest.strip_prefix("name ").and_then(|rest| rest.split_once(" value "))
        else {
            return wrong("expected `setoption name NAME value VALUE`");
        };
        let value = value.trim();
        let number = |least: u32, most: u32| {
            value
                .parse()
                .ok()
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| format!("{name} must be a number from {least} to {most}"))
        };
        let done = match name.trim().to_ascii_lowercase().as_str() {
            "hash" => number(1, 65_536).map(|mib| self.seat.set_up(|o| o.mebibytes = mib as usize)),
            "threads" => number(1, 256).map(|n| self.seat.set_up(|o| o.threads = n as u16)),
            "multipv" => number(1, 500).map(|n| self.lines = n as u16),
            "variant" => catalog::find(value)
                .ok_or_else(|| format!("there is no variant `{value}`"))
                .and_then(|named| self.seat.set_rules(&named.rules())),
            "rules" => RuleSet::read(value, RulesReadOptions::default())
                .map_err(|error| error.to_string())
                .and_then(|(rules, _)| self.seat.set_rules(&rules)),
            _ => Err(format!("there is no option `{}`", name.trim())),
        };
        done.map_or_else(|why| wrong(&why), |()| Next::nothing())
    }

    fn position(&mut self, rest: &str) -> Next {
        let (head, moves) = match rest.split_once("moves") {
            Some((head, moves)) => (head.trim(), moves),
            None => (rest.trim(), ""),
        };
        let words: Vec<&str> = head.split_whitespace().collect();
        let placed = match words[..] {
            ["startpos"] => {
                self.seat.restart();
                Ok(())
            }
            ["rec", record, side] => match read_side(side) {
                Some(side) => self.seat.place(record, side),
                None => Err(format!("`{side}` is no side")),
            },
            _ => {
                Err("expected `position startpos` or `position rec RECORD SIDE`, then `moves ...`".to_owned())
            }
        };
        if let Err(why) = placed {
            return wrong(&why);
        }
        for word in moves.split_whitespace() {
            if let Err(why) = self.seat.play(word) {
                return wrong(&format!("{why}; the moves before it were played"));
            }
        }
        Next::nothing()
    }

    fn go(&mut self, rest: &str) -> Next {
        let mut limits = Limits { multi_pv: Some(self.lines), ..Limits::default() };
        let mut words = rest.split_whitespace();
        while let Some(word) = words.next() {
            if word == "infinite" {
                continue;
            }
            let number = words.next().and_then(|word| word.parse::<u64>().ok()).filter(|number| *number > 0);
            match (word, number) {
                ("nodes", Some(nodes)) => limits.nodes = Some(Nodes(nodes)),
                ("depth", Some(plies)) => limits.depth = Some(Depth(plies.min(255) as u8)),
                ("movetime", Some(time)) => limits.time = Some(Duration::from_millis(time)),
                ("nodes" | "depth" | "movetime", None) => {
                    return wrong(&format!("`{word}` needs a number from 1 on"));
                }
                _ => return wrong(&format!("`go` does not know `{word}`")),
            }
        }
        self.seat.think(limits)
    }
}

fn wrong(why: &str) -> Next {
    Next::say(format!("info string error: {why}"))
}

/// Returns a score as the protocol has it, for the side to move.
fn score(seat: &Seat, report: &SearchReport, at: usize) -> String {
    let score = report.lines[at].score.for_side(seat.game().to_move());
    match score.distance() {
        Some(plies) if score.value() > 0 => format!("mate {}", plies.div_ceil(2).max(1)),
        Some(plies) => format!("mate -{}", plies.div_ceil(2)),
        None => format!("cp {}", score.value()),
    }
}

impl Dialogue for Uci {
    const FAREWELL: &'static str = "quit";

    fn greeting(&self) -> Vec<String> {
        Vec::new()
    }

    fn hear(&mut self, line: &str) -> Next {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => Next::nothing(),
            "uci" => Next::Say(vec![
                format!("id name taflbase {}", env!("CARGO_PKG_VERSION")),
                "id author the Taflbase authors".to_owned(),
                "option name Hash type spin default 64 min 1 max 65536".to_owned(),
                "option name Threads type spin default 1 min 1 max 256".to_owned(),
                "option name MultiPV type spin default 1 min 1 max 500".to_owned(),
                "option name Variant type string default copenhagen11".to_owned(),
                "option name Rules type string default <empty>".to_owned(),
                "uciok".to_owned(),
            ]),
            "isready" => Next::say("readyok"),
            "ucinewgame" => {
                self.seat.forget();
                self.seat.restart();
                Next::nothing()
            }
            "setoption" => self.set_option(rest),
            "position" => self.position(rest),
            "go" => self.go(rest),
            // Nothing is being thought.
            "stop" => Next::nothing(),
            "quit" => Next::End(Vec::new()),
            _ => wrong(&format!("there is no command `{word}`")),
        }
    }

    fn interrupt(&self, line: &str) -> Urgent {
        match line.split_whitespace().next() {
            Some("stop") => Urgent::Stop,
            Some("quit") => Urgent::End,
            Some("isready") => Urgent::Say("readyok".to_owned()),
            Some(_) | None => Urgent::Later,
        }
    }

    fn tell(&self, report: &SearchReport) -> Vec<String> {
        let time = report.time.as_millis();
        let speed = (report.nodes.0 as f64 / report.time.as_secs_f64().max(1e-6)) as u64;
        let line = |at: usize| {
            let pv = self.seat.line(report, at).join(" ").replace('-', "");
            let (depth, nodes, number) = (report.depth.0, report.nodes.0, at + 1);
            let multi = if report.lines.len() > 1 { format!(" multipv {number}") } else { String::new() };
            let score = score(&self.seat, report, at);
            let full = report.hashfull;
            format!(
                "info depth {depth}{multi} score {score} nodes {nodes} nps {speed} hashfull {full} time {time} pv {pv}"
            )
        };
        (0..report.lines.len()).map(line).collect()
    }

    fn finish(&mut self, engine: Engine, result: Result<SearchReport, EngineError>) -> Vec<String> {
        self.seat.take_engine(engine);
        match result {
            Ok(report) => vec![format!("bestmove {}", self.seat.line(&report, 0)[0].replace('-', ""))],
            Err(why) => vec![format!("info string {why}"), "bestmove (none)".to_owned()],
        }
    }
}
