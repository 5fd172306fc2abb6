//! The text protocol of hnefatafl.org: one command per line, answered with `= ...` or `? error`.

use std::time::Duration;

use tafl_analyzer::{Limits, SearchReport};
use tafl_rules::{Cell, Outcome, Reason, Role, Side, catalog};

use super::clock::EXPECTED_MOVES;
use super::session::{EngineSession, parse_side};
use super::{Action, EngineProtocol, FinishedSearch, Interrupt, split_word};

/// The state of this protocol.
pub(crate) struct Htp {
    session: EngineSession,
    time: Duration,
    /// The side that has resigned.
    resigned: Option<Side>,
}

/// The answer to `list_commands`.
const COMMANDS: [&str; 17] = [
    "board_size",
    "final_status",
    "first_move",
    "generate_move",
    "known_command",
    "list_commands",
    "name",
    "play",
    "play_from",
    "play_to",
    "play_undo",
    "protocol_version",
    "quit",
    "show_board",
    "show_board_open_tafl",
    "time_settings",
    "version",
];

/// The variants of the protocol, which are named by the size of the board.
const BOARDS: [(&str, &str); 2] =
    [("11", "copenhagen11-hnefatafl-org"), ("13", "copenhagen13-hnefatafl-org")];

impl Htp {
    /// Creates the protocol for a session; the engine searches for `time` until the client sets another time.
    pub(crate) const fn new(session: EngineSession, time: Duration) -> Htp {
        Htp { session, time, resigned: None }
    }

    fn board_size(&mut self, rest: &str) -> Action {
        if rest == self.session.shape().side().to_string() {
            self.session.restart();
            self.resigned = None;
            return good("");
        }
        let named = BOARDS.iter().find(|(size, _)| *size == rest).and_then(|(_, name)| catalog::find(name));
        match named.map(|named| self.session.set_rules(&named.rules())) {
            Some(Ok(())) => {
                self.resigned = None;
                good("")
            }
            Some(Err(why)) => bad(&why),
            None => bad("the size must be 11 or 13"),
        }
    }

    fn play(&mut self, rest: &str) -> Action {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [role, cells @ ..] = &words[..] else { return bad("expected ROLE FROM TO") };
        let Some(side) = parse_side(role) else { return bad(&format!("unknown role `{role}`")) };
        if let Some(outcome) = self.outcome() {
            return bad(&format!("the game is over: {outcome}"));
        }
        if !self.may_move(side) {
            return bad(&format!("it is the turn of the {}", self.session.game().to_move()));
        }
        match cells {
            ["resigns" | "resign"] => {
                self.resigned = Some(side);
                good("")
            }
            ["declines"] if side == self.session.game().to_move() => {
                self.session.decline().map_or_else(|why| bad(&why), |()| good(""))
            }
            [from, _] if self.owner(from) == Some(side.other()) => {
                bad(&format!("the piece on {from} is not one of the {side}"))
            }
            [from, to] => match self.session.play(&format!("{from}-{to}").to_lowercase()) {
                Ok(captured) => good(&captured.join(" ")),
                Err(why) => bad(&why),
            },
            _ => bad("expected ROLE FROM TO"),
        }
    }

    /// Returns whether a side can move: the other side, too, if the side to move may decline to continue its chain.
    fn may_move(&self, side: Side) -> bool {
        side == self.session.game().to_move() || self.session.game().may_decline()
    }

    /// Returns the side of the piece on a cell.
    fn owner(&self, cell: &str) -> Option<Side> {
        let game = self.session.game();
        let cell = game.shape().cell(cell.to_lowercase().parse().ok()?)?;
        game.piece(cell).map(|piece| piece.side)
    }

    /// Returns the outcome of the game: by a resignation, or by the rules.
    fn outcome(&self) -> Option<Outcome> {
        let resigned = self.resigned.map(|side| Outcome::win(side.other(), Reason::Resignation));
        resigned.or_else(|| self.session.game().outcome())
    }

    fn generate_move(&mut self) -> Action {
        match self.outcome() {
            Some(outcome) => bad(&format!("the game is over: {outcome}")),
            None => self.session.search(Limits::time(self.time)),
        }
    }

    fn play_from(&self) -> Action {
        let game = self.session.game();
        let is_own = |cell: &Cell| game.piece(*cell).is_some_and(|piece| piece.side == game.to_move());
        let mut cells: Vec<Cell> = game.moves().iter().map(|mv| mv.from).filter(is_own).collect();
        cells.dedup();
        let names: Vec<String> = cells.into_iter().map(|cell| game.shape().name(cell)).collect();
        good(format!("{} {}", game.to_move().singular(), names.join(" ")).trim())
    }

    fn play_to(&self, rest: &str) -> Action {
        let game = self.session.game();
        let (role, from) = split_word(rest);
        let from = from.to_lowercase().parse().ok().and_then(|coord| game.shape().cell(coord));
        let (Some(side), Some(from)) = (parse_side(role), from) else { return bad("expected ROLE FROM") };
        if !self.may_move(side) {
            return bad(&format!("it is the turn of the {}", game.to_move()));
        }
        if game.piece(from).is_some_and(|piece| piece.side != side) {
            return good("");
        }
        let moves = game.moves();
        let targets = moves.iter().filter(|mv| mv.from == from).map(|mv| game.shape().name(mv.to));
        good(&targets.collect::<Vec<_>>().join(" "))
    }

