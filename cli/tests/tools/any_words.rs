//! Any words and any standard input: dialogues with engines, rules, positions, moves, numbers and records, each with a few
//! places changed. Nothing panics, errors are told, and nothing that is told acts on a terminal.
//!
//! `TAFL_WORDS_SECONDS=600` goes on with other seeds for so long, `TAFL_WORDS_SEED` chooses where they begin.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tafl_cli::Exit;
use tafl_rules::Rng;

use super::conversation::{self, bounded};
use super::run_with;

/// What programs say to the engine in each protocol.
const ENGINE_SESSIONS: &[(&str, &str)] = &[
    ("uci", "uci\nisready\nposition startpos moves d2c2 c4c3\ngo nodes 20\nisready\nquit\n"),
    (
        "uci",
        "setoption name MultiPV value 3\nsetoption name Variant value hexentafl4\ngo depth 1\nstop\ngo infinite\nstop\n",
    ),
    (
        "uci",
        "setoption name Rules value RULES\nposition rec POSITION defenders moves d3c3\ngo\nucinewgame\ngo depth 2\n",
    ),
    (
        "uci",
        "position rec /7/7/7/3K3/7/7/7/ attackers\ngo nodes 20\nposition rec /7/7/7/7/7/7/7/ d\ngo nodes 5\n",
    ),
    (
        "otep",
        "hello\nrules RULES\nposition POSITION\nside attackers\nplay a\nopponent-move d3-c3 POSITION\nfinish\ngoodbye\n",
    ),
    (
        "otep",
        "clock 1000* 1000* 2 3 1 1\nplay a\nstatus x\nerror 1\nanalyze 2 1\nopponent-move d2-c2|c2-c3\nside d\nmove POSITION\n",
    ),
    (
        "htp",
        "name\nboard_size 7\nlist_commands\nknown_command play\nfirst_move defender\nplay attacker d2 c2\nplay_to attacker d2\n",
    ),
    (
        "htp",
        "play_from\ngenerate_move\nshow_board\nshow_board_open_tafl\nfinal_status\nplay_undo\ntime_settings fischer 0 0\n",
    ),
    (
        "htp",
        "board_size 11\nplay defender resigns\ngenerate_move\ngenerate_move\n play_undo # x\nboard_size 13\nquit\n",
    ),
];

/// Command lines; words behind a `@` are changed.
const WORDS: &[&[&str]] = &[
    &["move", "--variant", "@brandubh7", "@d2-c2"],
    &["move", "--variant", "@RULES", "--position", "@POSITION", "@d2-c2 d3-c3x"],
    &["move", "--variant", "brandubh7", "--rule", "@sw=w", "@Kd4-d3xd2/c3!?"],
    &["rules", "show", "@RULES"],
    &["rules", "explain", "@RULES"],
    &["rules", "diff", "@brandubh7", "@RULES"],
    &[
        "eval",
        "--variant",
        "@RULES",
        "--position",
        "@POSITION",
        "--nodes",
        "20",
        "--lines",
        "@2",
        "--hash",
        "1",
    ],
    &[
        "eval",
        "--variant",
        "brandubh7",
        "--moves",
        "@d2-c2 d3-c3",
        "--time",
        "@1",
        "--nodes",
        "20",
        "--hash",
        "1",
    ],
    &["show", "--position", "@POSITION"],
    &["perft", "@brandubh7", "1", "--position", "@POSITION"],
    &["validate", "-", "--as", "@movelist", "--variant", "@RULES"],
    &["validate", "--variant", "brandubh7", "-"],
    &["replay", "-", "--variant", "@brandubh7"],
    &["repair", "-", "--variant", "brandubh7"],
    &["convert", "-", "--to", "@opentafl"],
    &["lines", "-"],
];

/// Standard input of these.
pub(super) const INPUTS: &[&str] = &[
    "d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3,1,0,White\n",
    "[event:A]\n[rules:RULES]\n\n1. d2-c2 d3-c3xc2\n[a]\n1a.1.1a. d1-c1\n",
    "[Event \"A\"]\n[Variant \"brandubh7\"]\n\n1. d2c2 {x} (1. d1c1) 1... d3c3 *\n",
    "{\"taflbase_record\":1,\"text\":\"d2-c2\",\"format\":\"movelist\"}\n",
    "0D.1;0A.1;1D.c4-b4;1A.a1-a2\n",
    "\u{1b}]0;x\u{7}d1-d2 \u{202e}\n",
];

pub(super) const RULES: &str = "dim:7 ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
pub(super) const POSITION: &str = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

/// What stands in the place of something else.
const PIECES: &[&str] = &[
    "0",
    "-1",
    "1",
    "256",
    "4294967296",
    "18446744073709551615",
    "1e19",
    "nan",
    "-0.0",
    "é",
    "王",
    "\u{202e}",
    "\u{1b}[31m",
    "\u{7}",
    "",
    "a1",
    "z99",
    "d1-d2",
    "K",
    "/",
    "//",
    "[",
    ")",
    "a",
    "moves",
    "startpos",
    "rec",
    POSITION,
    "/11/11/11/11/11/5K5/11/11/11/11/11/",
    "brandubh7",
    "hexentafl4",
    "dim:3",
    "dim:21",
    "xtopo:hex",
    "atkf:n",
    "ks:w",
    "*",
    "=",
    "#",
    "\"",
    "\\",
    "1..",
    "..",
    "0x10",
    "+5",
    "٣",
    "9223372036854775808",
];

