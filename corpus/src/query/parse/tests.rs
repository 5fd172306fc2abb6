//! The meaning of queries, and the messages about those that cannot be parsed.

use super::{MAX_DEPTH, MAX_LENGTH};
use crate::query::Query;

/// Queries with the text that is written back.
const GOOD: &[(&str, &str)] = &[
    ("shieldwall", "shieldwall"),
    ("variant:brandubh player:Sven", "variant:brandubh7 and player:\"sven\""),
    ("VARIANT:Brandubh AND NOT Shieldwall", "variant:brandubh7 and not shieldwall"),
    ("variant:brandubh*", "variant:brandubh*"),
    ("capture and (threat and exit_fort)", "capture and threat and exit_fort"),
    ("(capture or threat) and exit_fort", "(capture or threat) and exit_fort"),
    ("capture or threat and exit_fort", "capture or threat and exit_fort"),
    ("capture then threat within 4", "capture then threat within 4"),
    ("capture and threat then exit_fort or jumped", "capture and threat then exit_fort or jumped"),
    ("capture then (threat before jumped)", "capture then (threat before jumped)"),
    ("capture then threat before jumped", "capture then threat before jumped"),
    ("ever shieldwall and plies:20..40", "ever(shieldwall) and plies>=20 and plies<=40"),
    ("never(capture) or first (threat or jumped)", "never(capture) or first(threat or jumped)"),
    ("not (capture or threat)", "not (capture or threat)"),
    ("not not capture", "not not capture"),
    ("count(capture) >= 3", "count(capture)>=3"),
    ("attackers:8", "attackers=8"),
    ("attackers:\"8\"", "attackers:\"8\""),
    ("attackers:Sven attackers<=8", "attackers:\"sven\" and attackers<=8"),
    ("attackers=\"Sven\" and defenders!=ply", "attackers=\"Sven\" and defenders!=ply"),
    ("attackers-2*defenders>=-3", "attackers - 2*defenders >= -3"),
    ("#t + #T < 20 - ply", "#t + #T < -ply + 20"),
    ("4 <= king_distance", "4<=king_distance"),
    ("ply:10..", "ply>=10"),
    ("ply:..10", "ply<=10"),
    ("rating>=-5 both_ratings:-20..-3", "rating>=-5 and both_ratings>=-20 and both_ratings<=-3"),
    ("attackers_lost:-2..1", "attackers_lost>=-2 and attackers_lost<=1"),
    ("ply:3.. -2*ply<5", "ply>=3 and -2*ply<5"),
    ("date:2018..2019-03", "date>=2018 and date<=2019-03"),
    ("date:2019-02-28 or date<2000", "date:2019-02-28 or date<2000"),
    ("won:\"Sven L*\"", "won:\"sven l*\""),
    ("result:draw reason:king_captured", "result:draw and reason:\"king captured\""),
    ("move:d4-d7", "from:d4 and to:d7"),
    ("to:corner piece:king took:Tt took_at:edge", "to:corner and piece:king and took:man and took_at:edge"),
    ("took:kT piece:commander", "took:kT and piece:commander"),
    ("to!=corner", "not to:corner"),
    ("shape:11x11 or shape:\"hex 5\"", "shape:11x11 or shape:hex5"),
    ("rules:sw:s", "rules:\"sw:s\""),
    ("rating:5.. -2*ply<5", "rating>=5 and -2*ply<5"),
    ("rules:\" ks:w  sw:s\"", "rules:\"ks:w\" and rules:\"sw:s\""),
    ("two_kings to_move:attackers", "two_kings and to_move:attackers"),
    ("pattern corner \"?tt/tT.\"", "pattern corner \"?tt/tT.\""),
    ("pattern anywhere as_is swapped \"xo*\"", "pattern as_is swapped \"xo*\""),
    ("pattern \"[tk.][^T]\"", "pattern \"[.tk][.tcnkmgCNKMG]\""),
    ("pattern at c3 \"3T\"", "pattern at c3 \"...T\""),
    ("pattern king \"t?t\" or \".Kt\" except \"?.t\"", "pattern king \"t?t\" or \".Kt\" except \"?.t\""),
    ("pattern \"t\" or capture", "pattern \"t\" or capture"),
    (
        "pattern board \"/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\"",
        "pattern board \"...t.../...t.../...T.../ttTKTtt/...T.../...t.../...t...\"",
    ),
    ("position \"/5/5/2K2/5/5/\"", "position \"/5/5/2K2/5/5/\""),
    ("position as_is \"/3/4/2K2/4/3/\"", "position as_is \"/3/4/2K2/4/3/\""),
];

