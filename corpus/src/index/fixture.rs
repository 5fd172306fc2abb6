//! Segments of random games for tests.

use std::path::Path;

use tafl_rules::facts::{Event, Facts, KingSight};
use tafl_rules::zobrist::CanonicalKey;
use tafl_rules::{AnyRulebook, BySide, Game, RuleSet, catalog};
use tantivy::directory::OwnedBytes;

use crate::id::{GameId, LineId, RulesId};
use crate::row::{GameRow, Verdict};
use crate::tape::{Arena, GameResult, GoesOn, Tape, TapeWriter};

/// Boards small and hexagonal, and one with two kings.
pub(crate) const VARIANTS: [&str; 4] = ["brandubh7", "hexentafl4", "cyngesheall7", "tablut-linnaeus"];

/// A segment of random games, without a folder.
pub(crate) struct Fixture {
    pub(crate) tape: Tape,
    pub(crate) keys: Vec<CanonicalKey>,
    pub(crate) rows: Vec<GameRow>,
}

/// Random numbers that are the same in every run: SplitMix64.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn choose<'c>(&mut self, choices: &[&'c str]) -> &'c str {
        choices[self.below(choices.len())]
    }

    /// Returns one of the choices, or nothing for an empty one.
    fn maybe(&mut self, choices: &[&str]) -> Option<String> {
        Some(self.choose(choices).to_owned()).filter(|text| !text.is_empty())
    }
}

impl Fixture {
    /// Returns a segment of random games of [`VARIANTS`], with facts that are as random.
    pub(crate) fn new(seed: u64, n_games: usize) -> Fixture {
        let mut dice = Dice(seed);
        let (mut writer, mut keys, mut played) = (TapeWriter::default(), Vec::new(), Vec::new());
        for _ in 0..n_games {
            let name = dice.choose(&VARIANTS);
            let rules = catalog::find(name).unwrap().rules();
            play(&rules, &mut dice, (&mut writer, &mut keys));
            played.push((name, rules));
        }
        let tape = Tape::open(OwnedBytes::new(writer.finish())).unwrap();
        let rows = (0..).zip(&played);
        let rows = rows.map(|(game, (name, rules))| row((name, rules), &tape, game, &mut dice)).collect();
        Fixture { tape, keys, rows }
    }

    /// Builds the index into a folder.
    pub(crate) fn build(&self, folder: &Path) {
        super::build(folder, &self.tape, self.keys.iter().copied(), &self.rows).unwrap();
    }
}

fn play(rules: &RuleSet, dice: &mut Dice, (tape, keys): (&mut TapeWriter, &mut Vec<CanonicalKey>)) {
    let mut game = Game::new(&AnyRulebook::compile(rules).unwrap());
    let arena = Arena { rules: rules.to_string(), start: rules.start.to_string(), first: rules.first_mover };
    tape.begin(&arena, game.shape(), &facts(dice, &[]));
    keys.push(game.canonical_key().0);
    for _ in 0..dice.below(70) {
        let moves = game.moves();
        if moves.is_empty() || game.outcome().is_some() {
            break;
        }
        // Games begin alike, so that positions occur more than once.
        let n = if game.n_plies() < 3 { 2 } else { moves.len() };
        let mv = moves[dice.below(n.min(moves.len()))];
        let Ok(ply) = game.play(mv) else { break };
        let captured: Vec<_> = ply.captured.iter().collect();
        let goes_on = if ply.goes_on { GoesOn::SameSide } else { GoesOn::OtherSide };
        tape.ply(mv, &captured, goes_on, &facts(dice, &captured));
        keys.push(game.canonical_key().0);
    }
    tape.end(GameResult::ALL[dice.below(4)]);
}

fn facts(dice: &mut Dice, captured: &[tafl_rules::Cell]) -> Facts {
    let mut facts = Facts::default();
    if !captured.is_empty() {
        facts.events.insert(Event::Capture);
    }
    if dice.below(20) == 0 {
        facts.events.insert(Event::ALL[dice.below(Event::ALL.len())]);
    }
    let sight = |dice: &mut Dice| (dice.below(5) > 0).then(|| KingSight::from_code(dice.below(128) as u8));
    facts.kings = BySide { attackers: sight(dice), defenders: sight(dice) };
    facts
}

fn row((name, rules): (&str, &RuleSet), tape: &Tape, game: u32, dice: &mut Dice) -> GameRow {
    let players = ["", "Anna Berg", "Sven Åberg", "BERG", "Ingrid Sv", "anna-berg"];
    let comments = ["", "A shield wall!", "a wall, no shield", "Shield Walls fall. Why?", "nothing"];
    let rating = |dice: &mut Dice| (dice.below(3) > 0).then(|| 1000 + dice.below(5) as i16 * 100);
    GameRow {
        game: GameId(dice.next()),
        line: LineId(dice.next()),
        variant: Some(name.to_owned()),
        rules: rules.to_string().into(),
        rules_id: RulesId(dice.next()),
        shape: rules.shape().to_string().into(),
        start: rules.start.to_string().into(),
        first: rules.first_mover,
        attackers: dice.maybe(&players),
        defenders: dice.maybe(&players),
        attackers_rating: rating(dice),
        defenders_rating: rating(dice),
        event: dice.maybe(&["", "Winter Cup 2019", "Summer cup"]),
        round: dice.maybe(&["", "1", "2.1"]),
        date: dice.maybe(&["", "2019", "2019-03", "2019-03-17", "2020-01-01"]),
        year: (dice.below(3) > 0).then(|| 2018 + dice.below(3) as i16),
        result: tape.entry(game).result,
        plies: tape.entry(game).n_plies,
        source: Some(dice.choose(&["games.csv", "more/games.csv"]).to_owned()),
        place: Some(game),
        verdict: if dice.below(2) == 0 { Verdict::Sound } else { Verdict::Explained },
        findings: dice.maybe(&["", "L001", "L001 R002"]),
        comments: dice.maybe(&comments),
        tags: match dice.maybe(&["", "Anna", "a wall"]) {
            Some(text) => vec![("Annotator".to_owned(), text)],
            None => Vec::new(),
        },
        ..GameRow::default()
    }
}
