//! The section of a variant.

use std::collections::{BTreeMap, HashMap};

use tafl_rules::{RuleSet, Side, counted};

use super::sentences::between_equals;
use super::{accuracy, boards, even_arrangements, formatting, groups, lengths, sentences, sources};
use crate::BoardPicture;
use crate::document::{Block, BoardBlock, NumberFormat, SMALL_SAMPLE, Section, Table, TableCell};
use crate::measure::boards::BoardFindings;
use crate::measure::branching::BranchingFindings;
use crate::measure::evals::EvalFindings;
use crate::measure::sources::SourceDisagreement;
use crate::measure::tally::{Ending, GameTally};
use crate::measure::{AdjustedAdvantage, RejectedFindings, TimeOrder, VariantFindings};
use crate::stats::{Estimate, Rate, elo};

/// Additional measurements of a variant, if available.
#[derive(Debug, Clone, Default)]
pub struct VariantDetails {
    /// Statistics of the board.
    pub boards: Option<BoardFindings>,
    /// The branching factor.
    pub branching: Option<BranchingFindings>,
    /// The disagreement between sources.
    pub sources: Option<SourceDisagreement>,
    /// Statistics of evaluations.
    pub evals: Option<EvalFindings>,
}

/// Additional measurements by the index of the variant.
pub type DetailsByVariant = HashMap<u32, VariantDetails>;

/// Returns the section of a variant: who wins, why, how certainly, and how long games last.
pub(super) fn variant_section(
    key: &str,
    variant: &VariantFindings,
    rejected: &RejectedFindings,
    details: &DetailsByVariant,
) -> Section {
    let tally = &variant.tally;
    let section = Section::new(key, &formatting::title(&variant.variant));
    let mut blocks: Vec<Block> = if tally.ended() < SMALL_SAMPLE {
        vec![Block::Warning(sentences::small_sample_results(tally))]
    } else {
        sentences::who_wins(tally, variant.adjusted_p())
            .into_iter()
            .chain(sentences::by_strength(variant))
            .chain(between_equals(variant))
            .chain(sentences::fairness(variant))
            .map(Block::Prose)
            .collect()
    };
    blocks.extend(not_counted(variant).map(Block::Prose));
    let counts = rejected.of_variant(&variant.variant.label());
    blocks.extend(super::rejected::sentence(&counts, tally).map(Block::Prose));
    blocks.push(Block::Table(results(tally)));
    blocks.push(Block::Table(reasons(&variant.endings)));
    blocks.extend(sentences::inferred_reasons(variant.endings.keys()).map(Block::Prose));
    if tally.ended() >= SMALL_SAMPLE {
        blocks.push(Block::Table(measures(variant)));
        blocks.extend(even_arrangements::blocks(variant));
        blocks.extend(groups::blocks(variant));
        blocks.push(Block::Heading("How long games last".to_owned()));
        blocks.extend(lengths::blocks(&variant.lengths, tally));
    }
    if let Some(more) = details.get(&variant.number) {
        blocks.extend(more_blocks(variant, more));
    }
    blocks.push(Block::Heading("Rules".to_owned()));
    // The board with the first moves already shows the start.
    if !blocks.iter().any(|block| matches!(block, Block::Board(board) if board.key == "first_moves")) {
        blocks.extend(start(variant));
    }
    blocks.push(Block::Prose(format!(
        "{} (rules ID {:016x})",
        variant.variant.rules, variant.variant.rules_id
    )));
    section.with(blocks)
}

/// Returns the blocks of additional measurements.
fn more_blocks(variant: &VariantFindings, more: &VariantDetails) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(found) = &more.sources {
        blocks.extend(sources::blocks(found));
    }
    if let (Some(found), Ok(rules)) = (&more.boards, variant.variant.rules.parse::<RuleSet>()) {
        blocks.extend(boards::blocks(found, &rules, more.branching.as_ref()));
        blocks.push(Block::Heading("How games begin".to_owned()));
        blocks.extend(boards::openings(found, &rules));
    }
    if let Some(found) = &more.evals {
        blocks.push(Block::Heading("How well games are played".to_owned()));
        blocks.extend(accuracy::blocks(found));
    }
    blocks
}

