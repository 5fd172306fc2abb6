//! The Universal Chess Interface, with the rules and positions of tafl variants.

use std::time::Duration;

use tafl_analyzer::{Depth, EngineError, LEVELS, Level, Limits, Nodes, SearchReport};
use tafl_rules::{BySide, RuleSet, RulesReadOptions, Side, catalog};

use super::clock::{EXPECTED_MOVES, MoveClock};
use super::session::{EngineSession, parse_side};
use super::{Action, EngineProtocol, FinishedSearch, Interrupt, split_word};

const SETOPTION_SYNTAX: &str = "expected `setoption name NAME value VALUE`";

/// The longest time of a clock in milliseconds: ten days.
const LONGEST_CLOCK: i64 = 864_000_000;

/// The null move, with which a side declines to continue a chain.
const NULL_MOVE: &str = "0000";

/// The clocks of a `go` command.
#[derive(Debug, Default)]
struct UciClocks {
    left: BySide<Option<Duration>>,
    increment: BySide<Option<Duration>>,
    moves: Option<u32>,
}

impl UciClocks {
    /// Returns the clock of a side, or `None` if the command has no clocks.
    ///
    /// # Errors
    ///
    /// Returns an error if there are clocks, but not the time of this side: the search would have no limit.
    fn of(&self, side: Side) -> Result<Option<MoveClock>, &'static str> {
        let Some(left) = self.left[side] else {
            let times = [self.left[side.other()], self.increment[side], self.increment[side.other()]];
            let has_clock = self.moves.is_some() || times.iter().any(Option::is_some);
            return if has_clock { Err("`go` needs the time of the side to move") } else { Ok(None) };
        };
        let increment = self.increment[side].unwrap_or_default();
        Ok(Some(MoveClock { left, increment, moves: self.moves.unwrap_or(EXPECTED_MOVES) }))
    }
}

/// The `Skill Level` without a limit of strength.
const FULL_STRENGTH: u8 = LEVELS.len() as u8 + 1;

/// The options that limit the strength.
#[derive(Debug, Clone, Copy)]
struct UciStrength {
    skill: u8,
    is_limited: bool,
    elo: i32,
}

impl UciStrength {
    const NONE: UciStrength = UciStrength { skill: FULL_STRENGTH, is_limited: false, elo: HIGHEST_ELO };

    /// Returns the maximum number of nodes, if the strength is limited.
    fn nodes(self) -> Option<Nodes> {
        if self.is_limited {
            return Some(Level::nodes_of_elo(self.elo));
        }
        Level::of_number(self.skill).map(|level| level.nodes)
    }
}

const LOWEST_ELO: i32 = LEVELS[0].elo;
const HIGHEST_ELO: i32 = LEVELS[LEVELS.len() - 1].elo;

/// A search during the opponent's time.
#[derive(Debug)]
enum Pondering {
    /// It runs. These are the limits of the search after `ponderhit`.
    Runs(Limits),
    /// It has ended by itself, and its result waits for `ponderhit` or `stop`.
    Waits(String),
}

/// The state of this protocol.
pub(crate) struct Uci {
    session: EngineSession,
    lines: u16,
    strength: UciStrength,
    pondering: Option<Pondering>,
}

impl Uci {
    /// Creates the protocol for a session.
    pub(crate) const fn new(session: EngineSession) -> Uci {
        Uci { session, lines: 1, strength: UciStrength::NONE, pondering: None }
    }

