//! Runs every `console` block of the documents on the samples, and compares the shown output with the actual output.
//!
//! `...` matches any number of lines, or any text within a line. Commands that take minutes, or that need a large corpus or
//! another program, are in blocks of another kind; those are only parsed. `UPDATE=1` replaces shown lines that differ.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::sandbox::Sandbox;
use super::{pages, root};

/// A command on a page, and the output shown below it.
struct ConsoleCommand<'t> {
    line_number: usize,
    command: String,
    /// The index of the first line of the output.
    first_output: usize,
    lines: Vec<&'t str>,
}

/// Returns the commands of the `console` blocks of a page.
fn blocks(page: &str) -> Vec<ConsoleCommand<'_>> {
    let mut found: Vec<ConsoleCommand<'_>> = Vec::new();
    let mut is_inside = false;
    for (index, line) in page.lines().enumerate() {
        match (is_inside, line.strip_prefix("$ "), found.last_mut()) {
            (false, _, _) => is_inside = line == "```console",
            (true, _, _) if line == "```" => is_inside = false,
            (true, Some(command), _) => {
                found.push(ConsoleCommand {
                    line_number: index + 1,
                    command: command.to_owned(),
                    first_output: index + 1,
                    lines: Vec::new(),
                });
            }
            (true, None, Some(last)) if last.lines.is_empty() && last.command.ends_with('\\') => {
                last.command.pop();
                last.command += line.trim_start();
                last.first_output = index + 1;
            }
            (true, None, Some(last)) => last.lines.push(line),
            (true, None, None) => panic!("line {}: a block must begin with a command", index + 1),
        }
    }
    found
}

/// Returns whether lines match the shown ones.
fn lines_match(shown: &[&str], real: &[&str]) -> bool {
    match (shown, real) {
        ([], []) => true,
        (["...", rest @ ..], real) => (0..=real.len()).any(|skipped| lines_match(rest, &real[skipped..])),
        ([line, shown @ ..], [real_line, real @ ..]) => {
            line_matches(line, real_line) && lines_match(shown, real)
        }
        ([], _) | (_, []) => false,
    }
}

/// Returns whether a line matches the shown one.
fn line_matches(shown: &str, real: &str) -> bool {
    let Some((head, tail)) = shown.split_once("...") else { return shown == real };
    let Some(rest) = real.strip_prefix(head) else { return false };
    (0..=rest.len()).filter(|at| rest.is_char_boundary(*at)).any(|at| line_matches(tail, &rest[at..]))
}

/// Returns whether a program is installed.
fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// A server for the sandbox's corpus; its address on the pages is `localhost:8080`.
struct DocsServer {
    process: Child,
    address: String,
}

impl DocsServer {
    fn start(sandbox: &Sandbox) -> DocsServer {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tafl"))
            .args(["serve", "corpus", "--port", "0"])
            .current_dir(sandbox.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = process.stdout.take().expect("stdout is piped");
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        DocsServer { process, address }
    }
}

impl Drop for DocsServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the lines that `UPDATE=1` shows instead: as many as before at the start of the output, and after each `...` as
/// many from the line with which they begin. `None` if that line is no longer in the output, or if a line of which only a
/// part is shown differs.
fn updated_lines<'t>(shown: &[&'t str], real: &[&'t str]) -> Option<Vec<&'t str>> {
    let mut lines = Vec::new();
    let mut left = real;
    for (nth, part) in shown.split(|line| *line == "...").enumerate() {
        if nth > 0 {
            lines.push("...");
            let Some(first) = part.first() else { continue };
            left = &left[left.iter().position(|line| line_matches(first, line))?..];
        }
        for (shown, real) in part.iter().zip(left) {
            // Lines of which only a part is shown stay as they are if they still match.
            let is_kept = line_matches(shown, real);
            if !is_kept && shown.contains("...") {
                return None;
            }
            lines.push(if is_kept { *shown } else { *real });
        }
        left = left.get(part.len()..).unwrap_or_default();
    }
    if shown.last() != Some(&"...") {
        lines.extend(left);
    }
    Some(lines)
}

/// Runs the commands of a page in order, and returns the differences from the shown output.
fn differences(name: &str, page: &str) -> Vec<String> {
    let sandbox = Sandbox::new();
    let needs_server = blocks(page).iter().any(|block| block.command.contains("localhost:8080"));
    let server = needs_server.then(|| DocsServer::start(&sandbox));
    let is_update = std::env::var_os("UPDATE").is_some();
    let mut updates = Vec::new();
    let mut failures = Vec::new();
    for ConsoleCommand { line_number, command, first_output, lines } in blocks(page) {
        if let Some(tool) = ["curl", "jq"].iter().find(|tool| command.contains(**tool) && !is_installed(tool))
        {
            eprintln!("skipped: {name}:{line_number} needs {tool}");
            continue;
        }
        let address = server.as_ref().map_or("localhost:8080", |server| server.address.as_str());
        let ran = sandbox.shell(&command.replace("localhost:8080", address));
        let real: Vec<&str> = ran.stdout.lines().collect();
        assert_ne!(lines, ["..."], "{name}:{line_number}: none of the output is shown");
        if lines_match(&lines, &real) {
            continue;
        }
        let updated = if is_update { updated_lines(&lines, &real) } else { None };
        if let Some(updated) = updated.filter(|updated| lines_match(updated, &real)) {
            let updated: Vec<String> = updated.into_iter().map(str::to_owned).collect();
            updates.push((first_output..first_output + lines.len(), updated));
        } else {
            failures.push(format!("{name}:{line_number}: {command}\nprints\n{}\n{}", ran.stdout, ran.stderr));
        }
    }
    if !updates.is_empty() {
        let mut page: Vec<String> = page.lines().map(str::to_owned).collect();
        // From the end, so that the lines before keep their numbers.
        updates.into_iter().rev().for_each(|(lines, updated)| drop(page.splice(lines, updated)));
        std::fs::write(root().join(name), page.join("\n") + "\n").unwrap();
    }
    failures
}

#[test]
fn every_command_prints_what_the_documents_show() {
    let pages = pages();
    let shown = pages.iter().filter(|(_, page)| !blocks(page).is_empty());
    let failures: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> =
            shown.map(|(name, page)| scope.spawn(move || differences(name, page))).collect();
        assert!(running.len() > 15, "{} pages", running.len());
        running.into_iter().flat_map(|page| page.join().expect("the thread does not panic")).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn updates_keep_the_ranges_of_lines() {
    let real = ["a 1", "b 2", "c 3", "d 4", "e 5"];
    assert_eq!(updated_lines(&["a 0", "..."], &real), Some(vec!["a 1", "..."]));
    assert_eq!(updated_lines(&["a 0", "...", "d 4", "e..."], &real), Some(vec!["a 1", "...", "d 4", "e..."]));
    assert_eq!(updated_lines(&["..."], &real), Some(vec!["..."]));
    assert_eq!(updated_lines(&["a 0", "b 0"], &real), Some(real.to_vec()));
    assert_eq!(updated_lines(&["a 1", "...", "x 4", "..."], &real), None);
    assert_eq!(updated_lines(&["a 1", "x..."], &real), None);
}
