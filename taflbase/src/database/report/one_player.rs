//! Reports on a player: the request, and the report.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::is_same_name;
use tafl_reports::{Games, Provenance, Report, player_findings};
use tafl_rules::word_list;

use super::ReportGames;
use crate::database::CorpusSnapshot;
use crate::database::player::unknown_player;
use crate::escape::escape;
use crate::{Error, ErrorKind, Result};

/// A report on a player.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PlayerReportRequest {
    /// The games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub games: ReportGames,
    /// The name of the player, as in the records; case matters only if several names differ in nothing else
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", required = true))]
    pub name: String,
    /// An opponent for whom to prepare: what this player plays with each side
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
}

/// Creates the report on a player's games; `rated` contains the games from which strengths are estimated, also of other variants.
pub(super) fn player_report(
    corpus: &CorpusSnapshot,
    games: &Games,
    rated: &Games,
    request: &PlayerReportRequest,
    provenance: Provenance,
) -> Result<Report> {
    let player = find(corpus, games, &request.name, "name")?;
    let against = match &request.against {
        Some(name) => Some(find(corpus, games, name, "against")?),
        None => None,
    };
    if against == Some(player) {
        return Err(Error::parameter(
            "against",
            "the opponent is the player; name another one with --against",
        ));
    }
    let found = player_findings(corpus.corpus(), games, rated, player, against)?;
    Ok(tafl_reports::player_report(&found, games, provenance))
}

/// Returns the index of a player of at least one of the games: the one with exactly this name, or else the only one whose name
/// differs in case at most. Merged names are those of their player.
fn find(corpus: &CorpusSnapshot, games: &Games, name: &str, parameter: &'static str) -> Result<u32> {
    let mut has_games = vec![false; games.players.len()];
    for player in
        games.rows.iter().flat_map(|game| [game.players.attackers, game.players.defenders]).flatten()
    {
        has_games[player.get() as usize] = true;
    }
    let is_known = |player: &u32| has_games[*player as usize];
    if let Some(exact) = games.players.find(name).filter(is_known) {
        return Ok(exact);
    }
    // The games of a merged player have the player's name.
    let aliases = &corpus.corpus().manifest().aliases;
    let shown = aliases.iter().find(|entry| is_same_name(&entry.alias, name));
    if let Some(merged) = shown.and_then(|entry| games.players.find(&entry.name)).filter(is_known) {
        return Ok(merged);
    }
    let numbers = || (0..games.players.len() as u32).filter(is_known);
    let same: Vec<u32> = numbers().filter(|number| is_same_name(games.players.name(*number), name)).collect();
    match same.as_slice() {
        [one] => Ok(*one),
        [] => {
            let names = numbers().map(|number| games.players.name(number).to_owned());
            Err(unknown_player(name, "selected game", names).of(parameter))
        }
        several => {
            let names = several.iter().map(|number| format!("`{}`", escape(games.players.name(*number))));
            let names = word_list(&names.collect::<Vec<_>>(), "and");
            let message =
                format!("several players have the name `{}` except for case: {names}", escape(name));
            let advice = "write the name as the records do; `tafl player merge` joins players";
            Err(Error::new(ErrorKind::UnknownPlayer, message).of(parameter).with_help(advice))
        }
    }
}
