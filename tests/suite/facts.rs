//! Facts of positions under random rules, compared with the naive model; keys updated from ply to ply.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;

use tafl_rules::{
    AnyRulebook, BySide, Event, Facts, Game, KingStatus, Move, RepetitionMode, Rng, RuleSet, Side, catalog,
};
use tafl_tests::model::RulesModel;
use tafl_tests::naive::Naive;
use tafl_tests::random::{Draw, random_rules};
use tafl_tests::{oracle, pages};

/// The numbers of comparisons, so that a test that compares nothing fails.
#[derive(Debug, Default)]
struct Seen {
    plies: usize,
    events: BTreeMap<Event, usize>,
    distances: BTreeMap<u8, usize>,
    in_danger: usize,
    cordoned: usize,
}

fn king_statuses(naive: &Naive) -> BySide<Option<KingStatus>> {
    BySide::from_fn(|side| naive.king_status(side))
}

/// Plays a random game and compares the facts after each ply.
fn compare(rules: &RuleSet, rng: &mut Rng, max_plies: usize, seen: &mut Seen) -> Result<(), String> {
    let mut game = Game::new(&AnyRulebook::compile(rules).expect("the rules are sound"));
    let mut naive = Naive::start(rules);
    let begun = Facts { kings: king_statuses(&naive), ..Facts::default() };
    let mut differs = (game.facts() != begun).then(|| format!("start: {:?}, not {begun:?}", game.facts()));
    for _ in 0..max_plies {
        if differs.is_some() || game.outcome().is_some() {
            break;
        }
        let moves = game.moves();
        if moves.is_empty() {
            break;
        }
        let before = (game.setup(), naive.clone());
        let tries: Vec<Move> = (0..rng.one_of(&[1, 1, 5])).map(|_| rng.one_of(&moves)).collect();
        let captures = |mv: &&Move| game.clone().play(**mv).is_ok_and(|ply| !ply.captured.is_empty());
        let mv = *tries.iter().find(captures).unwrap_or(&tries[0]);
        let (_, facts) = game.play_with_facts(mv).expect("listed moves are legal");
        naive.play(mv).expect("the models agree on moves");
        let mut wanted = Facts { events: before.1.events(mv, &naive), kings: king_statuses(&naive) };
        if facts.events.contains(Event::Repetition) {
            // The naive model detects only repetitions that end the game.
            wanted.events.insert(Event::Repetition);
        }
        differs = (facts != wanted).then(|| {
            format!("{} {}: {facts:?}, not {wanted:?}, {}", before.0, mv.display(game.shape()), game.setup())
        });
        seen.note(&facts);
    }
    differs.map_or(Ok(()), |text| Err(format!("{rules}\n{text}")))
}

impl Seen {
    fn note(&mut self, facts: &Facts) {
        self.plies += 1;
        for event in facts.events.iter() {
            *self.events.entry(event).or_default() += 1;
        }
        for status in [facts.kings.attackers, facts.kings.defenders].into_iter().flatten() {
            *self.distances.entry(status.distance).or_default() += 1;
            self.in_danger += usize::from(status.in_danger);
            self.cordoned += usize::from(status.cordoned);
        }
    }
}

#[test]
fn facts_are_those_of_the_naive_model_under_random_rules() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("TAFL_DIFF_SEED").unwrap_or(0);
    let n_cases = number("TAFL_DIFF_CASES").unwrap_or(400);
    let (mut seen, mut wrong) = (Seen::default(), Vec::new());
    for seed in first..first + n_cases {
        let mut rng = Rng::new(seed);
        let rules = random_rules(&mut rng);
        wrong.extend(
            compare(&rules, &mut rng, 60, &mut seen).err().map(|text| format!("seed {seed}: {text}")),
        );
        if wrong.len() >= 5 {
            break;
        }
    }
    println!("{seen:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    if n_cases >= 400 && first == 0 {
        assert!(seen.plies > 5000 && seen.in_danger > 100 && seen.cordoned > 100, "{seen:?}");
        assert_eq!(seen.distances.len(), 8, "{seen:?}");
        assert!(seen.events.len() > 16, "{seen:?}");
    }
}

