//! The peak memory of reading a record, as a multiple of the size of its text.
//!
//! The texts consist of the shortest possible parts, because these take the most memory for their size.
#![cfg(target_os = "linux")]

use std::process::Command;
use std::{env, fs};

use tafl_parser::{Format, Parsed, Record, Source};

/// The size of a text, in bytes. The code and the allocator's tables, about one megabyte, count as memory too.
const TEXT_BYTES: usize = 3_000_000;

/// The maximum multiple: a goal of the project.
const MOST: f64 = 10.0;

/// The variable that tells a process which case to measure.
const CASE: &str = "TAFL_MEMORY_CASE";

struct MemoryCase {
    format: Format,
    start: &'static str,
    part: &'static str,
    end: &'static str,
    /// Returns the number of parts in the record.
    count: fn(&Record) -> usize,
}

const CASES: [MemoryCase; 19] = [
    MemoryCase {
        format: Format::Jsonl,
        start: r#"{"taflbase":1,"lines":[{"moves":"d1-c1"}],"tags":[["x","y"]"#,
        part: r#",["a","b"]"#,
        end: "]}",
        count: |record| record.tags.len() - 1,
    },
    MemoryCase {
        format: Format::Jsonl,
        start: r#"{"taflbase":1,"lines":[{"moves":"d1-c1"}],"tags":[["x","y"]"#,
        part: r#",["\n","\t"]"#,
        end: "]}",
        count: |record| record.tags.len() - 1,
    },
    MemoryCase {
        format: Format::Jsonl,
        start: r#"{"taflbase":1,"lines":[{"moves":"d1-c1"}],"comments":[{"text":"x"}"#,
        part: r#",{"text":"a"}"#,
        end: "]}",
        count: |record| record.comments.len() - 1,
    },
    MemoryCase {
        format: Format::Jsonl,
        start: r#"{"taflbase":1,"lines":[{"moves":""#,
        part: "d1-c1 ",
        end: r#""}]}"#,
        count: |record| record.main().moves.len(),
    },
    MemoryCase {
        format: Format::AageNielsen,
        start: r#"{"AageGameTypeKey":1,"WhoWon":"","Moves":["d1-c1""#,
        part: r#","d1-c1""#,
        end: "]}",
        count: |record| record.main().moves.len() - 1,
    },
    MemoryCase {
        format: Format::AageNielsen,
        start: r#"{"AageGameTypeKey":1,"WhoWon":"","Moves":[]"#,
        part: r#","a":1"#,
        end: "}",
        count: |record| record.tags.len(),
    },
    MemoryCase {
        format: Format::OpenTafl,
        start: "",
        part: "[event: x]\n",
        end: "\n1. d1-c1 c4-c3\n",
        count: |record| record.tags.len(),
    },
    MemoryCase {
        format: Format::OpenTafl,
        start: "[event: x]\n\n1. d1-c1 c4-c3\n",
        part: "[a] ",
        end: "\n",
        count: |record| record.comments.len(),
    },
    MemoryCase {
        format: Format::Pgn,
        start: "",
        part: "[A \"x\"]\n",
        end: "\n1. d1-c1 c4-c3\n",
        count: |record| record.tags.len(),
    },
    MemoryCase {
        format: Format::Pgn,
        start: "[Event \"x\"]\n\n1. d1-c1 c4-c3\n",
        part: "{x}",
        end: "\n",
        count: |record| record.comments.len(),
    },
    MemoryCase {
        format: Format::Pgn,
        start: "1. d1-d3 ",
        part: "(a1b1)",
        end: "\n",
        count: |record| record.variations.len(),
    },
    MemoryCase {
        format: Format::Pgn,
        start: "1. d1-d3 ",
        part: "({x})",
        end: "\n",
        count: |record| record.variations.len(),
    },
    MemoryCase {
        format: Format::Pgn,
        start: "1. d1-d3 ",
        part: "(d1-c1 ",
        end: "\n",
        count: |record| record.variations.len(),
    },
    MemoryCase {
        format: Format::Pgn,
        start: "1. d1-d3 (d1-c1 ",
        part: "d1-c1 (d1-c1) ",
        end: "\n",
        count: |record| record.variations.len() - 1,
    },
    MemoryCase {
        format: Format::Pgn,
        start: "1. d1-d3 ",
        part: "x ",
        end: "\n",
        count: n_parts_of_two_bytes,
    },
    MemoryCase {
        format: Format::Jsonl,
        start: r#"{"taflbase":1,"lines":[{"moves":"d1-c1"}],"tags":[["x","y"]"#,
        part: ",1",
        end: "]}",
        count: n_parts_of_two_bytes,
    },
    MemoryCase {
        format: Format::Sgf,
        start: "(;FF[4]GM[29]",
        part: ";C[x]",
        end: ")",
        count: |record| record.comments.len(),
    },
    MemoryCase {
        format: Format::MoveList,
        start: "",
        part: "d1-c1 ",
        end: "\n",
        count: |record| record.main().moves.len(),
    },
    MemoryCase {
        format: Format::MoveList,
        start: "a1-a2xa1/",
        part: "a1/a1/a1/a1/a1/a1/a1/a1/a1/a1/a1/a1/a1/a1/a1/a1 a1-a2x",
        end: "a1\n",
        count: |record| record.main().moves.len() - 1,
    },
];

/// Returns the number of parts of a text in which each part is a fault, of which only the first ones are kept.
fn n_parts_of_two_bytes(_: &Record) -> usize {
    TEXT_BYTES / 2
}

#[test]
fn reading_takes_at_most_ten_times_the_size_of_the_text() {
    if let Some(case) = env::var(CASE).ok().and_then(|nth| CASES.get(nth.parse::<usize>().ok()?)) {
        return measure(case);
    }
    let program = env::current_exe().expect("a test has a path");
    for (nth, case) in CASES.iter().enumerate() {
        // The system reports the peak of a whole process, so each case has its own.
        let output = Command::new(&program)
            .args(["--exact", "reading_takes_at_most_ten_times_the_size_of_the_text", "--nocapture"])
            .env(CASE, nth.to_string())
            .output()
            .expect("the test runs");
        let name = format!("{} of {}", case.part.trim(), case.format);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout);
        let multiple = text.lines().find_map(|line| line.split_once("multiple ")?.1.parse::<f64>().ok());
        let multiple = multiple.unwrap_or_else(|| panic!("{name}: {text}"));
        println!("{name}: {multiple:.1}");
        assert!(multiple <= MOST, "{name}: {multiple:.1} times the size of the text");
    }
}

/// Reads the text of a case, and prints the memory that this took at its peak.
fn measure(case: &MemoryCase) {
    let n_parts = TEXT_BYTES / case.part.len();
    let text = [case.start, &case.part.repeat(n_parts), case.end].concat();
    let before = kibibytes("VmRSS:");
    let Parsed { value, .. } = case.format.parse(&Source::new(&text));
    let peak = kibibytes("VmHWM:");
    assert_eq!((case.count)(&value), n_parts);
    println!("\nmultiple {:.2}", (peak - before) as f64 * 1024.0 / text.len() as f64);
}

/// Returns a size from the status of this process.
fn kibibytes(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux has the status of a process");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("the status has this field");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
