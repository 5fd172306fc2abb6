//! Sentences that several reports share.

use tafl_rules::{Side, counted, word_list};

use super::formatting::{count, games, in_elo, p_value, percent, signed_integer};
use crate::document::SMALL_SAMPLE;
use crate::measure::{Ending, FAIR_MARGIN, FairnessDecision, GameTally, OtherStarts, VariantFindings};
use crate::percent::percent_text;
use crate::stats::{NotEstimable, elo};

/// The p-value below which a trend is stated as a fact; up to 5 %, it is only suggested.
const CLEAR_TREND: f64 = 0.01;

/// Returns the sentence about the advantage by strength, if it has a significant trend.
pub(super) fn by_strength(variant: &VariantFindings) -> Option<String> {
    let trend = variant.significant_trend()?;
    let [low, _, high] = trend.strengths;
    let p = variant.trend_fdr?;
    Some(format!(
        "{} the attackers' advantage depends on the strength of the players: between two weak players ({} Elo), it is {}, \
         and between two strong players ({} Elo), {}. (0 Elo is the mean player. Weak and strong: the mean strength of both players is lower, \
         or higher, in only a tenth of the games.) Per 100 Elo of strength, the advantage changes by {} Elo ({} to {}, {}).",
        if p < CLEAR_TREND { "In these games," } else { "The data suggest that" },
        signed_integer(elo(low)),
        in_elo(trend.at(low)),
        signed_integer(elo(high)),
        in_elo(trend.at(high)),
        signed_integer(trend.slope.value),
        signed_integer(trend.slope.low),
        signed_integer(trend.slope.high),
        p_value(p)
    ))
}

/// Returns the sentence about the advantage between equals, and whether it differs from the results.
pub(super) fn between_equals(variant: &VariantFindings) -> Option<String> {
    let adjusted = variant.adjusted.as_ref().ok().filter(|adjusted| adjusted.games >= SMALL_SAMPLE)?;
    let p = match (variant.equals_p(), variant.equals_fdr) {
        (Some(p), Some(_)) if variant.n_tested == 1 => format!("; {}", p_value(p)),
        (Some(p), Some(fdr)) => format!("; {}, and {OF_ALL_VARIANTS}, {}", p_value(p), p_value(fdr)),
        (Some(_) | None, _) => String::new(),
    };
    let mut sentence = format!(
        "Between players of equal strength, the attackers' expected score is {}{}, an advantage of {}{p}.",
        if variant.significant_trend().is_some() { "on average " } else { "" },
        percent(adjusted.expectation),
        in_elo(adjusted.elo)
    );
    // Without a p-value, there is no verdict that could differ.
    if !p.is_empty() && variant.favored() != variant.favored_between_equals() {
        sentence.push_str(
            " This differs from the results because it is the answer to another question: the results are those of the games as they \
             were played, also by unequal players, and this is about players of equal strength.",
        );
    }
    Some(sentence)
}

/// What a p-value is adjusted for.
const OF_ALL_VARIANTS: &str = "adjusted for the variants of this report";

/// Returns the sentence on what p-values are adjusted for in a report on one variant, if there are any.
pub(super) fn one_variant(variant: &VariantFindings) -> Option<String> {
    (variant.n_tested == 1).then(|| {
        "The p-values are not adjusted, because this report has one variant. To compare several variants, use the report on all of them."
            .to_owned()
    })
}

/// Returns the sentence on whether the variant is fair between equals.
pub(super) fn fairness(variant: &VariantFindings) -> Option<String> {
    let adjusted = variant.adjusted.as_ref().ok().filter(|adjusted| adjusted.games >= SMALL_SAMPLE)?;
    let fairness = variant.fairness?;
    let margin = FAIR_MARGIN * 100.0;
    let range = format!("{:.0} % to {:.0} %", 50.0 - margin, 50.0 + margin);
    let games = games(adjusted.games);
    Some(match fairness.decision {
        FairnessDecision::Fair => {
            format!("Fair within {margin:.0} points: yes. The whole interval is within {range} ({games}).")
        }
        FairnessDecision::Unfair => {
            format!("Fair within {margin:.0} points: no. The whole interval is outside of {range} ({games}).")
        }
        FairnessDecision::Undecided => format!(
            "Fair within {margin:.0} points: undecided. The interval is partly within {range} and partly outside ({games}). \
             {}",
            match fairness.to_decide {
                Some(needed) => format!(
                    "If the true score is the estimated one, about {} games like these decide it with a probability of 80 %.",
                    count(needed)
                ),
                None => "The estimate is so near to a limit of this range that more than a million games would be needed to decide it."
                    .to_owned(),
            }
        ),
    })
}

/// Returns the games that did not begin as their rules say, by what differs; `None` without any.
pub(super) fn other_starts(counts: &OtherStarts) -> Option<String> {
    let parts = [
        (counts.position, "from a nonstandard start position"),
        (counts.first_mover, "in which the wrong side moved first"),
        (counts.unknown_rules, "with rules that cannot be read"),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, which)| format!("{} {which}", games(n))).collect();
    (!parts.is_empty()).then(|| word_list(&parts, "and"))
}

