//! Builds segments of random games and measures the index: size, building time, candidates, searches.
//!
//! `index_bench build FOLDER MILLIONS [VARIANT...]`, then `index_bench search FOLDER THREADS`, or
//! `index_bench ask FOLDER THREADS QUERY`.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

use tafl_corpus::{
    CancelCheck, CountEffort, GameId, GameResult, GameRow, GameSetup, HitUnit, LineOfPlayId, MoveLog,
    MoveLogWriter, PageRequest, RecordVerdict, RulesId, Searcher,
};

use tafl_corpus::internals::{self, SearchSegment};
use tafl_corpus::query::Query;
use tafl_rules::{
    AnyRulebook, CanonicalKey, Event, Facts, Game, KingStatus, Rng, Role, RuleSet, Setup, Side, catalog,
};
use tantivy::Directory;
use tantivy::directory::{MmapDirectory, OwnedBytes};

/// The number of positions of a segment.
const SEGMENT: usize = 1 << 21;

/// A game that is played again and again, and its setup.
struct GamePlayer {
    game: Game,
    setup: GameSetup,
}

/// Plays a random game into the move log, and appends the keys of its positions.
fn play(player: &mut GamePlayer, rng: &mut Rng, move_log: &mut MoveLogWriter, keys: &mut Vec<CanonicalKey>) {
    let game = &mut player.game;
    game.restart();
    let most = 40 + rng.below(80);
    let mut facts = Facts::default();
    facts.kings.defenders = Some(KingStatus { distance: 4, lines: 0, in_danger: false, cordoned: false });
    move_log.begin(&player.setup, game.shape(), &facts);
    keys.push(game.canonical_key().0);
    for _ in 0..most {
        let moves = game.moves();
        if moves.is_empty() || game.outcome().is_some() {
            break;
        }
        // Players repeat openings: the first plies are among few moves.
        let n = if game.n_plies() < 4 { moves.len().min(6) } else { moves.len() };
        let mv = moves[rng.below(n)];
        let Ok(ply) = game.play(mv) else { break };
        let captured: Vec<_> = ply.captured.iter().collect();
        let mut facts = Facts::default();
        if !captured.is_empty() {
            facts.events.insert(Event::Capture);
            facts.events.insert(Event::Custodial);
        }
        let roll = rng.next_u64();
        facts.kings.defenders = Some(KingStatus {
            distance: [1, 2, 2, 3, 3, 4, 5, 7][(roll % 8) as usize],
            lines: u8::from(roll.is_multiple_of(8)),
            in_danger: roll >> 8 & 15 == 0,
            cordoned: roll >> 16 & 31 == 0,
        });
        move_log.ply(mv, &captured, ply.goes_on, &facts);
        keys.push(game.canonical_key().0);
    }
    move_log.end(GameResult::ALL[rng.below(4)]);
}

fn build(folder: &Path, n_positions: usize, variants: &[&str]) {
    let mut players: Vec<GamePlayer> = variants
        .iter()
        .map(|name| {
            let rules: RuleSet = catalog::find(name).expect("a variant").rules();
            let setup = GameSetup {
                rules: rules.to_string(),
                start: rules.start.to_string(),
                first: rules.first_mover,
            };
            GamePlayer { game: Game::new(&AnyRulebook::compile(&rules).expect("rules compile")), setup }
        })
        .collect();
    let mut rng = Rng::new(1);
    let (mut left, mut number) = (n_positions, 0);
    while left > 0 {
        let begin = Instant::now();
        let (mut move_log, mut keys) = (MoveLogWriter::default(), Vec::new());
        while keys.len() < SEGMENT.min(left) {
            let at = rng.below(players.len());
            play(&mut players[at], &mut rng, &mut move_log, &mut keys);
        }
        left = left.saturating_sub(keys.len());
        let bytes = move_log.finish();
        let played = begin.elapsed();
        let segment = folder.join(format!("{number:04}"));
        std::fs::create_dir_all(&segment).expect("a folder");
        std::fs::write(segment.join("move_log.bin"), &bytes).expect("written");
        let n_bytes = bytes.len();
        let move_log = MoveLog::open(OwnedBytes::new(bytes)).expect("a move log");
        let begin = Instant::now();
        let rows: Vec<GameRow> = (0..move_log.n_games()).map(|game| row(&move_log, game, &mut rng)).collect();
        internals::build_index(&segment.join("index"), &move_log, keys.iter().copied(), &rows)
            .expect("built");
        let built = begin.elapsed();
        let size = folder_size(&segment.join("index"));
        let per = |bytes: u64| bytes as f64 / keys.len() as f64;
        println!(
            "segment {number}: {} games, {} positions; played in {:.1} s, indexed in {:.1} s ({:.2} us a position); \
             move_log {:.2}, index {:.2} bytes per position",
            move_log.n_games(),
            keys.len(),
            played.as_secs_f64(),
            built.as_secs_f64(),
            built.as_secs_f64() * 1e6 / keys.len() as f64,
            per(n_bytes as u64),
            per(size)
        );
        number += 1;
    }
}

