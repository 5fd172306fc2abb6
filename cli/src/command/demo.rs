//! `tafl demo`: runs the main commands on the sample files of the program.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use taflbase::escape::escape;

use crate::args::tools::DemoArgs;
use crate::features::{HAS_DATABASE, needs_database};
use crate::io::{ColorMode, TextPaint};
use crate::{Exit, Io, samples, temporary};

/// A command that the demo runs.
struct DemoStep {
    /// Its purpose, in a sentence.
    why: &'static str,
    /// Its arguments without the program's name; one that begins with `@` is a path in the folder.
    words: &'static [&'static str],
    /// The expected exit.
    exit: Exit,
}

/// A command of the short demo, and the lines of its answer that are shown.
struct ShortStep {
    step: DemoStep,
    lines: Range<usize>,
}

/// The commands of the short demo. Their lines fit on a screen.
const SHORT_STEPS: [ShortStep; 2] = [
    ShortStep {
        step: DemoStep {
            why: "What is wrong with this record?",
            words: &["validate", "@games/brandubh-broken.csv", "--limit", "1"],
            exit: Exit::Findings,
        },
        lines: 0..6,
    },
    ShortStep {
        step: DemoStep {
            why: "What was meant?",
            words: &["repair", "@games/brandubh-broken.csv", "--limit-per-record", "1"],
            exit: Exit::Findings,
        },
        lines: 6..12,
    },
];

/// The commands of the short demo that need the database.
const SHORT_DATABASE_STEPS: [ShortStep; 3] = [
    ShortStep {
        step: DemoStep {
            why: "In which games do attackers close off a corner, on whichever side of the board?",
            words: &["import", "@corpus", "@games"],
            exit: Exit::Findings,
        },
        lines: 0..0,
    },
    ShortStep {
        step: DemoStep {
            why: "",
            words: &["search", "@corpus", "pattern corner \"??t/?t?/t??\"", "--limit", "1"],
            exit: Exit::Ok,
        },
        lines: 4..12,
    },
    ShortStep {
        step: DemoStep {
            why: "Which side wins, in each variant?",
            words: &["report", "balance", "@corpus", "-o", "@balance.html"],
            exit: Exit::Ok,
        },
        lines: 0..1,
    },
];

/// The commands of the tour.
const STEPS: [DemoStep; 10] = [
    DemoStep {
        why: "Validate games. Each notation is recognized automatically.",
        words: &["validate", "@games", "--limit", "0"],
        exit: Exit::Findings,
    },
    DemoStep {
        why: "Show the first two findings about a file:",
        words: &["validate", "@games/brandubh-broken.csv", "--limit", "2"],
        exit: Exit::Findings,
    },
    DemoStep { why: "Explain a code.", words: &["validate", "--explain", "C001"], exit: Exit::Ok },
    DemoStep {
        why: "Suggest repairs. Files are changed only with --apply.",
        words: &["repair", "@games/brandubh-broken.csv", "--limit-per-record", "1"],
        exit: Exit::Findings,
    },
    DemoStep {
        why: "Explain a move: why is a piece captured?",
        words: &[
            "move",
            "--variant",
            "brandubh7",
            "--position",
            "/3t3/7/3T3/2t3t/5T1/3t3/1K1Tt2/",
            "--side",
            "attackers",
            "c4-c7",
            "--explain",
        ],
        exit: Exit::Ok,
    },
    DemoStep {
        why: "Convert games to one notation, and list what it cannot express.",
        words: &["convert", "--to", "opentafl", "@games/tablut.pgn", "@games/brandubh.csv", "-o", "@all.otg"],
        exit: Exit::Ok,
    },
    DemoStep {
        why: "Show the end of a game as text ...",
        words: &["show", "@games/copenhagen.otg:1"],
        exit: Exit::Ok,
    },
    DemoStep {
        why: "... as a picture ...",
        words: &["show", "@games/copenhagen.otg:1", "-o", "@end.svg"],
        exit: Exit::Ok,
    },
    DemoStep {
        why: "... and as an animation for a browser.",
        words: &["show", "@games/hexentafl.skud:1", "--animate", "-o", "@game.svg"],
        exit: Exit::Ok,
    },
    DemoStep {
        why: "Compare the rules of two variants.",
        words: &["rules", "diff", "copenhagen11", "fetlar11"],
        exit: Exit::Ok,
    },
];

/// The commands of the tour that need the database.
const DATABASE_STEPS: [DemoStep; 5] = [
    DemoStep {
        why: "Import the games into a corpus. Broken records are rejected.",
        words: &["import", "@corpus", "@games"],
        exit: Exit::Findings,
    },
    DemoStep {
        why: "Search for attackers that guard a corner, in all variants and orientations.",
        words: &["search", "@corpus", "pattern corner \"??t/?t?/t??\"", "--limit", "2"],
        exit: Exit::Ok,
    },
    DemoStep {
        why: "Explore the openings of Brandubh and their results.",
        words: &["explore", "@corpus", "--variant", "brandubh7"],
        exit: Exit::Ok,
    },
    DemoStep {
        why: "Query the tables with SQL.",
        words: &[
            "sql",
            "@corpus",
            "SELECT result, COUNT(*) AS games, AVG(plies) AS plies FROM games GROUP BY result ORDER BY games DESC",
        ],
        exit: Exit::Ok,
    },
    DemoStep {
        why: "Write a balance report with plots and boards for every variant.",
        words: &["report", "balance", "@corpus", "-o", "@balance.html"],
        exit: Exit::Ok,
    },
];

