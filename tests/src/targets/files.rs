//! File formats of Taflbase, chosen by the first byte of the input. Checksums are corrected, so that the code that
//! reads the rest of a file is reached.

use std::fs;
use std::path::{Path, PathBuf};

use tafl_analyzer::{
    Certificate, CheckError, Curves, EvalKey, EvalLog, NetError, Network, Nodes, Params, Tablebases, Weights,
    check_certificate, read_samples, write_sample_header,
};
use tafl_corpus::{MoveLog, RowReader, write_row};
use tafl_rules::{AnyRulebook, Game, RepetitionMode, Setup, Side, catalog, split_mix};

use crate::fnv::fnv1a;

/// The format of the file.
pub(super) fn files(data: &[u8]) {
    let [kind, data @ ..] = data else { return };
    match kind {
        b'n' => network(data),
        b'l' => log(data),
        b's' => samples(data),
        b't' => move_log(data),
        b'b' => tables(data),
        _ => {
            let Ok(text) = std::str::from_utf8(data) else { return };
            match kind {
                b'c' => certificate(text),
                b'u' => curves(text),
                b'w' => weights(text),
                b'p' => params(text),
                _ => {}
            }
        }
    }
}

/// The maximum size of networks whose missing numbers are filled in.
const LARGEST_NETWORK: usize = 1 << 19;

