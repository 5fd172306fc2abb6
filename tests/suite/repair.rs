//! Repair: known faults in games of several variants are mended, sound games stay, and nothing makes it panic.

use proptest::prelude::*;
use tafl_parser::record::{CaptureStyle, Verdict, WrittenMove, WrittenResult};
use tafl_parser::repair::fault::{Dice, Fault, Specimen};
use tafl_parser::repair::{RepairOptions, Repairer, Standing, patch};
use tafl_parser::replay::{Choice, ReplayOptions, Replayer, Soundness};
use tafl_parser::{Format, Record, Source};
use tafl_rules::{AnyRulebook, Game, Move, Outcome, Span, catalog};

const VARIANTS: [&str; 8] = [
    "brandubh7",
    "cyngesheall7",
    "tablut9_wtf",
    "seabattle9",
    "copenhagen11",
    "tawlbwrdd11",
    "hexentafl4",
    "berserk11",
];
const GAMES: u64 = 4;
const MOST_PLIES: usize = 60;

/// Plays a game in which a side takes when it finds a capture among a few moves, and ends it when it can.
fn game(book: &AnyRulebook, dice: &mut Dice) -> Record {
    let mut game = Game::new(book);
    let shape = book.shape();
    let mut record = Record::new(Format::MoveList);
    record.capture_style = CaptureStyle::NotWritten;
    let mut is_chained = false;
    while record.main().moves.len() < MOST_PLIES && game.outcome().is_none() {
        let moves = game.moves();
        let chosen = |dice: &mut Dice| moves.get(dice.below(moves.len())).copied();
        let takes = |mv: &Move| game.clone().play(*mv).is_ok_and(|ply| !ply.captured.is_empty());
        let tries: Vec<Move> = (0..8).filter_map(|_| chosen(dice)).collect();
        let Some(mv) = tries.iter().find(|mv| takes(mv)).or(tries.first()).copied() else { break };
        let side = game.to_move();
        let ply = game.play(mv).expect("a legal move can be played");
        let written = WrittenMove::new(shape.coord(mv.from), shape.coord(mv.to), Span::at(0));
        let first = record.captures.len();
        record.push_move(WrittenMove { chained: is_chained, ..written }, first);
        is_chained = ply.goes_on && game.to_move() == side;
    }
    let verdict = match game.outcome() {
        Some(Outcome { winner: Some(side), .. }) => Verdict::Win(side),
        Some(Outcome { winner: None, .. }) => Verdict::Draw,
        None => Verdict::Ongoing,
    };
    record.result = Some(WrittenResult { verdict, reason: None, span: Span::at(0) });
    record
}

fn specimens(variant: &str) -> Vec<Specimen> {
    let named = catalog::find(variant).expect("a variant of the catalog");
    let book = AnyRulebook::compile(&named.rules()).expect("a test compiles every variant");
    let options = ReplayOptions { rules: Some(Choice::named(named)), ..ReplayOptions::default() };
    let mut replayer = Replayer::new(options);
    let mut dice = Dice::new(7);
    let games = (0..GAMES).filter_map(|_| {
        let record = game(&book, &mut dice);
        Specimen::new(&record, &replayer.replay(&record))
    });
    games.collect()
}

fn repairer() -> Repairer {
    Repairer::new(ReplayOptions::default(), RepairOptions::default())
}

