//! Tests with programs that follow a protocol and programs that do not.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tafl_rules::{AnyRulebook, BySide, Shape, Side, catalog};

use super::*;
use crate::play::{MatchEnding, MatchTerms, PlayerChoice, RandomPlayer, play_game};

type Answers = Box<dyn FnMut(&str) -> Vec<String>>;

/// A scripted program: the expected commands and the answers to them.
struct Script {
    log: Rc<RefCell<Vec<String>>>,
    answers: Answers,
    waiting: VecDeque<String>,
    is_gone: bool,
}

impl Wire for Script {
    fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        self.log.borrow_mut().push(line.to_owned());
        for answer in (self.answers)(line) {
            self.is_gone |= answer == "DIE";
            self.waiting.push_back(answer);
        }
        Ok(())
    }

    fn receive(&mut self, _deadline: Instant) -> Result<String, PlayerError> {
        match self.waiting.pop_front() {
            Some(line) if line != "DIE" => Ok(line),
            _ if self.is_gone => Err(PlayerError::gone("it ended")),
            _ => Err(PlayerError::silent(Duration::from_secs(1))),
        }
    }
}

type Log = Rc<RefCell<Vec<String>>>;

fn remote(protocol: Protocol, first: &[&str], answers: fn(&str) -> Vec<String>) -> (RemotePlayer, Log) {
    let log = Log::default();
    let first: Vec<String> = first.iter().map(|line| (*line).to_owned()).collect();
    let copy = log.clone();
    let connect = move || {
        let waiting = first.clone().into();
        Ok(Box::new(Script { log: copy.clone(), answers: Box::new(answers), waiting, is_gone: false })
            as Box<dyn Wire>)
    };
    let limits = Limits::time(Duration::from_millis(100));
    (RemotePlayer::new("remote", protocol, limits, Box::new(connect)), log)
}

fn book() -> AnyRulebook {
    AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap()
}

fn played(player: &mut RemotePlayer) -> crate::play::MatchGame {
    let players = BySide { attackers: player as _, defenders: &mut RandomPlayer::new(1) as _ };
    play_game(&book(), &[], players, &MatchTerms { plies: Some(3), ..MatchTerms::default() })
}

