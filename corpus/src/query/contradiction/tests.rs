//! Contradictions, and queries without one.

use super::*;

fn reasons(text: &str) -> Vec<String> {
    let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    query.contradictions().iter().map(ToString::to_string).collect()
}

#[test]
fn clauses_that_exclude_each_other_are_named_with_the_reason() {
    for (text, expected) in [
        (
            "ply<10 ply>20",
            "`ply<10` and `ply>20` exclude each other: `ply` can't be at least 21 and at most 9",
        ),
        (
            "capture captured=0",
            "`capture` and `captured=0` exclude each other: `captured` can't be at least 1 and at most 0",
        ),
        (
            "walled>=3 captured<=2",
            "`walled>=3` and `captured<=2` exclude each other: `captured` can't be at least 3 and at most 2",
        ),
        (
            "to:edge ply=0",
            "`to:edge` and `ply=0` exclude each other: `ply` can't be at least 1 and at most 0",
        ),
        (
            "king_can_escape king_distance>=2",
            "`king_can_escape` and `king_distance>=2` exclude each other: `king_distance` can't be at least 2 and at most 1",
        ),
        (
            "plies<20 ply>=20",
            "`plies<20` and `ply>=20` exclude each other: `ply` can't be at least 20 and at most 19",
        ),
        ("date<2010 date>=2015", "`date<2010` and `date>=2015` exclude each other: no day meets both"),
        (
            "to_move:attackers to_move:defenders",
            "`to_move:attackers` and `to_move:defenders` exclude each other: only one side moves",
        ),
        (
            "king_escaped exit_fort",
            "`king_escaped` and `exit_fort` exclude each other: a ply ends the game for one reason",
        ),
        (
            "king_captured king_on_throne",
            "`king_captured` and `king_on_throne` exclude each other: in games with one king, the captured king is not on the board anymore; `king_on_throne before king_captured within 1` tests it before the capture",
        ),
        (
            "result:draw result:attackers",
            "`result:draw` and `result:attackers` exclude each other: a game has one result",
        ),
        (
            "result:draw reason:\"king captured\"",
            "`result:draw` and `reason:\"king captured\"` exclude each other: a drawn game has no winner",
        ),
        (
            "variant:brandubh7 shape:11x11",
            "`variant:brandubh7` and `shape:11x11` exclude each other: the board of brandubh7 is 7x7",
        ),
        (
            "variant:brandubh7 shieldwall",
            "`variant:brandubh7` and `shieldwall` exclude each other: the rules of brandubh7 have no shieldwalls",
        ),
        (
            "variant:brandubh7 walled>=2",
            "`variant:brandubh7` and `walled>=2` exclude each other: the rules of brandubh7 have no shieldwalls",
        ),
        (
            "capture not capture",
            "`capture` and `not capture` exclude each other: one is the negation of the other",
        ),
        (
            "year:2021 date:2022",
            "`year:2021` and `date:2022` exclude each other: `year` can't be at least 2022 and at most 2021",
        ),
        ("date<2020-05 year>2020", "`date<2020-05` and `year>2020` exclude each other: no day meets both"),
    ] {
        assert_eq!(reasons(text), [expected], "{text}");
    }
}

#[test]
fn a_negated_condition_that_another_one_implies_is_a_contradiction() {
    for (text, clause, denied) in [
        ("rating>=2000 not rating>=1000", "rating>=2000", "rating>=1000"),
        ("both_ratings>1800 not attackers_rating>=1500", "both_ratings>1800", "attackers_rating>=1500"),
        ("not rating<=1200 defenders_rating=1200", "defenders_rating:1200", "rating<=1200"),
        ("plies>40 not plies>=30", "plies>40", "plies>=30"),
        ("date:2021-05 not year:2021", "date:2021-05", "year:2021"),
        ("year:2021 not date>=2020-06", "year:2021", "date>=2020-06"),
        ("ply:5..8 not ply<10", "ply<=8", "ply<10"),
        ("capture not captured>=1", "capture", "captured>=1"),
        ("won:Sven not player:Sven", "won:\"sven\"", "player:\"sven\""),
        ("lost=Sven player!=Sven", "lost=\"Sven\"", "player=\"Sven\""),
        ("attackers:\"Sven Lund\" not player:lu*", "attackers:\"sven lund\"", "player:\"lu*\""),
        ("player=Ása not player:asa", "player=\"Ása\"", "player:\"asa\""),
        ("tag:study not text:study", "tag:\"study\"", "text:\"study\""),
        ("variant:brandubh7 not variant:brandubh*", "variant:brandubh7", "variant:brandubh*"),
    ] {
        let expected = format!("exclude each other: `{clause}` implies `{denied}`");
        let found = reasons(text);
        assert!(found.len() == 1 && found[0].ends_with(&expected), "{text}: {found:?}");
    }
    let same =
        "`variant:brandubh7` and `variant!=brandubh7` exclude each other: one is the negation of the other";
    assert_eq!(reasons("variant:brandubh7 variant!=brandubh7"), [same]);
    for possible in [
        "rating>=1000 not rating>=2000",
        "rating>=2000 not both_ratings>=1000",
        "rating>=2000 not attackers_rating>=1000",
        "rating>=2000 rating!=2500",
        "attackers_rating<=500 not attackers_rating>=0",
        "player:Sven not won:Sven",
        "won:Sven not lost:Sven",
        "player:Sven not player:\"Sven Lund\"",
        "player:Sven not player=Sven",
        "player:sv* not player:sven",
        "player:sven~1 not player:sven",
        "text:study not tag:study",
        "date:2021 not date:2021-05",
        "year:2021 date:2021-05",
        "variant:brandubh* variant!=brandubh7",
        "ply>=1 not captured>=1",
    ] {
        assert_eq!(reasons(possible), [""; 0], "{possible}");
    }
}

#[test]
fn parts_are_checked_where_they_hold() {
    assert_eq!(reasons("variant:brandubh7 ever(shieldwall)").len(), 1);
    assert_eq!(reasons("(ply<3 ply>5) then capture").len(), 1);
    assert_eq!(reasons("count(ply<3 ply>5) > 0").len(), 1);
    assert_eq!(reasons("ply<3 ply>5 or captured=0 capture").len(), 2);
    for possible in [
        "ply<3 ply>5 or capture",
        "ply<3 then ply>5",
        "never(ply<3 ply>5)",
        "count(ply<3 ply>5) = 0",
        "not (ply<3 ply>5)",
        "variant:brandubh* variant:brandubh7",
        "reason:\"king captured\" king_on_throne",
        "king_on_throne before king_captured within 1",
        "result:attackers won:Sven reason:\"king captured\"",
        "variant:copenhagen11 shieldwall shape:11x11",
        "walled>=3 captured>=4",
        "walled<1 variant:brandubh7",
        "plies>=20 ply<20",
        "ply>=1 capture",
        "king_danger king_can_escape king_lines>=1",
    ] {
        assert_eq!(reasons(possible), [""; 0], "{possible}");
    }
}
