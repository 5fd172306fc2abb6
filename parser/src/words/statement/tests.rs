use proptest::prelude::*;
use tafl_rules::Span;

use super::*;

fn read(text: &str) -> Option<(Statement, usize)> {
    statement(
        text,
        &PlayerNames { names: vec![("ann lee".into(), Side::Attackers), ("ann".into(), Side::Attackers)] },
    )
}

#[test]
fn the_name_decides_the_side_of_a_resignation() {
    let ending = |kind, side| Some(Statement::Ending { kind, side });
    for (text, expected) in [
        ("White resigns", ending(EndingKind::Resigned, Some(Side::Defenders))),
        ("Black gives up.", ending(EndingKind::Resigned, Some(Side::Attackers))),
        ("the attackers resigned", ending(EndingKind::Resigned, Some(Side::Attackers))),
        ("Dark lost on time", ending(EndingKind::Timeout, Some(Side::Attackers))),
        ("Ann Lee resigns", ending(EndingKind::Resigned, Some(Side::Attackers))),
        ("ann timed out", ending(EndingKind::Timeout, Some(Side::Attackers))),
        ("resigns", ending(EndingKind::Resigned, None)),
        ("timeout", ending(EndingKind::Timeout, None)),
        ("draw agreed", ending(EndingKind::Agreed, None)),
    ] {
        assert_eq!(read(text).map(|(found, _)| found), expected, "{text}");
    }
}

#[test]
fn names_are_compared_without_case_and_belong_to_one_side() {
    let players = |attackers: &str, defenders: &str| {
        let mut record = Record::new(crate::Format::Pgn);
        record.push_tag(tag::ATTACKERS, attackers, Span::default());
        record.push_tag(tag::DEFENDERS, defenders, Span::default());
        PlayerNames::of(&record)
    };
    let resigned = |side| Some(Statement::Ending { kind: EndingKind::Resigned, side: Some(side) });
    for (text, side) in [("İnci resigns", Side::Attackers), ("ann kaya resigns", Side::Defenders)] {
        let found = statement(text, &players("İnci Kaya", "Ann KAYA"));
        assert_eq!(found.map(|(found, _)| found), resigned(side), "{text}");
    }
    assert_eq!(players("İnci Kaya", "İnci KAYA").read("İnci Kaya"), None, "both players have this name");
}

