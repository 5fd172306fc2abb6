//! Measures the coverage of intervals in simulated leagues: `coverage [LEAGUES [SEED]]`.

use tafl_reports::stats::{LeagueSpec, Schedule, coverage};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let leagues = arguments.next().unwrap_or(200);
    let seed = arguments.next().unwrap_or(1);
    println!(
        "| schedule | players | games | draws | advantage covered | bias | error ratio | strengths covered | spread ratio | \
         balance covered | plain score covered |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for schedule in Schedule::ALL {
        for (players, games, draw) in [(12, 300, 0.1), (40, 800, 0.1), (200, 3000, 0.0), (300, 1500, 0.3)] {
            let spec = LeagueSpec { players, games, draw, schedule, ..LeagueSpec::default() };
            let Some(found) = coverage(spec, leagues, seed) else { continue };
            let covered = |rate: tafl_reports::stats::Rate| format!("{:.1} %", 100.0 * rate.proportion.value);
            println!(
                "| {} | {players} | {games} | {draw} | {} | {:+.3} | {:.2} | {} | {:.2} | {} | {} |",
                schedule.as_str(),
                covered(found.advantage),
                found.bias.value,
                found.error_ratio,
                covered(found.players),
                found.spread_ratio,
                covered(found.balance),
                covered(found.plain),
            );
        }
    }
}
