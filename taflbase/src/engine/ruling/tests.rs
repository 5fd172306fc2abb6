//! Rulings on drawn positions.

use super::*;

/// Returns the ruling on a claim about a position of Brandubh with changed rules.
fn ruling(request: RulingRequest, rules: &[&str], position: &str, side: SideName) -> RulingAnswer {
    let mut request = request;
    request.position.rules.variant = Some("brandubh7".to_owned());
    request.position.rules.rule = rules.iter().map(|rule| (*rule).to_owned()).collect();
    request.position.position = (!position.is_empty()).then(|| position.to_owned());
    request.position.side = (!position.is_empty()).then_some(side);
    request.run(&App::new(), &Job::default()).unwrap()
}

fn about_move(claim: RulingClaim, mv: &str) -> RulingRequest {
    RulingRequest { mv: Some(mv.to_owned()), ..RulingRequest::of(claim) }
}

fn with_moves(claim: RulingClaim, moves: &str) -> RulingRequest {
    let mut request = RulingRequest::of(claim);
    request.position.moves = Some(moves.to_owned());
    request
}

#[test]
fn moves_are_legal_or_have_a_reason() {
    let legal = ruling(about_move(RulingClaim::Legal, "d1-c1"), &[], "", SideName::Attackers);
    assert_eq!((legal.verdict, legal.rule), ("yes", None));
    assert_eq!(legal.rules_sections[0].title, "Moves");
    let blocked = ruling(about_move(RulingClaim::Legal, "d1-d5"), &[], "", SideName::Attackers);
    assert_eq!((blocked.verdict, blocked.rule), ("no", Some("blocked")));
    assert!(blocked.sentence.contains("the attackers' man on `d2` is in the way"), "{}", blocked.sentence);
    // The man on c4 is between c3 and the man that comes to c5.
    let position = "/7/7/2t4/2T4/5t1/7/3K3/";
    let captures = ruling(about_move(RulingClaim::Captures, "f5-c5"), &[], position, SideName::Attackers);
    assert_eq!((captures.verdict, captures.sentence.as_str()), ("yes", "`f5-c5` captures on c4"));
    assert_eq!(captures.evidence.len(), 1);
    let none = ruling(about_move(RulingClaim::Captures, "f5-f4"), &[], position, SideName::Attackers);
    assert_eq!(none.verdict, "no");
}

#[test]
fn a_king_between_two_attackers_is_captured_if_one_of_them_moved_last() {
    let request = || RulingRequest::of(RulingClaim::KingCaptured);
    let yes = ruling(request(), &[], "/7/7/7/tKt4/7/7/3T3/", SideName::Defenders);
    assert_eq!((yes.verdict, yes.rule), ("yes", Some("king captured")));
    assert!(yes.sentence.contains("on `a4` or `c4`"), "{}", yes.sentence);
    let no = ruling(request(), &[], "/7/7/7/tK5/7/7/3T3/", SideName::Defenders);
    assert_eq!((no.verdict, no.sentence.as_str()), ("no", "the king is not captured"));
    assert!(no.evidence[0].contains("attackers' man on `a4`") && no.evidence[0].contains("`c4` is empty"));
    let gone = ruling(request(), &[], "/7/7/7/t6/7/7/3T3/", SideName::Defenders);
    assert_eq!((gone.verdict, gone.rule), ("yes", Some("king captured")), "{gone:?}");
    let defenders_moved = ruling(request(), &[], "/7/7/7/tKt4/7/7/3T3/", SideName::Attackers);
    assert_eq!(defenders_moved.verdict, "no", "{defenders_moved:?}");
    // The king has moved between them himself.
    let mut own = with_moves(RulingClaim::KingCaptured, "b1-b4");
    own.position.side = Some(SideName::Defenders);
    let own = ruling(own, &[], "/1K5/7/7/t1t4/7/7/3T3/", SideName::Defenders);
    assert_eq!(own.verdict, "no", "{own:?}");
    let moved = with_moves(RulingClaim::KingCaptured, "a1-a4");
    let moved = ruling(moved, &[], "/t6/7/7/1Kt4/7/7/3T3/", SideName::Attackers);
    assert_eq!(moved.verdict, "yes", "{moved:?}");
}

