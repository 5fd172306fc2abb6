//! `tafl explore`: the moves played from a position, and their results; heat maps.

mod heat_maps;
mod text;
mod tree;

use std::sync::Arc;

use anyhow::{Context, bail};
use serde::Serialize;
use tafl_corpus::{ArrowColumn, write_arrow};
use taflbase::database::{
    CorpusSnapshot, ExploreRequest, HeatMapRequest, OpeningNames, PlayedMove, PositionCounts, TreeRequest,
    no_match_reasons, parse_query,
};
use taflbase::{App, Job, PlayedPosition, PositionRequest};

use crate::args::database::explore::{ExploreArgs, ExploreFormat};
use crate::exit::Reported;
use crate::io::ColorMode;
use crate::output::{file_named, write_whole};
use crate::target::protect_inputs;
use crate::variant::{NO_RULES, rules_of};
use crate::{Exit, Io};

/// The default number of moves in the text.
const SHOWN_MOVES: u32 = 20;

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules or the query are wrong, the corpus cannot be read, or the answer cannot be written.
pub(crate) fn run(args: &ExploreArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if args.heat_maps {
        if matches!(args.format, ExploreFormat::OpenTafl | ExploreFormat::Arrow) {
            bail!("this format has no heat maps; use text, json, or svg");
        }
    } else if args.tree.is_none() && matches!(args.format, ExploreFormat::OpenTafl | ExploreFormat::Svg) {
        bail!("--format opentafl and svg write a tree; set its depth with --tree");
    }
    if args.tree.is_some() && args.format == ExploreFormat::Arrow {
        bail!("--format arrow writes the moves of a position; leave out --tree");
    }
    if args.format == ExploreFormat::Arrow && file_named(args.output.as_deref()).is_none() {
        io.check_binary("arrow")?;
    }
    let position = position(args, io)?;
    protect_inputs(&[file_named(args.output.as_deref())], std::slice::from_ref(&args.corpus))?;
    let corpus = Arc::new(CorpusSnapshot::open(&args.corpus, None)?);
    let app = match &args.opening_names {
        Some(path) => App::new().with_opening_names(OpeningNames::read(path)?),
        None => App::new(),
    };
    let explored = match args.tree {
        _ if args.heat_maps => explore_heat_maps(args, position, &corpus, &app)?,
        Some(_) => explore_tree(args, position, &corpus, &app)?,
        None => explore(args, position, &corpus, &app, io.style())?,
    };
    match file_named(args.output.as_deref()) {
        Some(path) => write_whole(path, &explored.written).with_context(|| path.display().to_string())?,
        None => io.write_bytes(&explored.written)?,
    }
    if explored.n_games > 0 {
        return Ok(Exit::Ok);
    }
    io.notices(&why_nothing(args, &explored.position, &corpus)?);
    Ok(Exit::Findings)
}

/// The answer as it is written.
struct Explored {
    n_games: u64,
    position: PlayedPosition,
    written: Vec<u8>,
}

/// Returns the position of the arguments. Rules are read from their file, and their notices are printed.
fn position(args: &ExploreArgs, io: &mut Io<'_>) -> anyhow::Result<PositionRequest> {
    let rules = rules_of(&args.position.rules, io).map_err(Reported)?;
    if rules.variant.is_none() {
        bail!("{NO_RULES}; `tafl info {}` lists those of the corpus", args.corpus.display());
    }
    Ok(PositionRequest { rules, ..args.position.clone() })
}

fn explore(
    args: &ExploreArgs,
    position: PositionRequest,
    corpus: &Arc<CorpusSnapshot>,
    app: &App,
    style: ColorMode,
) -> anyhow::Result<Explored> {
    let limit = match args.format {
        ExploreFormat::Json | ExploreFormat::Arrow => args.limit,
        ExploreFormat::Text | ExploreFormat::OpenTafl | ExploreFormat::Svg => {
            args.limit.or(Some(SHOWN_MOVES))
        }
    };
    let request = ExploreRequest { position, filter: args.filter.clone(), limit };
    let explored = request.find(corpus, app, &Job::default())?;
    let written = match args.format {
        ExploreFormat::Json => pretty(&explored.answer()).into_bytes(),
        ExploreFormat::Arrow => arrow(&explored.answer().moves)?,
        ExploreFormat::Text | ExploreFormat::OpenTafl | ExploreFormat::Svg => {
            text::node(&explored, style).into_bytes()
        }
    };
    Ok(Explored { n_games: explored.node.counts.n_games(), position: explored.position, written })
}