/// Returns the start position.
pub(super) fn start(variant: &VariantFindings) -> Option<Block> {
    let rules: RuleSet = variant.variant.rules.parse().ok()?;
    Some(Block::Board(Box::new(BoardBlock {
        key: "start".to_owned(),
        title: "Start position".to_owned(),
        note: formatting::title(&variant.variant),
        picture: BoardPicture::of(&rules),
    })))
}

/// Returns the sentence about games that are not counted.
fn not_counted(variant: &VariantFindings) -> Option<String> {
    let mut parts = Vec::new();
    parts.extend(sentences::other_starts(&variant.other_starts));
    if variant.copies > 0 {
        parts.push(format!("{} of counted games", counted(variant.copies, "duplicate", "duplicates")));
    }
    (!parts.is_empty()).then(|| format!("Not counted: {}.", parts.join("; ")))
}

fn results(tally: &GameTally) -> Table {
    let mut table = Table::new("results", "How games ended", "result")
        .column("games", "games", NumberFormat::Count)
        .column("share", "proportion of finished games", NumberFormat::Percent);
    let mut row = |label: &str, n: u64, cell: TableCell| table.push(label, [TableCell::Count(n), cell]);
    row("attackers won", tally.attackers, formatting::proportion(tally.wins(Side::Attackers)));
    row("defenders won", tally.defenders, formatting::proportion(tally.wins(Side::Defenders)));
    row("drawn", tally.draws, formatting::proportion(tally.drawn()));
    row("unfinished", tally.unfinished, TableCell::Empty);
    table
}

fn reasons(endings: &BTreeMap<Ending, Rate>) -> Table {
    let mut table = Table::new("reasons", "Why games ended", "winner and reason")
        .column("games", "games", NumberFormat::Count)
        .column("share", "proportion of finished games", NumberFormat::Percent);
    let mut all: Vec<(&Ending, &Rate)> = endings.iter().collect();
    all.sort_by_key(|(ending, rate)| (std::cmp::Reverse(rate.hits), **ending));
    for (ending, rate) in all {
        table.push(&ending.to_string(), [TableCell::Count(rate.hits), formatting::proportion(Some(*rate))]);
    }
    table
}

/// Returns the balance in all measures.
fn measures(variant: &VariantFindings) -> Table {
    let mut measures = MeasureTable::new();
    measures.row(
        "win ratio",
        "win ratio",
        formatting::win_ratio_of(&variant.tally, &variant.balance),
        "wins of the favored side per win of the other; + defenders, − attackers",
    );
    if let Ok(score) = &variant.score {
        let meaning = "a draw counts as half a win";
        measures.percent("score of the attackers", "attackers' score", *score, meaning);
    }
    if let Some(over) = variant.over_players.filter(|_| variant.tally.decided() >= SMALL_SAMPLE) {
        measures.percent(
            "defenders' share over players",
            "defenders' wins, over players",
            over,
            "of games with a winner; the interval allows for games that share players",
        );
    }
    match &variant.adjusted {
        Ok(adjusted) => {
            measures.add_advantages(variant, adjusted);
            measures.add_players(adjusted);
        }
        Err(missing) => {
            let missing = TableCell::Missing(missing.to_string());
            measures.row("advantage between equals", "advantage between equals", missing, "Elo");
        }
    }
    measures.0
}

/// The table of measures of balance.
struct MeasureTable(Table);

impl MeasureTable {
    fn new() -> MeasureTable {
        let table = Table::new("measures", "Measures of balance", "measure")
            .column("value", "value", NumberFormat::SignedMixed)
            .column("proportion", "value (%)", NumberFormat::PercentNumber(1))
            .column("meaning", "meaning", NumberFormat::Text)
            .noted(
                "In parentheses: 95 % intervals. Without a model, each game counts alike. The model allows for side skills, so the games of one \
                 player count less, the more of them there are.",
            );
        MeasureTable(table)
    }

    fn row(&mut self, key: &str, label: &str, cell: TableCell, meaning: &str) {
        self.0.push_keyed(key, label, [cell, TableCell::Empty, TableCell::text(meaning)]);
    }