/// Returns a row of a table of games for a game.
fn row(move_log: &MoveLog, game: u32, rng: &mut Rng) -> GameRow {
    let entry = move_log.entry(game);
    let setup = &move_log.game_setups()[usize::from(entry.game_setup)];
    let name = |number: u64| Some(format!("Player {}", number % 3000));
    GameRow {
        game: GameId(rng.next_u64()),
        line: LineOfPlayId(rng.next_u64()),
        orientation: 0,
        variant: Some("copenhagen".to_owned()),
        rules: setup.rules.as_str().into(),
        rules_id: RulesId(1),
        shape: "11x11".into(),
        start: setup.start.as_str().into(),
        first: setup.first,
        attackers: name(rng.next_u64()),
        defenders: name(rng.next_u64()),
        attackers_rating: Some(1000 + (rng.next_u64() % 1000) as i16),
        defenders_rating: Some(1000 + (rng.next_u64() % 1000) as i16),
        event: None,
        site: Some("somewhere".to_owned()),
        round: None,
        date: Some(format!(
            "20{:02}-{:02}-{:02}",
            rng.next_u64() % 26,
            1 + rng.next_u64() % 12,
            1 + rng.next_u64() % 28
        )),
        year: Some(2000 + (rng.next_u64() % 26) as i16),
        result: entry.result,
        plies: entry.n_plies,
        source: Some("games.csv".to_owned()),
        place: Some(game),
        verdict: RecordVerdict::Sound,
        ..GameRow::default()
    }
}

fn folder_size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").metadata().expect("a file").len()).sum()
}

fn open(folder: &Path, threads: usize) -> Searcher {
    let mut folders: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let segments = folders.into_iter().map(|folder| {
        let directory = MmapDirectory::open(&folder).expect("a folder");
        let bytes =
            directory.open_read(Path::new("move_log.bin")).expect("a move log").read_bytes().expect("mapped");
        let move_log = MoveLog::open(bytes).expect("a move log");
        SearchSegment::new(move_log, folder.join("move_log.bin"), folder.join("index"), Vec::new())
    });
    Searcher::new(segments.collect(), NonZeroUsize::new(threads).expect("threads"))
}

/// Returns a random position of the corpus.
fn position(searcher: &Searcher, rng: &mut Rng) -> Setup {
    let segments = searcher.segments();
    let move_log = segments[rng.below(segments.len())].move_log().expect("a move log");
    let mut cursor = move_log.cursor(rng.below(move_log.n_games() as usize) as u32).expect("a game");
    for _ in 0..rng.below(60) {
        cursor.advance().expect("a ply");
    }
    cursor.state().setup()
}

/// Returns the rows of a board, a letter for each cell: of the roles, only kings are distinguished.
fn rows(setup: &Setup) -> Vec<Vec<char>> {
    let shape = setup.shape();
    let mut rows = vec![Vec::new(); shape.n_ranks() as usize];
    for cell in shape.cells() {
        let letter = match setup.piece(cell).map(|piece| (piece.side, piece.role == Role::King)) {
            Some((Side::Attackers, true)) => 'k',
            Some((Side::Attackers, false)) => 't',
            Some((Side::Defenders, true)) => 'K',
            Some((Side::Defenders, false)) => 'T',
            None => '.',
        };
        rows[shape.coord(cell).rank as usize].push(letter);
    }
    rows
}

/// Returns a pattern of six cells that occurs in the corpus.
fn pattern(kind: &str, searcher: &Searcher, rng: &mut Rng) -> String {
    loop {
        let mut board = rows(&position(searcher, rng));
        let side = board.len();
        let text = match kind {
            "corner" => board[..2].iter().map(|row| row[..3].iter().collect()).collect::<Vec<String>>(),
            "sliding" => {
                let (file, rank) = (rng.below(side - 2), rng.below(side - 1));
                board[rank..rank + 2].iter().map(|row| row[file..file + 3].iter().collect()).collect()
            }
            _ => {
                let kept: Vec<(usize, usize)> = (0..6).map(|_| (rng.below(side), rng.below(side))).collect();
                for (rank, row) in board.iter_mut().enumerate() {
                    for (file, letter) in row.iter_mut().enumerate() {
                        if !kept.contains(&(rank, file)) {
                            *letter = '?';
                        }
                    }
                }
                board.iter().map(|row| row.iter().collect()).collect()
            }
        };
        // Empty cells occur in almost every position, so such a query measures nothing.
        if text.iter().flat_map(|row| row.chars()).filter(|letter| !matches!(letter, '.' | '?')).count() >= 2
        {
            let anchor = match kind {
                "corner" => "corner ",
                "sliding" => "",
                _ => "board ",
            };
            return format!("pattern {anchor}\"{}\"", text.join("/"));
        }
    }
}

