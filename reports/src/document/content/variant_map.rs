//! The report with maps of variants.

use tafl_rules::counted;

use super::formatting;
use crate::document::{Block, NumberFormat, Provenance, Report, Section, Table, TableCell};
use crate::measure::games::Games;
use crate::measure::variant_map::{BehaviorMetric, MapView, VariantMap};
use crate::plot::{Axis, Chart, Dendrogram, DendrogramJoin, PlanePlot, PlanePoint, Plot, PlotLabel};

/// The maximum number of groups that marks of the plane distinguish.
const MAX_GROUPS: usize = 6;
/// The number of similar variants that are described.
const MAX_SIMILAR: usize = 5;
/// The maximum number of metrics in which two variants are described as alike or different.
const MAX_METRICS: usize = 3;
/// The difference in standard deviations below which two variants are alike in a metric.
const ALIKE: f64 = 0.25;

/// Returns the report on a map; `like` is the index of the variant on the map to which similar ones are described.
pub fn map_report(
    found: Option<&VariantMap>,
    like: Option<usize>,
    source: &Games,
    provenance: Provenance,
) -> Report {
    let mut report = Report::new("map", "Maps of variants", provenance);
    let Some(found) = found else {
        report.summary = vec![
            "Fewer than two variants have enough games, so there is no map (see --min-games).".to_owned(),
        ];
        return report;
    };
    let names = MapNames::of(found, source);
    report.summary.push(format!(
        "{} with the most games; {} with fewer games are not on the maps.",
        counted(found.variants.len() as u64, "variant", "variants"),
        formatting::count(found.omitted)
    ));
    if let Some(at) = like {
        report.summary.push(format!(
            "Most similar to {}: {}.",
            names.title(at),
            nearest_text(found, &names, at)
        ));
        report = report.with([Section::new("like", &format!("Variants like {}", names.title(at)))
            .with(similar(found, &names, at))]);
    }
    report.with([
        Section::new("behavior", "By behavior").with(behavior(found, &names)),
        Section::new("rules", "By rules").with(view(
            &found.by_rules,
            found,
            &names,
            "The distance by rules is the number of points in which the rules sheets differ (`tafl rules diff`); another board \
             counts as one point, and another start on the same board as the proportion of its pieces that differ. Support: the \
             points were drawn at random, with replacement.",
        )),
        Section::new("metrics", "Metrics of behavior").with(metrics(found, &names)),
        Section::new("neighbors", "The nearest variants").with([Block::Table(neighbors(found, &names))]),
        Section::new("distances", "Distances").with([
            Block::Table(matrix(&found.by_behavior, &names, "behavior_distances", "Distances by behavior")),
            Block::Table(matrix(&found.by_rules, &names, "rules_distances", "Distances by rules")),
        ]),
    ])
}

/// The names and the titles of the variants of a map.
struct MapNames(Vec<PlotLabel>);

impl MapNames {
    fn of(found: &VariantMap, source: &Games) -> MapNames {
        let names = found.variants.iter().map(|number| {
            let variant = &source.variants[*number as usize];
            PlotLabel { name: variant.label(), title: formatting::title(variant) }
        });
        MapNames(names.collect())
    }

    fn title(&self, at: usize) -> &str {
        &self.0[at].title
    }

    /// Adds the row of a variant to a table.
    fn push_row(&self, table: &mut Table, at: usize, cells: impl IntoIterator<Item = TableCell>) {
        table.push_keyed(&self.0[at].name, &self.0[at].title, cells);
    }
}

/// Returns the nearest variants by rules and by behavior, for a sentence.
fn nearest_text(found: &VariantMap, names: &MapNames, at: usize) -> String {
    let nearest =
        |view: &MapView| view.distances.nearest(at).first().map_or("none", |near| names.title(*near));
    format!("{} by behavior, {} by rules", nearest(&found.by_behavior), nearest(&found.by_rules))
}

fn behavior(found: &VariantMap, names: &MapNames) -> Vec<Block> {
    view(
        &found.by_behavior,
        found,
        names,
        "The distance by behavior is the root of the mean squared difference over the metrics below, in standard deviations \
         between variants; what chance adds on average is subtracted. Support: the games of each variant were drawn at random, \
         with replacement.",
    )
}

