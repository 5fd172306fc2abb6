//! Streams of records from sites and programs: artificial ones from the fixtures, and real archives if the environment
//! variable `TAFL_RECORDS` names their folder.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use tafl_parser::{
    Format, Parsed, ReadOptions, Record, Records, Replay, ReplayOptions, Replayer, RuleChoice, SourcedOutcome,
};
use tafl_rules::{AnyRulebook, Coord, Game, Move, Piece, RepetitionMode, Setup, Side, catalog};
use tafl_tests::data;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/records");

/// The fixtures with their formats and numbers of records.
const STREAMS: [(&str, Format, usize); 12] = [
    ("aagenielsen.jsonl", Format::AageNielsen, 3),
    ("abstractplay-hexentafl.json", Format::AbstractPlay, 1),
    ("abstractplay-tablut.json", Format::AbstractPlay, 1),
    ("ashton-log-escape.txt", Format::AshtonLog, 1),
    ("ashton-log-refused.txt", Format::AshtonLog, 1),
    ("ashton-log-timeout.txt", Format::AshtonLog, 1),
    ("hnefatafl-org.json", Format::HnefataflOrg, 1),
    ("hnefatafl-org-7.json", Format::HnefataflOrg, 1),
    ("hnefatafl-org.ron", Format::HnefataflOrg, 1),
    ("ludii-trial-brandub.trl", Format::LudiiTrial, 1),
    ("ludii-trial-hexentafl.trl", Format::LudiiTrial, 1),
    ("playtaflonline.json", Format::PlayTaflOnline, 1),
];

/// Returns the recognized format and the records of a file, each with its findings.
fn read(path: &Path) -> (Option<Format>, Vec<Parsed<Record>>) {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut records = Records::new(&path.display().to_string(), file, ReadOptions::default())
        .expect("the file can be read");
    let mut parsed = Vec::new();
    while let Some(batch) = records.next_batch().expect("the file can be read") {
        assert_eq!(batch.findings(), [], "{}", path.display());
        parsed.extend(batch.parse().map(|(_, parsed)| parsed));
    }
    (records.format(), parsed)
}

