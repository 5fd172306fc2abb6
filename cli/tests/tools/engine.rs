//! `tafl engine`: sessions in each protocol.

use tafl_cli::Exit;

use super::{run, run_with};

/// Runs the engine with an input, and returns its output lines.
fn run_engine(args: &[&str], input: &str) -> Vec<String> {
    let output = run_with(&[&["engine"], args].concat(), input);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""), "{input}");
    output.text().lines().map(str::to_owned).collect()
}

fn uci(input: &str) -> Vec<String> {
    run_engine(&["--variant", "brandubh7"], input)
}

fn without_info(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().filter(|line| !line.starts_with("info depth")).collect()
}

#[test]
fn uci_identifies_the_engine_and_is_ready() {
    let lines = uci("uci\nisready\n");
    assert!(lines[0].starts_with("id name taflbase "), "{lines:?}");
    assert!(lines.contains(&"option name Rules type string default <empty>".to_owned()), "{lines:?}");
    assert_eq!(lines[lines.len() - 2..], ["uciok", "readyok"]);
}

#[test]
fn uci_searches_and_reports() {
    let lines = uci("position startpos moves d2c2 c4c3\ngo depth 3\n");
    assert_eq!(lines.len(), 4, "{lines:?}");
    let tokens: Vec<&str> = lines[2].split(' ').collect();
    assert_eq!(tokens[..4], ["info", "depth", "3", "score"]);
    for word in ["nodes", "nps", "hashfull", "time", "pv"] {
        assert!(tokens.contains(&word), "{}", lines[2]);
    }
    let pv = tokens.iter().position(|token| *token == "pv").unwrap();
    assert_eq!(lines[3], format!("bestmove {} ponder {}", tokens[pv + 1], tokens[pv + 2]));
}

#[test]
fn uci_is_deterministic_for_a_node_limit() {
    let input = "position startpos\ngo nodes 2000\nucinewgame\nposition startpos\ngo nodes 2000\n";
    let lines = without_info(uci(input));
    assert_eq!((lines.len(), &lines[0]), (2, &lines[1]));
}

#[test]
fn uci_reports_the_distance_of_a_win() {
    let lines = uci("position rec /7/t5t/7/3K3/3T3/1t5/7/ defenders\ngo depth 3\n");
    assert!(lines[lines.len() - 2].contains(" score mate 2 "), "{lines:?}");
}

#[test]
fn uci_accepts_a_position_in_fen() {
    let lines = uci("position fen 7/1a5/3d3/3k3/7/a5a/7 d 3 17\ngo depth 3\n");
    assert!(lines[lines.len() - 2].contains(" score mate 2 "), "{lines:?}");
    let lines = uci("position fen 3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a moves d2c2\ngo depth 1\n");
    assert!(lines[lines.len() - 1].starts_with("bestmove "), "{lines:?}");
    let lines = uci("position fen 7/7/7 a\n");
    assert!(lines[0].starts_with("info string error: a FEN has a row for each rank"), "{lines:?}");
}

#[test]
fn uci_stops_on_stop_and_at_the_end_of_input() {
    // The second search is queued while the first one runs, and `stop` applies to it.
    let lines = without_info(uci("go nodes 500\ngo infinite\nstop\nisready\n"));
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 1, "{lines:?}");
    for input in
        ["go infinite\n", "go infinite\nisready\n", "go\nquit\n", "go infinite\nposition startpos\nstop\n"]
    {
        let lines = without_info(uci(input));
        assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{input}: {lines:?}");
    }
}

#[test]
fn uci_stops_limited_searches() {
    let start = std::time::Instant::now();
    for (input, n_searches) in [
        ("go movetime 300000\nposition startpos moves d2c2\nstop\nisready\n", 1),
        ("go movetime 300000\nsetoption name MultiPV value 2\nstop\n", 1),
        ("go nodes 500\ngo movetime 300000\nposition startpos moves d2c2\nstop\n", 2),
    ] {
        let lines = without_info(uci(input));
        let n_best = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(n_best, n_searches, "{input}: {lines:?}");
    }
    assert!(start.elapsed().as_secs() < 300, "{:?}", start.elapsed());
}