/// Returns the tree and the plane of distances, and the groups of the tree.
fn view(view: &MapView, found: &VariantMap, names: &MapNames, explanation: &str) -> Vec<Block> {
    vec![
        Block::Prose(explanation.to_owned()),
        Block::Plot(tree(view, names)),
        Block::Plot(plane(view, found, names)),
        Block::Table(group_table(view, names)),
    ]
}

fn tree(view: &MapView, names: &MapNames) -> Plot {
    let n = view.order.len();
    let mut row_of = vec![0; n];
    view.order.iter().enumerate().for_each(|(row, variant)| row_of[*variant] = row);
    let part = |part: usize| if part < n { row_of[part] } else { part };
    let joins = view.joins.iter().zip(&view.support).map(|(join, support)| DendrogramJoin {
        parts: join.parts.map(part),
        height: join.height,
        // All variants together are a group of every tree.
        support: (join.items.len() < n).then_some(*support),
    });
    Plot {
        key: "tree".to_owned(),
        title: "Tree by average linkage (UPGMA)".to_owned(),
        note: "Numbers: the percentage of repetitions with the same group.".to_owned(),
        chart: Chart::Dendrogram(Dendrogram {
            axis: Axis::from_zero("distance"),
            rows: view.order.iter().map(|variant| names.0[*variant].clone()).collect(),
            joins: joins.collect(),
        }),
    }
}

fn plane(view: &MapView, found: &VariantMap, names: &MapNames) -> Plot {
    let groups = view.groups(MAX_GROUPS);
    let points = (0..view.order.len()).map(|at| PlanePoint {
        label: names.0[at].clone(),
        x: view.plane.places[at][0],
        y: view.plane.places[at][1],
        group: groups[at],
        n: found.games[at],
    });
    Plot {
        key: "plane".to_owned(),
        title: "Plane by multidimensional scaling".to_owned(),
        note: format!(
            "Near points are similar variants; directions have no meaning. The plane shows {:.0} % of the squared distances. \
             Marks: the {} largest groups of the tree. Names that would cover marks, lines, or other names are left out.",
            view.plane.shown * 100.0,
            groups.iter().max().map_or(0, |max| max + 1)
        ),
        chart: Chart::Plane(PlanePlot {
            x: Axis::signed("first coordinate (distance)"),
            y: Axis::signed("second coordinate (distance)"),
            points: points.collect(),
        }),
    }
}

fn group_table(view: &MapView, names: &MapNames) -> Table {
    let mut table = Table::new("groups", "Groups of the tree with a support of 50 % or more", "group")
        .column("size", "variants", NumberFormat::Count)
        .column("height", "distance", NumberFormat::Number(2))
        .column("support", "support (%)", NumberFormat::PercentNumber(0));
    for (join, support) in view.joins.iter().zip(&view.support) {
        if join.items.len() < view.order.len() && *support >= 0.5 {
            let PlotLabel { name, title } = group_label(&join.items, names);
            table.push_keyed(
                &name,
                &title,
                [
                    TableCell::Count(join.items.len() as u64),
                    TableCell::number(join.height),
                    TableCell::number(*support),
                ],
            );
        }
    }
    table
}

/// Returns the variants of a group; of a large one, those that are not in it. The names are for programs, and the titles for
/// people.
fn group_label(items: &[usize], names: &MapNames) -> PlotLabel {
    let n = names.0.len();
    let is_large = items.len() * 2 > n;
    let listed: Vec<&PlotLabel> = (0..n)
        .filter(|item| items.binary_search(item).is_ok() != is_large)
        .map(|item| &names.0[item])
        .collect();
    let list = |part: fn(&PlotLabel) -> &str, separator: &str| {
        let list = listed.iter().map(|label| part(label)).collect::<Vec<_>>().join(separator);
        if is_large { format!("all but {list}") } else { list }
    };
    // Titles may contain commas.
    PlotLabel { name: list(|label| &label.name, ", "), title: list(|label| &label.title, "; ") }
}

/// The column of a metric.
struct MetricColumn {
    key: &'static str,
    heading: &'static str,
    meaning: &'static str,
    decimals: u8,
}

