//! What other programs say to our engine, for the target `conversation` and for the tests of `tafl-cli`, which give it the kept
//! seeds. It has a file of its own because `tafl-tests`, where the other targets are, comes before `tafl-cli`.

use tafl_cli::{Exit, Io};

const PROTOCOLS: [&str; 3] = ["uci", "otep", "htp"];
const VARIANTS: [&str; 3] = ["brandubh7", "hexentafl4", "tablut-linnaeus"];

/// Returns a conversation in which no search takes long and no table much memory.
pub(crate) fn bounded(protocol: &str, input: &str) -> String {
    let mut out = String::new();
    for line in input.lines() {
        let word = line.split_whitespace().next().unwrap_or_default();
        let lower = line.to_lowercase();
        match (protocol, word) {
            ("uci", "go") => out.push_str(&format!("{line} nodes 20\n")),
            ("uci", "setoption") if lower.contains("hash") || lower.contains("threads") => {}
            ("otep", "play" | "analyze") => out.push_str(&format!("{line}\nfinish\n")),
            ("htp", "time_settings") if line.contains(|sign| matches!(sign, '1'..='9')) => {}
            _ => out.push_str(&format!("{line}\n")),
        }
    }
    out
}

/// Holds a conversation: by the first byte in a protocol and about a variant. It ends without a panic and without a fault of ours.
///
/// # Panics
///
/// Panics if the conversation ends with an error.
pub(crate) fn hold(data: &[u8]) {
    let [first, input @ ..] = data else { return };
    let protocol = PROTOCOLS[usize::from(*first) % 3];
    let variant = VARIANTS[usize::from(*first) / 3 % 3];
    let input = bounded(protocol, &String::from_utf8_lossy(input));
    let words =
        ["tafl", "engine", "--protocol", protocol, "--hash", "1", "--time", "0.001", "--variant", variant];
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut io = Io::new(input.as_bytes(), &mut stdout, &mut stderr);
    let exit = tafl_cli::run(words, &mut io);
    drop(io);
    assert_eq!((exit, String::from_utf8_lossy(&stderr).as_ref()), (Exit::Ok, ""), "{input:?}");
}