#[test]
fn otep_clears_the_clock_of_a_game_that_ends_during_a_search() {
    // With this clock, the second move would take 100 seconds.
    let input = "clock 4000000 4000000\nplay attackers\nfinish\nplay attackers\n";
    let start = std::time::Instant::now();
    let args = ["--protocol", "otep", "--time", "0.05", "--variant", "brandubh7"];
    let lines = run_engine(&args, input);
    assert_eq!(lines.iter().filter(|line| line.starts_with("move ")).count(), 2, "{lines:?}");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn uci_uses_the_clock_of_the_side_to_move() {
    // With the other clock, each search would take 25 minutes or more.
    let mover_is_w = "position startpos\ngo wtime 1000 btime 60000000 winc 10 binc 60000\n";
    let mover_is_b = "position startpos moves d2c2\ngo wtime 60000000 btime 1000 movestogo 20\n";
    let start = std::time::Instant::now();
    let mut lines = without_info(uci(&format!("{mover_is_w}{mover_is_b}go wtime -20 btime -20\n")));
    let defenders_first = "dim:7 atkf:n start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    lines.extend(without_info(uci(&format!("setoption name Rules value {defenders_first}\n{mover_is_w}"))));
    // The shortest limit applies.
    lines.extend(without_info(uci("go wtime 60000000 btime 60000000 movetime 20\n")));
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert!(lines.iter().all(|line| line.starts_with("bestmove ")), "{lines:?}");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn uci_accepts_pieces_that_the_start_does_not_have() {
    let position = "/3t3/3N3/3T3/ttTKTtt/3C3/3t3/3t3/";
    let lines = uci(&format!("position rec {position} defenders\ngo depth 3\n"));
    let args =
        ["eval", "--variant", "brandubh7", "--position", position, "--side", "defenders", "--depth", "3"];
    let eval = run(&[&args[..], &["--format", "json"]].concat()).json();
    let best = eval["lines"][0]["moves"][0].as_str().unwrap().replace('-', "");
    assert!(lines.last().unwrap().starts_with(&format!("bestmove {best}")), "{lines:?}");
}

#[test]
fn uci_limits_the_strength() {
    let nodes = |options: &str, limits: &str| -> u64 {
        let lines = uci(&format!("{options}position startpos\ngo {limits}\n"));
        let info = lines.iter().rfind(|line| line.starts_with("info depth")).expect("the search reports");
        let mut words = info.split(' ').skip_while(|word| *word != "nodes");
        words.nth(1).unwrap().parse().unwrap()
    };
    let skill = "setoption name Skill Level value 3\n";
    // A search may exceed its limit by a few nodes.
    assert!(nodes(skill, "nodes 5000") < 500);
    // The smaller limit applies, and 8 is full strength.
    assert!(nodes(skill, "nodes 100") < 200);
    assert!(nodes("setoption name Skill Level value 8\n", "nodes 5000") > 1000);
    let elo = |elo: i32, is_on: bool| {
        format!("setoption name UCI_Elo value {elo}\nsetoption name UCI_LimitStrength value {is_on}\n")
    };
    let third = tafl_analyzer::LEVELS[2].elo;
    assert!(nodes(&elo(third, true), "nodes 5000") < 500);
    assert!(nodes(&elo(third, false), "nodes 5000") > 1000);
    let errors = uci(&format!(
        "{}setoption name Skill Level value 9\nsetoption name UCI_LimitStrength value 1\n",
        elo(0, true)
    ));
    assert!(errors[0].contains("UCI_Elo must be a number from"), "{errors:?}");
    assert!(errors[1].contains("Skill Level must be a number from 1 to 8"), "{errors:?}");
    assert!(errors[2].contains("must be `true` or `false`"), "{errors:?}");
}

#[test]
fn uci_ponders() {
    let is_best = |line: &&String| line.starts_with("bestmove ");
    // After the expected move, the search has the limits of `go`; before it, it has none.
    let lines = without_info(uci("position startpos moves d2c2\ngo ponder nodes 300\nisready\nponderhit\n"));
    assert_eq!(lines.iter().filter(is_best).count(), 1, "{lines:?}");
    let position = lines.iter().position(|line| line == "readyok");
    assert_eq!(position, Some(0), "{lines:?}");
    // Another move was played: the result of the search is not needed, but the protocol demands it.
    let lines =
        without_info(uci("position startpos moves d2c2\ngo ponder wtime 1000 btime 1000\nstop\nisready\n"));
    assert_eq!(lines.iter().filter(is_best).count(), 1, "{lines:?}");
    // A search that ends by itself waits.
    let won = "position rec /K6/7/7/3t3/7/7/3t3/ attackers\n";
    let lines = without_info(uci(&format!("{won}go ponder nodes 10\nisready\nponderhit\n")));
    assert!(lines.iter().filter(is_best).count() == 1, "{lines:?}");
    let lines = uci("ponderhit\n");
    assert_eq!(lines, ["info string error: no search runs to which `ponderhit` applies"]);
}

#[test]
fn words_are_separated_by_any_blanks() {
    let lines = uci(
        "isready\nsetoption  name\tHash  value  1\nsetoption  name  Hash  value  x\nquit\tnow\nisready\n",
    );
    assert_eq!(lines, ["readyok", "info string error: Hash must be a number from 1 to 65536"]);
    let lines = without_info(uci("position\tstartpos  moves\td2c2\ngo  ponder\tnodes 300\nstop  now\n"));
    assert!(lines.len() == 1 && lines[0].starts_with("bestmove "), "{lines:?}");
    let lines = htp("board_size\t11\nplay_to  attacker  a8\nplay\ta  a8  a9\nquit  now\n");
    assert_eq!(lines, ["= ", "= b8 c8 d8 e8 a9 a10", "= ", "= "]);
    let board = "/3t3/2t4/3T3/ttTKTtt/3T3/3t3/3t3/";
    let lines =
        otep(&format!("{BRANDUB}opponent-move\td2-c2  {board}\nside\tattackers\nfinish  0\ngoodbye\tnow\n"));
    assert!(lines.is_empty(), "{lines:?}");
}

#[test]
fn uci_plays_by_any_rules() {
    let hex = uci("setoption name Variant value hexentafl4\nposition startpos\ngo nodes 200\n");
    assert!(hex.last().unwrap().starts_with("bestmove "), "{hex:?}");
    let rules = "dim:7 xrep:pos3draw start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let lines =
        uci(&format!("setoption name Rules value {rules}\nsetoption name MultiPV value 2\ngo depth 2\n"));
    assert!(lines.iter().any(|line| line.starts_with("info depth 2 multipv 2 ")), "{lines:?}");
}

#[test]
fn uci_reports_errors_and_continues() {
    let input = "\
hello
position
position rec /7/ attackers
position rec /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/ both
position startpos moves d1d7
position startpos moves x
setoption name Speed value 3
setoption name Hash value 0
setoption name Variant value chess
setoption name Rules value dim:99
setoption
go fast
go nodes 0
go wtime
go wtime soon btime 3
go btime 1000
go wtime 1000 btime 1000 movestogo 0
stop
isready
";
    let lines = uci(input);
    assert_eq!(lines.len(), 18, "{lines:?}");
    assert!(lines[..17].iter().all(|line| line.starts_with("info string error: ")), "{lines:?}");
    assert_eq!(lines[17], "readyok");
    assert!(lines[4].contains("d1-d7"), "{}", lines[4]);
}

#[test]
fn an_invalid_position_changes_nothing() {
    let valid = "position startpos moves d2c2\n";
    let go = "go nodes 300\n";
    let expected = uci(&format!("{valid}{go}"));
    for invalid in [
        "position startpos moves d2d7",
        "position startpos moves d2c2 c4c3 x",
        "position rec /3t3/3N3/3T3/ttTKTtt/3T3/3t3/3t3/ attackers moves d1d7",
        "position rec /7/ attackers",
    ] {
        let lines = uci(&format!("{valid}{invalid}\n{go}"));
        assert!(lines[0].starts_with("info string error: "), "{lines:?}");
        assert_eq!(lines.last(), expected.last(), "{invalid}");
    }
}

#[test]
fn uci_has_no_move_after_the_end_of_a_game() {
    let lines = uci("position rec /K6/7/7/3t3/7/7/3t3/ attackers\ngo nodes 10\n");
    let over = uci("position rec /1K5/7/7/3t3/7/7/3t3/ defenders moves b1a1\ngo nodes 10\n");
    assert_eq!(over.last().unwrap(), "bestmove (none)", "{over:?}");
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
}

/// The command of OTEP that sets the rules of Brandubh.
const BRANDUB: &str =
    "rules dim:7 name:Brandub surf:n atkf:y ks:w cenh: cenhe: start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\n";

fn otep(input: &str) -> Vec<String> {
    let lines = run_engine(&["--protocol", "otep", "--time", "0.05"], input);
    assert_eq!(lines[..2], ["hello", "simple-moves on"]);
    lines[2..].iter().filter(|line| !line.starts_with("status ")).cloned().collect()
}

#[test]
fn otep_plays_against_opentafl() {
    let input = format!("{BRANDUB}clock 60000 60000 10 3 3 \nplay attackers\n");
    let lines = otep(&input);
    let mv = lines[0].strip_prefix("move ").unwrap();
    assert_eq!((lines.len(), mv.matches('-').count()), (1, 1));
    // OpenTafl sends the move of the opponent and the board after it.
    let board = "/3t3/2t4/3T3/ttTKTtt/3T3/3t3/3t3/";
    let input = format!("{BRANDUB}opponent-move d2-c2 {board}\nplay defenders\n");
    assert!(otep(&input)[0].starts_with("move "));
    // If the move does not lead to the board, the board is used.
    let input = format!(
        "{BRANDUB}opponent-move a1-a2 {board}\nside attackers\nside defenders\nplay defenders\nfinish 0\n"
    );
    let lines = otep(&input);
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:?}");
}

#[test]
fn otep_analyzes_with_the_requested_number_of_lines() {
    let input = format!("{BRANDUB}position /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\nside attackers\nanalyze 3 1\n");
    let lines = otep(&input);
    let tokens: Vec<&str> = lines[0].split(' ').collect();
    // OpenTafl expects the number of lines, then a move and a value for each line.
    assert_eq!((tokens[0], tokens[1], tokens.len()), ("analysis", "3", 8));
    assert!(tokens[2].contains('-') && tokens[3].parse::<f64>().is_ok(), "{lines:?}");
}

#[test]
fn otep_reports_errors_and_continues() {
    let input = format!(
        "{BRANDUB}fly\nposition /7/\nside red\nplay nowhere\nanalyze many\nclock soon\nopponent-move d1-d7\nrules dim:99\nerror 2\ngoodbye\n"
    );
    let lines = otep(&input);
    assert_eq!(lines.len(), 8, "{lines:?}");
    assert!(lines[..7].iter().all(|line| line.starts_with("error 0 ")), "{lines:?}");
    assert!(lines[7].starts_with("error -1 "), "{lines:?}");
}

fn htp(input: &str) -> Vec<String> {
    run_engine(&["--protocol", "htp", "--time", "0.05"], input)
}

#[test]
fn htp_plays() {
    let lines = htp("name\nplay attacker a8 a9\ngenerate_move\nfinal_status\nknown_command play\n");
    assert_eq!(lines[..2], ["= taflbase", "= "]);
    assert!(lines[2].starts_with("= play defender ") && lines[2].contains(", score: "), "{lines:?}");
    assert_eq!(lines[3..], ["= ongoing", "= true"]);
}

#[test]
fn htp_shows_moves_and_boards() {
    let start = "= /3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/";
    let lines =
        htp("play a A8 A9 # a remark\nplay_undo\nshow_board_open_tafl\nplay_to attacker a8\nplay_from\n");
    assert_eq!(lines[..3], ["= ", "= ", start]);
    assert_eq!(lines[3], "= b8 c8 d8 e8 a9 a10", "{lines:?}");
    assert!(lines[4].starts_with("= attacker d1 e1 "), "{lines:?}");
    let board = htp("board_size 13\nshow_board\nversion\n");
    assert_eq!((board.len(), board[2].len()), (16, 16), "{board:?}");
    assert!(htp("list_commands\n").contains(&"time_settings".to_owned()));
}

#[test]
fn htp_ends_games_by_resignation() {
    let lines = htp(
        "play attacker resigns\nfinal_status\ngenerate_move\nplay defender f8 f9\nplay_undo\nfinal_status\n\
                     play attacker resigns\nboard_size 11\nfinal_status\n",
    );
    let over = "? the game is over: defenders win (resignation)";
    assert_eq!(lines, ["= ", "= defender_wins", over, over, "= ", "= ongoing", "= ", "= ", "= ongoing"]);
}

#[test]
fn htp_reports_errors_and_continues() {
    let input = "fly\nplay\nplay x a1 a2\nplay defender f8 f9\nplay attacker a8 z9\nplay attacker a8 b9\nplay_undo\n\
                board_size 7\nfirst_move me\nplay_to attacker\ntime_settings soon\n\n# nothing\ntime_settings fischer 15 10\n\
                first_move defender\nplay attacker resigns\nplay defender resigns\nquit\n";
    let lines = htp(input);
    assert_eq!(lines.len(), 16, "{lines:?}");
    assert!(lines[..11].iter().all(|line| line.starts_with("? ")), "{lines:?}");
    assert_eq!(lines[11..13], ["= ", "= "]);
    assert!(lines[13].starts_with("? it is the turn of the defenders"), "{lines:?}");
    assert_eq!(lines[14..], ["= ", "= "]);
}
