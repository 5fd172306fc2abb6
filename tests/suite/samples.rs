//! The samples of the program are games of the engine against itself; the broken samples are derived from them.
//!
//! `SAMPLES=1 cargo test -p tafl-tests --test suite samples` plays them again, with different games after a change of the
//! engine. Without it, the tests check only the broken samples and the winners of the stored games.

use std::fs;
use std::path::{Path, PathBuf};

use tafl_cli::Exit;
use tafl_parser::{Format, Record, WriteGame, tag, write_record};
use tafl_rules::Side;
use taflbase::play::{RecordHeading, SelfPlayRequest};
use taflbase::{App, Bounded, Job, RulesRequest, StreamRequest};

use crate::in_process::{tafl, tafl_with};

/// The comment at the top of files whose notation has comments.
const HEADER: &str = "Games that the engine played against itself.";
/// The number of games from which the samples of a variant are chosen.
const CANDIDATES: u64 = 100;
/// The minimum number of plies of a game.
const SHORTEST: usize = 16;

/// The games of a sample.
struct SampleGames {
    variant: &'static str,
    count: usize,
    /// The maximum number of plies.
    most: u64,
    /// The winner of the first game. The winners alternate, so that reports show both sides.
    winner: Side,
    /// A seed that yields enough such games.
    seed: u64,
}

/// Plays games, and returns the suitable ones as records.
fn games(wanted: &SampleGames) -> Vec<Record> {
    let app = App::new();
    let rules = RulesRequest::of(wanted.variant).require(&app).expect("a variant of the catalog");
    let mut request = SelfPlayRequest {
        rules: RulesRequest::of(wanted.variant),
        games: Bounded::clamped(CANDIDATES),
        seed: Bounded::clamped(wanted.seed),
        plies: Bounded::clamped(wanted.most),
        play_out: true,
        ..SelfPlayRequest::default()
    };
    request.limits.nodes = Bounded::new(300).ok();
    let (mut records, mut winner) = (Vec::new(), wanted.winner);
    let played = request.run(&app, &Job::default(), &mut |game| {
        let is_wanted = game.saved.winner.as_deref() == Some(winner.as_str())
            && game.saved.moves.split_whitespace().count() >= SHORTEST;
        if is_wanted && records.len() < wanted.count {
            winner = winner.other();
            let [attackers, defenders] =
                if records.len() % 2 == 0 { ["Red", "Blue"] } else { ["Blue", "Red"] };
            let heading = RecordHeading {
                id: format!("{}-{}", wanted.variant, records.len() + 1),
                event: "Taflbase samples",
                attackers,
                defenders,
                more: &[],
            };
            records.push(game.saved.record(&heading, &rules));
        }
        Ok(())
    });
    played.expect("the rules can be played");
    assert_eq!(records.len(), wanted.count, "{}: choose another seed", wanted.variant);
    records
}

/// Returns records in a notation, converted like the program does.
fn written(records: &[Record], format: Format) -> String {
    let mut lines = String::new();
    for record in records {
        let game = WriteGame { record, played: None };
        write_record(game, Format::Jsonl, &mut lines).expect("JSON lines can be written");
    }
    if format == Format::Jsonl {
        return lines;
    }
    let ran = tafl_with(&["convert", "--to", format.name(), "--as", "jsonl", "-"], &lines);
    assert_ne!(ran.exit, Exit::Error, "{}", ran.stderr);
    ran.stdout
}

