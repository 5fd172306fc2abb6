//! Chains that a player may decline to continue.

use super::*;

#[test]
fn a_side_that_declines_a_chain_does_not_choose_the_reply() {
    let lines = |rules: &str, capture: &str| -> Vec<(String, Score)> {
        let (game, report) = search_after(rules, &[capture], 4);
        let line = |line: &SearchLine| {
            (line.moves[0].display(game.shape()).to_string(), line.score.for_side(Side::Attackers))
        };
        report.lines.iter().map(line).collect()
    };
    // The king escapes with the defenders' next move. Of all their moves, only that one counts if the attackers decline.
    let lost = lines("dim:7 ber:c xber:free start:/5K1/t1Tt3/7/1T5/1t5/7/6t/", "a2-b2");
    assert_eq!(lost, [("b2-b3".to_owned(), Score::loss_in(2)), ("f1-a1".to_owned(), Score::loss_in(1))]);
    // The man on d2 stops the king, so the attackers do better to decline.
    let stops = lines("dim:7 esc:e ber:c xber:free start:/7/t3Tt1/2T4/2tKt2/3T3/7/7/", "a2-d2");
    assert_eq!((stops.len(), stops[0].1), (2, Score::loss_in(3)), "{stops:?}");
    assert_eq!(stops[1], ("d2-c2".to_owned(), Score::loss_in(2)));
}

#[test]
fn a_declined_chain_that_repeats_a_position_ends_the_game() {
    let rules =
        "dim:7 surf:n cor: cen: ber:c xber:free+jump xmove:K=1 xrep:pos2lose start:/3t3/1T5/c2T3/7/7/5K1/7/";
    let (_, report) = search_after(rules, &["a3-b3", "f6-f5", "b3-b1", "f5-f6", "b1-b3"], 2);
    assert_eq!(report.lines[1].score.for_side(Side::Attackers), Score::loss_in(1), "{:?}", report.lines);
}

#[test]
fn a_chain_whose_end_loses_is_declined_instead_of_repeated_forever() {
    let rules =
        "dim:7 surf:n cor: cen: ber:c xber:free+jump xmove:K=1 xrep:pos2lose start:/3t3/1T5/c2T3/7/7/5K1/7/";
    let moves = "a3-b3 f6-f5 b3-b1 f5-f6 b1-b3 b3-b1 b1-b3 b3-b1 b1-b3";
    let (mut game, report) = search_after(rules, &moves.split(' ').collect::<Vec<_>>(), 3);
    assert_eq!(report.lines.len(), 1, "{:?}", report.lines);
    assert!(report.lines[0].declines(game.chain()));
    assert_eq!(report.lines[0].score.for_side(Side::Attackers), Score::loss_in(1));
    assert!(game.decline_chain() && game.outcome().is_some());
}

#[test]
fn a_chain_of_jumps_over_the_same_piece_ends() {
    // The commander j5 jumps over j10 and can jump back forever, and the other side never moves.
    let moves = "h11-h9 e5-c5 a4-c4 c5-c9 b6-b9 c9-c10 d11-c11 e7-d7 d1-d3 g7-i7 k8-i8 i7-i1 a6-b6 f8-d8 j6-j1 f7-j7 j1-j5 \
                 j7-j10 c4-c9 d8-d11 j5-j9 f6-f8 j9-j11";
    let book = AnyRulebook::compile(&rules("berserk-hnefatafl-11x11")).unwrap();
    let mut game = Game::new(&book);
    for text in moves.split_whitespace() {
        game.play(game.parse_move(text).unwrap()).unwrap();
    }
    let mut engine = Engine::new(&book, SearchOptions::default());
    let is_declined = (0..6).any(|n_jumps| {
        assert_eq!(game.chain_keys().len(), n_jumps + 1);
        let report = engine.search(&game, &Limits::depth(4)).unwrap();
        let line = &report.lines[0];
        if !line.declines(game.chain()) {
            game.play(line.moves[0]).unwrap();
            return false;
        }
        true
    });
    assert!(is_declined && game.decline_chain());
    assert_eq!(game.chain_keys(), []);
}