#[test]
fn facts_are_those_of_the_naive_model_in_the_catalog() {
    let mut seen = Seen::default();
    for name in ["brandubh7", "cyngesheall7", "tablut9_linnaeus", "copenhagen11", "berserk11", "hexentafl4"] {
        let rules = catalog::find(name).unwrap().rules();
        for seed in 0..3 {
            compare(&rules, &mut Rng::new(seed), 40, &mut seen)
                .unwrap_or_else(|text| panic!("{name}: {text}"));
        }
    }
    assert!(seen.plies > 400, "{seen:?}");
}

#[test]
fn incremental_keys_are_those_of_the_board() {
    let mut n_plies = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let rules = random_rules(&mut rng);
        let book = AnyRulebook::compile(&rules).unwrap();
        let (mut watched, mut played) = (Game::new(&book), Game::new(&book));
        for ply in 0..80 {
            let moves = played.moves();
            if played.outcome().is_some() || moves.is_empty() {
                break;
            }
            let mv = rng.one_of(&moves);
            played.play(mv).unwrap();
            // Facts may be requested only occasionally, and the game may be set to the other side or restarted.
            if ply % 7 == 3 { watched.play(mv).map(|_| ()) } else { watched.play_with_facts(mv).map(|_| ()) }
                .unwrap();
            if ply % 23 == 9 {
                let side = if rng.percent(50) { Side::Attackers } else { Side::Defenders };
                watched.set_to_move(side);
                played.set_to_move(side);
            }
            if ply % 31 == 30 {
                watched.restart();
                played.restart();
            }
            assert_eq!(watched.canonical_key(), played.canonical_key(), "seed {seed}, ply {ply}: {rules}");
            n_plies += 1;
        }
    }
    assert!(n_plies > 5000, "{n_plies}");
}

/// Formats a king's status like the pages.
fn words(status: Option<KingStatus>) -> String {
    let Some(status) = status else { return "none".to_owned() };
    let danger = if status.in_danger { " danger" } else { "" };
    let cordon = if status.cordoned { " cordon" } else { "" };
    format!("distance={} lines={}{danger}{cordon}", status.distance, status.lines)
}

#[test]
fn facts_are_those_of_the_pages() {
    let examples = pages::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/rules"));
    let (mut n_kings, mut n_events, mut wrong) = (0, 0, Vec::new());
    for example in &examples {
        let book = AnyRulebook::compile(&example.rules).unwrap();
        let mut game =
            Game::from_setup(&book, &example.rules.start, example.side, RepetitionMode::Enforce).unwrap();
        let mut naive = Naive::at(&example.rules, &example.rules.start, example.side);
        let mut facts = game.facts();
        for text in &example.moves {
            let mv = oracle::mv(game.shape(), text);
            if let Ok((_, after)) = game.play_with_facts(mv) {
                naive.play(mv).unwrap();
                facts = after;
            }
        }
        for side in Side::ALL {
            let Some(expected) = &example.kings[side] else { continue };
            let found = [words(facts.kings[side]), words(naive.king_status(side))];
            if found.iter().any(|found| found != expected) {
                wrong
                    .push(format!("{} {:?} {side}: {expected}, not {found:?}", example.place, example.moves));
            }
            n_kings += 1;
        }
        if let Some(expected) = &example.events {
            let mut found: Vec<&str> = facts.events.iter().map(Event::as_str).collect();
            found.sort_unstable();
            if found != *expected {
                wrong.push(format!("{} {:?}: {expected:?}, not {found:?}", example.place, example.moves));
            }
            n_events += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_kings >= 15 && n_events >= 8, "{n_kings} kings, {n_events} plies with events");
}