#[test]
fn every_fixture_is_recognized_and_read_without_findings() {
    for (name, format, n_records) in STREAMS {
        let (found, records) = read(&Path::new(FIXTURES).join("valid").join(name));
        assert_eq!((found, records.len()), (Some(format), n_records), "{name}");
        for parsed in records {
            let findings: Vec<&str> =
                parsed.diagnostics.iter().map(|finding| finding.code().name()).collect();
            assert!(findings.iter().all(|name| *name == "refused-move"), "{name}: {findings:?}");
        }
    }
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_game_of_aagenielsen_is_read() {
    let (format, records) = read(&data::records("aagenielsen/games.jsonl.gz"));
    assert_eq!((format, records.len()), (Some(Format::AageNielsen), 28_876));
    let mut findings: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in records.iter().flat_map(|parsed| &parsed.diagnostics) {
        *findings.entry(finding.code().name()).or_default() += 1;
    }
    let count = |of: fn(&Record) -> usize| records.iter().map(|parsed| of(&parsed.value)).sum::<usize>();
    let n_moves = count(|record| record.main().moves.len());
    let n_endings = count(|record| usize::from(record.ending.is_some()));
    let n_results = count(|record| usize::from(record.result.is_some()));
    println!("{n_moves} moves, {n_endings} endings, {n_results} results, findings {findings:?}");
    assert_eq!((n_moves, n_endings, n_results), (1_242_289, 16_563, 28_876));
    // Two games continue after a first `timeout` and have a second ending.
    assert_eq!(findings, BTreeMap::from([("stray-text", 2)]));
}

/// Returns the rules that a message of the Ashton server can mean, by their stable names.
///
/// The server checks the destination of a move before its path; our rules follow the path, and a camp can have several
/// cells in a row. For the server, an empty cell is one without a piece of the player.
fn meanings(complaint: &str) -> &'static [&'static str] {
    match complaint {
        "Mossa sopra una casella occupata" => &["occupied"],
        "Mossa che arriva sopra una citadel" => &["may-not-enter", "may-not-pass"],
        "Mossa che scavalca una citadel" => &["may-not-pass"],
        "Mossa che scavalca una pedina" => &["blocked"],
        "Mossa in diagonale" => &["not-in-line"],
        "Giocatore W cerca di muovere una pedina avversaria" => &["not-your-piece", "no-piece"],
        _ => &[],
    }
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn moves_that_the_ashton_server_rejected_are_illegal_for_the_same_reason() {
    let text = std::fs::read_to_string(data::records("ashton/rejected_moves.tsv")).unwrap();
    let book = AnyRulebook::compile(&catalog::find("ashton9").unwrap().rules()).unwrap();
    let shape = book.shape();
    let rows: Vec<Vec<&str>> =
        text.lines().skip(2).filter(|line| !line.is_empty()).map(|line| line.split('\t').collect()).collect();
    for row in &rows {
        let [file, _, _, from, to, to_move, complaint, board] = row[..] else { panic!("{row:?}") };
        let mut setup = Setup::empty(shape);
        for (rank, line) in (0..).zip(board.split('/')) {
            for (file, letter) in (0..).zip(line.chars()) {
                let piece = Piece::from_letter(match letter {
                    'B' => 't',
                    'W' => 'T',
                    other => other,
                });
                // `T` is the empty castle, `O` an empty cell.
                let piece = if matches!(letter, 'T' | 'O') { None } else { piece };
                setup.put(shape.cell(Coord::new(file, rank)).unwrap(), piece);
            }
        }
        let side = if to_move == "W" { Side::Defenders } else { Side::Attackers };
        let game = Game::from_setup(&book, &setup, side, RepetitionMode::Report).unwrap();
        let cell = |name: &str| shape.cell(name.parse().unwrap()).unwrap();
        let why = game.check(Move::new(cell(from), cell(to))).expect_err(file);
        assert!(
            meanings(complaint).contains(&why.name()),
            "{file}: {complaint}, but {} {from}-{to}",
            why.name()
        );
    }
    assert_eq!(rows.len(), 18);
}

/// Returns the names of the findings of a replay.
fn names(replay: &Replay) -> Vec<&'static str> {
    replay.diagnostics.iter().map(|finding| finding.code().name()).collect()
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_ashton_log_replays_to_its_boards() {
    let mut logs: Vec<_> =
        std::fs::read_dir(data::records("ashton")).unwrap().map(|entry| entry.unwrap().path()).collect();
    logs.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    logs.sort();
    let mut replayer = Replayer::new(ReplayOptions::default());
    let (mut n_plies, mut n_boards, mut findings) = (0, 0, BTreeMap::<&str, usize>::new());
    for log in &logs {
        let (format, records) = read(log);
        assert_eq!((format, records.len()), (Some(Format::AshtonLog), 1), "{}", log.display());
        let replay = replayer.replay(&records[0].value);
        assert_eq!(replay.plies.len(), records[0].value.main().moves.len(), "{}", log.display());
        n_plies += replay.plies.len();
        n_boards += records[0].value.boards.len();
        for name in names(&replay) {
            *findings.entry(name).or_default() += 1;
        }
        if let Some(board) = replay.outcome {
            assert_eq!(replay.recorded, Some(SourcedOutcome::on_board(board)), "{}", log.display());
        }
    }
    assert_eq!((logs.len(), n_plies, n_boards), (73, 1855, 1928));
    // Nine logs end with a draw by repetition under the rules of the competition; one stops at a rejected move.
    assert_eq!(findings, BTreeMap::from([("repetition-reached", 9), ("unfinished", 1)]));
}

/// Ludii's own rules, according to its game files and numbers of legal moves.
const LUDII: [(&str, usize, &str); 3] = [
    (
        "Tablut",
        69,
        "dim:9 esc:e surf:n ks:c cor: cens: cenp: cenh:tcnkTCNK xrep:none xnom:none \
         start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
    ),
    (
        "Hnefatafl",
        576,
        "dim:11 surf:n cenp:K cenh:tcnkTCNK xrep:none xnom:none \
         start:/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/",
    ),
    (
        "HeXentafl",
        71,
        "dim:4 xtopo:hex atkf:n xmove:K=h1 cor: cenp:K cenh: cenhe: xgoal:d=corners xhcc:rim surf:n \
         xking:alt3/custodian/custodian/custodian xkh: xrep:none xnom:none start:/t2t/5/3T2/t1TK2t/3T2/5/t2t/",
    ),
];

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn ludii_trials_agree_in_every_count_capture_and_end() {
    for (name, n_plies, rules) in LUDII {
        let (_, records) = read(&data::records(&format!("ludii/{name}_RandomTrial_0.txt")));
        let rules = RuleChoice::own(&rules.parse().unwrap()).unwrap();
        let options = ReplayOptions { rules: Some(rules), ..ReplayOptions::default() };
        let replay = Replayer::new(options).replay(&records[0].value);
        assert_eq!(names(&replay), [""; 0], "{name}");
        assert_eq!((replay.plies.len(), records[0].value.move_counts.len()), (n_plies, n_plies), "{name}");
        assert_eq!(
            replay.outcome.map(|board| board.winner),
            replay.recorded.map(|end| end.outcome.winner),
            "{name}"
        );
        assert!(replay.outcome.is_some(), "{name}");
    }
}