/// Returns games as JSON lines in the format of the play site aagenielsen.dk.
fn site_lines(records: &[Record], key: u32) -> String {
    let list = written(records, Format::MoveList);
    let line = |(record, line): (&Record, &str)| {
        let columns: Vec<&str> = line.split(',').collect();
        let moves: Vec<&str> = columns[0].split(' ').collect();
        // In alphabetical order: whether objects keep another order depends on features that other packages enable.
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

/// Returns the content of a sample, given the folder with the others.
fn make(name: &str, folder: &Path) -> String {
    let [attackers, defenders] = Side::ALL;
    let of = |variant, count, most, winner, seed| games(&SampleGames { variant, count, most, winner, seed });
    match name {
        "brandubh.csv" => {
            let list = written(&of("brandubh7", 8, 60, attackers, 4), Format::MoveList);
            format!("# {HEADER}\n{list}")
        }
        "copenhagen.otg" => written(&of("copenhagen11", 2, 110, defenders, 4), Format::OpenTafl),
        "cyngesheall.cyn" => written(&of("cyngesheall7", 2, 80, attackers, 7), Format::Cyngesheall),
        "hexentafl.skud" => written(&of("hexentafl4", 3, 60, attackers, 4), Format::SkudPaiSho),
        "historical.jsonl" => site_lines(&of("aage-129", 3, 60, defenders, 4), 129),
        "seabattle.jsonl" => written(&of("seabattle9", 2, 80, attackers, 4), Format::Jsonl),
        "tablut.pgn" => written(&of("tablut9_wtf", 2, 60, defenders, 4), Format::Pgn),
        BROKEN => {
            let sound = fs::read_to_string(folder.join("brandubh.csv")).expect("the sample can be read");
            let games: String = sound.lines().skip(1).map(|line| format!("{line}\n")).collect();
            let note = "Each line was then given a mistake, to show what the program says about it.";
            format!("# {HEADER}\n# {note}\n{}", broken(&games))
        }
        other => panic!("{other} has no maker"),
    }
}

/// Adds a different kind of mistake to each line.
fn broken(list: &str) -> String {
    let mistakes: [fn(&str) -> String; 8] = [
        // A move through a piece.
        |line| replace_move(line, 2, |_| "d1-d7".to_owned()),
        // A missing capture.
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
        // A cell outside the board.
        |line| replace_move(line, 1, |_| "d5-d9".to_owned()),
        // A word that is not a move.
        |line| replace_move(line, 1, |_| "castles".to_owned()),
        // A line truncated in the middle of a move.
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

/// The sample that is derived from another one.
const BROKEN: &str = "brandubh-broken.csv";

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../cli/samples")
}

/// Returns the names of the samples; the broken one comes last, after its source.
fn names() -> Vec<String> {
    let files = fs::read_dir(folder()).expect("the samples are there");
    let mut names: Vec<String> =
        files.map(|file| file.expect("a file").file_name().into_string().expect("a name")).collect();
    names.sort_unstable_by_key(|name| (name == BROKEN, name.clone()));
    assert!(names.len() >= 8, "{names:?}");
    names
}

#[test]
fn samples_equal_the_output_of_the_generator() {
    let is_update = std::env::var_os("SAMPLES").is_some();
    for name in names().into_iter().filter(|name| is_update || name == BROKEN) {
        let (path, made) = (folder().join(&name), make(&name, &folder()));
        if is_update {
            fs::write(path, &made).expect("the folder of samples can be written");
        } else {
            let stored = fs::read_to_string(path).expect("the sample can be read");
            assert!(made == stored, "{name} is stale: run this test with SAMPLES=1");
        }
    }
}

#[test]
fn both_sides_win_half_of_the_samples() {
    let (mut attackers, mut defenders) = (0, 0);
    for name in names().iter().filter(|name| *name != BROKEN) {
        let path = folder().join(name).display().to_string();
        let ran = tafl(&["replay", "--format", "jsonl", &path]);
        assert_eq!(ran.exit, Exit::Ok, "{name}: {}", ran.stderr);
        for line in ran.stdout.lines() {
            let game: serde_json::Value = serde_json::from_str(line).expect("a game is JSON");
            match game["outcome"]["winner"].as_str() {
                Some("attackers") => attackers += 1,
                Some("defenders") => defenders += 1,
                other => panic!("{name}: {other:?}"),
            }
        }
    }
    assert_eq!((attackers, defenders), (11, 11));
}
