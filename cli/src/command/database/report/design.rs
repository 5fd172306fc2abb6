//! Rules that the engine tries against itself.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use anyhow::{Context, bail};
use tafl_analyzer::{Params, Weights};
use tafl_reports::document::Provenance;
use tafl_reports::document::content;
use tafl_reports::measure::design::{Arm, DesignSpec, design};
use tafl_reports::measure::engine_games::{EngineGames, EngineOptions};

use super::Made;
use crate::args::database::report::BalanceArgs;
use crate::exit::Said;
use crate::number::Count;
use crate::variant::variant_named;
use crate::{Exit, Io};
use taflbase::{Variant, change_rules};

/// Lets the engine play, and makes the report.
///
/// # Errors
///
/// Fails when the rules are not known or cannot be played, or a change cannot be made.
pub(crate) fn designed(
    args: &BalanceArgs,
    mut provenance: Provenance,
    io: &mut Io<'_>,
) -> anyhow::Result<Made> {
    let Some(text) = args.design.rules.as_ref().or(args.games.variant.as_ref()) else {
        bail!("say which rules the engine is to play: --variant or --rules");
    };
    let variant = variant_named(text, io).map_err(Said)?;
    let spec = spec(args, &variant)?;
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let options = EngineOptions {
        seed: args.design.seed,
        threads: args.design.threads.unwrap_or_else(cores),
        ..EngineOptions::default()
    };
    provenance.add("rules", "rules", variant.rules.to_string());
    let (params, terms) = (Params::default().hash(), Weights::of_rules(&variant.rules).hash());
    let engine = format!("taflbase {} params {params:016x} terms {terms:016x}", env!("CARGO_PKG_VERSION"));
    provenance.add("engine", "engine", engine);
    provenance.add("seed", "seed", args.design.seed.to_string());
    provenance.add("opening", "random plies at the start", options.opening_plies.to_string());
    provenance.add("limit", "plies after which a game is left unfinished", options.most_plies.to_string());
    let mut games = EngineGames::new(&spec, &options).map_err(|(arm, error)| {
        anyhow::anyhow!("the rules `{}` cannot be played: {error}", spec.arms[arm].label)
    })?;
    let found = design(&spec, &mut games, &mut |progress| {
        io.progress(&format!("{} of {} games", Count(progress.games), Count(progress.most)));
        ControlFlow::Continue(())
    });
    let exit = if found.games == 0 { Exit::Findings } else { Exit::Ok };
    Ok(Made { report: content::design_report(&found, &variant.name(), provenance), exit })
}

fn spec(args: &BalanceArgs, variant: &Variant) -> anyhow::Result<DesignSpec> {
    let mut arms = vec![Arm { label: "as it is".to_owned(), rules: variant.rules.clone() }];
    for changes in &args.design.vary {
        let words: Vec<String> = changes.split_whitespace().map(ToOwned::to_owned).collect();
        let rules =
            change_rules(variant.rules.clone(), &words).with_context(|| format!("--vary {changes}"))?;
        if rules == variant.rules {
            bail!("--vary {changes}: the rules say so already");
        }
        arms.push(Arm { label: changes.clone(), rules });
    }
    let mut nodes = args.design.nodes.clone();
    nodes.sort_unstable();
    nodes.dedup();
    if nodes.is_empty() || nodes.contains(&0) {
        bail!("--nodes are numbers above 0, such as 200,1000");
    }
    if !(args.design.width > 0.0 && args.design.width <= 100.0) {
        bail!("--width is above 0 and at most 100 points");
    }
    let default = DesignSpec::new(arms);
    Ok(DesignSpec { nodes, width: args.design.width / 100.0, most_games: args.design.most_games, ..default })
}
