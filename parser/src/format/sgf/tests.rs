use tafl_rules::{Reason, Side};

use super::*;
use crate::diagnostic::Parsed;
use crate::format::survival;
use crate::record::{EndingKind, MoveLineId, WrittenVerdict, tag};

const BOARDSPACE: &str = "(;\nGM[29]VV[1]\nCM[0,1]\nSU[tablut-9 rev 101 corner-win false flagship-captures true exclusive-center true \
    fourside-capture true .endoptions.]\nDT[Fri Mar 9 13:24:57 PST 2012]\nGN[TAB-ann-bo]\nRE[Game won by bo]\nP0[id \"ann\"]\n\
    P0[ranking 1500]\nP1[id \"bo\"]\n; P0[0 Start P0]\n; P0[1 Done]\n; P1[2 Done]\n; P0[3 Pickb E 4]TM[1200]\n\
    ; P0[4 Dropb G C 4]TM[1900]\n; P0[5 Done]TM[2100]C[quick]\n; P1[6 Move E 2 C 2]\n; P1[7 Done]\n; P0[8 Resign]\n; P0[9 Done]\n;\n\
    P0[time 0:12:01 ]\nP1[time 0:10:00 ]\n)\n";

const PLAIN: &str = "(;FF[4]CA[UTF-8]AP[Hand]GM[29]SZ[7]PB[Ann \\] Lee]PW[Bo]DT[2026-11-23]RU[brandubh7]RE[W+Time]\
    C[two\nlines \\\\];B[d2-c2]C[first]TE[2](;W[d3-c3]N[odd]BL[61.5](;B[d1-d3])(;B[a4-a3]))(;W[e4-e2xd2];B[g4-g3]))";

fn read(text: &str) -> (Record, String) {
    let Parsed { value, diagnostics } = parse(&Source::new(text));
    let found = diagnostics.iter().map(|found| format!("{} {}", found.code(), found.span.of(text)));
    let found = found.collect::<Vec<_>>().join("; ");
    (value, found)
}

fn moves(record: &Record, line: usize) -> String {
    let captures = |mv| record.captures_of(mv).iter().map(|c| format!("x{}", c.cell)).collect::<String>();
    let moves = record.line(MoveLineId(line as u32)).moves.iter().map(|mv| {
        let side = mv.side.map_or("", |side| if side == Side::Attackers { "a:" } else { "d:" });
        format!("{side}{}-{}{}", mv.from, mv.to, captures(mv))
    });
    moves.collect::<Vec<_>>().join(" ")
}

/// Returns the moves and the findings of a game of BoardSpace with these commands after the rearrangement.
fn play(commands: &str) -> (String, String) {
    let start = "(;GM[29]SU[tablut-9];P0[Start P0];P0[Done];P1[Done]";
    let (record, found) = read(&format!("{start}{commands})"));
    (moves(&record, 0), found)
}

#[test]
fn a_game_of_boardspace_is_read() {
    let (record, found) = read(BOARDSPACE);
    assert_eq!(found, "");
    assert_eq!(moves(&record, 0), "d:e4-c4 a:e2-c2");
    assert_eq!(
        record.rules.as_ref().map(|rules| &*rules.text),
        Some(
            "dim:9 name:BoardSpace_Tablut_9x9 surf:n atkf:n ks:m esc:e cor: cenh:tcnkTCNK \
             xarr:a=far2;d=near2 xswap:0 start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
        )
    );
    assert_eq!((record.tag(tag::DEFENDERS), record.tag(tag::ATTACKERS)), (Some("ann"), Some("bo")));
    assert_eq!(record.tag("elapsed-times"), Some("0:1200 1:2100"));
    let (ending, result) = (record.ending.unwrap(), record.result.unwrap());
    assert_eq!((ending.kind, ending.side, ending.after), (EndingKind::Resigned, Some(Side::Defenders), 2));
    assert_eq!(result.verdict, WrittenVerdict::Win(Side::Attackers));
    assert_eq!(record.comments.get(0).map(|comment| (comment.place.after, comment.text)), Some((1, "quick")));
    assert_eq!(record.start, None);
}

