//! Inference recovers the rules of games, and reports the options that it cannot determine.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use tafl_parser::{
    Format, InferOptions, Inference, OptionStatus, Record, Source, StartOrigin, infer, option_values, probe,
};
use tafl_rules::{AnyRulebook, Rng, RuleSet, catalog};
use tafl_tests::measure::inference::of_files;
use tafl_tests::random::Draw;
use tafl_tests::random_game;

fn rules(name: &str) -> RuleSet {
    catalog::find(name).expect("the variant is in the catalog").rules()
}

fn infer_all(records: &[Record], options: &InferOptions) -> Inference {
    infer(&records.iter().collect::<Vec<_>>(), options)
}

/// The results for the options of hidden rules.
#[derive(Debug, Default)]
struct Counts {
    decidable: usize,
    recovered: usize,
    lost: Vec<String>,
}

/// Compares the inferred options with those that the games determine when the true rules are known.
fn compare(truth: &RuleSet, records: &[Record], found: &Inference, counts: &mut Counts) {
    let records: Vec<&Record> = records.iter().collect();
    let (probes, agreeing) = probe(&records, truth, NonZeroUsize::MIN);
    assert_eq!(agreeing, records.len(), "games agree with the rules by which they were played");
    let group = &found.groups[0];
    for probe in probes {
        let differs = |value: &str| probe.others.iter().any(|other| other.value == value && other.games > 0);
        if probe.others.iter().all(|other| other.games == 0) {
            continue;
        }
        counts.decidable += 1;
        let option = group.options.iter().find(|option| option.option == probe.option);
        match option {
            Some(option) if option.fitting().all(|value| !differs(value)) => counts.recovered += 1,
            _ => counts.lost.push(format!("{} {} under {truth}", probe.option, probe.value)),
        }
    }
}

#[test]
fn rules_with_randomly_changed_options_are_inferred() {
    let mut counts = Counts::default();
    for seed in 0..8 {
        let mut rng = Rng::new(seed);
        let base =
            rng.one_of(&["brandubh7", "magpie7", "tablut9_wtf", "cyngesheall7", "hexentafl4", "ardri7"]);
        let mut truth = rules(base);
        for nth in 0..option_values(&truth).len() {
            if rng.percent(8)
                && let Some((_, list)) = option_values(&truth).get(nth)
            {
                let (_, changed) = rng.one_of(list);
                truth = if AnyRulebook::compile(&changed).is_ok() { changed } else { truth };
            }
        }
        let records = random_game::records(&truth, seed, 80, 60);
        let options = InferOptions { without: Some(truth.clone()), ..InferOptions::default() };
        compare(&truth, &records, &infer_all(&records, &options), &mut counts);
    }
    println!("{} of {} decidable options", counts.recovered, counts.decidable);
    assert!(counts.decidable > 100, "{counts:?}");
    assert!(counts.recovered * 100 >= counts.decidable * 95, "{counts:#?}");
}

