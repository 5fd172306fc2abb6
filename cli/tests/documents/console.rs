//! The documents show what the program really writes: every `console` block runs, a page after another on the samples.
//!
//! `...` stands for any number of lines, and within a line for any text. Commands that need a large corpus, another program or minutes stand in blocks of
//! another kind; those are read by the parser of the command line only.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::pages;
use super::sandbox::Sandbox;

/// A command of a page and the lines below it.
struct Block<'t> {
    number: usize,
    command: String,
    lines: Vec<&'t str>,
}

/// Returns the commands of the `console` blocks of a page.
fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block<'_>> = Vec::new();
    let mut is_inside = false;
    for (index, line) in page.lines().enumerate() {
        match (is_inside, line.strip_prefix("$ "), found.last_mut()) {
            (false, _, _) => is_inside = line == "```console",
            (true, _, _) if line == "```" => is_inside = false,
            (true, Some(command), _) => {
                found.push(Block { number: index + 1, command: command.to_owned(), lines: Vec::new() });
            }
            (true, None, Some(last)) if last.lines.is_empty() && last.command.ends_with('\\') => {
                last.command.pop();
                last.command += line.trim_start();
            }
            (true, None, Some(last)) => last.lines.push(line),
            (true, None, None) => panic!("line {}: a block begins with a command", index + 1),
        }
    }
    found
}

/// Returns whether lines are as shown.
fn fits(shown: &[&str], real: &[&str]) -> bool {
    match (shown, real) {
        ([], []) => true,
        (["...", rest @ ..], real) => (0..=real.len()).any(|skipped| fits(rest, &real[skipped..])),
        ([line, shown @ ..], [real_line, real @ ..]) => is_line(line, real_line) && fits(shown, real),
        ([], _) | (_, []) => false,
    }
}

/// Returns whether a line is as shown.
fn is_line(shown: &str, real: &str) -> bool {
    let Some((head, tail)) = shown.split_once("...") else { return shown == real };
    let Some(rest) = real.strip_prefix(head) else { return false };
    (0..=rest.len()).filter(|at| rest.is_char_boundary(*at)).any(|at| is_line(tail, &rest[at..]))
}

/// Returns whether a program that some examples need is here.
fn is_here(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// A server of the sandbox's corpus; the pages call its address `localhost:8080`.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(sandbox: &Sandbox) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tafl"))
            .args(["serve", "corpus", "--port", "0"])
            .current_dir(sandbox.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = process.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Server { process, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs the commands of a page one after another, and returns what is not as shown.
fn wrong_in(name: &str, page: &str) -> Vec<String> {
    let sandbox = Sandbox::new();
    let needs_server = blocks(page).iter().any(|block| block.command.contains("localhost:8080"));
    let server = needs_server.then(|| Server::start(&sandbox));
    let mut wrong = Vec::new();
    for Block { number, command, lines } in blocks(page) {
        if let Some(tool) = ["curl", "jq"].iter().find(|tool| command.contains(**tool) && !is_here(tool)) {
            eprintln!("skipped: {name}:{number} needs {tool}");
            continue;
        }
        let address = server.as_ref().map_or("localhost:8080", |server| server.address.as_str());
        let ran = sandbox.shell(&command.replace("localhost:8080", address));
        let real: Vec<&str> = ran.stdout.lines().collect();
        assert_ne!(lines, ["..."], "{name}:{number}: nothing of the answer is shown");
        if !fits(&lines, &real) {
            wrong.push(format!("{name}:{number}: {command}\nreally writes\n{}\n{}", ran.stdout, ran.stderr));
        }
    }
    wrong
}

#[test]
fn every_command_writes_what_the_documents_show() {
    let pages = pages();
    let shown = pages.iter().filter(|(_, page)| !blocks(page).is_empty());
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = shown.map(|(name, page)| scope.spawn(move || wrong_in(name, page))).collect();
        assert!(running.len() > 15, "{} pages", running.len());
        running.into_iter().flat_map(|page| page.join().expect("no page panics")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