fn uci(line: &str, best: &str) -> Vec<String> {
    let word = line.split(' ').next().unwrap();
    let lines: &[&str] = match word {
        "uci" => &["id name Example", "option name Rules type string default", "uciok"],
        "isready" => &["readyok"],
        "go" => &["Command received: go", "info depth 4 score cp -12 nodes 77 pv d2c2", best],
        _ => &[],
    };
    lines.iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn a_program_that_speaks_uci_plays() {
    let (mut player, log) = remote(Protocol::Uci, &[], |line| {
        let best = if line.starts_with("go") { "bestmove d2c2" } else { "" };
        uci(line, best)
    });
    let played = played(&mut player);
    let first = played.plies[0];
    assert_eq!(first.mv.display(Shape::square(7).unwrap()).to_string(), "d2-c2");
    assert_eq!(first.score.unwrap().for_side(Side::Attackers).value(), -12);
    assert_eq!((first.depth, first.nodes), (Some(crate::Depth(4)), Some(crate::Nodes(77))));
    // The same move again is illegal.
    let MatchEnding::Forfeit(Side::Attackers, error) = &played.ending else { panic!("{}", played.ending) };
    assert_eq!(error.kind(), "illegal");
    let log = log.borrow();
    assert!(log[1].starts_with("setoption name Rules value dim:7 "), "{log:?}");
    assert_eq!(log[4], "position startpos");
    assert_eq!(log[5], "go movetime 100");
    assert!(log[6].starts_with("position startpos moves d2c2 "), "{log:?}");
}

fn uci_error(best: &str) -> MatchEnding {
    let best = best.to_owned();
    let connect = move || {
        let best = best.clone();
        let answers = Box::new(move |line: &str| uci(line, &best));
        Ok(Box::new(Script { log: Log::default(), answers, waiting: VecDeque::new(), is_gone: false })
            as Box<dyn Wire>)
    };
    let mut player = RemotePlayer::new("remote", Protocol::Uci, Limits::nodes(10), Box::new(connect));
    played(&mut player).ending
}

#[test]
fn programs_that_misbehave_lose() {
    let kind = |best: &str| match uci_error(best) {
        MatchEnding::Forfeit(Side::Attackers, error) => error.kind(),
        MatchEnding::Resigned(Side::Attackers) => "resigned",
        other => panic!("{other}"),
    };
    assert_eq!(kind("bestmove a1a9"), "nonsense");
    assert_eq!(kind("bestmove hello"), "nonsense");
    assert_eq!(kind("bestmove d2d7"), "illegal");
    assert_eq!(kind("bestmove (none)"), "resigned");
    assert_eq!(kind("bestmove a1a1"), "resigned");
    assert_eq!(kind("bestmove resign"), "resigned");
    assert_eq!(kind("whatever"), "silent");
    assert_eq!(kind("DIE"), "gone");
}

#[test]
fn a_program_that_does_not_start_has_no_result() {
    let (mut player, _) = remote(Protocol::Uci, &[], |_| vec!["hello".to_owned()]);
    let ending = played(&mut player).ending;
    let MatchEnding::NotStarted(Side::Attackers, error) = &ending else { panic!("{ending}") };
    assert_eq!(error.to_string(), "no answer within 20.0 s", "the time to start, not the rest of it");
    assert_eq!(ending.outcome(), None);
}

#[test]
fn a_program_that_ends_between_games_is_restarted() {
    let starts = Rc::new(RefCell::new(0));
    let count = starts.clone();
    let connect = move || {
        *count.borrow_mut() += 1;
        let mut games = 0;
        let answers = Box::new(move |line: &str| {
            games += i32::from(line == "ucinewgame");
            if games > 1 { vec!["DIE".to_owned()] } else { uci(line, "bestmove d2d7") }
        });
        Ok(Box::new(Script { log: Log::default(), answers, waiting: VecDeque::new(), is_gone: false })
            as Box<dyn Wire>)
    };
    let mut player = RemotePlayer::new("remote", Protocol::Uci, Limits::nodes(10), Box::new(connect));
    for game in 1..=3 {
        let ending = played(&mut player).ending;
        let MatchEnding::Forfeit(Side::Attackers, error) = &ending else { panic!("{ending}") };
        assert_eq!((error.kind(), *starts.borrow()), ("illegal", game));
    }
}

#[test]
fn extreme_scores_are_accepted() {
    for score in ["mate -9223372036854775808", "mate 9223372036854775807", "cp -9223372036854775808"] {
        let connect = move || {
            let info = format!("info depth 999 nodes -1 score {score}");
            let answers = Box::new(move |line: &str| {
                if line.starts_with("go") {
                    vec![info.clone(), "bestmove d2c2".to_owned()]
                } else {
                    uci(line, "")
                }
            });
            Ok(Box::new(Script { log: Log::default(), answers, waiting: VecDeque::new(), is_gone: false })
                as Box<dyn Wire>)
        };
        let mut player = RemotePlayer::new("remote", Protocol::Uci, Limits::nodes(1), Box::new(connect));
        assert!(played(&mut player).plies[0].score.is_some(), "{score}");
    }
}

#[test]
fn times_out_of_range_are_clamped() {
    for (protocol, first) in [(Protocol::Uci, ""), (Protocol::Otep, "hello")] {
        let (player, _) = remote(protocol, &[first], |line| {
            if line.starts_with("analyze") {
                vec!["analysis 1 d2-c2 0".to_owned()]
            } else {
                uci(line, "bestmove d2c2")
            }
        });
        let mut player = RemotePlayer { limits: Limits::time(Duration::MAX), ..player };
        assert!(!played(&mut player).plies.is_empty(), "{}", protocol.name());
    }
}

#[test]
fn a_program_that_failed_is_started_again() {
    let (mut player, log) = remote(Protocol::Uci, &[], |line| uci(line, "DIE"));
    played(&mut player);
    played(&mut player);
    assert_eq!(log.borrow().iter().filter(|line| *line == "uci").count(), 2);
}

#[test]
fn programs_are_restarted_for_other_rules() {
    let (mut player, log) = remote(Protocol::Uci, &[], |line| uci(line, "bestmove d2c2"));
    for name in ["brandubh7", "brandubh7", "magpie7"] {
        player.begin(&AnyRulebook::compile(&catalog::find(name).unwrap().rules()).unwrap()).unwrap();
    }
    let log = log.borrow();
    let sent: Vec<&String> = log.iter().filter(|line| line.starts_with("setoption name Rules ")).collect();
    assert_eq!(sent.len(), 2, "{log:?}");
    assert_ne!(sent[0], sent[1]);
}

#[test]
fn a_program_that_speaks_otep_plays() {
    let (mut player, log) = remote(Protocol::Otep, &["status starting", "hello"], |line| {
        let lines: &[&str] = if line.starts_with("analyze") {
            &["status thinking", "analysis 1 d2-c2|d3-b3 223"]
        } else {
            &[]
        };
        lines.iter().map(|line| (*line).to_owned()).collect()
    });
    let played = played(&mut player);
    assert_eq!(played.plies[0].mv.display(Shape::square(7).unwrap()).to_string(), "d2-c2");
    let log = log.borrow();
    assert!(log[0].starts_with("rules dim:7 "), "{log:?}");
    assert_eq!(log[1..4], ["position /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/", "side attackers", "analyze 1 1"]);
}

/// A program that says hello and nothing more. It records how long the player waits.
struct Mute(Rc<RefCell<Vec<Duration>>>);

impl Wire for Mute {
    fn send(&mut self, _line: &str) -> Result<(), PlayerError> {
        Ok(())
    }

    fn receive(&mut self, deadline: Instant) -> Result<String, PlayerError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut waited = self.0.borrow_mut();
        waited.push(left);
        if waited.len() == 1 { Ok("hello".to_owned()) } else { Err(PlayerError::silent(left)) }
    }
}