/// Queries with the wrong part in brackets, and the message about it.
const BAD: &[(&str, &str, &str)] = &[
    ("", "", "the query is empty"),
    ("  ", "", "the query is empty"),
    ("plyer:Sven", "plyer", "unknown field `plyer`, did you mean `player`?"),
    ("danger:king", "danger", "unknown field `danger`, did you mean `king_danger`?"),
    ("capture and shieldwal", "shieldwal", "unknown word `shieldwal`, did you mean `shieldwall`?"),
    ("zzzzzz", "zzzzzz", "unknown word `zzzzzz`"),
    ("(capture or threat", "(", "unclosed parenthesis"),
    ("capture) or threat", ")", "unmatched closing parenthesis"),
    ("()", ")", "expected a condition, found `)`"),
    ("capture and", "", "expected a condition, found the end"),
    ("capture or or threat", "or", "expected a condition, found `or`"),
    ("capture ]", "]", "expected `and`, `or`, `then`, `before` or the end, found `]`"),
    ("capture within 4", "within", "expected `and`, `or`, `then`, `before` or the end, found `within`"),
    ("player \"Sven\"", "\"", "expected `:` and a value, or one of < <= = != >= >, found `\"`"),
    ("player:\"Sven", "\"Sven", "unterminated text"),
    ("player>\"Sven\"", "", "`player` has texts; compare them with `:`, `=`, or `!=`"),
    ("player=\"?\"", "?", "the text needs at least one letter or digit; unknown players have no name"),
    ("event:\"!!\"", "!!", "the text needs at least one letter or digit"),
    ("plies>=-1", "-1", "out of range; expected 0 to 1000000 for `plies`"),
    ("rating:-5..-9", "-5..-9", "this range ends before it begins"),
    ("rating>=-40000", "-40000", "out of range; expected -32768 to 1000000 for `rating`"),
    ("count(capture)>-1", "-1", "out of range; expected 0 to 1000000 for `count`"),
    (
        "variant:brandubb",
        "brandubb",
        "unknown value `brandubb` of `variant`, did you mean `brandubh`?; expected the names that `tafl rules list` prints",
    ),
    (
        "result:drawn",
        "drawn",
        "unknown value `drawn` of `result`, did you mean `draw`?; expected unfinished, ",
    ),
    ("mover:king", "king", "unknown value `king` of `mover`; expected attackers or defenders"),
    ("to_move:attacker", "attacker", "unknown value `attacker` of `to_move`, did you mean `attackers`?"),
    ("date:2019-13", "2019-13", "`2019-13` is not a date such as 2019, 2019-03 or 2019-03-17"),
    ("date:2019..2018", "2019..2018", "this range ends before it begins"),
    ("ply:9..3", "9..3", "this range ends before it begins"),
    ("king_distance<=8", "8", "out of range; expected 0 to 7 for `king_distance`"),
    ("-1 = king_lines", "-1", "out of range; expected 0 to 3 for `king_lines`"),
    (
        "plies>=99999999999999999999",
        "99999999999999999999",
        "out of range; expected 0 to 1000000 for `plies`",
    ),
    ("capture then threat within 0", "0", "out of range; expected 1 to 100000 for `within`"),
    ("3 < 4", "3 < 4", "both sides are constants"),
    ("ply + 3", "", "expected one of < <= = != >= >, found the end"),
    ("ply > x", "x", "unknown word `x`"),
    ("#q>3", "#q", "`q` are not pieces"),
    ("piece:Z", "Z", "`Z` are not pieces"),
    ("count capture", "capture", "expected `(`, found `capture`"),
    ("to:z9", "z9", "`z9` is not a cell such as d11"),
    ("move:d4", "d4", "`d4` is not a move such as d4-d7"),
    ("shape:11x12", "11x12", "`11x12` is not a board such as 11x11 or hex5"),
    ("pattern conrer \"tt\"", "conrer", "unknown word `conrer`, did you mean `corner`?"),
    ("pattern corner", "", "expected a text in quotation marks, found the end"),
    ("pattern at edge \"t\"", "edge", "expected a cell such as d11, found `edge`"),
    ("pattern at \"t\"", "\"", "expected a cell such as d11, found `\"`"),
    ("pattern \"tt/tzt\"", "z", "`z` is not a pattern symbol"),
    ("pattern \"tt/ttt\"", "ttt", "row 2 has 3 cells, the first row has 2"),
    ("pattern \"\"", "", "the pattern has no cells"),
    ("pattern \"t[tk\"", "[tk", "this set of contents has no `]`"),
    ("pattern \"t[]\"", "[]", "this set is empty"),
    ("pattern \"t[tq]\"", "q", "`q` is not a pattern symbol"),
    (
        "pattern \"22t\"",
        "22t",
        "the pattern is 23 cells wide and 1 high; the largest board has 21 by 21 cells",
    ),
    ("pattern \"99999999999t\"", "99999999999t", "the pattern is 23 cells wide"),
    ("pattern board \"tt/tt\"", "tt/tt", "these rows do not form a board"),
    ("pattern king \"tt\"", "tt", "a pattern anchored to the throne or the king needs odd numbers"),
    ("pattern king \"ttt\"", "ttt", "the middle of a pattern around the king must allow `K`"),
    ("pattern king \"t?t\" or \"tTt\"", "tTt", "the middle of a pattern around the king must allow `K`"),
    ("pattern \"tt\" or \"??\"", "??", "the pattern has no condition: it matches every board"),
    ("pattern \"tt\" except \"??\"", "??", "the pattern has no condition: it matches every board"),
    (
        "pattern \"tt\" or \"ttt\"",
        "ttt",
        "the rows of this layer differ in length from those of the first one",
    ),
    ("pattern \"??\"", "??", "the pattern has no condition: it matches every board"),
    ("rules:\" \"", " ", "the text needs at least one letter or digit"),
    ("position \"/5/5/\"", "/5/5/", "a 11x11 board has 11 ranks, but the record has 2 rows"),
    ("position \"/5/5/2Q2/5/5/\"", "Q", "unknown piece `Q` in rank 3"),
];