#[test]
fn a_statement_is_a_whole_clause() {
    for text in [
        "Draw offered, declined",
        "Black wins if White plays on",
        "White wins soon, but we stopped.",
        "White wins?",
        "White wins, if he plays on",
        "White resigns if Black finds it",
        "Black wins in 3",
        "White wins with d4",
        "draw offer",
        "White should resign",
        "the king reaches d4",
        "White king reaches d4",
        "White: king escapes",
        "Black king captured",
        "I win",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
    let resigned = |side| Some(Statement::Ending { kind: EndingKind::Resigned, side });
    let agreed = Some(Statement::Ending { kind: EndingKind::Agreed, side: None });
    let black = Some(Side::Attackers);
    let white = Some(Side::Defenders);
    for (text, expected) in [
        ("I resign.", resigned(None)),
        ("Ann: I resign", resigned(black)),
        ("White: resigns", resigned(white)),
        ("and White resigned.", resigned(white)),
        ("Bea (White) resigns after 30 moves", resigned(white)),
        ("We agreed a draw.", agreed),
        ("agreed to a draw", agreed),
        ("both players agreed to a draw", agreed),
    ] {
        assert_eq!(read(text).map(|(found, _)| found), expected, "{text}");
    }
}

#[test]
fn endings_in_other_languages_are_read_with_their_side() {
    let resigned = |side| Some(Statement::Ending { kind: EndingKind::Resigned, side });
    let result = |verdict| Some(Statement::Result { verdict, reason: None });
    let (black, white) = (Some(Side::Attackers), Some(Side::Defenders));
    for (text, expected) in [
        ("Schwarz gibt auf", resigned(black)),
        ("Weiß gibt auf.", resigned(white)),
        ("Ann gibt auf", resigned(black)),
        ("gibt auf", resigned(None)),
        ("Les noirs abandonnent", resigned(black)),
        ("Las blancas se rinden", resigned(white)),
        ("Il nero abbandona", resigned(black)),
        ("Wit geeft op", resigned(white)),
        ("Svart ger upp", resigned(black)),
        ("Musta luovuttaa", resigned(black)),
        ("Белые сдаются", resigned(white)),
        ("Czarne poddają się", resigned(black)),
        ("黒投了", resigned(black)),
        ("白方认输", resigned(white)),
        ("Schwarz verliert auf Zeit", Some(Statement::Ending { kind: EndingKind::Timeout, side: black })),
        ("Schwarz gewinnt!", result(WrittenVerdict::Win(Side::Attackers))),
        ("Remis", result(WrittenVerdict::Draw)),
        ("Schwarz", None),
        ("Schwarz gibt auf, wenn er nicht zieht", None),
        ("you must win", None),
        ("must win this", None),
        ("remis angeboten", None),
    ] {
        assert_eq!(read(text).map(|(found, _)| found), expected, "{text}");
    }
}

#[test]
fn a_reason_is_the_one_in_the_words() {
    let win = |side, reason| Statement::Result { verdict: WrittenVerdict::Win(side), reason };
    let (black, white) = (Side::Attackers, Side::Defenders);
    for (text, expected) in [
        ("Black wins (encirclement)", win(black, Some(Reason::Encirclement))),
        ("Attackers win because the king is captured", win(black, Some(Reason::KingCaptured))),
        ("Black wins because White blundered", win(black, Some(Reason::Unknown))),
        ("White wins because of making better captures", win(white, Some(Reason::Unknown))),
        ("White won: king escaped", win(white, Some(Reason::KingReachedGoal))),
        ("Black (Ann) wins", win(black, None)),
        ("Black won in 34 moves", win(black, None)),
        ("Black wins (a joy)", win(black, None)),
        ("king captured", win(black, Some(Reason::KingCaptured))),
        ("The king has escaped to the corner.", win(white, Some(Reason::KingReachedGoal))),
        ("king escaped to corner", win(white, Some(Reason::KingReachedGoal))),
        ("White king reached the corner", win(white, Some(Reason::KingReachedGoal))),
        ("the white king was captured", win(black, Some(Reason::KingCaptured))),
        ("attackers", win(black, None)),
    ] {
        assert_eq!(read(text).map(|(found, _)| found), Some(expected), "{text}");
    }
}

#[test]
fn results_in_words_are_read() {
    let result = |verdict, reason| Some(Statement::Result { verdict, reason });
    let black = WrittenVerdict::Win(Side::Attackers);
    for (text, expected) in [
        ("attackers win", result(black, None)),
        ("Black wins by resignation", result(black, Some(Reason::Resignation))),
        ("White lost", result(black, None)),
        ("win for Black", result(black, None)),
        ("black wins the game on time", result(black, Some(Reason::Timeout))),
        ("1/2-1/2", result(WrittenVerdict::Draw, None)),
        ("½", result(WrittenVerdict::Draw, None)),
        ("drawn by repetition", result(WrittenVerdict::Draw, Some(Reason::Repetition))),
        ("*", result(WrittenVerdict::Ongoing, None)),
        ("1-0", Some(Statement::Ambiguous)),
    ] {
        assert_eq!(read(text).map(|(found, _)| found), expected, "{text}");
    }
    for text in ["1-0x", "Whiteresigns", "white", "wins", "drawing", "annotated", ""] {
        assert_eq!(read(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in "(White|the |ann|1-0|½|draw|wins|by |[a-zæİ .,*-]){0,8}") {
        if let Some((_, length)) = read(&text) {
            prop_assert!(text.is_char_boundary(length) && length > 0);
        }
    }
}
