//! Groups of games by the side of the stronger player.

use super::adjusted::OverallFit;
use super::games::GameFacts;
use super::roster::pairing;
use crate::stats::strength::{LeaveOneOut, elo};

/// Splits games by the side of the stronger player, whose strength is that in his other games: with the game itself, the winner
/// would often be the stronger one. Returns each group with its label.
pub(super) fn by_match<'g>(
    rows: &'g [GameFacts],
    overall: &OverallFit,
) -> [(&'static str, Vec<&'g GameFacts>); 3] {
    let without_game = LeaveOneOut::of(&overall.league, &overall.strengths);
    let gap = |game: &GameFacts| without_game.gap(&pairing(game, 0, &overall.roster)?).map(elo);
    let gaps: Vec<Option<f64>> = rows.iter().map(gap).collect();
    let of = |label: &'static str, is_wanted: &dyn Fn(f64) -> bool| {
        let wanted = rows.iter().zip(&gaps).filter(|(_, gap)| gap.is_some_and(is_wanted));
        (label, wanted.map(|(game, _)| game).collect())
    };
    [
        of("attackers' player stronger by 100 Elo", &|gap| gap > 100.0),
        of("about equal players", &|gap| gap.abs() <= 100.0),
        of("defenders' player stronger by 100 Elo", &|gap| gap < -100.0),
    ]
}

#[cfg(test)]
mod tests {
    use tafl_corpus::GameResult;

    use super::*;
    use crate::measure::GameTally;
    use crate::measure::adjusted::adjusted;
    use crate::stats::strength::{Pairing, PairingResults, expectation};
    use crate::stats::{LeagueSpec, Schedule};

    #[test]
    fn groups_by_strength_do_not_depend_on_the_results_of_their_games() {
        // As many players, games, and differences of strength as in Copenhagen.
        let spec = LeagueSpec {
            players: 260,
            games: 700,
            schedule: Schedule::Unequal,
            strength_sd: 1.6,
            advantage: -0.46,
            draw_weight: 0.01,
            ..LeagueSpec::default()
        };
        let n_leagues = 30;
        // For each group: the attackers' proportion of wins, the one that the true strengths predict, and that of groups by the
        // strengths with the games.
        let mut means = [[0.0_f64; 3]; 3];
        let mut held = 0;
        for seed in 0..n_leagues {
            let made = spec.simulate(seed);
            let game = |game: &Pairing| {
                let result = match game.results {
                    PairingResults { attackers: 1, .. } => GameResult::Attackers,
                    PairingResults { defenders: 1, .. } => GameResult::Defenders,
                    _ => GameResult::Draw,
                };
                crate::measure::tests::game(Some([game.attackers, game.defenders]), result, 30)
            };
            let games: Vec<GameFacts> = made.games.iter().map(game).collect();
            let overall = adjusted(&games).unwrap();
            let groups = by_match(&games, &overall);
            let without_game = LeaveOneOut::of(&overall.league, &overall.strengths);
            let group = |gap: f64| usize::from(gap <= 100.0) + usize::from(gap < -100.0);
            let mut predicted = [[0.0; 2]; 3];
            let mut fitted = [[0.0; 2]; 3];
            for facts in games.iter().filter(|facts| facts.result != GameResult::Draw) {
                let [one, two] = facts.pair().unwrap();
                let won = f64::from(u8::from(facts.result == GameResult::Attackers));
                if let Some(gap) = without_game.gap(&pairing(facts, 0, &overall.roster).unwrap()) {
                    let [strong, weak] = [one, two].map(|player| made.strengths[player as usize]);
                    let sums = &mut predicted[group(elo(gap))];
                    *sums = [sums[0] + expectation(strong - weak + made.advantage), sums[1] + 1.0];
                }
                let gap = overall.strength(one).unwrap() - overall.strength(two).unwrap();
                let sums = &mut fitted[group(elo(gap))];
                *sums = [sums[0] + won, sums[1] + 1.0];
            }
            for at in 0..3 {
                let found = GameTally::of(groups[at].1.iter().copied()).attackers_proportion().unwrap();
                let [truth, with_game] = [predicted[at], fitted[at]].map(|[sum, n]| sum / n);
                held += u32::from(found.proportion.low <= truth && truth <= found.proportion.high);
                let values = [found.proportion.value, truth, with_game];
                means[at].iter_mut().zip(values).for_each(|(sum, value)| *sum += value / n_leagues as f64);
            }
        }
        for [found, truth, _] in means {
            assert!((found - truth).abs() < 0.02, "{means:?}");
        }
        assert!(means[0][2] - means[0][1] > 0.06 && means[2][1] - means[2][2] > 0.03, "{means:?}");
        assert!(held >= 82, "{held} of 90 intervals");
    }
}
