//! Random records: legal games with tags, comments, variations, and ends.

use tafl_parser::{CaptureStyle, Written};
use tafl_parser::{
    Comment, EndingKind, Format, LineBranch, MoveLineId, MovePlace, Record, WrittenCaptureCounts,
    WrittenEnding, WrittenMove, WrittenResult, WrittenStart, WrittenVerdict, tag,
};
use tafl_rules::{AnyRulebook, BySide, Game, Reason, RepetitionMode, Rng, Side, Span, catalog};

/// The maximum number of plies of a game.
const LONGEST: usize = 24;
/// The variants of the records.
const VARIANTS: [&str; 12] = [
    "brandubh7",
    "tablut9_linnaeus",
    "copenhagen11",
    "fetlar11",
    "hexentafl4",
    "hexentafl5",
    "cyngesheall7",
    "seabattle9",
    "tawlbwrdd11",
    "ardri7",
    "berserk11",
    "alea19",
];
/// Names of tags.
const NAMES: [&str; 10] = [
    tag::EVENT,
    tag::SITE,
    tag::DATE,
    tag::ROUND,
    tag::ATTACKERS,
    tag::DEFENDERS,
    tag::ANNOTATOR,
    tag::TIME_CONTROL,
    tag::COMPILER,
    "remark",
];
/// Names of tags that only some notation or program knows.
const OTHER_NAMES: [&str; 8] =
    ["game", "endtype", "rankings", "AageGameTypeName", "WhoMovedFirst", "Opening2", "x-y", "league"];
/// Parts of tags and comments.
const WORDS: [&str; 24] = [
    "Ann",
    "Bob",
    "spring cup",
    "good move",
    "3.",
    "12",
    "d2-d4",
    "2026.11.23",
    "æ½",
    "\"quoted\"",
    "(aside)",
    "[x]",
    "{y}",
    "a|b",
    "a: b",
    "semi;colon",
    "a, b",
    "\\",
    "#1",
    "-",
    "White resigns",
    "1-0",
    "<b>",
    "K",
];

/// A variant with its rules.
struct Variant {
    name: &'static str,
    game: Game,
    rules: String,
}

/// A source of random records.
pub struct RandomRecords {
    variants: Vec<Variant>,
}

impl Default for RandomRecords {
    fn default() -> RandomRecords {
        RandomRecords::new()
    }
}

impl RandomRecords {
    /// Returns a source of records of many variants.
    pub fn new() -> RandomRecords {
        let known = VARIANTS.into_iter().filter_map(catalog::find);
        let variants = known.map(|named| {
            let rules = named.rules();
            let book = AnyRulebook::compile(&rules).expect("variants of the catalog can be compiled");
            let game = Game::with_mode(&book, RepetitionMode::Report);
            Variant { name: named.name, game, rules: rules.to_string() }
        });
        RandomRecords { variants: variants.collect() }
    }

    /// Returns a random record.
    pub fn record(&mut self, rng: &mut Rng) -> Record {
        let nth = rng.below(self.variants.len());
        let Variant { name, game, rules } = &mut self.variants[nth];
        let span = Span::default();
        let written = |text: &str| Some(Written { text: text.into(), span });
        let mut record = Record::new(Format::ALL[rng.below(Format::ALL.len())]);
        let kind = rng.below(4);
        record.variant = if kind != 1 { written(name) } else { None };
        record.rules = if kind == 1 || kind == 2 { written(rules) } else { None };
        for _ in 0..rng.below(4) {
            let name = tag_name(rng);
            if record.tag(&name).is_none() {
                record.push_tag(&name, &words(rng), span);
            }
        }
        game.restart();
        if rng.percent(5) {
            record.start = Some(WrittenStart { setup: game.setup(), span });
            record.first_mover = Some(game.to_move());
        }
        record.capture_style = CaptureStyle::Listed;
        let longest = rng.below(LONGEST);
        play(game, longest, &mut record, rng);
        end(game, &mut record, rng);
        if rng.percent(20) {
            // Most of these numbers are wrong.
            let by = BySide::from_fn(|_| rng.below(3) as u32);
            record.capture_counts =
                Some(WrittenCaptureCounts { by, spans: BySide { attackers: span, defenders: span } });
        }
        if rng.percent(25) {
            add_variation(game, &mut record, rng);
        }
        for _ in 0..rng.below(3) {
            let line = MoveLineId(rng.below(record.n_lines()) as u32);
            let place = MovePlace { line, after: rng.below(record.line(line).moves.len() + 1) as u32 };
            record.comments.push(Comment { place, text: &words(rng), span });
        }
        record.forget_places();
        record
    }
}