/// Returns the explanation of inferred reasons; `None` if all reasons are those of the board or of the records.
pub(super) fn inferred_reasons<'e>(endings: impl IntoIterator<Item = &'e Ending>) -> Option<String> {
    endings.into_iter().any(|ending| ending.is_inferred).then(|| {
        "(inferred): the record has a result, but neither it nor the board gives the reason, so the reason is inferred from the \
         result. If the side to move lost, it is taken to have resigned. If the side to move won, the game is taken to have been \
         adjudicated: the players did not finish it. A draw after a repeated position is taken to be one by repetition."
            .to_owned()
    })
}

/// Returns the name of a side at the start of a sentence.
const fn at_start_of_sentence(side: Side) -> &'static str {
    match side {
        Side::Attackers => "The attackers",
        Side::Defenders => "The defenders",
    }
}

/// Returns the sentence about the results of a small sample.
pub(super) fn small_sample_results(tally: &GameTally) -> String {
    let GameTally { attackers, defenders, draws, .. } = tally;
    match tally.ended() {
        0 => "No game has finished, so the balance is unknown.".to_owned(),
        n => format!(
            "Only {} finished: the attackers won {attackers}, the defenders won {defenders}, and {}.",
            games(n),
            counted(*draws, "was drawn", "were drawn")
        ),
    }
}

/// Returns the reason for which a small sample has no percentages.
pub(super) fn small_sample_reason() -> String {
    format!(
        "With fewer than {SMALL_SAMPLE} games, percentages are omitted, because so small a sample rarely shows which side is favored."
    )
}

/// Returns the sentences about the results of a tally.
///
/// `p` is the p-value of the balance, and the number of variants of a report for which it is adjusted; without it, the interval of the
/// wins decides.
pub(super) fn who_wins(tally: &GameTally, p: Option<(f64, usize)>) -> Vec<String> {
    if tally.ended() < SMALL_SAMPLE {
        let reason = (tally.ended() > 0).then(small_sample_reason);
        return std::iter::once(small_sample_results(tally)).chain(reason).collect();
    }
    let mut sentences = Vec::new();
    if let (Some(attackers), Some(defenders), Some(drawn)) =
        (tally.wins(Side::Attackers), tally.wins(Side::Defenders), tally.drawn())
    {
        sentences.push(format!(
            "Of {} finished games, the attackers won {}, the defenders won {}, and {} % were drawn. In parentheses: \
             95 % intervals.",
            count(tally.ended()),
            percent(attackers.proportion),
            percent(defenders.proportion),
            percent_text(drawn.proportion.value, usize::from(drawn.proportion.value < 0.01))
        ));
    }
    let Some(proportion) = tally.defenders_proportion().map(|rate| rate.proportion) else {
        sentences.push(format!("The balance cannot be estimated: {}.", NotEstimable::NoneDecided));
        return sentences;
    };
    if tally.decided() < SMALL_SAMPLE {
        sentences.push(format!(
            "Only {} a winner, too few to show which side is favored.",
            counted(tally.decided(), "game has", "games have")
        ));
        return sentences;
    }
    let side = if proportion.value > 0.5 { Side::Defenders } else { Side::Attackers };
    let is_favored = p.map_or(!proportion.holds(0.5), |(p, _)| p < 0.05);
    let reason = match (p, is_favored) {
        (Some((p, 1)), _) => format!(" ({})", p_value(p)),
        (Some((p, _)), _) => format!(" ({}, {OF_ALL_VARIANTS})", p_value(p)),
        (None, true) => ": the whole interval is on their side of 50 %".to_owned(),
        (None, false) => String::new(),
    };
    sentences.push(if is_favored {
        format!("{} are favored in these games{reason}.", at_start_of_sentence(side))
    } else {
        format!("The data do not show which side is favored: the difference may be due to chance{reason}.")
    });
    sentences
}

/// Returns the sentence on the favored sides of `n` variants by their results; `favored` has the numbers of variants that favor each side.
pub(super) fn by_results(n: usize, favored: [usize; 2]) -> String {
    const UNKNOWN: &str = "the results do not show which side is favored";
    let [attackers, defenders] = favored;
    if n == 1 {
        return match favored {
            [0, 0] => format!("For this variant, {UNKNOWN}."),
            [0, _] => "By its results, the defenders are significantly favored.".to_owned(),
            [_, _] => "By its results, the attackers are significantly favored.".to_owned(),
        };
    }
    let others = match n - attackers - defenders {
        0 => String::new(),
        1 => format!("; for the other one, {UNKNOWN}"),
        n => format!("; for the other {n}, {UNKNOWN}"),
    };
    format!(
        "By the results of these {n}, the attackers are significantly favored in {attackers} and the defenders in {defenders}{others}."
    )
}

