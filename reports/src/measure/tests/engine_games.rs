//! Comparisons of rules by games between engines.

use tafl_rules::catalog;

use crate::measure::*;

#[test]
fn equal_rules_have_no_effect() {
    let rules = catalog::find("brandubh7").unwrap().rules();
    let arms = vec![
        LabeledRules { label: "as it is".to_owned(), rules: rules.clone() },
        LabeledRules { label: "again".to_owned(), rules },
    ];
    let spec =
        RuleComparisonSpec { nodes: vec![30], max_games: 12, portion: 6, ..RuleComparisonSpec::new(arms) };
    let mut source = EngineGames::new(&spec, &EngineOptions::default()).unwrap();
    let found = compare_rules(&spec, &mut source, &mut |_| std::ops::ControlFlow::Continue(()));
    assert_eq!(found.games, 24);
    // The same rules and openings give the same games.
    let effect = &found.effects[0];
    assert_eq!(effect.score.map_or(0.0, |score| score.value.value), 0.0);
    assert_eq!(found.arms[0].levels, found.arms[1].levels);
}

#[test]
fn rules_with_another_first_mover_have_openings_of_their_own() {
    let rules = catalog::find("brandubh7").unwrap().rules();
    let turned = tafl_rules::RuleSet { first_mover: rules.first_mover.other(), ..rules.clone() };
    let arms = vec![
        LabeledRules { label: "as it is".to_owned(), rules },
        LabeledRules { label: "turned".to_owned(), rules: turned },
    ];
    let spec =
        RuleComparisonSpec { nodes: vec![20], max_games: 12, portion: 5, ..RuleComparisonSpec::new(arms) };
    let play = |portions: &[(u64, u64)]| {
        let mut source = EngineGames::new(&spec, &EngineOptions::default()).unwrap();
        portions.iter().flat_map(|(from, to)| source.play(1, 20, *from..*to)).collect::<Vec<_>>()
    };
    let games = play(&[(0, 12)]);
    // With the openings of the first rules, no move would be legal, and all games would be the same.
    assert!(games.iter().any(|game| *game != games[0]), "{games:?}");
    assert_eq!(games, play(&[(0, 5), (5, 12)]));
}