/// Plays random moves of a game into the main line of a record.
fn play(game: &mut Game, longest: usize, record: &mut Record, rng: &mut Rng) {
    let mut is_chained = false;
    for _ in 0..longest {
        let moves = game.moves();
        let Some(mv) = rng.pick(&moves).copied().filter(|_| game.outcome().is_none()) else { break };
        let ply = game.play(mv).expect("a move of the list is legal");
        let mv = record.played_move(mv, ply.captured.iter(), game.shape());
        record.main_mut().moves.push(WrittenMove { chained: is_chained, ..mv });
        is_chained = ply.goes_on;
    }
}

/// Adds the result, and sometimes a resignation or a timeout.
fn end(game: &Game, record: &mut Record, rng: &mut Rng) {
    let span = Span::default();
    let after = record.main().moves.len() as u32;
    let kinds = [EndingKind::Resigned, EndingKind::Timeout];
    let (verdict, reason) = match game.outcome() {
        Some(outcome) => {
            let verdict = outcome.winner.map_or(WrittenVerdict::Draw, WrittenVerdict::Win);
            (verdict, Some(outcome.reason).filter(|_| rng.percent(30)))
        }
        None if rng.percent(30) => {
            let (kind, loser) = (kinds[rng.below(2)], Side::ALL[rng.below(2)]);
            // Without a side, the result decides, or else the side to move.
            let side = Some(loser).filter(|_| rng.percent(70));
            record.ending = Some(WrittenEnding { kind, side, after, span });
            let reason = if kind == EndingKind::Resigned { Reason::Resignation } else { Reason::Timeout };
            match rng.below(10) {
                0 => (WrittenVerdict::Unknown, None),
                1 => (WrittenVerdict::Ongoing, None),
                _ => (WrittenVerdict::Win(loser.other()), Some(reason).filter(|_| rng.percent(50))),
            }
        }
        None if rng.percent(20) => {
            (WrittenVerdict::Draw, Some(Reason::Agreement).filter(|_| rng.percent(50)))
        }
        None => (WrittenVerdict::Ongoing, None),
    };
    if verdict != WrittenVerdict::Ongoing || rng.percent(50) {
        record.result = Some(WrittenResult { verdict, reason, span });
    }
}

/// Adds a variation of one move to the main line: a legal move of the first position.
fn add_variation(game: &mut Game, record: &mut Record, rng: &mut Rng) {
    if record.main().moves.is_empty() {
        return;
    }
    game.restart();
    let moves = game.moves();
    let Some(mv) = rng.pick(&moves) else { return };
    let shape = game.shape();
    let mv = WrittenMove::new(shape.coord(mv.from), shape.coord(mv.to), Span::default());
    let branch = LineBranch { parent: MoveLineId::MAIN, at: 0, number: 1 };
    let line = record.variations.open(Some(branch), false);
    record.push_to(line, mv);
}

/// Returns the name of a tag: mostly a known one, sometimes random letters.
fn tag_name(rng: &mut Rng) -> String {
    match rng.below(10) {
        0..7 => NAMES[rng.below(NAMES.len())].to_owned(),
        7 | 8 => OTHER_NAMES[rng.below(OTHER_NAMES.len())].to_owned(),
        _ => (0..1 + rng.below(8)).map(|_| char::from(b'a' + rng.below(26) as u8)).collect(),
    }
}

/// Returns one to three words.
fn words(rng: &mut Rng) -> String {
    let n_words = 1 + rng.below(3);
    (0..n_words).map(|_| WORDS[rng.below(WORDS.len())]).collect::<Vec<_>>().join(" ")
}