#[cfg(test)]
mod tests {
    use tafl_rules::Reason;

    use super::*;
    use crate::stats::DesignEffect;

    #[test]
    fn results_are_described_in_sentences() {
        let tally = GameTally {
            games: 110,
            attackers: 54,
            defenders: 40,
            draws: 6,
            unfinished: 10,
            ..GameTally::default()
        };
        let sentences = who_wins(&tally, None);
        assert_eq!(
            sentences[0],
            "Of 100 finished games, the attackers won 54 % (44 % to 63 %), the defenders won 40 % (31 % to 50 %), and \
             6 % were drawn. In parentheses: 95 % intervals."
        );
        assert_eq!(
            sentences[1],
            "The data do not show which side is favored: the difference may be due to chance."
        );
    }

    #[test]
    fn a_small_proportion_of_draws_is_not_zero() {
        let tally =
            GameTally { games: 500, attackers: 250, defenders: 248, draws: 2, ..GameTally::default() };
        assert!(who_wins(&tally, None)[0].contains("and 0.4 % were drawn"), "{:?}", who_wins(&tally, None));
    }

    #[test]
    fn shared_players_may_explain_a_difference() {
        let tally = GameTally { games: 100, attackers: 38, defenders: 62, ..GameTally::default() };
        assert!(who_wins(&tally, None)[1].starts_with("The defenders are favored"));
        let shared = who_wins(
            &GameTally { design_effect: Some(DesignEffect { factor: 4.0, ..DesignEffect::NONE }), ..tally },
            None,
        );
        assert!(shared[0].contains("the attackers won 38 % (22 % to 57 %)"), "{shared:?}");
        assert!(shared[1].starts_with("The data do not show"), "{shared:?}");
    }

    #[test]
    fn a_p_value_is_adjusted_for_more_than_one_variant() {
        let tally = GameTally { games: 100, attackers: 30, defenders: 70, ..GameTally::default() };
        let sentence = |variants| who_wins(&tally, Some((0.003, variants))).remove(1);
        assert_eq!(sentence(1), "The defenders are favored in these games (p = 0.0030).");
        assert!(sentence(2).ends_with("(p = 0.0030, adjusted for the variants of this report)."));
    }

    #[test]
    fn small_samples_have_no_percentage() {
        let none = GameTally::default();
        assert_eq!(who_wins(&none, None), ["No game has finished, so the balance is unknown."]);
        let one = GameTally { games: 1, attackers: 1, ..GameTally::default() };
        let sentences = who_wins(&one, None);
        assert!(sentences.len() == 2 && sentences[0].starts_with("Only 1 game finished"), "{sentences:?}");
        assert!(sentences[1].contains("percentages are omitted"), "{sentences:?}");
        let drawn = GameTally { games: 1, draws: 1, ..GameTally::default() };
        assert!(who_wins(&drawn, None)[0].ends_with("and 1 was drawn."), "{:?}", who_wins(&drawn, None));
    }

    #[test]
    fn few_games_with_a_winner_favor_no_side() {
        let tally = GameTally { games: 40, attackers: 6, draws: 34, ..GameTally::default() };
        let sentences = who_wins(&tally, None);
        assert_eq!(sentences[1..], ["Only 6 games have a winner, too few to show which side is favored."]);
        assert!(sentences[0].contains("85 % were drawn"), "{sentences:?}");
    }

    #[test]
    fn inferred_reasons_are_explained_where_there_are_any() {
        let end = |is_inferred| Ending { winner: None, reason: Reason::Repetition, is_inferred };
        assert_eq!(inferred_reasons(&[end(false)]), None);
        let text = inferred_reasons(&[end(false), end(true)]).unwrap();
        assert!(text.starts_with("(inferred): the record has a result"), "{text}");
    }

    #[test]
    fn games_with_other_starts_are_listed_by_what_differs() {
        assert_eq!(other_starts(&OtherStarts::default()), None);
        let counts = OtherStarts { position: 5, first_mover: 1, unknown_rules: 0 };
        assert_eq!(
            other_starts(&counts).unwrap(),
            "5 games from a nonstandard start position and 1 game in which the wrong side moved first"
        );
    }

    #[test]
    fn the_sentence_on_favored_sides_has_the_number_of_its_variants() {
        let text = |n, favored| by_results(n, favored);
        assert_eq!(text(1, [0, 1]), "By its results, the defenders are significantly favored.");
        assert_eq!(text(1, [0, 0]), "For this variant, the results do not show which side is favored.");
        let both =
            "By the results of these 4, the attackers are significantly favored in 1 and the defenders in";
        assert_eq!(text(4, [1, 3]), format!("{both} 3."));
        let unknown = "the results do not show which side is favored";
        assert_eq!(text(4, [1, 2]), format!("{both} 2; for the other one, {unknown}."));
        assert_eq!(text(4, [1, 1]), format!("{both} 1; for the other 2, {unknown}."));
    }
}
