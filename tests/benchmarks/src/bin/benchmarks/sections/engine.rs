//! The engine: speed, annotation, and games against other programs.

use super::{list, number};
use crate::figure::{Measurement, SectionFindings};
use crate::format::number as grouped;
use crate::workspace::Workspace;

/// Measures searches. Limits are depths and nodes, so that every round does the same work.
pub(super) fn speed(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let rounds = workspace.size(5, 1);
    let (mut rates, mut signature) = (Vec::new(), 0.0);
    for _ in 0..rounds {
        let run = found.run(&mut workspace.tafl(&["bench", "--format", "json", "-q"]))?;
        signature = number(&run.json()?, "/signature")?;
        rates.push(signature / run.cpu.as_secs_f64());
    }
    let what = format!("tafl bench, {} positions of 11 variants", grouped(signature));
    found.add(Measurement::median("engine.suite", what, &rates, "positions/s"));
    for (variant, depth) in [
        ("copenhagen11", workspace.size(6, 4)),
        ("copenhagen11", workspace.size(8, 5)),
        ("brandubh7", workspace.size(8, 5)),
    ] {
        let depth = depth.to_string();
        let runs = search(&mut found, workspace, (variant, &["--depth", &depth]), rounds.min(3))?;
        let what =
            format!("{variant}, depth {depth} from the start, {} positions: CPU time", grouped(runs.nodes));
        found.add(Measurement::median(&format!("engine.{variant}.{depth}"), what, &runs.seconds, "s"));
    }
    for variant in ["copenhagen11", "brandubh7"] {
        let nodes = workspace.size(3_000_000, 20_000).to_string();
        let runs = search(&mut found, workspace, (variant, &["--nodes", &nodes]), rounds.min(3))?;
        // The time to start is not part of the search.
        let start = search(&mut found, workspace, (variant, &["--depth", "1"]), rounds.min(3))?;
        let least = start.seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let rates: Vec<f64> =
            runs.seconds.iter().map(|seconds| runs.nodes / (seconds - least).max(0.01)).collect();
        let what = format!("{variant}, {} positions from the start", grouped(runs.nodes));
        found.add(Measurement::median(&format!("engine.{variant}"), what, &rates, "positions/s"));
    }
    found.note(
        "One thread, CPU time. Times and the figure of the suite include the start of the program; positions per second from the start exclude it.",
    );
    Ok(found)
}

/// Repeated searches.
struct Searches {
    /// Positions of one search.
    nodes: f64,
    /// CPU times.
    seconds: Vec<f64>,
}

/// Searches the start of a variant up to a limit.
fn search(
    found: &mut SectionFindings,
    workspace: &Workspace,
    (variant, limit): (&str, &[&str]),
    rounds: u64,
) -> Result<Searches, String> {
    let mut searches = Searches { nodes: 0.0, seconds: Vec::new() };
    for _ in 0..rounds {
        let mut command = workspace.tafl(&["eval", "--variant", variant, "--format", "json", "-q"]);
        let run = found.run(command.args(limit))?;
        searches.nodes = number(&run.json()?, "/nodes")?;
        searches.seconds.push(run.cpu.as_secs_f64());
    }
    Ok(searches)
}

/// Annotates games twice, and reads the calibration errors of curves.
pub(super) fn annotation(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    let games = workspace.fresh("annotate.jsonl")?;
    let n = workspace.size(10, 1).to_string();
    let words = [
        "selfplay",
        "--variant",
        "copenhagen11",
        "--games",
        &n,
        "--nodes",
        "200",
        "--seed",
        "1",
        "-q",
        "-o",
        &games,
    ];
    found.run(&mut workspace.tafl(&words))?;
    let words = ["annotate", "--format", "jsonl", "--nodes", "1000", "-j", "1", "-q", &games];
    let runs = [found.run(&mut workspace.tafl(&words))?, found.run(&mut workspace.tafl(&words))?];
    let lines =
        runs[0].stdout.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let plies: usize = lines.map(|line| list(&line, "plies").map_or(0, <[_]>::len)).sum();
    if plies == 0 {
        return Err("no ply was annotated".to_owned());
    }
    let times = runs.each_ref().map(|run| 1e3 * run.cpu.as_secs_f64() / plies as f64);
    let what = format!("{plies} plies of Copenhagen, 1,000 positions each, one thread: CPU time per ply");
    found.add(Measurement::median("annotate.ply", what, &times, "ms"));
    let same = f64::from(u8::from(runs[0].stdout == runs[1].stdout));
    found.add(Measurement::new("annotate.same", "two runs wrote the same bytes (1: yes)", same, ""));
    for (id, name, curve) in CURVES {
        if let Some(error) = calibration(workspace, curve) {
            found.add(Measurement::new(
                id,
                format!("calibration error of the curve for {name}, held-out games"),
                100.0 * error,
                "%",
            ));
        }
    }
    found.note("Calibration errors were measured when the curves were fitted, as analyzer/data/curves.txt says; not in this run. They include the noise of the results (docs/annotate.md).");
    Ok(found)
}

const CURVES: [(&str, &str, &str); 3] = [
    ("curves.attackers", "all variants, attackers to move", "curve pooled attackers "),
    ("curves.defenders", "all variants, defenders to move", "curve pooled defenders "),
    ("curves.copenhagen", "Copenhagen, attackers to move", "curve copenhagen11 attackers "),
];

/// Returns the calibration error in the file of curves.
fn calibration(workspace: &Workspace, curve: &str) -> Option<f64> {
    let text = std::fs::read_to_string(workspace.root.join("analyzer/data/curves.txt")).ok()?;
    super::number_after(text.lines().find_map(|line| line.strip_prefix(curve))?, " ece ")
}

/// Plays against the programs of `--opponent`.
pub(super) fn matches(workspace: &Workspace) -> Result<SectionFindings, String> {
    let mut found = SectionFindings::default();
    if workspace.opponents.is_empty() {
        found.leave_out("no opponent was named with --opponent NAME=PLAYER");
    }
    let pairs = workspace.size(10, 1).to_string();
    for (name, player) in &workspace.opponents {
        let words =
            ["match", "taflbase", player, "--variant", "copenhagen11", "--time", "0.1", "--pairs", &pairs];
        let mut command = workspace.tafl(&words);
        command.args(["--plies", "300", "--seed", "1", "-j", "1", "--format", "json", "-q"]);
        let answer = found.run(&mut command)?.json()?;
        let count = |key: &str| number(&answer, &format!("/variants/0/result/games/{key}"));
        let (won, drawn, lost) = (count("won")?, count("drawn")?, count("lost")?);
        let (n, unfinished) = (won + drawn + lost, count("unfinished")?);
        let what = format!(
            "against {name}, 0.1 s per move: proportion of the points of {n} games; {unfinished} unfinished"
        );
        found.add(Measurement::new(
            format!("matches.{name}"),
            what,
            100.0 * (won + drawn / 2.0) / n.max(1.0),
            "%",
        ));
    }
    Ok(found)
}