    /// Adds a proportion to the column of percentages, because it has no sign; only ratios and differences do.
    fn percent(&mut self, key: &str, label: &str, proportion: Estimate, meaning: &str) {
        let cell = formatting::estimate(proportion);
        self.0.push_keyed(key, label, [TableCell::Empty, cell, TableCell::text(meaning)]);
    }

    /// Adds the advantage between equals, by several methods, and the number of games that it needs.
    fn add_advantages(&mut self, variant: &VariantFindings, adjusted: &AdjustedAdvantage) {
        let mut meaning = "Elo of the attackers, adjusted for the strength of the players".to_owned();
        if adjusted.advantage.is_below_known_players() {
            meaning += "; the interval is narrower than if all strengths were known exactly, because the estimated variance of side \
                        skills is negative, usually by chance (see docs/statistics.md)";
        }
        self.row(
            "advantage between equals",
            "advantage between equals",
            formatting::estimate(adjusted.elo),
            &meaning,
        );
        if adjusted.advantage.is_below_known_players() {
            self.row(
                "cautious advantage between equals",
                "the same, with the interval for known strengths",
                formatting::estimate(adjusted.advantage.cautious().elo()),
                "Elo of the attackers; the p-value and the decision whether the variant is fair use this interval",
            );
        }
        if let Some(found) = adjusted.side_choice {
            self.row(
                "side choice",
                "effect of side choice",
                formatting::estimate(found.elo()),
                &format!(
                    "Elo difference between the attackers' and the defenders' players that follows from how often each player has \
                     either side; not part of the advantage between equals (correlation of both: {})",
                    format!("{:+.2}", found.correlation).replace('-', "\u{2212}")
                ),
            );
        }
        if let Some(found) = adjusted.model_free {
            self.row(
                "advantage without a model",
                "the same, without a model",
                formatting::estimate(found.value.map(elo)),
                &format!(
                    "Elo; Mantel-Haenszel, {} of {} that met on both sides; the interval allows for pairs that share players",
                    formatting::games(found.games),
                    counted(found.pairs, "pair", "pairs")
                ),
            );
        }
        if let Some(partially_pooled) = variant.partially_pooled {
            self.row(
                "partially pooled advantage",
                "the same, partially pooled",
                formatting::estimate(partially_pooled),
                "Elo; the better estimate if there are few games",
            );
        }
        if let Some(fairness) = variant.fairness {
            self.row(
                "games needed",
                "games that show a deviation of 5 points",
                TableCell::Count(fairness.needed),
                &format!(
                    "from 50 %, with a power of 80 % and a significance level of 5 %, by {} who are as unequally active; \
                     see tafl report plan for other numbers of players",
                    counted(fairness.players, "player", "players")
                ),
            );
        }
    }

    /// Adds the numbers of players and games of the model, and the spread of strengths.
    fn add_players(&mut self, adjusted: &AdjustedAdvantage) {
        let players = TableCell::Count(adjusted.players);
        self.row("players", "players", players, "the number of players with an estimated strength");
        let games = TableCell::Count(adjusted.games);
        let meaning = "finished, with two named players";
        self.row("games between equals", "games in the adjusted figures", games, meaning);
        self.row(
            "standard deviation of strengths",
            "standard deviation of their strengths",
            TableCell::number(adjusted.strength_sd),
            "Elo",
        );
        let (drift, effect) = match adjusted.drift {
            Ok(drift) => (TableCell::number(elo(drift.deviation())), "; its effect is corrected"),
            Err(missing) => (TableCell::Missing(missing.to_string()), ""),
        };
        let order = match adjusted.time_order {
            TimeOrder::Date => "; games are in the order of their dates",
            TimeOrder::Number => "; games are in the order of their numbers",
            TimeOrder::Unknown => "",
        };
        self.row(
            "drift of strengths",
            "drift of their strength",
            drift,
            &format!("Elo, standard deviation over time around the mean of each player{effect}{order}"),
        );
        self.row(
            "standard deviation of side skills",
            "standard deviation of their side skills",
            TableCell::number(adjusted.side_skill_sd),
            "Elo; a side skill is half the difference between a player's strengths with both sides",
        );
    }
}
