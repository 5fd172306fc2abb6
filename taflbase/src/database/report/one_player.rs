//! Reports on a player: the request, and the report.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_reports::{Games, Provenance, Report, player_findings};

use super::ReportGames;
use crate::database::CorpusSnapshot;
use crate::database::player::unknown_player;
use crate::{Error, Result};

/// A report on a player.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PlayerReportRequest {
    /// The games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub games: ReportGames,
    /// The name of the player, as in the records
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", required = true))]
    pub name: String,
    /// An opponent for whom to prepare: what this player plays with each side
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
}

/// Creates the report.
pub(super) fn player_report(
    corpus: &CorpusSnapshot,
    games: &Games,
    request: &PlayerReportRequest,
    provenance: Provenance,
) -> Result<Report> {
    let player = find(games, &request.name, "name")?;
    let against = match &request.against {
        Some(name) => Some(find(games, name, "against")?),
        None => None,
    };
    if against == Some(player) {
        return Err(Error::parameter(
            "against",
            "the opponent is the player; name another one with --against",
        ));
    }
    let found = player_findings(corpus.corpus(), games, (player, against))?;
    Ok(tafl_reports::player_report(&found, games, provenance))
}

/// Returns the index of a player of at least one of the games.
fn find(games: &Games, name: &str, parameter: &'static str) -> Result<u32> {
    let is_known = |player: &u32| {
        let player = Some(*player);
        games.rows.iter().any(|game| game.players.attackers == player || game.players.defenders == player)
    };
    let names = || (0..games.players.len() as u32).map(|number| games.players.name(number).to_owned());
    let found = games.players.find(name).filter(is_known);
    found.ok_or_else(|| unknown_player(name, "selected game", names()).of(parameter))
}
