//! The tools for language models, called as a client calls them: over the pipes of a process.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::in_workspace;

/// A client with its server.
struct ModelClient {
    server: Child,
    answers: BufReader<ChildStdout>,
    n_requests: u64,
}

impl ModelClient {
    /// Starts a server, and begins the conversation.
    fn start(folder: &Path, args: &[&str]) -> ModelClient {
        let mut server = Command::new(env!("CARGO_BIN_EXE_tafl"))
            .arg("mcp")
            .args(args)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(server.stdout.take().unwrap());
        let mut client = ModelClient { server, answers, n_requests: 0 };
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let answer = client.request("initialize", hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "taflbase");
        assert!(answer["result"]["capabilities"]["tools"].is_object(), "{answer}");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        client
    }

    fn send(&mut self, line: &str) {
        writeln!(self.server.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    /// Sends a request, and returns its ID.
    fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.n_requests += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.n_requests, "method": method, "params": params });
        self.send(&request.to_string());
        self.n_requests
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.receive();
        assert_eq!(answer["id"], id);
        answer
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({ "name": tool, "arguments": arguments }))
    }

    /// Calls a tool that returns JSON.
    fn json(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments);
        let result = &answer["result"];
        assert_ne!(result["isError"], true, "{answer}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        text
    }

    /// Calls a tool that fails, and returns the message for the model.
    fn error(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(answer["result"]["structuredContent"]["kind"].is_string(), "{answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// Closes standard input, and waits for the end of the server.
    fn close(mut self) {
        drop(self.server.stdin.take());
        let begin = Instant::now();
        while self.server.try_wait().unwrap().is_none() {
            assert!(begin.elapsed() < Duration::from_secs(30), "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(self.server.wait().unwrap().success());
    }
}

fn start() -> ModelClient {
    ModelClient::start(Path::new("."), &[])
}

#[test]
fn tools_are_listed_with_their_parameters() {
    let mut client = start();
    let answer = client.request("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    // Without a corpus, there is nothing to search.
    assert_eq!(names, ["validate", "legal_moves", "explain", "evaluate", "render"]);
    for tool in tools {
        let schema = &tool["inputSchema"];
        let properties = schema["properties"].as_object().unwrap();
        assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)));
        assert!(properties.contains_key("variant"), "{tool}");
        let required = match tool["name"].as_str().unwrap() {
            "validate" => json!(["text"]),
            "render" => json!([]),
            _ => json!(["variant"]),
        };
        assert_eq!(schema["required"], required, "{tool}");
        for name in required.as_array().unwrap() {
            assert!(properties.contains_key(name.as_str().unwrap()), "{tool}");
        }
        for (name, property) in properties {
            assert!(
                property["description"].is_string() || property["$ref"].is_string(),
                "{name}: {property}"
            );
        }
        // Neither names of files, nor what a user decides.
        for name in ["game", "corpus", "search_threads", "hash"] {
            assert!(!properties.contains_key(name), "{tool}");
        }
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
    }
    client.close();
}

#[test]
fn tools_answer_with_the_requests_of_the_library() {
    let mut client = start();
    let position = client.json("legal_moves", json!({ "variant": "brandubh7", "moves": "d1-c1" }));
    assert_eq!((&position["to_move"], &position["ply"]), (&json!("defenders"), &json!(1)));
    assert!(!position["moves"].as_object().unwrap().is_empty());
    let rules = client.json("explain", json!({ "variant": "copenhagen11" }));
    assert!(rules["sections"].is_array(), "{rules}");
    let captures = json!({
        "variant": "brandubh7",
        "position": "/3t3/7/3T3/2t3t/5T1/3t3/1K1Tt2/",
        "side": "attackers",
        "move": "c4-c7",
    });
    let explained = client.json("explain", captures);
    assert_eq!(explained["legal"], true);
    assert!(!explained["explanation"].as_array().unwrap().is_empty(), "{explained}");
    let repeated = json!({
        "variant": "brandubh7",
        "moves": "d1-c1 d3-c3 c1-d1 c3-d3 d1-c1 d3-c3 c1-d1",
        "move": "c3-d3",
    });
    let repeated = client.json("explain", repeated);
    assert_eq!(repeated["outcome"], json!({ "winner": "attackers", "reason": "repetition" }));
    let evaluated = client.json("evaluate", json!({ "variant": "brandubh7", "depth": 2, "lines": 2 }));
    assert_eq!(evaluated["lines"].as_array().unwrap().len(), 2);
    let records = "[variant:brandubh7]\n\n1. d2-c2 e4-e9\n";
    let validated = client.json("validate", json!({ "text": records }));
    assert_eq!((&validated["records"], &validated["sound"]), (&json!(1), &json!(0)));
    assert!(validated["findings"][0]["line"].is_u64());
    let picture = client.call("render", json!({ "variant": "brandubh7", "width": 80 }));
    let image = &picture["result"]["content"][0];
    assert_eq!((&image["type"], &image["mimeType"]), (&json!("image"), &json!("image/png")));
    // The signature of PNG.
    assert!(image["data"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    client.close();
}

#[test]
fn wrong_arguments_are_errors_that_the_model_reads() {
    let mut client = start();
    let unknown = client.error("legal_moves", json!({ "variant": "brandubh7", "mvoes": "d1-c1" }));
    assert!(unknown.contains("unknown argument `mvoes`") && unknown.contains("moves"), "{unknown}");
    assert!(client.error("legal_moves", json!({ "variant": 7 })).contains("expected a string"));
    assert!(client.error("legal_moves", json!({ "variant": "brandubh77" })).contains("brandubh7"));
    assert!(client.error("legal_moves", json!({})).contains("set `variant` to"));
    let lines = client.error("evaluate", json!({ "variant": "brandubh7", "lines": 100_000 }));
    assert!(lines.starts_with("`lines`: 100000 is not in 1..="), "{lines}");
    assert!(
        client.error("evaluate", json!({ "variant": "brandubh7", "moves": "d1-d7" })).contains("in the way")
    );
    assert!(client.error("validate", json!({})).contains("text"));
    assert!(client.error("render", json!({ "variant": "brandubh7", "width": 1 })).contains("32"));
    // Tools read no files.
    let file = in_workspace("cli/samples/tablut.pgn").display().to_string();
    assert!(client.error("render", json!({ "game": file })).contains("unknown argument"));
    assert!(client.error("explain", json!({ "variant": file })).contains("variant"));
    let answer = client.call("search", json!({ "query": "capture" }));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("legal_moves"), "{answer}");
    for malformed in [json!({ "name": "explain", "arguments": [1] }), json!({ "arguments": {} })] {
        let answer = client.request("tools/call", malformed);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    assert_eq!(client.request("tools/fly", json!({}))["error"]["code"], -32601);
    client.send("this is not JSON");
    client.send("{\"jsonrpc\":\"2.0\",\"method\":7}");
    let id = client.ask("ping", json!({}));
    // A line that is not a message may be answered by an error, and the conversation goes on.
    let mut answer = client.receive();
    while answer["id"] != id {
        assert!(answer["error"]["code"].is_i64(), "{answer}");
        answer = client.receive();
    }
    client.close();
}

#[test]
fn a_search_ends_when_it_is_canceled_and_when_the_client_leaves() {
    let mut client = start();
    let endless = json!({ "variant": "copenhagen11", "nodes": 1_u64 << 50 });
    let id = client.ask("tools/call", json!({ "name": "evaluate", "arguments": endless }));
    let params = json!({ "requestId": id, "reason": "too long" });
    client.send(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }).to_string(),
    );
    // Other calls are answered at the same time.
    let id = client.ask("tools/call", json!({ "name": "explain", "arguments": { "variant": "brandubh7" } }));
    while client.receive()["id"] != id {}
    client.ask("tools/call", json!({ "name": "evaluate", "arguments": endless }));
    client.close();
}

#[test]
#[cfg(feature = "database")]
fn a_corpus_is_searched() {
    let folder = super::sample_folder();
    super::tafl(folder.path(), &["import", "games.corpus", "games"]);
    let mut client = ModelClient::start(folder.path(), &["games.corpus"]);
    let found = client.json("search", json!({ "query": "variant:brandubh7", "limit": 2 }));
    assert_eq!(found["hits"].as_array().unwrap().len(), 2);
    assert!(client.error("search", json!({ "query": "variant:" })).contains("query"));
    client.close();
    let server = super::tafl(folder.path(), &["mcp", "no.corpus"]);
    assert_eq!(server.status.code(), Some(2));
}

#[test]
fn the_conversation_of_the_page_is_real() {
    let page = fs::read_to_string(in_workspace("docs/mcp.md")).unwrap();
    let block = page.split("```jsonl\n").nth(1).unwrap().split("```").next().unwrap();
    let mut client = start();
    let mut n_answers = 0;
    for line in block.lines() {
        match line.strip_prefix("<- ") {
            None => client.send(line.strip_prefix("-> ").unwrap()),
            Some(shown) => {
                let answer = client.receive();
                assert_eq!(answer, serde_json::from_str::<Value>(shown).unwrap());
                n_answers += 1;
            }
        }
    }
    assert!(n_answers > 1);
    client.close();
}