/// Returns the column of a metric.
const fn column_of(metric: BehaviorMetric) -> MetricColumn {
    let (key, heading, meaning, decimals) = match metric {
        BehaviorMetric::Score => ("score", "attackers' score", "a draw counts one half", 3),
        BehaviorMetric::Draws => ("draws", "draws", "among finished games", 3),
        BehaviorMetric::Completion => ("completion", "completion", "games that ended by the rules", 3),
        BehaviorMetric::Length => ("length", "length", "plies; geometric mean", 1),
        BehaviorMetric::Branching => ("branching", "branching", "legal moves; geometric mean", 1),
        BehaviorMetric::Captures => ("captures", "captures", "per ply", 3),
        BehaviorMetric::Captured => ("captured", "captured", "proportion of the pieces of the start", 3),
        BehaviorMetric::Coverage => {
            ("coverage", "board coverage", "proportion of the cells to which a piece moved", 3)
        }
        BehaviorMetric::MoveDistance => ("move_distance", "move distance", "relative to the longest move", 3),
        BehaviorMetric::KingMoves => ("king_moves", "king moves", "proportion of the plies", 3),
        BehaviorMetric::Repetition => ("repetition", "repetition", "plies that restore a position", 3),
        BehaviorMetric::Outward => {
            ("outward", "outward play", "destinations: 0 in the middle, 1 at the edge", 3)
        }
        BehaviorMetric::EdgePlay => ("edge_play", "edge play", "moves that end on the edge", 3),
        BehaviorMetric::KingOutward => {
            ("king_outward", "king outward", "position of the king over all plies", 3)
        }
        BehaviorMetric::CaptureOutward => {
            ("capture_outward", "captures outward", "position of captured pieces", 3)
        }
        BehaviorMetric::Drama => ("drama", "drama", "mean deficit of the later winner", 3),
        BehaviorMetric::LeadChanges => ("lead_changes", "lead changes", "per game", 2),
        BehaviorMetric::Decided => ("decided", "decided after", "proportion of the game", 3),
    };
    MetricColumn { key, heading, meaning, decimals }
}

fn metrics(found: &VariantMap, names: &MapNames) -> Vec<Block> {
    let present: Vec<BehaviorMetric> = BehaviorMetric::ALL
        .into_iter()
        .filter(|metric| (0..names.0.len()).any(|at| found.behavior.value(at, *metric).is_some()))
        .collect();
    let mut meanings = Table::new("meanings", "What the metrics mean", "metric").column(
        "meaning",
        "meaning",
        NumberFormat::Text,
    );
    for metric in &present {
        let MetricColumn { key, heading, meaning, .. } = column_of(*metric);
        meanings.push_keyed(key, heading, [TableCell::text(meaning)]);
    }
    let mut blocks = vec![Block::Prose(
        "Each value is a mean over the games of the variant, with its 95 % interval; from 30 games on, it allows for games that share \
         players. There is no interval if all games have the same value. Many of the metrics are those of Ludii; docs/statistics.md describes them."
            .to_owned(),
    )];
    if !present.contains(&BehaviorMetric::Drama) {
        blocks.push(Block::Warning(
            "Drama, lead changes, and decisiveness are missing, because too few games are evaluated; `tafl annotate CORPUS` \
             evaluates games."
                .to_owned(),
        ));
    }
    blocks.push(Block::Table(meanings));
    for (number, part) in (1..).zip(present.chunks(6)) {
        let title = if number == 1 { "Metrics".to_owned() } else { format!("Metrics, part {number}") };
        let mut table = Table::new(&format!("metrics_{number}"), &title, "variant").column(
            "games",
            "games",
            NumberFormat::Count,
        );
        for metric in part {
            let MetricColumn { key, heading, decimals, .. } = column_of(*metric);
            table = table.column(key, heading, NumberFormat::Number(decimals));
        }
        for at in 0..names.0.len() {
            let value = |metric: &BehaviorMetric| match found.behavior.value(at, *metric) {
                None => TableCell::Empty,
                Some((estimate, _)) if estimate.low >= estimate.high => TableCell::number(estimate.value),
                Some((estimate, _)) => formatting::estimate(estimate),
            };
            let games = std::iter::once(TableCell::Count(found.games[at]));
            names.push_row(&mut table, at, games.chain(part.iter().map(value)));
        }
        blocks.push(Block::Table(table));
    }
    blocks
}

