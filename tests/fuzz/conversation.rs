//! Engine sessions with arbitrary input, for the fuzz target `conversation` and for the tests of `tafl-cli`, which run its
//! seeds. This target is not in `tafl-tests` because that crate cannot depend on `tafl-cli`.

use std::io::Cursor;

use tafl_cli::{Exit, Io};

const PROTOCOLS: [&str; 3] = ["uci", "otep", "htp"];
const VARIANTS: [&str; 3] = ["brandubh7", "hexentafl4", "tablut-linnaeus"];

/// Returns a session with small limits for searches and memory.
pub(crate) fn with_limits(protocol: &str, input: &str) -> String {
    let mut out = String::new();
    for line in input.lines() {
        let command = line.split_whitespace().next().unwrap_or_default();
        let lower = line.to_lowercase();
        match (protocol, command) {
            ("uci", "go") => out.push_str(&format!("{line} nodes 20\n")),
            ("uci", "setoption") if lower.contains("hash") || lower.contains("threads") => {}
            ("otep", "play" | "analyze") => out.push_str(&format!("{line}\nfinish\n")),
            ("htp", "time_settings") if line.contains(|symbol| matches!(symbol, '1'..='9')) => {}
            _ => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

/// Runs a session. The first byte selects the protocol and the variant, and the rest is the input.
///
/// # Panics
///
/// Panics if the session fails or prints an error.
pub(crate) fn run_session(data: &[u8]) {
    let [first, input @ ..] = data else { return };
    let protocol = PROTOCOLS[usize::from(*first) % 3];
    let variant = VARIANTS[usize::from(*first) / 3 % 3];
    let input = with_limits(protocol, &String::from_utf8_lossy(input));
    let args =
        ["tafl", "engine", "--protocol", protocol, "--hash", "1", "--time", "0.001", "--variant", variant];
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut io = Io::new(Cursor::new(input.clone()), &mut stdout, &mut stderr);
    let exit = tafl_cli::run(args, &mut io);
    drop(io);
    assert_eq!((exit, String::from_utf8_lossy(&stderr).as_ref()), (Exit::Ok, ""), "{input:?}");
}
