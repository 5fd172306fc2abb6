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
    let spec = LeagueSpec::default();
    let mut rows: Vec<(String, LeagueSpec)> = Vec::new();
    for schedule in Schedule::ALL {
        for (players, games, draw) in [(12, 300, 0.1), (40, 800, 0.1), (200, 3000, 0.0), (300, 1500, 0.3)] {
            let name = schedule.as_str().to_owned();
            rows.push((name, LeagueSpec { players, games, draw, schedule, ..spec }));
        }
    }
    // As wide as the strengths in recorded games of Copenhagen (313 Elo).
    let wide = LeagueSpec {
        players: 60,
        games: 800,
        spread: 1.8,
        advantage: -0.3,
        draw: 0.06,
        schedule: Schedule::Unequal,
        ..spec
    };
    let realistic = [
        ("wide", wide),
        ("wide, few games", LeagueSpec { players: 200, games: 400, ..wide }),
        ("wide, heavy tails", LeagueSpec { has_heavy_tails: true, ..wide }),
        ("wide, side skill 35 Elo", LeagueSpec { side_skill: 0.2, ..wide }),
        ("wide, side skill 122 Elo", LeagueSpec { side_skill: 0.7, ..wide }),
        ("wide, slope 17 per 100", LeagueSpec { slope: 0.17, ..wide }),
        ("wide, slope 25 per 100", LeagueSpec { slope: 0.25, ..wide }),
    ];
    rows.extend(realistic.map(|(name, spec)| (name.to_owned(), spec)));
    for (name, spec) in rows {
        let LeagueSpec { players, games, draw, .. } = spec;
        let Some(found) = coverage(spec, leagues, seed) else { continue };
        let covered = |rate: tafl_reports::stats::Rate| format!("{:.1} %", 100.0 * rate.proportion.value);
        println!(
            "| {name} | {players} | {games} | {draw} | {} | {:+.3} | {:.2} | {} | {:.2} | {} | {} |",
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