fn neighbors(found: &VariantMap, names: &MapNames) -> Table {
    let mut table = Table::new("nearest", "The nearest variant of each variant", "variant")
        .column("games", "games", NumberFormat::Count)
        .column("by_behavior", "by behavior", NumberFormat::Text)
        .column("behavior_distance", "distance", NumberFormat::Number(2))
        .column("by_rules", "by rules", NumberFormat::Text)
        .column("rules_distance", "points", NumberFormat::Number(1));
    for at in 0..names.0.len() {
        let mut cells = vec![TableCell::Count(found.games[at])];
        for view in [&found.by_behavior, &found.by_rules] {
            match view.distances.nearest(at).first() {
                Some(near) => {
                    cells.push(TableCell::text(names.title(*near)));
                    cells.push(TableCell::number(view.distances.between(at, *near)));
                }
                None => cells.extend([TableCell::Empty, TableCell::Empty]),
            }
        }
        names.push_row(&mut table, at, cells);
    }
    table
}

fn matrix(view: &MapView, names: &MapNames, key: &str, title: &str) -> Table {
    let mut table = Table::new(key, title, "variant");
    for variant in &view.order {
        let PlotLabel { name, title } = &names.0[*variant];
        table = table.column(name, title, NumberFormat::Number(1));
    }
    for one in &view.order {
        let cells = view.order.iter().map(|other| TableCell::number(view.distances.between(*one, *other)));
        names.push_row(&mut table, *one, cells);
    }
    table.noted("In the order of the tree.")
}

/// Returns the variants most similar to one, with what is alike and what differs.
fn similar(found: &VariantMap, names: &MapNames, at: usize) -> Vec<Block> {
    let mut behavior = Table::new("like_behavior", "Similar by behavior", "variant")
        .column("distance", "distance", NumberFormat::Number(2))
        .column("alike", "alike", NumberFormat::Text)
        .column("different", "different", NumberFormat::Text)
        .noted(&format!(
            "Alike: within {ALIKE} standard deviations between variants. Different: the largest differences, with the values of the \
             variant of this row and of {}.",
            names.title(at)
        ));
    for near in found.by_behavior.distances.nearest(at).into_iter().take(MAX_SIMILAR) {
        let mut apart: Vec<(BehaviorMetric, f64)> = BehaviorMetric::ALL
            .into_iter()
            .filter_map(|metric| Some((metric, found.behavior.difference(near, at, metric)?.abs())))
            .collect();
        apart.sort_by(|one, two| one.1.total_cmp(&two.1));
        let alike = apart.iter().filter(|(_, apart)| *apart < ALIKE).take(MAX_METRICS);
        let alike: Vec<&str> = alike.map(|(metric, _)| column_of(*metric).heading).collect();
        let different = apart.iter().rev().filter(|(_, apart)| *apart >= ALIKE).take(MAX_METRICS);
        let different: Vec<String> = different
            .filter_map(|(metric, _)| {
                let [own, base] = [near, at].map(|variant| found.behavior.value(variant, *metric));
                let MetricColumn { heading, decimals, .. } = column_of(*metric);
                let decimals = usize::from(decimals);
                Some(format!("{heading} {:.decimals$} against {:.decimals$}", own?.0.value, base?.0.value))
            })
            .collect();
        names.push_row(
            &mut behavior,
            near,
            [
                TableCell::number(found.by_behavior.distances.between(at, near)),
                list(&alike.iter().map(ToString::to_string).collect::<Vec<_>>()),
                list(&different),
            ],
        );
    }
    let mut rules = Table::new("like_rules", "Similar by rules", "variant")
        .column("points", "points", NumberFormat::Number(1))
        .column("different", "different", NumberFormat::Text)
        .noted("`tafl rules diff` describes the differences.");
    for near in found.by_rules.distances.nearest(at).into_iter().take(MAX_SIMILAR) {
        let topics = found.rules.between(at, near).iter();
        let topics: Vec<String> = topics.map(|(topic, _)| found.rules.topics[*topic].clone()).collect();
        names.push_row(
            &mut rules,
            near,
            [TableCell::number(found.by_rules.distances.between(at, near)), list(&topics)],
        );
    }
    vec![Block::Table(behavior), Block::Table(rules)]
}

fn list(words: &[String]) -> TableCell {
    if words.is_empty() { TableCell::Empty } else { TableCell::text(words.join("; ")) }
}