#[test]
fn known_faults_are_mended_and_hardly_ever_for_the_worse() {
    let mut repairer = repairer();
    let (mut seen, mut decided, mut fixed, mut wrong) = (0u32, 0u32, 0u32, Vec::new());
    for variant in VARIANTS {
        let specimens = specimens(variant);
        assert!(!specimens.is_empty(), "{variant} has no games");
        for (nth, specimen) in specimens.iter().enumerate() {
            let sound = specimen.sound();
            let standing = repairer.repair(&Source::new(&sound.text), &sound.parsed).standing;
            assert_eq!(standing, Standing::Sound, "{variant}: {}", sound.text);
            for fault in Fault::ALL {
                let mut dice = Dice::new(100 * nth as u64 + fault as u64);
                let Some(injured) = specimen.injure(fault, &mut dice) else { continue };
                let diagnosis = repairer.repair(&Source::new(&injured.text), &injured.parsed);
                match diagnosis.standing {
                    Standing::Sound | Standing::Explained(_) => continue,
                    Standing::Ambiguous => {}
                    Standing::Undecidable(_) => decided += 1,
                    Standing::Decided if specimen.is(&diagnosis.repairs[0]) => {
                        (decided, fixed) = (decided + 1, fixed + 1);
                    }
                    Standing::Decided => {
                        decided += 1;
                        let words = diagnosis.repairs[0].edits[0].words();
                        wrong.push(format!("{variant}, {}: {}: {words}", fault.name(), injured.text));
                    }
                }
                seen += 1;
            }
        }
    }
    println!("{seen} faults seen, {decided} decidable, {fixed} fixed, {} wrong", wrong.len());
    assert!(seen > 400 && decided > 300, "{seen} {decided}");
    assert!(f64::from(fixed) >= 0.97 * f64::from(decided), "{fixed} of {decided}\n{}", wrong.join("\n"));
    assert!(wrong.len() <= 3, "{}", wrong.join("\n"));
}

#[test]
fn a_repaired_text_is_sound() {
    let mut repairer = repairer();
    let mut n_written = 0;
    for specimen in VARIANTS.into_iter().flat_map(specimens) {
        for fault in [Fault::Character, Fault::Doubled, Fault::Missing, Fault::Unread, Fault::CaptureWrong] {
            let Some(injured) = specimen.injure(fault, &mut Dice::new(3)) else { continue };
            let source = Source::new(&injured.text);
            let diagnosis = repairer.repair(&source, &injured.parsed);
            let Some(repair) = diagnosis.repairs.first() else { continue };
            // A list of moves does not name its variant; that is no part of the text.
            let mut plain = injured.parsed.clone();
            plain.value.variant = None;
            let mut repair = repair.clone();
            repair.record.variant = None;
            let patch = patch(&source, &plain, &repair).expect("a list of moves says every move");
            let rules = catalog::find(specimen.variant).map(Choice::named);
            let options = ReplayOptions { rules, ..ReplayOptions::default() };
            let line = patch.text.lines().last().unwrap_or_default();
            let read = Format::MoveList.parse(&Source::new(line));
            assert!(read.diagnostics.is_empty(), "{}", patch.text);
            let replay = Replayer::new(options).replay(&read.value);
            assert_eq!(replay.verdict(), Soundness::Sound, "{}", patch.text);
            n_written += 1;
        }
    }
    assert!(n_written > 80, "{n_written}");
}

/// Returns the words of a list of moves, some of them moves of a game.
fn words() -> impl Strategy<Value = String> {
    let real = "d1-f1|d3-a3|d2-e2|d4-d1|a4-a6|d1-a1";
    let word = prop_oneof![
        4 => prop::string::string_regex(real).expect("a pattern"),
        2 => prop::string::string_regex("[a-h][0-9]{1,2}-[a-h][0-9]{1,2}(x[a-h][0-9]){0,2}").expect("a pattern"),
        1 => prop::string::string_regex("[a-z0-9?-]{1,6}|resigned|timeout").expect("a pattern"),
    ];
    let tail = prop::string::string_regex("|,[0-9],[0-9],(White|Black|Draw|Ongoing|)").expect("a pattern");
    (prop::collection::vec(word, 0..12), tail).prop_map(|(words, tail)| words.join(" ") + &tail)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_list_of_moves_can_be_asked_about(text in words()) {
        let rules = catalog::find("brandubh7").map(Choice::named);
        let replay = ReplayOptions { rules, ..ReplayOptions::default() };
        let options = RepairOptions { budget: 60_000, ..RepairOptions::default() };
        let source = Source::new(&text);
        let parsed = Format::MoveList.parse(&source);
        let diagnosis = Repairer::new(replay, options).repair(&source, &parsed);
        let sum: f64 = diagnosis.repairs.iter().map(|repair| repair.confidence).sum();
        prop_assert!(sum <= 1.0 + 1e-9);
        for repair in &diagnosis.repairs {
            prop_assert_eq!(repair.edits.len(), repair.places.len());
            prop_assert!(repair.places.iter().all(|place| place.end as usize <= text.len()));
            let _ = patch(&source, &parsed, repair);
        }
    }
}