#[test]
fn every_kind_of_option_is_decided_by_some_games() {
    let mut decided = BTreeSet::new();
    let mut lost = Vec::new();
    for name in ["brandubh7", "ashton9", "hexentafl4", "cyngesheall7"] {
        let base = rules(name);
        for (option, list) in option_values(&base) {
            for (value, truth) in list.iter().skip(1) {
                if decided.contains(option) || AnyRulebook::compile(truth).is_err() {
                    continue;
                }
                let records = random_game::records(truth, 7, 12, 50);
                let all: Vec<&Record> = records.iter().collect();
                let (probes, _) = probe(&all, truth, NonZeroUsize::MIN);
                let is_excluded = |value: &str| {
                    probes.iter().any(|probe| {
                        probe.option == option
                            && probe.others.iter().any(|other| other.value == value && other.against >= 2)
                    })
                };
                if !is_excluded(&list[0].0) {
                    continue;
                }
                let options = InferOptions { hint: Some(base.clone()), ..InferOptions::default() };
                let found = infer(&all, &options);
                let answer = found.groups[0].options.iter().find(|answer| answer.option == option);
                if answer.is_some_and(|answer| answer.fitting().any(|fitting| fitting == value)) {
                    decided.insert(option);
                } else {
                    lost.push(format!("{name}: {option} {value}"));
                }
            }
        }
    }
    println!("{} kinds of options: {decided:?}", decided.len());
    assert!(decided.len() >= 34, "{decided:?}");
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn two_rule_sets_in_one_file_are_distinguished() {
    let mut records = random_game::records(&rules("brandubh7"), 1, 60, 60);
    let mut truth = rules("brandubh7");
    truth.king_arming = tafl_rules::Arming::Unarmed;
    truth.goals.defenders = tafl_rules::Goal::Edge;
    records.extend(random_game::records(&truth, 2, 40, 60));
    let found = infer_all(&records, &InferOptions::default());
    assert_eq!(found.groups.len(), 2, "{:?} {:?}", found.groups[0].changes, found.groups[0].contradictions);
    let of_first = found.groups[0].records.iter().filter(|nth| **nth < 60).count();
    let n_of_first_in_second = found.groups[1].records.iter().filter(|nth| **nth < 60).count();
    assert_eq!((of_first, n_of_first_in_second), (60, 0), "{:?}", found.groups[1].records);
    assert!(found.groups[1].records.len() >= 20);
}

#[test]
fn games_from_other_starts_are_other_groups() {
    let mut records = random_game::records(&rules("brandubh7"), 1, 12, 40);
    records.extend(random_game::records(&rules("tablut9_wtf"), 1, 8, 40));
    let found = infer_all(&records, &InferOptions::default());
    let sizes: Vec<(usize, u8)> =
        found.groups.iter().map(|group| (group.records.len(), group.rules.shape().side())).collect();
    assert_eq!(sizes, [(12, 7), (8, 9)]);
}

#[test]
fn an_unknown_start_is_derived_from_the_moves() {
    let text = "dim:9 esc:e ks:c cor: start:/2ttttt2/9/4T4/t7t/t1TTKTT1t/t7t/4T4/9/2ttttt2/";
    let truth: RuleSet = text.parse().unwrap();
    let records = random_game::records(&truth, 3, 120, 60);
    let found = infer_all(&records, &InferOptions::default());
    let group = &found.groups[0];
    assert!(matches!(group.start, StartOrigin::Derived { .. }), "{:?}", group.start);
    assert_eq!(group.rules.start, truth.start);
    assert_eq!(group.n_agreeing, 120);
}

#[test]
fn the_side_that_moves_first_is_found() {
    let mut truth = rules("brandubh7");
    truth.first_mover = tafl_rules::Side::Defenders;
    let found = infer_all(&random_game::records(&truth, 5, 10, 30), &InferOptions::default());
    let option = &found.groups[0].options[0];
    assert_eq!(
        (option.option, option.value.as_str(), option.status),
        ("first-mover", "defenders", OptionStatus::Decided)
    );
}

#[test]
fn a_few_wrong_records_decide_nothing() {
    let truth = rules("brandubh7");
    let mut records = random_game::records(&truth, 9, 150, 60);
    for nth in [10, 60, 110] {
        // A piece listed as captured, on a cell where nothing can capture it.
        let spare = records[0].captures.first().copied().expect("the first game has a capture");
        let record = &mut records[nth];
        let at = record.captures.len();
        record.captures.push(spare);
        let last = record.main_mut().moves.last_mut().expect("a game has moves");
        (last.first_capture, last.n_captures) = (at as u32, 1);
    }
    let found = infer_all(&records, &InferOptions::default());
    let group = &found.groups[0];
    assert_eq!((group.base, group.changes.len()), (Some("brandubh7"), 0), "{:?}", group.changes);
    assert!(!group.contradictions.is_empty() && group.contradictions.len() <= 3);
}

#[test]
fn records_without_evidence_are_reported() {
    let none = infer(&[], &InferOptions::default());
    assert!(none.groups.is_empty() && none.n_records == 0);
    let texts = ["", "zz99-a1 b2-b900", "a1-a1 a1-a1", "t21-t20 s21-s19", "{\"Moves\": [\"d4-d9\"]}"];
    for text in texts {
        for format in Format::ALL {
            let record = format.parse(&Source::new(text)).value;
            let found = infer(&[&record, &record], &InferOptions::default());
            assert_eq!(found.n_records, 2);
            let known: usize = found.groups.iter().map(|group| group.records.len()).sum();
            assert_eq!(known + found.undecidable.len(), 2, "{format:?} {text}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let records = random_game::records(&rules("ardri7"), 4, 40, 50);
    let answer = |n| {
        let threads = NonZeroUsize::new(n).unwrap();
        format!("{:?}", infer_all(&records, &InferOptions { threads, ..InferOptions::default() }))
    };
    assert_eq!(answer(1), answer(3));
}

#[test]
fn the_measurement_ignores_the_variant_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.jsonl");
    let game =
        r#"{"AageGameTypeKey":129,"Moves":["d2-c2","d3-b3","c2-b2xb3","e4-e1","resigned"],"WhoWon":"White"}"#;
    std::fs::write(&file, format!("{game}\n{game}\n")).unwrap();
    let hidden = of_files(&[file]).unwrap();
    let answer = hidden[0].recover(NonZeroUsize::MIN).json();
    assert_eq!((answer["games"].as_u64(), answer["agreeing"].as_u64()), (Some(2), Some(2)));
    assert!(
        answer["decidable"].as_u64() >= Some(1)
            && answer["recovered"].as_u64() <= answer["decidable"].as_u64()
    );
    let missing = of_files(&[folder.path().join("missing.jsonl")]).unwrap_err();
    assert!(missing.to_string().contains("missing.jsonl"), "{missing}");
}

/// A game without an exception only makes forced captures more probable; one declined capture refutes them.
#[test]
fn forced_captures_are_inferred_and_refuted_by_a_declined_capture() {
    let value = |records: &[Record]| {
        let found = infer_all(records, &InferOptions::default());
        let option = found.groups[0].options.iter().find(|option| option.option == "forced-capture").cloned();
        option.map(|option| (option.value, option.status))
    };
    let mut truth = rules("brandubh7");
    let free = random_game::records(&truth, 4, 20, 60);
    assert_eq!(value(&free), Some(("no".to_owned(), OptionStatus::Decided)));
    truth.forced_capture = true;
    let forced = random_game::records(&truth, 4, 20, 60);
    assert_eq!(value(&forced).map(|(value, _)| value).as_deref(), Some("yes"));
}

#[test]
fn the_number_of_plies_before_an_exchange_of_sides_is_inferred() {
    let mut records = random_game::records(&rules("brandubh7"), 6, 12, 40);
    records[3].push_tag("swapped", "1", tafl_rules::Span::default());
    let found = infer_all(&records, &InferOptions::default());
    assert_eq!(found.groups[0].rules.swap, Some(1), "{:?}", found.groups[0].options);
    assert_eq!(found.groups[0].n_agreeing, 12);
}
