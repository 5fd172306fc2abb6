//! No entry of the crate panics on a record of one board with the rules of another one.

use std::num::NonZeroUsize;

use tafl_parser::{
    Format, InferOptions, Parsed, Record, RepairOptions, RepairStatus, Repairer, Replay, ReplayOptions,
    Replayer, RuleChoice, Source, Undecidable, WriteGame, attribute, infer, patch_record, write_record,
};
use tafl_rules::catalog::{self, NamedRules};
use tafl_rules::{AnyRulebook, Game, RuleSet, Shape};

/// Returns the text of a record with the first legal moves of a variant, in our own JSON lines.
fn text_of(rules: &RuleSet, with_start: bool) -> String {
    let shape = rules.shape();
    let mut game = Game::new(&AnyRulebook::compile(rules).unwrap());
    let mut moves = Vec::new();
    for _ in 0..4 {
        let Some(mv) = game.moves().into_iter().next_back() else { break };
        moves.push(format!("{}-{}", shape.coord(mv.from), shape.coord(mv.to)));
        game.play(mv).unwrap();
    }
    let start = format!(r#""start":{{"board":"{shape}","position":"{}"}},"#, rules.start);
    let start = if with_start { start } else { String::new() };
    format!(
        r#"{{"taflbase":1,{start}"lines":[{{"moves":"{}"}}],"result":{{"verdict":"attackers"}}}}"#,
        moves.join(" ")
    )
}

fn parsed(text: &str) -> Parsed<Record> {
    let parsed = Format::Jsonl.parse(&Source::new(text));
    assert_eq!(parsed.diagnostics, []);
    parsed
}

/// Returns the first variant of each board and shape.
fn one_of_each_board() -> Vec<&'static NamedRules> {
    let mut seen: Vec<Shape> = Vec::new();
    let mut is_new = |variant: &&NamedRules| {
        let shape = variant.rules().shape();
        let is_new = !seen.contains(&shape);
        seen.push(shape);
        is_new
    };
    catalog::all().filter(|variant| is_new(variant)).collect()
}

fn codes(replay: &Replay) -> Vec<&'static str> {
    replay.diagnostics.iter().map(|found| found.code().as_str()).collect()
}

#[test]
fn records_of_each_board_are_replayed_by_the_rules_of_each_variant() {
    let texts: Vec<String> =
        one_of_each_board().iter().map(|variant| text_of(&variant.rules(), true)).collect();
    for rules in catalog::all() {
        let shape = rules.rules().shape();
        let rules = Some(RuleChoice::named(rules));
        let mut replayer = Replayer::new(ReplayOptions { rules, ..ReplayOptions::default() });
        for text in &texts {
            let record = parsed(text).value;
            let replay = replayer.replay(&record);
            let is_other = record.start.is_some_and(|start| start.setup.shape() != shape);
            assert_eq!(codes(&replay).contains(&"H013"), is_other, "{text}");
            assert_eq!(replay.rules.is_none(), is_other, "{text}");
        }
    }
}

#[test]
fn no_entry_panics_on_a_record_with_the_start_of_another_board() {
    check_every_pair_of_boards(true);
}

#[test]
fn no_entry_panics_on_moves_of_another_board() {
    check_every_pair_of_boards(false);
}

fn check_every_pair_of_boards(with_start: bool) {
    let variants = one_of_each_board();
    assert!(variants.len() > 8, "{}", variants.len());
    let pairs: Vec<_> =
        variants.iter().flat_map(|one| variants.iter().map(move |other| (*one, *other))).collect();
    std::thread::scope(|scope| {
        for half in 0..2 {
            let half = pairs.iter().skip(half).step_by(2);
            scope.spawn(move || {
                for (of_record, of_rules) in half {
                    every_entry(&text_of(&of_record.rules(), with_start), of_rules);
                }
            });
        }
    });
}

/// Passes a record and rules to every entry of the crate.
fn every_entry(text: &str, variant: &'static NamedRules) {
    let source = Source::new(text);
    let mut parsed = parsed(text);
    let rules = variant.rules();
    // Without a start, the record is a game from the start of the rules, and many rules are tried.
    if parsed.value.start.is_some() || rules.shape().n_cells() < 50 {
        attribute(&parsed.value, &rules);
    }
    for is_forced in [true, false] {
        let choice = RuleChoice::named(variant);
        let options = if is_forced {
            ReplayOptions { rules: Some(choice), ..ReplayOptions::default() }
        } else {
            ReplayOptions { hint: Some(choice), ..ReplayOptions::default() }
        };
        let limits = RepairOptions { max_edits: 1, budget: 100, ..RepairOptions::default() };
        let mut repairer = Repairer::new(options, limits);
        let diagnosis = repairer.repair(&source, &parsed);
        for repair in &diagnosis.repairs {
            let _ = patch_record(&source, &parsed, repair);
        }
    }
    parsed.value.rules =
        Some(tafl_parser::Written { text: rules.to_string().into(), span: Default::default() });
    for format in Format::ALL.into_iter().filter(|format| format.is_writable()) {
        let _ = write_record(WriteGame { record: &parsed.value, played: None }, format, &mut String::new());
    }
}

#[test]
fn inference_survives_a_hint_of_another_board() {
    let brandubh = catalog::find("brandubh7").unwrap();
    let tablut = catalog::find("tablut9").unwrap();
    let records =
        [text_of(&brandubh.rules(), true), text_of(&tablut.rules(), false)].map(|text| parsed(&text).value);
    let records: Vec<&Record> = records.iter().collect();
    let threads = NonZeroUsize::MIN;
    infer(&records, &InferOptions { hint: Some(tablut.rules()), threads, ..InferOptions::default() });
}

#[test]
fn a_record_that_cannot_be_checked_is_not_sound_for_repair() {
    let tablut = catalog::find("tablut9").unwrap();
    let other_board =
        text_of(&tablut.rules(), true).replace("\"start\"", "\"variant\":\"brandubh7\",\"start\"");
    let unknown = r#"{"taflbase":1,"lines":[{"moves":""}]}"#.to_owned();
    for text in [other_board, unknown] {
        let mut repairer = Repairer::new(ReplayOptions::default(), RepairOptions::default());
        let diagnosis = repairer.repair(&Source::new(&text), &parsed(&text));
        assert_eq!(diagnosis.status, RepairStatus::Undecidable(Undecidable::NoRules), "{text}");
    }
}
