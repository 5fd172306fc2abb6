use std::io::{BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde_json::{Value, json};

use super::*;
use crate::engine::{AnnotateRequest, GameFindings};
use crate::records::{ReplayConfig, ReplayWorker};

const MOVES: [&str; 4] = ["d6-a6", "d5-a5", "d2-g2", "d3-a3"];

/// Answers queries with a number of threads, and returns the replies as JSON.
fn answer(threads: usize, queries: &[Value]) -> Vec<Value> {
    let request = AnalyzeRequest {
        threads: Threads { threads: std::num::NonZeroUsize::new(threads) },
        ..AnalyzeRequest::default()
    };
    let input: String = queries.iter().map(|query| format!("{query}\n")).collect();
    let mut replies = Vec::new();
    let take = |reply| {
        replies.push(serde_json::to_value(&reply).unwrap());
        Ok::<_, Error>(ControlFlow::Continue(()))
    };
    request.process(Cursor::new(input), &App::new(), &Job::default(), take).unwrap();
    replies
}

#[test]
fn answers_are_those_of_an_annotation() {
    let text = format!("[variant:brandubh7]\n1. {} {} 2. {} {}", MOVES[0], MOVES[1], MOVES[2], MOVES[3]);
    let parsed = tafl_parser::Format::OpenTafl.parse(&tafl_parser::Source::new(&text));
    let replayed = ReplayWorker::new(&ReplayConfig::default().into()).replay(parsed);
    let mut request = AnnotateRequest::default();
    request.evaluation.limits.nodes = Some(2_000);
    request.recheck = Bounded::new(1).unwrap();
    let run = request.begin_with(None, &Job::default()).unwrap();
    let notes = run.annotate(&replayed, |_| true).unwrap().unwrap();
    let shape = replayed.shape().unwrap();
    let annotated = serde_json::to_value(GameFindings::of(shape, &notes)).unwrap();

    let turns = [4, 0, 2, 1, 3];
    let query = json!({ "id": "game", "variant": "brandubh7", "moves": MOVES, "analyze_turns": turns, "nodes": 2_000 });
    for threads in [1, 3] {
        let mut replies = answer(threads, std::slice::from_ref(&query));
        replies.sort_by_key(|reply| reply["turn"].as_u64());
        assert_eq!(replies.len(), 5);
        for (turn, reply) in replies.iter().enumerate() {
            assert_eq!((&reply["id"], &reply["turn"]), (&json!("game"), &json!(turn)));
            for field in ["to_move", "score", "wins", "in", "expected", "best", "depth", "nodes"] {
                assert_eq!(reply[field], annotated["positions"][turn][field], "turn {turn}: {field}");
            }
        }
    }
}

#[test]
fn every_faulty_line_is_answered_with_its_id() {
    let replies = answer(
        2,
        &[
            json!({ "id": 1, "variant": "brandubh77" }),
            json!({ "id": 2, "variant": "brandubh7", "analyze_turns": [1] }),
            json!({ "id": 3, "variant": "brandubh7", "moves": "d1-d7" }),
            json!({ "id": 4, "variant": "brandubh7", "nodez": 3 }),
            json!({ "id": 5, "action": "stop" }),
            json!([6]),
        ],
    );
    let kinds: Vec<_> = replies.iter().map(|reply| (&reply["id"], reply["error"]["kind"].as_str())).collect();
    assert_eq!(
        kinds,
        [
            (&json!(1), Some("unknown-variant")),
            (&json!(2), Some("bad-parameter")),
            (&json!(3), Some("illegal-move")),
            (&json!(4), Some("bad-parameter")),
            (&json!(5), Some("bad-parameter")),
            (&Value::Null, Some("bad-parameter")),
        ]
    );
}

#[test]
fn a_terminated_query_ends_and_others_go_on() {
    let replies = answer(
        1,
        &[
            json!({ "id": "long", "variant": "copenhagen11", "nodes": 1_u64 << 50 }),
            json!({ "id": "short", "variant": "brandubh7", "nodes": 100 }),
            json!({ "id": "end", "action": "terminate", "terminate_id": "long" }),
        ],
    );
    assert_eq!(replies.len(), 3);
    let reply = |id: &str| replies.iter().find(|reply| reply["id"] == id).unwrap();
    assert_eq!((&reply("end")["queries"], &reply("long")["terminated"]), (&json!(1), &json!(true)));
    assert_eq!((&reply("short")["terminated"], reply("short")["depth"].is_u64()), (&Value::Null, true));
}

#[test]
fn lines_and_ends_of_games_are_reported() {
    let moves = "d2-c2 d3-b3 c2-c3 d4-d2 a4-a3 d2-a2 g4-g3 a2-a1";
    let replies = answer(
        1,
        &[
            json!({ "id": 1, "rules": "brandubh7", "moves": moves, "nodes": 100 }),
            json!({ "id": 2, "variant": "brandubh7", "multi_pv": 3, "nodes": 5_000 }),
        ],
    );
    assert_eq!((&replies[0]["outcome"], &replies[0]["expected"]), (&json!("defenders"), &json!(0.0)));
    assert_eq!(
        (replies[0]["lines"].as_array().unwrap().len(), replies[1]["lines"].as_array().unwrap().len()),
        (0, 3)
    );
}

#[test]
fn repetitions_and_finished_starts_are_ends() {
    let repeated = "d1-c1 d3-c3 c1-d1 c3-d3 d1-c1 d3-c3 c1-d1 c3-d3";
    let turns = [7, 8, 9];
    let mut replies = answer(
        1,
        &[
            json!({ "id": 1, "variant": "brandubh7", "moves": format!("{repeated} d2-c2"), "analyze_turns": turns, "nodes": 20 }),
            json!({ "id": 2, "variant": "brandubh7", "position": "/K6/7/7/7/7/7/t6/", "nodes": 20 }),
            json!({ "id": 3, "variant": "brandubh7", "position": "/7/7/7/3T3/7/7/t6/", "nodes": 20 }),
        ],
    );
    assert_eq!(replies.pop().unwrap()["error"]["kind"], "bad-position");
    let outcomes: Vec<_> = replies.iter().map(|reply| reply["outcome"].as_str()).collect();
    assert_eq!(outcomes, [None, Some("attackers"), None, Some("defenders")]);
    assert_eq!((&replies[1]["expected"], &replies[1]["lines"]), (&json!(1.0), &json!([])));
}

#[test]
fn partial_answers_precede_the_answer() {
    let query = json!({ "id": 1, "variant": "brandubh7", "depth": 5 });
    let whole = answer(1, std::slice::from_ref(&query));
    let mut query = query.clone();
    query["report_every"] = json!(0);
    let mut replies = answer(1, &[query.clone()]);
    assert_eq!(replies.pop().as_ref(), whole.first());
    let depths: Vec<_> = replies.iter().map(|reply| (&reply["partial"], &reply["depth"])).collect();
    assert!(depths.len() > 2 && depths.iter().all(|(partial, _)| **partial == json!(true)), "{depths:?}");
    assert!(depths.is_sorted_by_key(|(_, depth)| depth.as_u64()), "{depths:?}");
    let last = replies.last().unwrap();
    assert_eq!((&last["best"], &last["expected"]), (&whole[0]["best"], &whole[0]["expected"]));
    query["report_every"] = json!(1000);
    assert_eq!(answer(1, &[query]), whole);
}

/// Repeats a query without end, and counts how often it is read.
struct EndlessQueries(Arc<AtomicUsize>);

impl Read for EndlessQueries {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let line = b"{\"id\":1,\"variant\":\"brandubh7\",\"nodes\":1}\n";
        self.0.fetch_add(1, Ordering::Relaxed);
        buffer[..line.len()].copy_from_slice(line);
        Ok(line.len())
    }
}