#[test]
fn what_is_not_confirmed_can_be_changed() {
    let same = |commands: &str, expected: &str| {
        assert_eq!(play(commands), (expected.to_owned(), String::new()), "{commands}")
    };
    same(";P0[Pickb E 4];P0[Dropb G C 4];P0[Pickb C 4];P0[Dropb G B 4];P0[Done]", "d:e4-b4");
    same(";P0[Pickb E 4];P0[Dropb G C 4];P0[Pickb E 7];P0[Dropb G D 7];P0[Done]", "d:e7-d7");
    same(";P0[Move E 4 C 4];P0[Undo];P0[Move E 4 B 4];P0[Done]", "d:e4-b4");
    same(";P0[Pickb E 4];P0[Dropb G E 4];P0[Move E 4 B 4]", "d:e4-b4");
    same(";P0[Move E 4 C 4];P1[Move E 2 D 2];P1[Done]", "d:e4-c4 a:e2-d2");
    same(";P0[Swap];P0[Done];P1[Move E 4 C 4];P1[Done];P0[Move E 2 D 2]", "d:e4-c4 a:e2-d2");
    same(";P0[Swap];P0[Swap];P0[Move E 4 C 4]", "d:e4-c4");
    same(";P0[Swap];P0[Pickb E 4];P0[Dropb G C 4]", "d:e4-c4");
    let (moves, found) = play(";P0[Pickb E 4];P0[Dropb G E 4];P0[Done];P1[Dropb S D 2];P1[Fly]");
    assert_eq!((moves.as_str(), found.as_str()), ("", "T031 Done; T001 Dropb S D 2; T001 Fly"));
}

#[test]
fn pieces_are_rearranged_before_the_first_move_only() {
    let text = "(;GM[29]SU[tablut-7];P0[Start P0];P0[Pickb D 3];P0[Dropb G C 3];P0[Done];P1[Pickb D 1];P1[Dropb S C 1];P1[Done]\
                ;P0[Move C 3 B 3];P0[Done];P0[Edit];P0[Pickb D 2];P0[Start P1];P1[Move C 1 C 2])";
    let (record, found) = read(text);
    assert_eq!(found, "T030 Pickb D 2");
    assert_eq!(record.start.as_ref().unwrap().setup.to_string(), "/2t4/3t3/2T4/ttTKTtt/3T3/3t3/3t3/");
    assert_eq!(moves(&record, 0), "d:c3-b3 a:c1-c2");
}

#[test]
fn the_plain_form_has_a_tree_of_moves() {
    let (record, found) = read(PLAIN);
    assert_eq!(found, "");
    let lines: Vec<String> = (0..record.n_lines()).map(|line| moves(&record, line)).collect();
    assert_eq!(lines, ["a:d2-c2 d:d3-c3 a:d1-d3", "d:e4-e2xd2 a:g4-g3", "a:a4-a3"]);
    let branches: Vec<_> =
        record.variations.iter().map(|line| (line.branch.unwrap().at, line.opens_with_second)).collect();
    assert_eq!(branches, [(1, true), (2, false)]);
    let comments: Vec<_> =
        record.comments.iter().map(|comment| (comment.place.after, comment.text)).collect();
    assert_eq!(comments, [(0, "two\nlines \\"), (1, "first"), (1, "very good move"), (2, "odd")]);
    assert_eq!((record.tag(tag::ATTACKERS), record.tag(tag::DATE)), (Some("Ann ] Lee"), Some("2026.11.23")));
    assert_eq!(record.variant.as_ref().map(|variant| &*variant.text), Some("brandubh7"));
    assert_eq!(record.result.unwrap().reason, Some(Reason::Timeout));
    assert_eq!((record.clocks[0].milliseconds, record.clocks[0].place.after), (61_500, 2));
}