#[test]
fn queries_are_read_and_written() {
    for (text, written) in GOOD {
        let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error} at {:?}", error.span));
        assert_eq!(query.to_string(), *written, "{text}");
        assert_eq!(Query::parse(written).as_ref(), Ok(&query), "{text}");
    }
}

#[test]
fn errors_name_the_place() {
    let mut wrong = Vec::new();
    for (text, place, message) in BAD {
        let error = Query::parse(text).expect_err(text);
        if !error.to_string().starts_with(message) || error.span.of(text) != *place {
            wrong.push(format!("{text}: {error} at `{}`", error.span.of(text)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn long_and_deep_queries_are_rejected() {
    let nested = |n: usize| "(".repeat(n) + "capture" + &")".repeat(n);
    assert!(Query::parse(&nested(MAX_DEPTH - 1)).is_ok());
    for text in [
        nested(MAX_DEPTH + 1),
        "not ".repeat(MAX_DEPTH + 1) + "capture",
        "(".repeat(5000),
        "not ".repeat(2000),
        "capture then ".repeat(MAX_DEPTH + 1) + "capture",
    ] {
        let error = Query::parse(&text).unwrap_err();
        assert!(error.to_string().starts_with("the query is nested more than 64 levels"), "{error}");
    }
    let error = Query::parse(&"capture ".repeat(MAX_LENGTH / 8 + 1)).unwrap_err();
    assert!(error.to_string().starts_with("the query has"), "{error}");
    let text = "€".repeat(MAX_LENGTH);
    let span = Query::parse(&text).unwrap_err().span;
    assert!(
        text.get(span.start as usize..span.end as usize).is_some(),
        "the place begins inside of a character"
    );
    assert!(Query::parse(&"capture ".repeat(MAX_LENGTH / 8)).is_ok());
}

/// Checks that texts of random query words are parsed or rejected, and that parsed queries can be
/// written.
#[test]
fn no_text_makes_the_parser_panic() {
    let words: Vec<&str> = GOOD
        .iter()
        .flat_map(|(text, _)| text.split(' '))
        .chain([
            "(", ")", "\"", ":", "<", "..", "é", "then", "within", "3", "#", "-", "/", "[", "ß\"", "\u{0}",
        ])
        .collect();
    let mut seed = 7_u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let mut n_read = 0;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..1 + below(6) {
            let word = words[below(words.len())];
            let cut: String = word.chars().skip(usize::from(below(8) == 0)).collect();
            text += &cut;
            text += if below(4) == 0 { "" } else { " " };
        }
        match Query::parse(&text) {
            Ok(query) => {
                n_read += 1;
                assert_eq!(Query::parse(&query.to_string()).as_ref(), Ok(&query), "{text}");
            }
            Err(error) => {
                assert!(
                    error.span.start <= error.span.end && error.span.end as usize <= text.len(),
                    "{text}"
                );
                assert!(text.get(error.span.start as usize..error.span.end as usize).is_some(), "{text}");
            }
        }
    }
    assert!(n_read > 1000, "{n_read}");
}
