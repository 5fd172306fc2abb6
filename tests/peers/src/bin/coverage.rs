//! Counts how often intervals hold the truth in leagues that are made up: `coverage [LEAGUES [SEED]]`.

use tafl_reports::stats::simulate::{LeagueSpec, Schedule, coverage};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let leagues = arguments.next().unwrap_or(200);
    let seed = arguments.next().unwrap_or(1);
    println!(
        "| schedule | players | games | draws | advantage held | bias | error/true | players held | spread | balance held | plain held |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for schedule in Schedule::ALL {
        for (players, games, draw) in [(12, 300, 0.1), (40, 800, 0.1), (200, 3000, 0.0), (300, 1500, 0.3)] {
            let spec = LeagueSpec { players, games, draw, schedule, ..LeagueSpec::default() };
            let Some(found) = coverage(spec, leagues, seed) else { continue };
            let held = |rate: tafl_reports::stats::Rate| format!("{:.1} %", 100.0 * rate.share.value);
            println!(
                "| {} | {players} | {games} | {draw} | {} | {:+.3} | {:.2} | {} | {:.2} | {} | {} |",
                schedule.word(),
                held(found.advantage),
                found.bias.value,
                found.error_ratio,
                held(found.players),
                found.spread_ratio,
                held(found.balance),
                held(found.plain),
            );
        }
    }
}