/// A network survives writing and reading.
fn network(data: &[u8]) {
    let mut found = Network::from_bytes(data);
    let Some(end) = data.windows(2).position(|pair| pair == b"\n\n") else { return };
    let head = String::from_utf8_lossy(&data[..end]).into_owned();
    let head: Vec<&str> = head.lines().filter(|line| !line.starts_with("checksum: ")).collect();
    let mut numbers = data[end + 2..].to_vec();
    for _ in 0..2 {
        let text = format!("{}\nchecksum: {:016x}\n\n", head.join("\n"), fnv1a(numbers.iter().copied()));
        found = Network::from_bytes(&[text.as_bytes(), &numbers].concat());
        match found {
            Err(NetError::Length { expected, .. }) if expected <= LARGEST_NETWORK => {
                numbers.resize(expected, 7)
            }
            _ => break,
        }
    }
    match found {
        Ok(network) => assert_eq!(Network::from_bytes(&network.to_bytes()), Ok(network)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The maximum number of moves in the check of a certificate.
const MAX_MOVES: Nodes = Nodes(2000);

/// A certificate survives writing and reading, and its check ends.
fn certificate(text: &str) {
    match Certificate::parse(text) {
        Ok(certificate) => {
            let written = certificate.to_string();
            assert_eq!(Certificate::parse(&written).map(|again| again.to_string()), Ok(written));
            match check_certificate(&certificate, MAX_MOVES) {
                Ok(checked) => assert!(checked.plies <= MAX_MOVES),
                Err(CheckError::MoveLimit(_)) => {}
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        Err(error) => {
            assert!(error.line <= text.lines().count() + 1, "{error:?}");
            assert!(!error.to_string().is_empty());
        }
    }
}

/// Curves survive writing and reading.
fn curves(text: &str) {
    match Curves::read(text) {
        Ok(curves) => {
            let written = curves.to_string();
            let again = Curves::read(&written).map(|again| again.to_string());
            assert_eq!(again, Ok(written));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn weights(text: &str) {
    match text.parse::<Weights>() {
        Ok(weights) => assert_eq!(weights.to_string().parse(), Ok(weights)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn params(text: &str) {
    match text.parse::<Params>() {
        Ok(params) => assert_eq!(params.to_string().parse(), Ok(params)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Games with training samples survive writing and reading.
fn samples(data: &[u8]) {
    if let Ok(games) = read_samples(data) {
        let mut written = Vec::new();
        write_sample_header(&mut written).expect("bytes in memory can be written");
        games
            .iter()
            .for_each(|game| game.write(&mut written).expect("the texts were read, so they are short"));
        assert_eq!(read_samples(&written).ok(), Some(games));
    }
}

/// Returns a path in the folder of temporary files that no other thread or process uses.
fn temporary(ending: &str) -> PathBuf {
    let thread = std::thread::current().id();
    std::env::temp_dir().join(format!("tafl-fuzz-{}-{thread:?}.{ending}", std::process::id()))
}

/// Stored evaluations: only whole records are read, and a log is sound after it was read once.
fn log(data: &[u8]) {
    let path = temporary("evals");
    let (bytes, keys) = log_of(data);
    fs::write(&path, &bytes).expect("a file in the folder of temporary files");
    open(&path, &keys);
    fs::remove_file(&path).expect("a file that was just written");
}

fn open(path: &Path, keys: &[EvalKey]) {
    let Ok(mut log) = EvalLog::open(path) else { return };
    let found: Vec<_> = keys.iter().map(|key| log.get(key).expect("the file is there")).collect();
    let n = log.len();
    drop(log);
    let mut again = EvalLog::open(path).expect("it could be opened before");
    assert_eq!((again.len(), again.lost_bytes()), (n, 0));
    let same: Vec<_> = keys.iter().map(|key| again.get(key).expect("the file is there")).collect();
    assert_eq!(same, found);
}

/// Returns a log of records, whose lengths are in the first bytes, and the keys of its evaluations; an input with an odd
/// last byte is the whole file instead.
fn log_of(data: &[u8]) -> (Vec<u8>, Vec<EvalKey>) {
    if data.last().is_none_or(|last| last % 2 == 1) {
        return (data.to_vec(), Vec::new());
    }
    let (mut bytes, mut keys, mut rest) = (b"tafl-evals 1\n".to_vec(), Vec::new(), data);
    while let [length, after @ ..] = rest {
        let (body, after) = after.split_at(usize::from(*length).min(after.len()));
        bytes.extend((body.len() as u32).to_le_bytes());
        // The checksum of a record.
        bytes.extend(split_mix(fnv1a(body.iter().copied())).to_le_bytes());
        bytes.extend(body);
        if let Some((b'E', [key @ .., _])) = body.split_first()
            && let Some(key) = key.first_chunk::<24>()
        {
            let part = |at: usize| u64::from_le_bytes(key[at..at + 8].try_into().expect("eight bytes"));
            keys.push(EvalKey { context: part(0), position: part(8), path: part(16) });
        }
        rest = after;
    }
    (bytes, keys)
}

/// The variant of tables.
const OF_TABLES: &str = "brandubh7";

/// A tablebase: a readable table is written again byte by byte, and a search can query it.
fn tables(data: &[u8]) {
    let mut bytes = data.to_vec();
    if let Some((body, sum)) = bytes.split_last_chunk_mut::<8>() {
        *sum = fnv1a(body.iter().copied()).to_le_bytes();
    }
    let folder = temporary("tables");
    fs::create_dir_all(&folder).expect("a folder among temporary files");
    fs::write(folder.join("one.tafltable"), &bytes).expect("a file in a new folder");
    let rules = catalog::find(OF_TABLES).expect("a variant of the catalog").rules();
    match Tablebases::load(&rules, &folder) {
        Ok(tables) => {
            for counts in tables.counts() {
                assert_eq!(tables.file(counts).map(|(_, again)| again), Some(bytes.clone()));
                assert!(tables.stats(counts).is_some());
            }
            for setup in ["/4t2/7/7/3K3/7/7/7/", "/7/7/2t4/2K4/7/7/7/", "/t6/7/7/7/7/7/5K1/"] {
                let setup = Setup::parse(rules.shape(), setup).expect("a position of the board");
                let book = AnyRulebook::compile(&rules).expect("variants can be compiled");
                for side in Side::ALL {
                    let mode = RepetitionMode::Report;
                    let game = Game::from_setup(&book, &setup, side, mode).expect("it fits the board");
                    let _ = tables.probe_game(&game);
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    fs::remove_dir_all(&folder).expect("a folder that was just made");
}

/// A move log: each game of a readable log can be replayed to its end or to a damaged place.
fn move_log(data: &[u8]) {
    let Ok(move_log) = MoveLog::from_bytes(data.to_vec()) else { return };
    for game in 0..move_log.n_games() {
        let Ok(mut cursor) = move_log.cursor(game) else { continue };
        while let Ok(true) = cursor.advance() {
            assert_eq!(cursor.state().board().len(), cursor.state().shape().n_cells());
        }
    }
    for block in 0..move_log.n_blocks().min(64) {
        assert!(move_log.game_of_block(block) < move_log.n_games());
    }
}

/// Row lines: readable lines survive writing and reading.
pub(super) fn row_lines(data: &[u8]) {
    let mut reader = RowReader::default();
    for line in data.split(|byte| *byte == b'\n') {
        let prepared = match reader.read(line) {
            Ok(prepared) => prepared,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        let (mut written, mut again) = (Vec::new(), Vec::new());
        write_row(&prepared, [1, 1], "test", &mut written);
        let read = reader
            .read(&written)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&written)));
        write_row(&read, [1, 1], "test", &mut again);
        assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&written));
    }
}
