//! Properties of rules, games, and parsers with random input. The fuzz targets check the same properties.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use tafl_parser::{Format, Record, ReplayOptions, Replayer, Source, detect};
use tafl_rules::{Rng, RuleSet, catalog};
use tafl_tests::check::{
    check_position_record, check_reading, check_record, check_replay, check_rules_string, check_writing,
    play_with_mirror,
};
use tafl_tests::random::random_rules;

/// Returns settings for `cases` cases, always the same; fuzzing searches further. Each fixed failure gets a separate test,
/// so no seeds are stored.
fn cases(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(0x7461_666c);
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

/// Returns the rules of a random variant of the catalog.
fn known_rules() -> impl Strategy<Value = RuleSet> {
    any::<Index>().prop_map(|nth| {
        let all: Vec<_> = catalog::all().collect();
        all[nth.index(all.len())].rules()
    })
}

const RULES: &str = "dim:7 name:Brandubh ks:c start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

/// Realistic texts in the notations without fixtures.
const TEXTS: [(Format, &str); 7] = [
    (Format::MoveList, "d1-c1 d3-a3 g4-g2 d5-g5 timeout,0,0,White\n\n# a line\ne1-e4-e5xe3,1,0,Draw\n"),
    (
        Format::OpenTafl,
        "[event:A cup]\n[result:-1]\n[rules:RULES]\n\n[|A word.]\n1. d1-c1 d3-a3\n[One.|Two.]\n\
         2. g4-g2 Kd4-d3xd2/kc3!?\n1a.1.1a. d2-c2 d5-g5\n3. c1^c2 ---\n\n[event:B]\n[variant:tablut]\n1. d1-c1 resigns\n",
    ),
    (Format::Cyngesheall, "[rules:RULES]\n\n1. D1-C1 D3-A3\n2. G4-G2 KD4-D3xD2/CB2!\n\nD1-C1 D3-A3xA4\n"),
    (
        Format::Pgn,
        "[Event \"A \\\"big\\\" cup\"]\n[Variant \"brandubh\"]\n[Result \"0-1\"]\n\n\
         1. d1c1 {a word} (1. d1d2 d3a3) 1... d3a3 2. g4-g2 d5xg5 0-1\n\n",
    ),
    (Format::SkudPaiSho, "0D.1;0A.1;1D.c4-b4;1A.a1-a2;2D.Kd4-d3\n"),
    (
        Format::AageNielsen,
        "{\"id\":\"1\",\"rules_name\":\"Brandubh 7x7\",\"moves\":\"d1-c1 d3-a3\",\"result\":\"1-0\"}\n",
    ),
    (
        Format::Jsonl,
        "{\"taflbase\":1,\"format\":\"opentafl\",\"tags\":[[\"event\",\"A\"]],\"rules\":\"RULES\",\
         \"lines\":[{\"moves\":\"d1-c1 d3-a3xa4/b3!\"},{\"parent\":0,\"at\":1,\"number\":1,\"moves\":\"d3-e3\"}],\
         \"ending\":{\"kind\":\"timeout\",\"side\":null,\"after\":2},\"result\":{\"verdict\":\"defenders\"}}\n",
    ),
];

/// Returns realistic texts in every notation: [`TEXTS`], and the hand-made inputs that are valid UTF-8.
fn texts() -> &'static [(Format, String)] {
    static ALL: OnceLock<Vec<(Format, String)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut texts: Vec<(Format, String)> =
            TEXTS.iter().map(|(format, text)| (*format, text.replace("RULES", RULES))).collect();
        let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/inputs");
        let mut folders = vec![inputs];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("the folder of inputs can be read") {
                let path = entry.expect("the folder of inputs can be read").path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(text) = fs::read_to_string(&path)
                    && let Some(format) = detect(text.as_bytes(), path.to_str()).first()
                    && text.len() < 4096
                {
                    texts.push((*format, text));
                }
            }
        }
        assert!(texts.len() > 200, "the hand-made inputs were found");
        texts
    })
}

/// Returns a realistic text with some damage.
fn damaged_text() -> impl Strategy<Value = (Format, String)> {
    let patch = prop_oneof![
        3 => Just(String::new()),
        3 => "[-\\[\\]{}\",:x/=0-9a-kA-K \n\t\\\\]{1,6}",
        1 => "\\PC{1,4}",
        1 => Just("99999999999999999999".to_owned()),
    ];
    let damage = prop::collection::vec((any::<Index>(), 0_usize..40, patch), 0..5);
    (0..texts().len(), damage).prop_map(|(nth, damage)| {
        let (format, mut text) = texts()[nth].clone();
        for (at, cut, patch) in damage {
            let at = boundary(&text, at.index(text.len() + 1));
            let end = boundary(&text, at + cut).max(at);
            text.replace_range(at..end, &patch);
        }
        (format, text)
    })
}

fn boundary(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at.min(text.len()))
}

fn parse(format: Format, text: &str) -> Record {
    format.parse(&Source::new(text)).value
}

#[test]
fn spans_of_findings_contain_whole_characters() {
    let long = "a\u{e6}".repeat(30);
    for format in Format::ALL {
        for start in
            ["", "1. d1-d3\n[-", "1. d1d3 {-", "[Event \"", "[event:", "\u{b5}", "{\u{b5}", "[\u{b5}", "\""]
        {
            check_record(format, start);
            check_record(format, &format!("{start}{long}"));
        }
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn a_rules_string_contains_all_random_rules(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let rules = random_rules(&mut rng);
        let text = rules.to_string();
        prop_assert_eq!(text.parse::<RuleSet>(), Ok(rules));
        check_rules_string(&text, &mut rng);
    }

    #[test]
    fn a_damaged_rules_string_is_read_or_rejected(
        rules in known_rules(), at in any::<Index>(), cut in 0_usize..20, patch in "[a-z0-9:/, ]{0,4}", seed in any::<u64>(),
    ) {
        let mut text = rules.to_string();
        let at = at.index(text.len());
        text.replace_range(at..(at + cut).min(text.len()), &patch);
        check_rules_string(&text, &mut Rng::new(seed));
    }

    #[test]
    fn lists_checks_keys_and_mirrors_agree_under_random_rules(seed in any::<u64>()) {
        let mut rng = Rng::new(seed);
        let rules = random_rules(&mut rng);
        play_with_mirror(&rules, 25, &mut rng);
    }

    #[test]
    fn a_position_record_is_read_or_rejected(text in "/([1-9tTkKcNmg/]{1,3}/?){3,11}") {
        check_position_record(&text);
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn lists_checks_keys_and_mirrors_agree_in_the_catalog(rules in known_rules(), seed in any::<u64>()) {
        play_with_mirror(&rules, 25, &mut Rng::new(seed));
    }

    #[test]
    fn a_damaged_stream_is_read_the_same_in_batches_of_any_size((format, text) in damaged_text(), is_forced in any::<bool>()) {
        check_reading("-", text.as_bytes(), is_forced.then_some(format));
    }

    #[test]
    fn a_damaged_record_replays_as_far_as_it_is_legal((format, text) in damaged_text()) {
        let record = check_record(format, &text).value;
        check_replay(&mut Replayer::new(ReplayOptions::default()), &record, &text);
    }

    #[test]
    fn a_damaged_record_is_read_the_same_after_writing((format, text) in damaged_text()) {
        check_writing(&parse(format, &text));
    }
}