/// The number of runs of each query. The fastest one counts, so that other programs on the machine count less.
const ROUNDS: usize = 3;

/// Runs queries, and prints the durations of their fastest runs.
fn measure(name: &str, searcher: &Searcher, page: PageRequest, queries: &[String]) {
    measure_rounds(name, searcher, page, (queries, ROUNDS));
}

fn measure_rounds(name: &str, searcher: &Searcher, page: PageRequest, (queries, rounds): (&[String], usize)) {
    let (mut times, mut hits, mut candidates) = (Vec::new(), 0, 0);
    for text in queries {
        let mut fastest = f64::MAX;
        for _ in 0..rounds {
            let begin = Instant::now();
            let query = Query::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let answer = searcher.page(&query, page, CancelCheck::NEVER).expect("an answer");
            fastest = fastest.min(begin.elapsed().as_secs_f64() * 1e6);
            (hits, candidates) = (hits + answer.total.number(), candidates + answer.candidates);
        }
        times.push(fastest);
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let n = (queries.len() * rounds) as u64;
    println!(
        "{name:<38} n {:>4}  p50 {:>9.0}  p90 {:>9.0}  p99 {:>9.0}  max {:>9.0} us;  hits {:>8}, candidates {:>7}",
        queries.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0),
        hits / n,
        candidates / n
    );
}

fn search(folder: &Path, max_threads: usize) {
    let all = PageRequest { unit: HitUnit::Position, offset: 0, limit: 10, effort: CountEffort::Exact };
    let first = PageRequest { unit: HitUnit::Position, offset: 0, limit: 10, effort: CountEffort::Page };
    for threads in 1..=max_threads {
        let begin = Instant::now();
        let searcher = open(folder, threads);
        let n_games = |segment: &SearchSegment| u64::from(segment.move_log().expect("a move log").n_games());
        let n: u64 = searcher.segments().iter().map(n_games).sum();
        println!("{threads} threads, {n} games, opened in {:?}", begin.elapsed());
        let mut rng = Rng::new(77);
        let many =
            |n: usize, make: &mut dyn FnMut() -> String| (0..n).map(|_| make()).collect::<Vec<String>>();
        let exact = many(1000, &mut || format!("position \"{}\"", position(&searcher, &mut rng)));
        measure_rounds("exact position, first run", &searcher, all, (&exact[..1], 1));
        measure("exact position, all", &searcher, all, &exact);
        measure("exact position, first ten", &searcher, first, &exact);
        for kind in ["corner", "sliding", "board"] {
            let queries = many(20, &mut || pattern(kind, &searcher, &mut rng));
            measure(&format!("pattern {kind}, all"), &searcher, all, &queries);
            measure(&format!("pattern {kind}, first ten"), &searcher, first, &queries);
        }
        for text in [
            "capture",
            "king_danger and king_cordon",
            "capture then king_cordon within 4",
            "result:draw and king_distance<=1",
            "player:\"player 77\"",
            "date>=2019-03 and plies>100",
        ] {
            measure(text, &searcher, all, &[text.to_owned()]);
            measure(&format!("{text}, first ten"), &searcher, first, &[text.to_owned()]);
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["build", folder, millions, ref variants @ ..] => {
            let n = (millions.parse::<f64>().expect("a number") * 1e6) as usize;
            let variants = if variants.is_empty() { &["copenhagen"][..] } else { variants };
            build(Path::new(folder), n, variants);
        }
        ["ask", folder, threads, query] => {
            let searcher = open(Path::new(folder), threads.parse().expect("a number"));
            let first =
                PageRequest { unit: HitUnit::Position, offset: 0, limit: 10, effort: CountEffort::Page };
            measure("page", &searcher, first, &[query.to_owned()]);
            measure(
                "all",
                &searcher,
                PageRequest { effort: CountEffort::Exact, ..first },
                &[query.to_owned()],
            );
        }
        ["search", folder, threads] => search(Path::new(folder), threads.parse().expect("a number")),
        _ => {
            println!("build FOLDER MILLIONS [VARIANT...] | search FOLDER THREADS | ask FOLDER THREADS QUERY")
        }
    }
}
