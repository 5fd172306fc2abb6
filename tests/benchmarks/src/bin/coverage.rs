//! Measures the coverage of intervals in simulated leagues: `coverage [LEAGUES [SEED [ROWS]]]`; rows contain the text `ROWS`.

use tafl_reports::stats::{LeagueSpec, Schedule, coverage};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number =
        |otherwise: u64| arguments.next().map_or(otherwise, |text| text.parse().expect("a number"));
    let (leagues, seed) = (number(200), number(1));
    let wanted = arguments.next().unwrap_or_default();
    println!(
        "| league | players | games | draws | advantage covered | partially pooled | bias | error ratio | p < 0.05 for a trend | \
         trend covered | strengths covered | SD ratio | balance covered | plain score covered |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (name, spec) in leagues_to_simulate().into_iter().filter(|(name, _)| name.contains(&wanted)) {
        let LeagueSpec { players, games, draw_weight: draw, .. } = spec;
        let Some(found) = coverage(spec, leagues, seed) else { continue };
        let covered = |rate: tafl_reports::stats::Rate| format!("{:.1} %", 100.0 * rate.proportion.value);
        println!(
            "| {name} | {players} | {games} | {draw} | {} | {} | {:+.3} | {:.2} | {} | {} | {} | {:.2} | {} | {} |",
            covered(found.advantage),
            found.partially_pooled.map_or_else(|| "–".to_owned(), covered),
            found.bias.value,
            found.error_ratio,
            covered(found.trends),
            covered(found.trend),
            covered(found.players),
            found.strength_sd_ratio,
            // Leagues with advantages of their own have no common balance.
            if spec.advantage_sd > 0.0 { "–".to_owned() } else { covered(found.balance) },
            covered(found.plain),
        );
    }
}

/// Returns the kinds of leagues, with their names.
fn leagues_to_simulate() -> Vec<(String, LeagueSpec)> {
    let spec = LeagueSpec::default();
    let mut rows: Vec<(String, LeagueSpec)> = Vec::new();
    for schedule in Schedule::ALL {
        for (players, games, draw) in [(12, 300, 0.1), (40, 800, 0.1), (200, 3000, 0.0), (300, 1500, 0.3)] {
            let name = schedule.as_str().to_owned();
            rows.push((name, LeagueSpec { players, games, draw_weight: draw, schedule, ..spec }));
        }
    }
    // As wide as the strengths in recorded games of Copenhagen (313 Elo).
    let wide = LeagueSpec {
        players: 60,
        games: 800,
        strength_sd: 1.8,
        advantage: -0.3,
        advantage_sd: 0.6,
        draw_weight: 0.06,
        schedule: Schedule::Unequal,
        ..spec
    };
    let few = LeagueSpec { players: 12, games: 300, advantage_sd: 0.6, schedule: Schedule::Unequal, ..spec };
    let realistic = [
        ("wide", wide),
        ("200 players, 400 games", LeagueSpec { players: 200, games: 400, ..wide }),
        ("25 players, 120 games", LeagueSpec { players: 25, games: 120, ..wide }),
        ("heavy tails", LeagueSpec { has_heavy_tails: true, ..wide }),
        ("strengths change by 174 Elo", LeagueSpec { drift: 1.0, ..wide }),
        ("strengths change by 348 Elo, 3,000 games", LeagueSpec { drift: 2.0, games: 3000, ..wide }),
        ("1 to 3 accounts", LeagueSpec { accounts: 3, ..wide }),
        ("25 % of names missing", LeagueSpec { missing_names: 0.25, ..wide }),
        ("stronger player defends", LeagueSpec { schedule: Schedule::Choosing, ..wide }),
        ("side skill of 25 Elo", LeagueSpec { one_side_skill_sd: 0.2, ..wide }),
        ("side skill of 86 Elo", LeagueSpec { one_side_skill_sd: 0.7, ..wide }),
        (
            "side skill of 86 Elo, 200 players, 3,000 games",
            LeagueSpec { one_side_skill_sd: 0.7, players: 200, games: 3000, ..wide },
        ),
        ("12 players, 300 games, side skill of 25 Elo", LeagueSpec { one_side_skill_sd: 0.2, ..few }),
        ("12 players, 300 games, side skill of 86 Elo", LeagueSpec { one_side_skill_sd: 0.7, ..few }),
        (
            "25 players, 120 games, side skill of 86 Elo",
            LeagueSpec { one_side_skill_sd: 0.7, players: 25, games: 120, ..wide },
        ),
        ("17 Elo per 100 Elo", LeagueSpec { slope: 0.17, ..wide }),
        ("25 Elo per 100 Elo", LeagueSpec { slope: 0.25, ..wide }),
    ];
    rows.extend(realistic.map(|(name, spec)| (name.to_owned(), spec)));
    rows
}
