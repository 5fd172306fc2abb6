use proptest::prelude::*;
use tafl_rules::Side;

use super::*;
use crate::format::test_text::{moves, names};

/// Splits a session into its games.
fn games(session: &str) -> Vec<&str> {
    let mut rest = session;
    let mut games = Vec::new();
    while let Some(at) = next_game(rest.as_bytes(), TextEnd::Known) {
        games.push(&rest[..at]);
        rest = &rest[at..];
    }
    games.push(rest);
    games
}

#[test]
fn a_command_is_a_game() {
    let parsed = parse(&Source::new("position startpos moves d2c2 c4-c3"));
    assert_eq!((names(&parsed), moves(&parsed.value)), (vec![], "d2-c2 c4-c3".to_owned()));
    assert!(parsed.value.start.is_none());
    let parsed = parse(&Source::new("position fen 5/5/2k2/5/2a2 d moves c3d3"));
    assert_eq!((names(&parsed), parsed.value.first_mover), (vec![], Some(Side::Defenders)));
    assert_eq!(parsed.value.start.unwrap().setup.to_string(), "/2t2/5/2K2/5/5/");
    let parsed = parse(&Source::new("position rec /2t2/5/2K2/5/5/ defenders moves c3d3"));
    assert_eq!((names(&parsed), parsed.value.first_mover), (vec![], Some(Side::Defenders)));
    assert_eq!((parsed.value.start.is_some(), moves(&parsed.value).as_str()), (true, "c3-d3"));
}

#[test]
fn the_value_of_an_option_is_not_a_command() {
    let text =
        "ucinewgame\nsetoption name Rules value dim:7 name:position startpos\nposition startpos moves d2c2\n";
    assert_eq!(games(text).len(), 1);
    let parsed = parse(&Source::new(text));
    assert_eq!(
        parsed.value.rules.map(|rules| rules.text.into()),
        Some("dim:7 name:position startpos".to_owned())
    );
}

#[test]
fn a_hexagonal_start_needs_no_rules() {
    for variant in ["hexentafl4", "hexentafl5"] {
        let start = tafl_rules::RuleSet::named(variant).unwrap().start;
        for options in ["".to_owned(), format!("setoption name UCI_Variant value {variant}\n")] {
            let parsed = parse(&Source::new(&format!("{options}position rec {start} attackers moves c1c2")));
            assert_eq!((names(&parsed), moves(&parsed.value)), (vec![], "c1-c2".to_owned()));
            assert_eq!(parsed.value.first_mover, Some(Side::Attackers));
            assert_eq!(parsed.value.start.map(|read| read.setup), Some(start.clone()));
        }
    }
    // A row is too short for either board.
    let broken = parse(&Source::new("position rec /4/5/6/7/6/4/4/ d"));
    assert_eq!((names(&broken), broken.value.start), (vec!["bad-position"], None));
}

#[test]
fn the_last_command_counts_and_other_lines_are_one_note() {
    let text = "uci\nsetoption name UCI_Variant value brandubh7\nucinewgame\nposition startpos\ngo movetime 5\n\
        info depth 1 pv d2c2\nbestmove d2c2\nposition startpos moves d2c2 d5e5\n";
    let parsed = parse(&Source::new(text));
    assert_eq!(moves(&parsed.value), "d2-c2 d5-e5");
    assert_eq!(parsed.value.variant.as_ref().map(|variant| &*variant.text), Some("brandubh7"));
    assert_eq!(names(&parsed), ["session-lines"]);
    assert_eq!(
        parsed.diagnostics[0].message(text),
        "4 lines of the engine session were skipped, beginning with `uci`"
    );
}

#[test]
fn a_sender_before_a_command_is_skipped() {
    let text =
        "17 >Skuld(0): position startpos moves a4a3\n18 <Skuld(0): info string position startpos is fine";
    let parsed = parse(&Source::new(text));
    assert_eq!((names(&parsed), moves(&parsed.value)), (vec!["session-lines"], "a4-a3".to_owned()));
}

#[test]
fn an_unreadable_command_is_reported() {
    let check = |text: &str, part: &str, expected: &[&str]| {
        let parsed = parse(&Source::new(text));
        assert_eq!(names(&parsed), expected, "{text}");
        assert_eq!(parsed.diagnostics[0].span.of(text), part, "{text}");
    };
    check("position start moves d2c2", "start", &["bad-value"]);
    check("position fen", "fen", &["bad-value"]);
    check("position", "position", &["incomplete"]);
    check("position startpos moves d2c2 d2", "d2", &["bad-move"]);
    check("position startpos d2c2", "d2c2", &["stray-text"]);
    check("position rec /5/5/5/5/5/ c", "c", &["bad-value"]);
    check("position rec /5/5/5/5/6/ d", "6", &["bad-position"]);
    check("uci", "uci", &["no-moves", "session-lines"]);
}

#[test]
fn a_game_ends_before_a_command_that_does_not_extend_it() {
    assert_eq!(
        games("position startpos\nposition startpos moves a1a2\ngo\nposition startpos moves a1a3\n"),
        ["position startpos\nposition startpos moves a1a2\ngo\n", "position startpos moves a1a3\n"]
    );
    // A move such as `a1a1` does not extend `a1a`.
    assert_eq!(games("position startpos moves a1a1\nposition startpos moves a1a11\n").len(), 2);
    assert_eq!(
        games("position startpos\nucinewgame\nisready\nposition startpos\nquit"),
        ["position startpos\n", "ucinewgame\nisready\nposition startpos\nquit"]
    );
    assert_eq!(
        games("position startpos\nsetoption name Hash value 1\nposition startpos moves a1a2").len(),
        1
    );
    assert_eq!(games("uci\nucinewgame\nposition startpos\nucinewgame\nquit\n").len(), 1);
}

proptest! {
    #[test]
    fn the_games_of_a_session_are_all_of_it(text in "((position|startpos|fen|rec|moves|setoption name Variant value|ucinewgame|5/5/5/5/5|/5/|a1a2|d|>|:|#|æ|x)[ \n]{0,2}){0,12}") {
        prop_assert_eq!(games(&text).concat(), text);
    }

    #[test]
    fn later_bytes_change_no_boundary(
        text in "((position startpos|position startpos moves a1a2|ucinewgame|go|setoption name Hash value 1)\n){0,8}",
        at in any::<prop::sample::Index>(),
    ) {
        let at = at.index(text.len() + 1);
        if let Some(boundary) = next_game(&text.as_bytes()[..at], TextEnd::Unknown) {
            prop_assert_eq!(next_game(text.as_bytes(), TextEnd::Known), Some(boundary));
        }
    }
}