fn explore_tree(
    args: &ExploreArgs,
    position: PositionRequest,
    corpus: &Arc<CorpusSnapshot>,
    app: &App,
) -> anyhow::Result<Explored> {
    let (filter, depth) = (args.filter.clone(), args.tree.unwrap_or_default());
    let request = TreeRequest { position, filter, depth, min_games: args.min_games };
    let tree = request.find(corpus, app, &Job::default())?;
    let written = match args.format {
        ExploreFormat::Text | ExploreFormat::Arrow => tree::text(&tree),
        ExploreFormat::Json => pretty(&tree.answer()),
        ExploreFormat::OpenTafl => tree::otg(&tree)?,
        ExploreFormat::Svg => tree::svg(&tree),
    };
    let written = written.into_bytes();
    Ok(Explored { n_games: tree.root.counts.n_games(), position: tree.position, written })
}

fn explore_heat_maps(
    args: &ExploreArgs,
    position: PositionRequest,
    corpus: &Arc<CorpusSnapshot>,
    app: &App,
) -> anyhow::Result<Explored> {
    let request = HeatMapRequest { rules: position.rules.clone(), filter: args.filter.clone() };
    let maps = request.find(corpus, app, &Job::default())?;
    let written = match args.format {
        ExploreFormat::Json => pretty(&maps.answer()),
        ExploreFormat::Svg => heat_maps::svg(&maps),
        ExploreFormat::Text | ExploreFormat::OpenTafl | ExploreFormat::Arrow => heat_maps::text(&maps),
    };
    let (n_games, position) = (maps.found.games, position.play(app)?);
    Ok(Explored { n_games, position, written: written.into_bytes() })
}

/// Returns moves as a table: one row per move.
fn arrow(moves: &[PlayedMove]) -> anyhow::Result<Vec<u8>> {
    let text =
        |value: fn(&PlayedMove) -> Option<String>| ArrowColumn::Text(moves.iter().map(value).collect());
    let count = |value: fn(&PositionCounts) -> u64| {
        ArrowColumn::Integer(moves.iter().map(|played| i64::try_from(value(&played.counts)).ok()).collect())
    };
    let float = |value: fn(&PositionCounts) -> Option<f64>| {
        ArrowColumn::Float(moves.iter().map(|played| value(&played.counts)).collect())
    };
    let columns = vec![
        ("move", text(|played| Some(played.r#move.clone()))),
        ("alike", text(|played| Some(played.alike.join(" ")).filter(|alike| !alike.is_empty()))),
        ("games", count(|counts| counts.games)),
        ("attackers", count(|counts| counts.attackers)),
        ("defenders", count(|counts| counts.defenders)),
        ("draw", count(|counts| counts.draw)),
        ("unfinished", count(|counts| counts.unfinished)),
        ("attackers_share", float(|counts| counts.attackers_share.map(|share| share.value))),
        ("attackers_share_low", float(|counts| counts.attackers_share.map(|share| share.low))),
        ("attackers_share_high", float(|counts| counts.attackers_share.map(|share| share.high))),
        ("mean_plies", float(|counts| counts.mean_plies)),
        ("last_played", text(|played| played.counts.last_played.clone())),
    ];
    let mut bytes = Vec::new();
    write_arrow(columns, &mut bytes)?;
    Ok(bytes)
}

fn pretty(answer: &impl Serialize) -> String {
    // Keys are in alphabetical order.
    let value = serde_json::to_value(answer).expect("answers have only texts, numbers, and lists");
    format!("{value:#}\n")
}

/// Returns the reasons why no game was found.
fn why_nothing(
    args: &ExploreArgs,
    position: &PlayedPosition,
    corpus: &CorpusSnapshot,
) -> taflbase::Result<Vec<String>> {
    if corpus.corpus().n_games() == 0 {
        return Ok(vec!["the corpus has no games".to_owned()]);
    }
    let name = position.rules.variant.name();
    if !corpus.explorer()?.has_rules(&position.rules.book) {
        return Ok(vec![format!(
            "the corpus has no games of {name}; `tafl info {}` lists its variants",
            args.corpus.display()
        )]);
    }
    let Some(query) = &args.filter.query else {
        return Ok(vec![format!("no game of {name} has this position")]);
    };
    let reasons = no_match_reasons(&parse_query(query, "query")?, corpus)?;
    Ok(if reasons.is_empty() {
        vec!["no game found by --query has the position".to_owned()]
    } else {
        reasons
    })
}
