//! Random modifications of command lines, standard input, and engine sessions: no run panics, every failure prints an error,
//! and no message has control characters.
//!
//! `TAFL_WORDS_SECONDS=600` runs for ten minutes, and `TAFL_WORDS_SEED` sets the first seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tafl_cli::Exit;
use tafl_rules::Rng;

use super::conversation::{self, with_limits};
use super::run_with;

/// Engine sessions, each with its protocol.
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

/// Command lines; arguments with `@` are modified.
const COMMAND_LINES: &[&[&str]] = &[
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
    &["replay", "-", "--variant", "@brandubh7", "--format", "jsonl"],
    &["repair", "-", "--variant", "brandubh7"],
    &["convert", "-", "--to", "@opentafl"],
    &["lines", "-"],
];

/// Standard input for the command lines.
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

/// Replacements for parts of a text.
const REPLACEMENTS: &[&str] = &[
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

/// Returns a random element of a list that is not empty.
pub(super) fn pick<'v>(rng: &mut Rng, values: &[&'v str]) -> &'v str {
    rng.pick(values).copied().expect("the list has values")
}

/// Returns a text with placeholders replaced and up to three random changes.
pub(super) fn mutated(rng: &mut Rng, text: &str) -> String {
    let mut text = text.replace("RULES", RULES).replace("POSITION", POSITION);
    for _ in 0..rng.below(4) {
        let separators = |symbol: char| " \n/:,;-".contains(symbol);
        let mut parts: Vec<&str> = text.split_inclusive(separators).collect();
        let (at, other) = (rng.below(parts.len()), rng.below(parts.len()));
        match rng.below(6) {
            _ if parts.is_empty() => parts.push(pick(rng, REPLACEMENTS)),
            0 => drop(parts.remove(at)),
            1 => parts.insert(at, pick(rng, REPLACEMENTS)),
            2 => parts.swap(at, other),
            3 => parts.insert(at, parts[other]),
            4 => parts.truncate(at),
            _ => {
                let end = parts[at].trim_end_matches(separators).len();
                let end = &parts[at][end..];
                parts[at] = pick(rng, REPLACEMENTS);
                parts.insert(at + 1, end);
            }
        }
        text = parts.concat();
    }
    text
}

/// Returns whether a text is free of control characters, except line feeds and tabs.
fn is_safe(text: &str) -> bool {
    text.chars().all(|symbol| matches!(symbol, '\n' | '\t') || !(symbol.is_control() || symbol == '\u{202e}'))
}

/// Runs a command line, and returns whether it failed.
fn check_command_line(args: &[String], stdin: &str) -> bool {
    let refs: Vec<&str> = args.iter().map(String::as_str).collect();
    let output = catch_unwind(AssertUnwindSafe(|| run_with(&refs, stdin)));
    let output = output.unwrap_or_else(|_| panic!("{args:?} panics, input {stdin:?}"));
    let is_error = output.exit == Exit::Error;
    assert!(
        !is_error || output.stderr.contains("error"),
        "{args:?} prints no error, input {stdin:?}: {}",
        output.stderr
    );
    assert!(is_safe(&output.stderr), "{args:?}, input {stdin:?}: {:?}", output.stderr);
    assert!(!output.stderr.contains("panicked"), "{args:?}, input {stdin:?}: {}", output.stderr);
    // These commands write the text of records unchanged.
    let writes_records = matches!(refs[0], "engine" | "convert" | "lines" | "replay");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(writes_records || is_safe(&stdout), "{args:?}, input {stdin:?}: {stdout:?}");
    is_error
}

/// Runs a modified session or command line, and returns whether it failed.
fn check_random_input(rng: &mut Rng) -> bool {
    if rng.below(5) < 2 {
        let (protocol, input) = ENGINE_SESSIONS[rng.below(ENGINE_SESSIONS.len())];
        let input = with_limits(protocol, &mutated(rng, input));
        let variant = pick(rng, &["brandubh7", "hexentafl4", "tablut-linnaeus"]);
        let args = ["engine", "--protocol", protocol, "--hash", "1", "--time", "0.001", "--variant", variant];
        return check_command_line(&args.map(str::to_owned), &input);
    }
    let args = COMMAND_LINES[rng.below(COMMAND_LINES.len())];
    let modified = |arg: &&str| match arg.strip_prefix('@') {
        Some(arg) => mutated(rng, arg).replace('\0', ""),
        None => (*arg).to_owned(),
    };
    let args: Vec<String> = args.iter().map(modified).collect();
    let input = pick(rng, INPUTS);
    check_command_line(&args, &mutated(rng, input))
}

/// Runs a check at least `min` times, each time with another generator, and until `TAFL_WORDS_SECONDS` have passed. Returns the
/// numbers of runs and of failures.
pub(super) fn repeat(min: u64, mut check: impl FnMut(&mut Rng) -> bool) -> (u64, u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("TAFL_WORDS_SEED").unwrap_or(0);
    let deadline = Instant::now() + Duration::from_secs(number("TAFL_WORDS_SECONDS").unwrap_or(0));
    let (mut n, mut errors) = (0, 0);
    while n < min || Instant::now() < deadline {
        errors += u64::from(check(&mut Rng::stream(seed, n)));
        n += 1;
    }
    (n, errors)
}

#[test]
fn stored_sessions_end_without_an_error() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fuzz/seeds/conversation");
    let mut count = 0;
    for entry in std::fs::read_dir(seeds).expect("the folder of seeds is readable") {
        let path = entry.unwrap().path();
        // Name the seed in the output of a failing test.
        println!("{}", path.display());
        conversation::run_session(&std::fs::read(path).unwrap());
        count += 1;
    }
    assert!(count > 5, "{count} seeds");
}

#[test]
fn modified_command_lines_succeed_or_are_rejected() {
    let (n, errors) = repeat(250, check_random_input);
    println!("{n} command lines, {errors} errors");
    assert!(errors > 20 && errors < n, "{n} command lines, {errors} errors");
}