#[test]
fn forts_and_rings_are_shown_with_their_cells() {
    let fort = "/2TKT2/2TTT2/7/7/t6/7/7/";
    let request = || RulingRequest::of(RulingClaim::ExitFort);
    let shut = ruling(request(), &["efe=y"], fort, SideName::Attackers);
    assert_eq!((shut.verdict, shut.evidence[0].as_str()), ("no", "the king on `d1` cannot move"));
    // The diagram of tests/fixtures/rules/exit-fort.md after its move.
    let fort = "/2TK1T1/3TT2/7/7/t6/7/7/";
    let yes = ruling(request(), &["efe=y"], fort, SideName::Attackers);
    assert_eq!((yes.verdict, yes.rule), ("yes", Some("exit fort")), "{yes:?}");
    assert!(yes.cells.iter().any(|cell| cell.cell == "e1" && cell.meaning == "inside"), "{yes:?}");
    let without = ruling(request(), &[], fort, SideName::Attackers);
    assert_eq!((without.verdict, without.sentence.as_str()), ("no", "these rules have no exit fort"));
    let inland = ruling(request(), &["efe=y"], "/7/7/3K3/7/t6/7/7/", SideName::Attackers);
    assert_eq!(inland.evidence, ["the king on `d3` is not on the edge"]);
    // The diagram of tests/fixtures/rules/encirclement.md after its move.
    let ring = "/7/7/3t3/2tKt2/2tTt2/3t3/7/";
    let request = || RulingRequest::of(RulingClaim::Encirclement);
    let yes = ruling(request(), &["surf=y"], ring, SideName::Defenders);
    assert_eq!((yes.verdict, yes.rule), ("yes", Some("encirclement")), "{yes:?}");
    assert_eq!(yes.cells.iter().filter(|cell| cell.meaning == "ring").count(), 6);
    let open = ruling(request(), &["surf=y"], "/7/7/7/2tKt2/2tTt2/3t3/7/", SideName::Defenders);
    assert_eq!((open.verdict, open.sentence.as_str()), ("no", "the defenders are not enclosed"));
}

#[test]
fn a_captured_king_ends_the_game() {
    for position in ["/7/7/7/tKt4/7/7/3T3/", "/7/7/7/t1t4/7/7/3T3/"] {
        let over = ruling(RulingRequest::of(RulingClaim::GameOver), &[], position, SideName::Defenders);
        let captured =
            ruling(RulingRequest::of(RulingClaim::KingCaptured), &[], position, SideName::Defenders);
        assert_eq!((over.verdict, over.rule), ("yes", Some("king captured")), "{over:?}");
        assert_eq!(over.sentence, captured.sentence);
    }
    let over = RulingRequest::of(RulingClaim::GameOver);
    let over = ruling(over, &[], "/7/7/7/tKt4/7/7/3T3/", SideName::Attackers);
    assert_eq!(over.verdict, "no", "the king moved between them: {over:?}");
}

#[test]
fn ends_without_moves_and_by_repetition_are_found() {
    let request = || RulingRequest::of(RulingClaim::NoMove);
    let free = ruling(request(), &[], "", SideName::Attackers);
    assert_eq!((free.verdict, free.sentence.as_str()), ("no", "the attackers have 40 legal moves"));
    // The only man of the defenders besides the king is blocked, and so is the king.
    let shut = ruling(request(), &["surf=n"], "/7/7/3t3/2tKt2/2tTt2/3t3/7/", SideName::Defenders);
    assert_eq!((shut.verdict, shut.rule), ("yes", Some("no legal move")), "{shut:?}");
    let first = ruling(with_moves(RulingClaim::Repetition, "d2-c2"), &[], "", SideName::Attackers);
    assert!(first.sentence.ends_with("the position has occurred 1 time"), "{}", first.sentence);
    let cycle = "d2-c2 d3-c3 c2-d2 c3-d3 ";
    let claim = |n| with_moves(RulingClaim::Repetition, &cycle.repeat(n));
    let once = ruling(claim(1), &[], "", SideName::Attackers);
    assert_eq!(once.verdict, "no", "{once:?}");
    let twice = ruling(claim(2), &[], "", SideName::Attackers);
    assert_eq!((twice.verdict, twice.rule), ("yes", Some("repetition")), "{twice:?}");
    let over = ruling(with_moves(RulingClaim::GameOver, &cycle.repeat(2)), &[], "", SideName::Attackers);
    assert_eq!(over.verdict, "yes", "{over:?}");
    let on = ruling(with_moves(RulingClaim::GameOver, cycle), &[], "", SideName::Attackers);
    assert_eq!((on.verdict, on.sentence.as_str()), ("no", "the game is not over"));
}

#[test]
fn forced_wins_have_a_proof_that_is_checked() {
    let request = |winner| RulingRequest {
        winner: Some(winner),
        nodes: Some(20_000),
        ..RulingRequest::of(RulingClaim::ForcedWin)
    };
    let position = "/7/t5t/7/3K3/3T3/1t5/7/";
    let yes = ruling(request(SideName::Defenders), &[], position, SideName::Defenders);
    assert_eq!(yes.verdict, "yes", "{yes:?}");
    assert!(yes.evidence.iter().any(|line| line.contains("checked")) && yes.proof.is_some(), "{yes:?}");
    let no = ruling(request(SideName::Attackers), &[], position, SideName::Defenders);
    assert_eq!(no.verdict, "no", "{no:?}");
    let mut small = request(SideName::Attackers);
    small.nodes = Some(5);
    assert_eq!(ruling(small, &[], "", SideName::Attackers).verdict, "undecided");
}

#[test]
fn claims_without_what_they_need_are_errors() {
    for (claim, parameter) in [(RulingClaim::Legal, "move"), (RulingClaim::Repetition, "moves")] {
        let mut request = RulingRequest::of(claim);
        request.position.rules.variant = Some("brandubh7".to_owned());
        let error = request.run(&App::new(), &Job::default()).unwrap_err();
        assert_eq!(error.parameter.as_deref(), Some(parameter), "{error:?}");
    }
    let error = RulingRequest::of(RulingClaim::Legal).run(&App::new(), &Job::default()).unwrap_err();
    assert_eq!(error.parameter.as_deref(), Some("variant"));
}