#[test]
fn a_timeout_reports_the_waiting_time() {
    // The protocol has whole seconds: with a limit of half a second, the program may use one.
    for (millis, seconds) in [(500, 11), (7_000, 17)] {
        let waited = Rc::new(RefCell::new(Vec::new()));
        let copy = waited.clone();
        let connect = move || Ok(Box::new(Mute(copy.clone())) as Box<dyn Wire>);
        let limits = Limits::time(Duration::from_millis(millis));
        let mut player = RemotePlayer::new("mute", Protocol::Otep, limits, Box::new(connect));
        let ending = played(&mut player).ending;
        let wait = Duration::from_secs(seconds);
        assert_eq!(ending, MatchEnding::Forfeit(Side::Attackers, PlayerError::silent(wait)));
        let really = waited.borrow()[1];
        // A generous bound, because machines that run tests are busy.
        assert!(really <= wait && really + Duration::from_secs(5) > wait, "{really:?}");
    }
}

#[test]
fn a_program_that_speaks_htp_plays() {
    let (mut player, log) = remote(Protocol::Htp, &[], |line| {
        let lines: &[&str] = match line.split(' ').next().unwrap() {
            "generate_move" => &["1 turn: attacker", "= play attacker d2 c2, score: 4", "escape_vec:", ""],
            "board_size" | "play" => &["= "],
            _ => &["? what"],
        };
        lines.iter().map(|line| (*line).to_owned()).collect()
    });
    let played = played(&mut player);
    assert_eq!(played.plies[0].mv.display(Shape::square(7).unwrap()).to_string(), "d2-c2");
    let log = log.borrow();
    assert_eq!(log[..2], ["board_size 7", "generate_move"]);
    assert!(log[2].starts_with("play defender "), "{log:?}");
}

/// Captures with a piece that could go on, and declines to.
struct Declining;

impl Player for Declining {
    fn name(&self) -> &str {
        "declining"
    }

    fn begin(&mut self, _book: &AnyRulebook) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose(&mut self, at: PlayerView<'_>) -> Result<Decision, PlayerError> {
        let capture = PlayerChoice::bare(at.game.parse_move("a2-b2").unwrap());
        Ok(if at.moves.is_empty() { Decision::Move(capture) } else { Decision::Pass })
    }
}

/// Rules of a game in which the attackers may decline a chain after `a2-b2`.
fn optional_chains() -> AnyRulebook {
    let rules = "dim:7 ber:c xber:free start:/5K1/t1Tt3/7/1T5/1t5/7/6t/".parse().unwrap();
    AnyRulebook::compile(&rules).unwrap()
}