/// Runs the command.
///
/// # Errors
///
/// Returns an error if a file cannot be written, or a step has an unexpected exit.
pub(crate) fn run(args: &DemoArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    // Each run has a new folder, so that no existing files have to be removed.
    let folder = match &args.folder {
        Some(folder) => folder.clone(),
        None => temporary::folder("demo")?,
    };
    write_samples(&folder.join("games"))?;
    let shown = escape(&folder.display().to_string());
    io.print(&format!(
        "{} files of games that the engine played against itself are in this folder:\n\n",
        samples::ALL.len()
    ))?;
    io.print(&command(&format!("cd {}", quoted(&shown)), io.style()))?;
    if args.tour {
        for step in STEPS.iter().chain(if_database(&DATABASE_STEPS)) {
            show(step, None, &folder, io)?;
        }
    } else {
        for ShortStep { step, lines } in SHORT_STEPS.iter().chain(if_database(&SHORT_DATABASE_STEPS)) {
            show(step, Some(lines.clone()), &folder, io)?;
        }
    }
    let last = if HAS_DATABASE {
        let report = escape(&folder.join("balance.html").display().to_string());
        format!("Open the report in a browser: {report}")
    } else {
        needs_database("The rest of the demo")
    };
    let more = if args.tour {
        "`tafl --help` lists all commands, and `tafl validate --help` describes one."
    } else {
        "`tafl demo --tour` shows more commands, with everything that they print."
    };
    io.print(&format!("\n{last}\n{more}\n"))?;
    Ok(Exit::Ok)
}

/// Returns the commands that need the database, if the program has it.
fn if_database<T>(steps: &[T]) -> &[T] {
    if HAS_DATABASE { steps } else { &[] }
}

/// Prints a command, runs it, and prints some lines of its answer, or all of them.
fn show(step: &DemoStep, lines: Option<Range<usize>>, folder: &Path, io: &mut Io<'_>) -> anyhow::Result<()> {
    if !step.why.is_empty() {
        io.print(&format!("\n# {}\n", step.why))?;
    }
    let words: Vec<String> = step.words.iter().map(|word| quoted(word.trim_start_matches('@'))).collect();
    io.print(&command(&format!("tafl {}", words.join(" ")), io.style()))?;
    let (exit, text) = step.run(folder, io.style());
    match lines {
        None => io.print(&text)?,
        Some(lines) => {
            let shown = text.lines().skip(lines.start).take(lines.len());
            io.print(&shown.map(|line| format!("{line}\n")).collect::<String>())?;
        }
    }
    io.flush()?;
    if exit != step.exit {
        bail!("this command ended with exit code {}, not {}", exit.code(), step.exit.code());
    }
    Ok(())
}

fn write_samples(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    for sample in samples::ALL {
        let path = folder.join(sample.name);
        fs::write(&path, sample.text).with_context(|| format!("{}", path.display()))?;
    }
    Ok(())
}

/// Returns an argument with shell quotes if it needs them.
fn quoted(word: &str) -> String {
    if word.contains(|sign: char| sign.is_whitespace() || "\"'?*$&;|<>(){}[]`!#~".contains(sign)) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        word.to_owned()
    }
}

fn command(line: &str, style: ColorMode) -> String {
    let mut out = String::new();
    style.paint(TextPaint::Bold, &format!("$ {line}"), &mut out);
    out.push('\n');
    out
}

impl DemoStep {
    /// Runs the step, and returns its exit and its output: standard output, then standard error. Paths in the folder are
    /// relative to it.
    fn run(&self, folder: &Path, style: ColorMode) -> (Exit, String) {
        let color = match style {
            ColorMode::Plain => "never",
            ColorMode::Colored => "always",
        };
        let path = |word: &&str| match word.strip_prefix('@') {
            Some(below) => folder.join(below),
            None => PathBuf::from(word),
        };
        let words = ["tafl", "--color", color].map(PathBuf::from);
        let words = words.into_iter().chain(self.words.iter().map(path));
        let (mut answer, mut rest) = (Vec::new(), Vec::new());
        let mut io = Io::new(io::empty(), &mut answer, &mut rest);
        let exit = crate::run(words.map(PathBuf::into_os_string), &mut io);
        drop(io);
        let prefix = format!("{}{}", escape(&folder.display().to_string()), std::path::MAIN_SEPARATOR);
        let text: Vec<String> = [answer, rest]
            .iter()
            .map(|bytes| String::from_utf8_lossy(bytes).replace(&prefix, ""))
            .filter(|text| !text.is_empty())
            .map(|text| if text.ends_with('\n') { text } else { text + "\n" })
            .collect();
        (exit, text.concat())
    }
}