    fn set_option(&mut self, rest: &str) -> Action {
        let ("name", option) = split_word(rest) else {
            return wrong(SETOPTION_SYNTAX);
        };
        let Some((name, value)) = option.split_once(" value ") else { return wrong(SETOPTION_SYNTAX) };
        let (name, value) = (name.trim(), value.trim());
        let number = |min: u32, max: u32| {
            value
                .parse()
                .ok()
                .filter(|number| (min..=max).contains(number))
                .ok_or_else(|| format!("{name} must be a number from {min} to {max}"))
        };
        let is_on = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("{name} must be `true` or `false`")),
        };
        let done = match name.to_ascii_lowercase().as_str() {
            "hash" => number(1, 65_536).map(|mib| self.session.configure(|o| o.mebibytes = mib as usize)),
            "threads" => number(1, 256).map(|n| self.session.configure(|o| o.threads = n as u16)),
            "multipv" => number(1, 500).map(|n| self.lines = n as u16),
            "skill level" => number(1, FULL_STRENGTH.into()).map(|level| self.strength.skill = level as u8),
            "uci_limitstrength" => is_on().map(|is_on| self.strength.is_limited = is_on),
            "uci_elo" => {
                number(LOWEST_ELO as u32, HIGHEST_ELO as u32).map(|elo| self.strength.elo = elo as i32)
            }
            // The client decides when to ponder.
            "ponder" => is_on().map(|_| ()),
            "variant" | "uci_variant" => catalog::find(value)
                .ok_or_else(|| format!("unknown variant `{value}`"))
                .and_then(|named| self.session.set_rules(&named.rules())),
            "rules" => RuleSet::read(value, RulesReadOptions::default())
                .map_err(|error| error.to_string())
                .and_then(|(rules, _)| self.session.set_rules(&rules)),
            _ => Err(format!("unknown option `{name}`")),
        };
        done.map_or_else(|why| wrong(&why), |()| Action::nothing())
    }

    fn position(&mut self, rest: &str) -> Action {
        let (head, moves) = match rest.split_once("moves") {
            Some((head, moves)) => (head.trim(), moves),
            None => (rest.trim(), ""),
        };
        let words: Vec<&str> = head.split_whitespace().collect();
        let changed = self.session.change(|session| {
            match words[..] {
                ["startpos"] => session.restart(),
                // Counters after the side to move have no effect.
                ["rec", record, side] | ["fen", record, side, ..] => match parse_side(side) {
                    Some(side) => session.set_position(record, side)?,
                    None => return Err(format!("unknown side `{side}`")),
                },
                _ => {
                    return Err("expected `position startpos`, `position fen FEN`, or `position rec RECORD SIDE`, then \
                                `moves ...`"
                        .to_owned());
                }
            }
            moves.split_whitespace().try_for_each(|word| match word {
                NULL_MOVE => session.decline(),
                _ => session.play(word).map(drop),
            })
        });
        changed.map_or_else(|why| wrong(&why), |()| Action::nothing())
    }

    fn go(&mut self, rest: &str) -> Action {
        let mut limits = Limits { multi_pv: Some(self.lines), ..Limits::default() };
        let mut clocks = UciClocks::default();
        let mut is_pondering = false;
        let first = self.session.first_mover();
        let mut words = rest.split_whitespace();
        while let Some(word) = words.next() {
            if word == "infinite" {
                continue;
            }
            if word == "ponder" {
                is_pondering = true;
                continue;
            }
            let text = words.next();
            let number = text.and_then(|text| text.parse::<u64>().ok()).filter(|number| *number > 0);
            // A clock can be below 0, because clients allow for delays.
            let span = text
                .and_then(|text| text.parse::<i64>().ok())
                .map(|millis| Duration::from_millis(millis.clamp(0, LONGEST_CLOCK) as u64));
            match (word, number) {
                ("wtime", _) if span.is_some() => clocks.left[first] = span,
                ("btime", _) if span.is_some() => clocks.left[first.other()] = span,
                ("winc", _) if span.is_some() => clocks.increment[first] = span,
                ("binc", _) if span.is_some() => clocks.increment[first.other()] = span,
                ("wtime" | "btime" | "winc" | "binc", _) => {
                    return wrong(&format!("`{word}` needs a number of milliseconds"));
                }
                ("movestogo", Some(moves)) => clocks.moves = Some(moves.min(1000) as u32),
                ("nodes", Some(nodes)) => limits.nodes = Some(Nodes(nodes)),
                ("depth", Some(plies)) => limits.depth = Some(Depth(plies.min(255) as u8)),
                ("movetime", Some(time)) => limits.time = Some(Duration::from_millis(time)),
                ("nodes" | "depth" | "movetime" | "movestogo", None) => {
                    return wrong(&format!("`{word}` needs a number above 0"));
                }
                _ => return wrong(&format!("unknown parameter `{word}` of `go`")),
            }
        }
        match clocks.of(self.session.game().to_move()) {
            Ok(None) => {}
            Ok(Some(clock)) => {
                let share = clock.share();
                limits.time = Some(limits.time.map_or(share, |time| time.min(share)));
            }
            Err(why) => return wrong(why),
        }
        if let Some(most) = self.strength.nodes() {
            limits.nodes = Some(limits.nodes.map_or(most, |nodes| nodes.min(most)));
        }
        if is_pondering {
            let endless = Limits { multi_pv: limits.multi_pv, ..Limits::default() };
            self.pondering = Some(Pondering::Runs(limits));
            return self.session.search(endless);
        }
        self.session.search(limits)
    }

    /// Searches with the limits of `go ponder`: the expected move was played. The table has what the search found before.
    fn ponder_hit(&mut self) -> Action {
        match self.pondering.take() {
            Some(Pondering::Runs(limits)) => self.session.search(limits),
            Some(Pondering::Waits(best)) => Action::reply(best),
            None => wrong("no search runs to which `ponderhit` applies"),
        }
    }

    /// Returns the result of a search that has ended by itself during the opponent's time.
    fn stop_waiting(&mut self) -> Action {
        match self.pondering.take() {
            Some(Pondering::Waits(best)) => Action::reply(best),
            Some(Pondering::Runs(_)) | None => Action::nothing(),
        }
    }

    /// Returns the best move, with the reply that is worth pondering.
    fn best_move(&self, result: &Result<SearchReport, EngineError>) -> Vec<String> {
        match result {
            Ok(report) => {
                let best = &self.session.line(report, 0)[0];
                let reply =
                    self.session.reply(report).map_or(String::new(), |reply| format!(" ponder {reply}"));
                vec![format!("bestmove {best}{reply}").replace('-', "")]
            }
            Err(why) => vec![format!("info string {why}"), "bestmove (none)".to_owned()],
        }
    }
}