    fn time_settings(&mut self, rest: &str) -> Action {
        match rest.split_whitespace().collect::<Vec<_>>()[..] {
            ["un-timed"] => good(""),
            ["fischer", minutes, seconds] => match (minutes.parse::<u32>(), seconds.parse::<u32>()) {
                (Ok(minutes), Ok(seconds)) => {
                    let (minutes, seconds) = (minutes.min(10_000), seconds.min(86_400));
                    let time = Duration::from_secs(u64::from(minutes) * 60) / EXPECTED_MOVES;
                    self.time =
                        (time + Duration::from_secs(u64::from(seconds))).max(Duration::from_millis(20));
                    good("")
                }
                _ => bad("expected `fischer MINUTES SECONDS`"),
            },
            _ => bad("expected `un-timed` or `fischer MINUTES SECONDS`"),
        }
    }

    fn status(&self) -> &'static str {
        match self.outcome().map(|outcome| outcome.winner) {
            Some(Some(Side::Attackers)) => "attacker_wins",
            Some(Some(Side::Defenders)) => "defender_wins",
            Some(None) => "draw",
            None => "ongoing",
        }
    }

    /// Returns the rows of the board from the highest rank.
    fn board(&self) -> Vec<String> {
        let game = self.session.game();
        let shape = game.shape();
        let mut rows: Vec<(String, String)> = Vec::new();
        for cell in shape.cells() {
            let name = shape.name(cell);
            let rank = name.trim_start_matches(|letter: char| letter.is_ascii_lowercase()).to_owned();
            let sign = match game.piece(cell) {
                None => ".",
                Some(piece) if piece.role == Role::King => "K",
                Some(piece) if piece.side == Side::Attackers => "X",
                Some(_) => "O",
            };
            match rows.last_mut() {
                Some((last, row)) if *last == rank => row.push_str(sign),
                Some(_) | None => rows.push((rank, sign.to_owned())),
            }
        }
        rows.reverse();
        rows.into_iter().map(|(rank, row)| format!("{rank:>2} {row}")).collect()
    }
}

fn good(answer: &str) -> Action {
    Action::reply(format!("= {answer}"))
}

fn bad(why: &str) -> Action {
    Action::reply(format!("? {why}"))
}

impl EngineProtocol for Htp {
    const QUIT_COMMAND: &'static str = "quit";

    fn command(line: &str) -> &str {
        line.split('#').next().unwrap_or("")
    }

    fn greeting(&self) -> Vec<String> {
        Vec::new()
    }

    fn handle_line(&mut self, line: &str) -> Action {
        let (word, rest) = split_word(Htp::command(line));
        match word {
            "" => Action::nothing(),
            "board_size" => self.board_size(rest),
            "final_status" => good(self.status()),
            "first_move" => match parse_side(rest) {
                Some(side) => {
                    self.session.restart();
                    self.session.set_side(side);
                    self.resigned = None;
                    good("")
                }
                None => bad(&format!("unknown role `{rest}`")),
            },
            "generate_move" => self.generate_move(),
            "known_command" => good(if COMMANDS.contains(&rest) { "true" } else { "false" }),
            "list_commands" => Action::Reply(["= "].into_iter().chain(COMMANDS).map(str::to_owned).collect()),
            "name" => good("taflbase"),
            "play" => self.play(rest),
            "play_from" => self.play_from(),
            "play_to" => self.play_to(rest),
            "play_undo" => {
                if self.resigned.take().is_some() || self.session.undo() {
                    good("")
                } else {
                    bad("no move has been played")
                }
            }
            "protocol_version" => good("0"),
            "quit" => Action::Quit(vec!["= ".to_owned()]),
            "show_board" => Action::Reply(["= ".to_owned()].into_iter().chain(self.board()).collect()),
            "show_board_open_tafl" => good(&self.session.game().setup().to_string()),
            "time_settings" => self.time_settings(rest),
            "version" => good(env!("CARGO_PKG_VERSION")),
            _ => bad(&format!("unknown command `{word}`")),
        }
    }

    fn interrupt(&self, line: &str) -> Interrupt {
        if split_word(Htp::command(line)).0 == "quit" { Interrupt::Quit } else { Interrupt::Defer }
    }

    fn on_info(&self, _report: &SearchReport) -> Vec<String> {
        Vec::new()
    }

    fn finish(&mut self, done: FinishedSearch<'_>) -> Vec<String> {
        self.session.return_engine(done.engine);
        let report = match done.result {
            Ok(report) => report,
            Err(why) => return vec![format!("? {why}")],
        };
        let side = self.session.game().to_move();
        // Both are legal: they were searched from this position.
        let best = if self.session.declines(&report) {
            let _ = self.session.decline();
            "declines".to_owned()
        } else {
            let best = self.session.line(&report, 0)[0].clone();
            let _ = self.session.play(&best);
            best.replace('-', " ")
        };
        let score = report.lines[0].score.for_side(side);
        vec![format!("= play {} {best}, score: {}", side.singular(), score.value())]
    }
}
