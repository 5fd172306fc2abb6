//! Tests of docs/query.md: its examples find the stated numbers of hits, and it explains every keyword.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use tafl_corpus::query::{GameFields, Query, vocabulary};
use tafl_corpus::{GameResult, GameSetup, MoveLog, MoveLogWriter};
use tafl_parser::{Format, ReadOptions, Record, Records, Replay, ReplayOptions, Replayer};
use tafl_rules::{Game, RepetitionMode};
use tafl_tests::naive_query::{GamePosition, ReplayedPositions, evaluate};

/// Files of `cli/samples` with sound games.
const SAMPLES: [&str; 7] = [
    "brandubh.csv",
    "copenhagen.otg",
    "cyngesheall.cyn",
    "hexentafl.skud",
    "historical.jsonl",
    "seabattle.jsonl",
    "tablut.pgn",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A game of the samples with the values of its columns.
struct Sample {
    game: ReplayedPositions,
    game_setup: GameSetup,
    texts: HashMap<&'static str, String>,
}

impl GameFields for Sample {
    fn text(&self, column: &str) -> Option<&str> {
        self.texts.get(column).map(String::as_str)
    }

    fn number(&self, column: &str) -> Option<i64> {
        (column == "plies").then_some(self.game.positions.len() as i64 - 1)
    }
}

fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut replayer = Replayer::new(ReplayOptions::default());
    for name in SAMPLES {
        let file = fs::File::open(root().join("cli/samples").join(name)).unwrap();
        let mut records = Records::new(name, file, ReadOptions::default()).unwrap();
        let format = records.format().unwrap();
        while let Some(batch) = records.next_batch().unwrap() {
            for (_, parsed) in batch.parse() {
                let replay = replayer.replay(&parsed.value);
                samples.push(sample(name, format, &parsed.value, &replay));
            }
        }
    }
    samples
}

fn sample(file: &str, format: Format, record: &Record, replay: &Replay) -> Sample {
    let chosen = replay.rules.as_ref().unwrap();
    let rules = chosen.book.rules();
    let mut game = Game::with_mode(&chosen.book, RepetitionMode::Report);
    let game_setup =
        GameSetup { rules: rules.to_string(), start: rules.start.to_string(), first: rules.first_mover };
    let (setup, facts) = (game.setup(), game.facts());
    let mut positions =
        vec![GamePosition { setup, to_move: game.to_move(), last: None, captured: Vec::new(), facts }];
    for ply in &replay.plies {
        let before = game.setup();
        let (_, facts) = game.play_with_facts(ply.mv).unwrap();
        positions.push(GamePosition {
            setup: game.setup(),
            to_move: game.to_move(),
            last: before.piece(ply.mv.from).map(|piece| (piece, ply.mv)),
            captured: ply.captured.iter().map(|cell| (before.piece(cell).unwrap(), cell)).collect(),
            facts,
        });
    }
    let result = replay.result();
    let mut texts: HashMap<_, _> = ["attackers", "defenders", "event", "date"]
        .into_iter()
        .filter_map(|name| Some((name, record.tag(name)?.to_owned())))
        .collect();
    let tags: Vec<&str> = record.tags.iter().map(|tag| tag.value).collect();
    texts.insert("tags", tags.join("; "));
    texts.extend(chosen.variant.map(|variant| ("variant", variant.to_owned())));
    texts.extend(result.map(|outcome| ("result", outcome.winner_name().to_owned())));
    texts.extend(result.map(|outcome| ("reason", outcome.reason.to_string())));
    let source = replay.sourced_result().and_then(|end| end.source);
    texts.extend(source.map(|source| ("reason_source", source.to_string())));
    texts.extend([("source", file.to_owned()), ("format", format.name().to_owned())]);
    Sample { game: ReplayedPositions { rules: rules.clone(), positions }, game_setup, texts }
}