#[test]
fn the_result_names_the_winner() {
    let verdict = |gold: &str, silver: &str, result: &str| {
        let (record, found) = read(&format!(
            "(;GM[29]SU[tablut-7]RE[{result}]P0[id \"{gold}\"]P1[id \"{silver}\"];P0[Start P0])"
        ));
        (record.result.map(|result| result.verdict), found.split(' ').next().unwrap_or("").to_owned())
    };
    let (attackers, defenders) = (WrittenVerdict::Win(Side::Attackers), WrittenVerdict::Win(Side::Defenders));
    assert_eq!(verdict("Ann", "Jo Ann", "Game won by Jo Ann"), (Some(attackers), String::new()));
    assert_eq!(verdict("Ann", "Jo Ann", "Game won by Ann"), (Some(defenders), String::new()));
    assert_eq!(verdict("Ann", "Ann", "Game won by Ann"), (None, "E010".to_owned()));
    assert_eq!(verdict("Ann", "Joann", "Spel gewonnen door Joann!"), (Some(attackers), String::new()));
    assert_eq!(verdict("Ann", "Bo", "The game is a Draw"), (Some(WrittenVerdict::Draw), String::new()));
}

#[test]
fn options_are_set_before_the_first_move() {
    let text = "(;GM[29]SU[tablut-7 corner-win true .endoptions.];P0[Start P0];P0[SetOption fourside-capture true]\
                ;P0[SetOption corner-win false];P0[Done];P1[SetOption flagship-captures false];P1[Done];P0[Move C 4 C 2]\
                ;P0[SetOption exclusive-center true])";
    let (record, found) = read(text);
    assert_eq!(found, "T032 SetOption exclusive-center true");
    let rules = "dim:7 name:BoardSpace_Tablut_7x7 surf:n atkf:n ka:n ks:m esc:e cor: cen: xarr:a=far1;d=near1 xswap:0 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    assert_eq!(&*record.rules.unwrap().text, rules);
}

#[test]
fn old_games_have_the_rules_of_their_time() {
    let rules = |options: &str, date: &str| {
        let (record, found) =
            read(&format!("(;GM[29]SU[tablut-9 {options} .endoptions.]DT[{date}];P0[Start P0])"));
        let text = record.rules.unwrap().text.to_string();
        let keys = text.strip_prefix("dim:9 name:BoardSpace_Tablut_9x9 surf:n atkf:n ").unwrap();
        (keys.split_once(" xarr:").unwrap().0.to_owned(), found.split(' ').next().unwrap_or("").to_owned())
    };
    let same = |options, date, keys: &str, code: &str| {
        assert_eq!(rules(options, date), (keys.to_owned(), code.to_owned()), "{date}")
    };
    let unarmed = "flagship-captures false";
    same(unarmed, "Nov 1 2009", "ka:n ks:w esc:e cor: cen:", "");
    same(unarmed, "Oct 31 2009", "ks:w esc:e cor: cen:", "");
    same(unarmed, "Mar 31 2009", "ks:w esc:e cor: cenhe:tcnk cenh:tcnk", "");
    same("", "Jan 31 2007", "ks:w esc:e cor: cen:", "");
    same(
        "fourside-capture true corner-win true",
        "2008-02-01",
        "ks:m corh:tcnkK cenhe:tcnkK cenh:tcnk",
        "H021",
    );
    same("fourside-capture true", "2006-02-01", "ks:m esc:e cor: cen:", "H021");
    same("exclusive-center true flagship-captures false", "2020-02-01", "ka:n ks:w esc:e cor: cenh:", "");
}

#[test]
fn a_value_can_hold_the_steps_of_a_turn() {
    let (record, found) = read("(;GM[29];MV[d1-d2-d3xe3];MB[e5=e6];W[])");
    assert_eq!((moves(&record, 0).as_str(), found.as_str()), ("d1-d2 d2-d3xe3 a:e5-e6", "T031 W[]"));
    let chained: Vec<bool> = record.main().moves.iter().map(|mv| mv.chained).collect();
    assert_eq!(chained, [false, true, true]);
}

