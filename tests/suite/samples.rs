//! The samples of the program are what the generator here writes: random games.
//!
//! `UPDATE=1 cargo test -p tafl-tests --test suite samples` writes them.

use std::fs;
use std::path::PathBuf;

use tafl_cli::{Exit, Io};
use tafl_parser::{Format, Record, WriteGame, tag, write_record};
use tafl_rules::{AnyRulebook, Rng, Span, catalog};
use tafl_tests::random_game::play;

/// The comment at the top of files whose notation has comments.
const HEADER: &str = "Games that the program played against itself, with a seed; nobody else took part.";
/// The first seed whose games have a typical length and several kinds of ends.
const SEED: u64 = 2;

/// Returns games of a variant that came to an end on the board, as records.
fn games(variant: &str, count: usize, most: usize) -> Vec<Record> {
    let variant = catalog::find(variant).expect("a variant of the catalog");
    let book = AnyRulebook::compile(&variant.rules()).expect("a test compiles every variant");
    let mut rng = Rng::new(SEED);
    let mut records = Vec::new();
    while records.len() < count {
        let played = play(&book, &mut rng, most);
        if played.outcome.is_none() {
            continue;
        }
        let mut record = played.record(book.shape());
        let players = if records.len() % 2 == 0 { ["Red", "Blue"] } else { ["Blue", "Red"] };
        let id = format!("{}-{}", variant.name, records.len() + 1);
        let tags = [
            (tag::ID, id.as_str()),
            (tag::EVENT, "Taflbase samples: the program plays itself"),
            (tag::ATTACKERS, players[0]),
            (tag::DEFENDERS, players[1]),
        ];
        tags.iter().for_each(|(name, value)| record.push_tag(name, value, Span::default()));
        record.variant = Some(tafl_parser::Written { text: variant.name.into(), span: Span::default() });
        records.push(record);
    }
    records
}

/// Returns records in a notation, converted as the program converts.
fn written(records: &[Record], format: Format) -> String {
    let mut lines = String::new();
    for record in records {
        let game = WriteGame { record, played: None };
        write_record(game, Format::Jsonl, &mut lines).expect("JSON lines can be written");
    }
    if format == Format::Jsonl {
        return lines;
    }
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    let mut io = Io::new(lines.as_bytes(), &mut out, &mut errors);
    let exit = tafl_cli::run(["tafl", "convert", "--to", format.name(), "--as", "jsonl", "-"], &mut io);
    drop(io);
    assert_ne!(exit, Exit::Error, "{}", String::from_utf8_lossy(&errors));
    String::from_utf8(out).expect("records are text")
}

/// Returns games as a line of JSON each, as the play site of aagenielsen.dk stores them.
fn site_lines(records: &[Record], key: u32) -> String {
    let list = written(records, Format::MoveList);
    let line = |(record, line): (&Record, &str)| {
        let columns: Vec<&str> = line.split(',').collect();
        let moves: Vec<&str> = columns[0].split(' ').collect();
        // In the order of the alphabet: whether objects keep another one depends on who else is in the program.
        let value = serde_json::json!({
            "AageGameTypeKey": key,
            "BlackPiecesCaptured": columns[1].parse::<u32>().unwrap_or_default(),
            "BlackSidePlayerName": record.tag(tag::ATTACKERS),
            "File": record.tag(tag::ID),
            "Moves": moves,
            "WhitePiecesCaptured": columns[2].parse::<u32>().unwrap_or_default(),
            "WhiteSidePlayerName": record.tag(tag::DEFENDERS),
            "WhoMovedFirst": "black",
            "WhoWon": columns[3],
        });
        format!("{value}\n")
    };
    records.iter().zip(list.lines()).map(line).collect()
}

/// Returns what a sample holds.
fn make(name: &str) -> String {
    let commented = |text: String| format!("# {HEADER}\n{text}");
    match name {
        "brandubh.csv" => commented(written(&games("brandubh7", 8, 80), Format::MoveList)),
        "copenhagen.otg" => written(&games("copenhagen11", 2, 120), Format::OpenTafl),
        "cyngesheall.cyn" => written(&games("cyngesheall7", 2, 80), Format::Cyngesheall),
        "hexentafl.skud" => written(&games("hexentafl4", 3, 60), Format::SkudPaiSho),
        "historical.jsonl" => site_lines(&games("aage-129", 3, 80), 129),
        "seabattle.jsonl" => written(&games("seabattle9", 2, 80), Format::Jsonl),
        "tablut.pgn" => written(&games("tablut9_wtf", 2, 80), Format::Pgn),
        "brandubh-broken.csv" => format!(
            "# {HEADER}\n# Brandubh; each line was then given a mistake, to show what the program says about it.\n{}",
            broken(&written(&games("brandubh7", 8, 80), Format::MoveList))
        ),
        other => panic!("{other} has no maker"),
    }
}

/// Gives each line a mistake of another kind.
fn broken(list: &str) -> String {
    let mistakes: [fn(&str) -> String; 8] = [
        // A move that a piece in the way forbids.
        |line| replace_move(line, 4, |_| "d1-d7".to_owned()),
        // A capture that is not written.
        |line| match line.find('x') {
            Some(at) => format!("{}{}", &line[..at], &line[at + 3..]),
            None => line.to_owned(),
        },
        // A capture that did not happen.
        |line| replace_move(line, 2, |mv| format!("{mv}xg7")),
        // The wrong winner.
        |line| match line.strip_suffix(",White") {
            Some(rest) => format!("{rest},Black"),
            None => line.replace(",Black", ",White"),
        },
        // A cell that the board does not have.
        |line| replace_move(line, 3, |_| "d5-d9".to_owned()),
        // A word that is not a move.
        |line| replace_move(line, 1, |_| "castles".to_owned()),
        // A line that breaks off in the middle of a move.
        |line| line[..line.len() / 2].trim_end_matches(|sign| sign != '-').to_owned(),
        // The same side twice in a row.
        |line| replace_move(line, 1, |_| String::new()).replace("  ", " "),
    ];
    list.lines().zip(mistakes).map(|(line, mistake)| mistake(line) + "\n").collect()
}

fn replace_move(line: &str, nth: usize, change: impl Fn(&str) -> String) -> String {
    let (moves, columns) = line.split_once(',').expect("a line has columns");
    let mut words: Vec<String> = moves.split(' ').map(str::to_owned).collect();
    words[nth] = change(&words[nth]);
    format!("{},{columns}", words.join(" "))
}

#[test]
fn samples_are_what_the_generator_writes() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../cli/samples");
    let files = fs::read_dir(&folder).expect("the samples are there");
    let mut names: Vec<String> =
        files.map(|file| file.expect("a file").file_name().into_string().expect("a name")).collect();
    names.sort_unstable();
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        let (path, made) = (folder.join(&name), make(&name));
        if std::env::var_os("UPDATE").is_some() {
            fs::write(path, &made).expect("the folder of samples can be written");
        } else {
            let stored = fs::read_to_string(path).expect("the sample can be read");
            assert!(made == stored, "{name} is stale: run this test with UPDATE=1");
        }
    }
}