fn wrong(why: &str) -> Action {
    Action::reply(format!("info string error: {why}"))
}

/// Returns a score in the notation of the protocol, for the side to move.
fn score(session: &EngineSession, report: &SearchReport, at: usize) -> String {
    let score = report.lines[at].score.for_side(session.game().to_move());
    match score.distance() {
        Some(plies) if score.value() > 0 => format!("mate {}", plies.div_ceil(2).max(1)),
        Some(plies) => format!("mate -{}", plies.div_ceil(2)),
        None => format!("cp {}", score.value()),
    }
}

impl EngineProtocol for Uci {
    const QUIT_COMMAND: &'static str = "quit";

    fn greeting(&self) -> Vec<String> {
        Vec::new()
    }

    fn handle_line(&mut self, line: &str) -> Action {
        let (word, rest) = split_word(line);
        match word {
            "" => Action::nothing(),
            "uci" => Action::Reply(vec![
                format!("id name taflbase {}", env!("CARGO_PKG_VERSION")),
                "id author the Taflbase authors".to_owned(),
                "option name Hash type spin default 64 min 1 max 65536".to_owned(),
                "option name Threads type spin default 1 min 1 max 256".to_owned(),
                "option name MultiPV type spin default 1 min 1 max 500".to_owned(),
                "option name Ponder type check default false".to_owned(),
                format!(
                    "option name Skill Level type spin default {FULL_STRENGTH} min 1 max {FULL_STRENGTH}"
                ),
                "option name UCI_LimitStrength type check default false".to_owned(),
                format!(
                    "option name UCI_Elo type spin default {HIGHEST_ELO} min {LOWEST_ELO} max {HIGHEST_ELO}"
                ),
                "option name Variant type string default copenhagen11".to_owned(),
                "option name Rules type string default <empty>".to_owned(),
                "uciok".to_owned(),
            ]),
            "isready" => Action::reply("readyok"),
            "ucinewgame" => {
                self.session.new_game();
                self.session.restart();
                Action::nothing()
            }
            "setoption" => self.set_option(rest),
            "position" => self.position(rest),
            "go" => self.go(rest),
            "ponderhit" => self.ponder_hit(),
            // No search is running.
            "stop" => self.stop_waiting(),
            "quit" => Action::Quit(Vec::new()),
            _ => wrong(&format!("unknown command `{word}`")),
        }
    }

    fn interrupt(&self, line: &str) -> Interrupt {
        match split_word(line).0 {
            "stop" => Interrupt::Stop,
            "ponderhit" if self.pondering.is_some() => Interrupt::Stop,
            "quit" => Interrupt::Quit,
            "isready" => Interrupt::Reply("readyok".to_owned()),
            "go" => Interrupt::Search,
            _ => Interrupt::Defer,
        }
    }

    fn on_info(&self, report: &SearchReport) -> Vec<String> {
        let time = report.time.as_millis();
        let speed = (report.nodes.0 as f64 / report.time.as_secs_f64().max(1e-6)) as u64;
        let line = |at: usize| {
            let pv = self.session.line(report, at).join(" ").replace('-', "");
            let (depth, nodes, number) = (report.depth.0, report.nodes.0, at + 1);
            let multi = if report.lines.len() > 1 { format!(" multipv {number}") } else { String::new() };
            let score = score(&self.session, report, at);
            let full = report.hashfull;
            format!(
                "info depth {depth}{multi} score {score} nodes {nodes} nps {speed} hashfull {full} time {time} pv {pv}"
            )
        };
        (0..report.lines.len()).map(line).collect()
    }

    fn finish(&mut self, done: FinishedSearch<'_>) -> Vec<String> {
        self.session.return_engine(done.engine);
        let lines = self.best_move(&done.result);
        match (self.pondering.take(), done.stopped_by) {
            (Some(Pondering::Runs(limits)), Some(line)) if split_word(line).0 != "stop" => {
                self.pondering = Some(Pondering::Runs(limits));
                Vec::new()
            }
            (Some(_), None) => {
                self.pondering = Some(Pondering::Waits(lines.join("\n")));
                Vec::new()
            }
            (Some(_) | None, _) => lines,
        }
    }
}