#[test]
fn nothing_makes_it_panic() {
    for text in [
        BOARDSPACE,
        PLAIN,
        "",
        "(;",
        "(;FF[4]GM[1];B[dd])",
        "(;GM[29]P0[",
        "(;GM[29]AB[aa:cc]LB[bb:K]SZ[7];MV[a1-b2-c3])",
    ] {
        survival::check(Format::Sgf, text);
    }
}

#[test]
fn results_and_reasons_are_those_of_the_standard() {
    for (text, verdict, reason) in [
        ("B+Resign", WrittenVerdict::Win(Side::Attackers), Some(Reason::Resignation)),
        ("W+T", WrittenVerdict::Win(Side::Defenders), Some(Reason::Timeout)),
        ("B+", WrittenVerdict::Win(Side::Attackers), None),
        ("0", WrittenVerdict::Draw, None),
        ("Draw", WrittenVerdict::Draw, None),
        ("Void", WrittenVerdict::Ongoing, None),
        ("?", WrittenVerdict::Unknown, None),
        ("White wins", WrittenVerdict::Win(Side::Defenders), None),
    ] {
        let (record, found) = read(&format!("(;GM[29]RE[{text}])"));
        let result = record.result.unwrap();
        assert_eq!((result.verdict, result.reason, found.as_str()), (verdict, reason, ""), "{text}");
    }
    let (record, found) = read("(;GM[29]RE[3.5])");
    assert_eq!((record.result, found.as_str(), record.tag("result")), (None, "E010 3.5", Some("3.5")));
}

#[test]
fn stones_are_the_start_if_the_rules_are_unknown() {
    let stones = "SZ[7]AB[dg][df][ad][bd][fd][gd][db][da]AW[de][cd][dd][ed][dc]LB[dd:K]";
    let start = |root: &str| {
        let (record, found) = read(&format!("(;GM[29]AP[Taflbase:9.0.0]{root}{stones};MV[d2-c2])"));
        (record.start.map(|start| start.setup.to_string()), found)
    };
    let brandubh = Some("/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/".to_owned());
    for root in ["RU[a variant of the future]", "VN[Foo]", ""] {
        assert_eq!(start(root), (brandubh.clone(), String::new()), "{root}");
    }
    // Known rules give the start, which the stones repeat.
    for root in ["RU[brandubh7]", "RU[dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]", "RS[dim:99]"] {
        assert_eq!(start(root), (None, String::new()), "{root}");
    }
    // Stones that can't be the start are reported, not dropped.
    let (record, found) = read("(;GM[29]AP[Taflbase:9.0.0]RU[Foo]SZ[7]AB[dg]AW[dd];MV[d2-c2])");
    assert_eq!((record.start, found.as_str()), (None, "H001 AB[dg]"));
}

#[test]
fn other_games_are_named_and_not_read() {
    for (text, game) in [
        ("(;FF[4]GM[1]SZ[19]PB[a];B[dd];W[pp])", "`Go`"),
        ("(;FF[4]SZ[19];B[dd];W[pp])", "`Go`"),
        ("(;GM[24]SU[yinsh];P0[Start P0])", "`Yinsh`"),
        ("(;GM[99])", "an unknown game"),
    ] {
        let Parsed { value, diagnostics } = parse(&Source::new(text));
        assert_eq!((moves(&value, 0), value.tags.len(), diagnostics.len()), (String::new(), 0, 1), "{text}");
        assert!(diagnostics[0].message(text).contains(game), "{}", diagnostics[0].message(text));
        assert_eq!(diagnostics[0].code().as_str(), "H024");
    }
    assert_eq!(read("(;FF[4];B[d1-d3])").1, "");
}

#[test]
fn escapes_and_line_breaks_are_read_as_the_standard_says() {
    let (record, found) = read("(;GM[29]GC[a\\]b\\\\c\\:d\r\ne\\\nf]EV[one\ntwo]TG[my\\:name:x:y])");
    assert_eq!(found, "");
    assert_eq!(record.tag(tag::START_COMMENT), Some("a]b\\c:d\nef"));
    assert_eq!(record.tag(tag::EVENT), Some("one two"));
    assert_eq!(record.tag("my:name"), Some("x:y"));
}