pub(super) fn below(rng: &mut Rng, n: usize) -> usize {
    (rng.next_u64() % n.max(1) as u64) as usize
}

pub(super) fn pick<'v>(rng: &mut Rng, values: &[&'v str]) -> &'v str {
    values[below(rng, values.len())]
}

/// Returns a text with up to three places changed.
pub(super) fn changed(rng: &mut Rng, text: &str) -> String {
    let mut text = text.replace("RULES", RULES).replace("POSITION", POSITION);
    for _ in 0..below(rng, 4) {
        let ends = |sign: char| " \n/:,;-".contains(sign);
        let mut parts: Vec<&str> = text.split_inclusive(ends).collect();
        let (at, other) = (below(rng, parts.len()), below(rng, parts.len()));
        match below(rng, 6) {
            _ if parts.is_empty() => parts.push(pick(rng, PIECES)),
            0 => drop(parts.remove(at)),
            1 => parts.insert(at, pick(rng, PIECES)),
            2 => parts.swap(at, other),
            3 => parts.insert(at, parts[other]),
            4 => parts.truncate(at),
            _ => {
                let end = parts[at].trim_end_matches(ends).len();
                let end = &parts[at][end..];
                parts[at] = pick(rng, PIECES);
                parts.insert(at + 1, end);
            }
        }
        text = parts.concat();
    }
    text
}

fn is_safe(text: &str) -> bool {
    text.chars().all(|symbol| matches!(symbol, '\n' | '\t') || !(symbol.is_control() || symbol == '\u{202e}'))
}

/// Runs a command line and returns whether it was an error.
fn check(words: &[String], stdin: &str) -> bool {
    let refs: Vec<&str> = words.iter().map(String::as_str).collect();
    let ran = catch_unwind(AssertUnwindSafe(|| run_with(&refs, stdin)));
    let ran = ran.unwrap_or_else(|_| panic!("{words:?} panics, input {stdin:?}"));
    let is_error = ran.exit == Exit::Error;
    assert!(
        !is_error || ran.stderr.contains("error"),
        "{words:?} says no error, input {stdin:?}: {}",
        ran.stderr
    );
    assert!(is_safe(&ran.stderr), "{words:?}, input {stdin:?}: {:?}", ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{words:?}, input {stdin:?}: {}", ran.stderr);
    // Records are written as they are, and so is their text in JSON: it is data.
    let is_data = matches!(refs[0], "engine" | "convert" | "lines" | "replay");
    let answer = String::from_utf8_lossy(&ran.stdout);
    assert!(is_data || is_safe(&answer), "{words:?}, input {stdin:?}: {answer:?}");
    is_error
}

fn round(rng: &mut Rng) -> bool {
    if below(rng, 5) < 2 {
        let (protocol, input) = ENGINE_SESSIONS[below(rng, ENGINE_SESSIONS.len())];
        let input = bounded(protocol, &changed(rng, input));
        let variant = pick(rng, &["brandubh7", "hexentafl4", "tablut-linnaeus"]);
        let words =
            ["engine", "--protocol", protocol, "--hash", "1", "--time", "0.001", "--variant", variant];
        return check(&words.map(str::to_owned), &input);
    }
    let words = WORDS[below(rng, WORDS.len())];
    let word = |word: &&str| match word.strip_prefix('@') {
        Some(word) => changed(rng, word).replace('\0', ""),
        None => (*word).to_owned(),
    };
    let words: Vec<String> = words.iter().map(word).collect();
    let input = INPUTS[below(rng, INPUTS.len())];
    check(&words, &changed(rng, input))
}

/// Does something at least so often, with other rng each time, and longer where that is asked for; returns how often, and how
/// often it was an error.
pub(super) fn repeat(least: u64, mut round: impl FnMut(&mut Rng) -> bool) -> (u64, u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("TAFL_WORDS_SEED").unwrap_or(0);
    let until = Instant::now() + Duration::from_secs(number("TAFL_WORDS_SECONDS").unwrap_or(0));
    let (mut n, mut errors) = (0, 0);
    while n < least || Instant::now() < until {
        errors += u64::from(round(&mut Rng::stream(seed, n)));
        n += 1;
    }
    (n, errors)
}

#[test]
fn stored_sessions_end() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fuzz/seeds/conversation");
    let mut count = 0;
    for entry in std::fs::read_dir(seeds).expect("there are seeds") {
        let path = entry.unwrap().path();
        // The name is told by the test's output when a conversation fails.
        println!("{}", path.display());
        conversation::hold(&std::fs::read(path).unwrap());
        count += 1;
    }
    assert!(count > 5, "{count} seeds");
}

#[test]
fn any_arguments_are_answered_or_rejected() {
    let (n, errors) = repeat(250, round);
    println!("{n} command lines, {errors} errors");
    assert!(errors > 20 && errors < n, "{n} command lines, {errors} errors");
}