fn move_log_of(samples: &[Sample]) -> MoveLog {
    let mut writer = MoveLogWriter::default();
    for sample in samples {
        let positions = &sample.game.positions;
        writer.begin(&sample.game_setup, sample.game.rules.shape(), &positions[0].facts);
        for (before, position) in positions.iter().zip(&positions[1..]) {
            let captured: Vec<_> = position.captured.iter().map(|(_, cell)| *cell).collect();
            let goes_on = position.to_move == before.to_move;
            writer.ply(position.last.unwrap().1, &captured, goes_on, &position.facts);
        }
        writer.end(GameResult::default());
    }
    MoveLog::from_bytes(writer.finish()).unwrap()
}

/// Returns the numbers of hits and games of a query, as the page states them.
fn answer(text: &str, samples: &[Sample], move_log: &MoveLog) -> String {
    let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error} at {:?}", error.span));
    let (mut n_hits, mut n_games) = (0, 0);
    for (number, sample) in samples.iter().enumerate() {
        let truth: Vec<bool> =
            query.game_conditions().iter().map(|condition| condition.holds(sample)).collect();
        let mut hits = Vec::new();
        let plan = query.compile(&sample.game_setup).unwrap();
        plan.run(&mut move_log.cursor(number as u32).unwrap(), &truth, &mut hits).unwrap();
        let holds = evaluate(query.expr(), &sample.game, &|condition| condition.holds(sample));
        let naive: Vec<u32> = (0..).zip(&holds).filter(|(_, holds)| **holds).map(|(ply, _)| ply).collect();
        let plies: Vec<u32> = hits.iter().map(|hit| hit.ply).collect();
        if query.is_about_games() {
            assert_eq!(plies.len(), usize::from(!naive.is_empty()), "{text}");
        } else {
            assert_eq!(plies, naive, "{text}");
        }
        n_hits += hits.len();
        n_games += usize::from(!hits.is_empty());
    }
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    if query.is_about_games() {
        plural(n_games, "game")
    } else {
        format!("{} in {}", plural(n_hits, "position"), plural(n_games, "game"))
    }
}

/// Returns the page with an answer after each example.
fn answered(page: &str, samples: &[Sample], move_log: &MoveLog) -> (String, usize) {
    let mut lines: Vec<String> = Vec::new();
    let mut n_examples = 0;
    let mut query: Option<String> = None;
    for line in page.lines() {
        match &mut query {
            Some(text) if line == "```" => {
                lines.push(line.to_owned());
                lines.push(format!("{}.", answer(text.trim(), samples, move_log)));
                n_examples += 1;
                query = None;
            }
            Some(text) => {
                *text += line;
                text.push(' ');
                lines.push(line.to_owned());
            }
            None if line == "```query" => {
                query = Some(String::new());
                lines.push(line.to_owned());
            }
            None if is_answer(line) => {}
            None => lines.push(line.to_owned()),
        }
    }
    (lines.join("\n") + "\n", n_examples)
}

fn is_answer(line: &str) -> bool {
    let mut words = line.trim_end_matches('.').split(' ');
    let is_number = words.next().is_some_and(|word| word.parse::<usize>().is_ok());
    is_number && words.next().is_some_and(|word| word.starts_with("position") || word.starts_with("game"))
}

#[test]
fn examples_find_the_documented_hits() {
    let path = root().join("docs/query.md");
    let page = fs::read_to_string(&path).unwrap();
    let samples = samples();
    let (answered, n_examples) = answered(&page, &samples, &move_log_of(&samples));
    assert!(n_examples >= 20, "{n_examples} examples");
    if std::env::var_os("UPDATE").is_some() {
        return fs::write(&path, &answered).unwrap();
    }
    for (number, (is, should)) in page.lines().zip(answered.lines()).enumerate() {
        assert_eq!(is, should, "docs/query.md:{}; UPDATE=1 rewrites the answers", number + 1);
    }
    assert_eq!(page.len(), answered.len());
}

#[test]
fn the_page_explains_every_word() {
    let page = fs::read_to_string(root().join("docs/query.md")).unwrap();
    let mut explained: Vec<&str> = Vec::new();
    for quoted in page.split('`').skip(1).step_by(2) {
        explained.extend(quoted.split(|c: char| !c.is_alphanumeric() && c != '_'));
    }
    let missing: Vec<&str> = vocabulary().filter(|word| !explained.contains(word)).collect();
    assert!(missing.is_empty(), "docs/query.md says nothing about {missing:?}");
}
