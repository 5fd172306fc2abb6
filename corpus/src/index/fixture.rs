//! Segments of random games for tests.

use std::path::Path;

use tafl_rules::{AnyRulebook, BySide, CanonicalKey, Event, Facts, Game, KingStatus, Rng, RuleSet, catalog};
use tantivy::directory::OwnedBytes;

use crate::id::{GameId, LineOfPlayId, RulesId};
use crate::move_log::{GameResult, GameSetup, MoveLog, MoveLogWriter};
use crate::row::{GameRow, RecordVerdict};

/// Boards small and hexagonal, and one with two kings.
pub(crate) const VARIANTS: [&str; 4] = ["brandubh7", "hexentafl4", "cyngesheall7", "tablut-linnaeus"];

/// A segment of random games, without a folder.
pub(crate) struct Fixture {
    pub(crate) move_log: MoveLog,
    pub(crate) keys: Vec<CanonicalKey>,
    pub(crate) rows: Vec<GameRow>,
}

fn choose<'c>(rng: &mut Rng, choices: &[&'c str]) -> &'c str {
    choices[rng.below(choices.len())]
}

/// Returns one of the choices, or `None` for an empty one.
fn maybe(rng: &mut Rng, choices: &[&str]) -> Option<String> {
    Some(choose(rng, choices).to_owned()).filter(|text| !text.is_empty())
}

impl Fixture {
    /// Returns a segment of random games of [`VARIANTS`], with facts that are as random.
    pub(crate) fn new(seed: u64, n_games: usize) -> Fixture {
        let mut rng = Rng::new(seed);
        let (mut writer, mut keys, mut played) = (MoveLogWriter::default(), Vec::new(), Vec::new());
        for _ in 0..n_games {
            let name = choose(&mut rng, &VARIANTS);
            let rules = catalog::find(name).unwrap().rules();
            play(&rules, &mut rng, (&mut writer, &mut keys));
            played.push((name, rules));
        }
        let move_log = MoveLog::open(OwnedBytes::new(writer.finish())).unwrap();
        let rows = (0..).zip(&played);
        let rows = rows.map(|(game, (name, rules))| row((name, rules), &move_log, game, &mut rng)).collect();
        Fixture { move_log, keys, rows }
    }

    /// Builds the index into a folder.
    pub(crate) fn build(&self, folder: &Path) {
        super::build(folder, &self.move_log, self.keys.iter().copied(), &self.rows).unwrap();
    }
}

fn play(rules: &RuleSet, rng: &mut Rng, (move_log, keys): (&mut MoveLogWriter, &mut Vec<CanonicalKey>)) {
    let mut game = Game::new(&AnyRulebook::compile(rules).unwrap());
    let game_setup =
        GameSetup { rules: rules.to_string(), start: rules.start.to_string(), first: rules.first_mover };
    move_log.begin(&game_setup, game.shape(), &facts(rng, &[]));
    keys.push(game.canonical_key().0);
    for _ in 0..rng.below(70) {
        let moves = game.moves();
        if moves.is_empty() || game.outcome().is_some() {
            break;
        }
        // Games begin alike, so that positions occur more than once.
        let n = if game.n_plies() < 3 { 2 } else { moves.len() };
        let mv = moves[rng.below(n.min(moves.len()))];
        let Ok(ply) = game.play(mv) else { break };
        let captured: Vec<_> = ply.captured.iter().collect();
        move_log.ply(mv, &captured, ply.goes_on, &facts(rng, &captured));
        keys.push(game.canonical_key().0);
    }
    move_log.end(GameResult::ALL[rng.below(4)]);
}

fn facts(rng: &mut Rng, captured: &[tafl_rules::Cell]) -> Facts {
    let mut facts = Facts::default();
    if !captured.is_empty() {
        facts.events.insert(Event::Capture);
    }
    if rng.below(20) == 0 {
        facts.events.insert(Event::ALL[rng.below(Event::ALL.len())]);
    }
    let status = |rng: &mut Rng| (rng.below(5) > 0).then(|| KingStatus::from_code(rng.below(128) as u8));
    facts.kings = BySide { attackers: status(rng), defenders: status(rng) };
    facts
}

fn row((name, rules): (&str, &RuleSet), move_log: &MoveLog, game: u32, rng: &mut Rng) -> GameRow {
    let players = ["", "Anna Berg", "Sven Åberg", "BERG", "Ingrid Sv", "anna-berg"];
    let comments = ["", "A shield wall!", "a wall, no shield", "Shield Walls fall. Why?", "nothing"];
    let rating = |rng: &mut Rng| (rng.below(3) > 0).then(|| 1000 + rng.below(5) as i16 * 100);
    GameRow {
        game: GameId(rng.next_u64()),
        line: LineOfPlayId(rng.next_u64()),
        variant: Some(name.to_owned()),
        rules: rules.to_string().into(),
        rules_id: RulesId(rng.next_u64()),
        shape: rules.shape().to_string().into(),
        start: rules.start.to_string().into(),
        first: rules.first_mover,
        attackers: maybe(rng, &players),
        defenders: maybe(rng, &players),
        attackers_rating: rating(rng),
        defenders_rating: rating(rng),
        event: maybe(rng, &["", "Winter Cup 2019", "Summer cup"]),
        round: maybe(rng, &["", "1", "2.1"]),
        date: maybe(rng, &["", "2019", "2019-03", "2019-03-17", "2020-01-01"]),
        year: (rng.below(3) > 0).then(|| 2018 + rng.below(3) as i16),
        result: move_log.entry(game).result,
        plies: move_log.entry(game).n_plies,
        source: Some(choose(rng, &["games.csv", "more/games.csv"]).to_owned()),
        place: Some(game),
        verdict: if rng.below(2) == 0 { RecordVerdict::Sound } else { RecordVerdict::Explained },
        findings: maybe(rng, &["", "L001", "L001 R002"]),
        comments: maybe(rng, &comments),
        tags: match maybe(rng, &["", "Anna", "a wall"]) {
            Some(text) => vec![("Annotator".to_owned(), text)],
            None => Vec::new(),
        },
        ..GameRow::default()
    }
}