#[test]
fn a_program_is_told_that_a_chain_was_declined() {
    for (protocol, expected) in [
        (Protocol::Uci, &["position startpos moves a2b2 0000", "go movetime 100"][..]),
        (Protocol::Htp, &["board_size 7", "play attacker a2 b2", "play attacker declines", "generate_move"]),
    ] {
        let (mut player, log) = remote(protocol, &[], |line| match line {
            "generate_move" => vec!["= play defender f1 g1, score: 9".to_owned()],
            _ if line.starts_with("play ") || line.starts_with("board_size ") => vec!["= ".to_owned()],
            _ => uci(line, "bestmove f1g1"),
        });
        let players = BySide { attackers: &mut Declining as _, defenders: &mut player as _ };
        let played = play_game(&optional_chains(), &[], players, &MatchTerms::default());
        assert_eq!(played.ending.to_string(), "defenders win (king reached goal)", "{}", protocol.name());
        assert!(log.borrow().ends_with(&expected.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>()));
    }
}

#[test]
fn a_program_can_decline_a_chain() {
    let mut answers = vec!["= play attacker declines, score: -9", "= play attacker a2 b2, score: 3"];
    let log = Log::default();
    let copy = log.clone();
    let mut script = Some(Script {
        log: copy,
        answers: Box::new(move |line: &str| {
            let answer = if line == "generate_move" { answers.pop().unwrap_or("? over") } else { "= " };
            vec![answer.to_owned()]
        }),
        waiting: VecDeque::new(),
        is_gone: false,
    });
    let connect = move || Ok(Box::new(script.take().unwrap()) as Box<dyn Wire>);
    let mut player = RemotePlayer::new("remote", Protocol::Htp, Limits::nodes(1), Box::new(connect));
    let players = BySide { attackers: &mut player as _, defenders: &mut RandomPlayer::new(1) as _ };
    let terms = MatchTerms { plies: Some(2), ..MatchTerms::default() };
    let played = play_game(&optional_chains(), &[], players, &terms);
    let sides: Vec<Side> = played.plies.iter().map(|ply| ply.side).collect();
    assert_eq!(sides, [Side::Attackers, Side::Defenders]);
    // The program has made its move, and declined, on its own board.
    assert_eq!(*log.borrow(), ["board_size 7", "generate_move", "generate_move"]);
}

#[test]
fn common_spellings_of_moves_are_accepted() {
    let shape = Shape::square(11).unwrap();
    let text = |written: &str| read_move(shape, written).map(|mv| mv.display(shape).to_string());
    for written in ["a8-a9", "a8a9", "a8 a9", "Na8-a9xb9", "a8-a9|b1-b2"] {
        assert_eq!(text(written).as_deref(), Some("a8-a9"), "{written}");
    }
    for written in ["", "a8", "z8z9", "a8a99", "8a9b", "a8-", "é1a2"] {
        assert_eq!(text(written), None, "{written}");
    }
    assert_eq!(text("k11k1").as_deref(), Some("k11-k1"));
}

#[test]
fn processes_that_exit_or_do_not_answer_are_faults() {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let error = RemoteProcess::start(&words("./there-is-no-such-program"), None).unwrap_err();
    assert_eq!(error.kind(), "gone");
    if cfg!(unix) {
        let mut cat = RemoteProcess::start(&words("cat"), None).unwrap();
        cat.send("echo").unwrap();
        assert_eq!(cat.receive(Instant::now() + Duration::from_secs(10)).unwrap(), "echo");
        let silent = cat.receive(Instant::now() + Duration::from_millis(20)).unwrap_err();
        assert_eq!(silent.kind(), "silent");
        let mut endless = RemoteProcess::start(&words("yes"), None).unwrap();
        let late = Instant::now() + Duration::from_millis(50);
        let error = loop {
            match endless.receive(late) {
                Ok(line) => assert_eq!(line, "y"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), "silent");
        let mut gone = RemoteProcess::start(&words("true"), None).unwrap();
        assert_eq!(gone.receive(Instant::now() + Duration::from_secs(10)).unwrap_err().kind(), "gone");
        let script = "for n in 1 2 3 4 5 6 7; do echo line $n >&2; echo >&2; done; exit 3".to_owned();
        let mut failed = RemoteProcess::start(&["sh".to_owned(), "-c".to_owned(), script], None).unwrap();
        let error = failed.receive(Instant::now() + Duration::from_secs(10)).unwrap_err();
        assert_eq!(error.stderr(), ["line 3", "line 4", "line 5", "line 6", "line 7"]);
        assert!(error.to_string().contains("exit status: 3"), "{error}");
        assert_eq!(failed.send("uci").unwrap_err().stderr(), error.stderr(), "not only `broken pipe`");
    }
}