#[test]
fn queries_are_read_only_as_long_as_replies_are_taken() {
    let n_read = Arc::new(AtomicUsize::new(0));
    let input = BufReader::new(EndlessQueries(Arc::clone(&n_read)));
    let request = AnalyzeRequest { threads: Threads::ONE, ..AnalyzeRequest::default() };
    let take = |_| Ok::<_, Error>(ControlFlow::Break(()));
    request.process(input, &App::new(), &Job::default(), take).unwrap();
    // Without an end, the queue would be filled with a million turns.
    let n_read = n_read.load(Ordering::Relaxed);
    assert!(n_read < 200_000, "{n_read}");
}

/// An input that is silent until its sender is dropped.
struct SilentInput(Receiver<()>);

impl Read for SilentInput {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        let _ = self.0.recv();
        Ok(0)
    }
}

#[test]
fn a_canceled_job_ends_a_search_and_the_wait_for_input() {
    let query = json!({ "id": 1, "variant": "copenhagen11", "nodes": 1_u64 << 50 });
    let (end, silence) = mpsc::channel();
    let input = Cursor::new(format!("{query}\n")).chain(BufReader::new(SilentInput(silence)));
    let job = Job::default();
    let token = job.cancel_token();
    let canceler = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        token.cancel();
    });
    let started = Instant::now();
    let take = |_| Ok::<_, Error>(ControlFlow::Continue(()));
    let error = AnalyzeRequest::default().process(input, &App::new(), &job, take).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Canceled);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    drop(end);
    canceler.join().unwrap();
}

#[test]
fn turns_of_higher_priority_come_first() {
    let queue = TurnQueue::default();
    for (id, priority) in [("a", 0), ("b", 5), ("c", 0), ("d", -1)] {
        let query = json!({ "id": id, "variant": "brandubh7", "priority": priority });
        let query: AnalyzeQuery = serde_json::from_value(query).unwrap();
        queue.add(query.turns(&AnalyzeRequest::default(), &App::new()).unwrap()).unwrap();
    }
    queue.close();
    let order: Vec<Value> = std::iter::from_fn(|| queue.next()).map(|turn| turn.query.id.clone()).collect();
    assert_eq!(order, ["b", "a", "c", "d"]);
}

#[test]
fn lines_and_moves_can_decline_a_chain() {
    let rules = "dim:7 ber:c xber:free start:/5K1/t1Tt3/7/1T5/1t5/7/6t/";
    let replies = answer(
        1,
        &[
            json!({ "id": 1, "variant": rules, "moves": ["a2-b2"], "depth": 4, "multi_pv": 2 }),
            json!({ "id": 2, "variant": rules, "moves": ["a2-b2", "decline"], "depth": 4 }),
        ],
    );
    assert_eq!((&replies[0]["to_move"], &replies[0]["second"][0]), (&json!("attackers"), &json!("decline")));
    assert_eq!(replies[0]["lines"][1]["moves"][0], "decline");
    assert_eq!((&replies[1]["to_move"], &replies[1]["wins"]), (&json!("defenders"), &json!("defenders")));
    assert_ne!(replies[1]["best"][0], "decline");
}
