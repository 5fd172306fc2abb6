//! Crosstables of tournaments: the request, and the report.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_reports::{
    CrosstableOptions, Games, Provenance, Report, SolverMeter, TieBreak, TournamentGroups, standings,
};

use super::ReportGames;
use crate::database::CorpusSnapshot;
use crate::{Error, Result};

/// A report of players against each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CrosstableReportRequest {
    /// The games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub games: ReportGames,
    /// The maximum number of players: those with the most games; games against others are not
    /// counted [default: all players, with the results of each pair for at most 30]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// The tie-breaks, in the order of their use, separated by commas [default:
    /// direct,sonneborn-berger,buchholz,wins]
    #[cfg_attr(
        feature = "clap",
        arg(long, alias = "tiebreak", value_name = "LIST", value_delimiter = ','),
        arg(default_values_t = default_tie_breaks(), hide_default_value = true)
    )]
    #[serde(default = "default_tie_breaks", alias = "tiebreak")]
    #[schemars(description = "The tie-breaks, in the order of their use")]
    pub tie_breaks: Vec<TieBreakName>,
    /// The groups of the tournament, each with a table of its own
    #[cfg_attr(feature = "clap", arg(long, value_name = "GROUPS", default_value_t = GroupsName::One))]
    #[serde(default, skip_serializing_if = "GroupsName::is_one")]
    pub groups: GroupsName,
    /// The number of positions that the solver searches to finish a game, for the shortest win
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = default_solver_nodes()))]
    #[serde(default = "default_solver_nodes", skip_serializing_if = "is_default_nodes")]
    pub nodes: u64,
}

/// A tie-break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum TieBreakName {
    /// Points from games between the tied players
    Direct,
    /// Points of beaten opponents, plus half the points of drawn ones
    #[cfg_attr(feature = "clap", value(alias = "sb"))]
    #[serde(alias = "sb")]
    SonnebornBerger,
    /// Points of all opponents
    Buchholz,
    /// The number of wins
    Wins,
    /// The shortest win, in plies
    ShortestWin,
}

impl fmt::Display for TieBreakName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TieBreakName::Direct => "direct",
            TieBreakName::SonnebornBerger => "sonneborn-berger",
            TieBreakName::Buchholz => "buchholz",
            TieBreakName::Wins => "wins",
            TieBreakName::ShortestWin => "shortest-win",
        })
    }
}

impl From<TieBreakName> for TieBreak {
    fn from(name: TieBreakName) -> TieBreak {
        match name {
            TieBreakName::Direct => TieBreak::Direct,
            TieBreakName::SonnebornBerger => TieBreak::SonnebornBerger,
            TieBreakName::Buchholz => TieBreak::Buchholz,
            TieBreakName::Wins => TieBreak::Wins,
            TieBreakName::ShortestWin => TieBreak::ShortestWin,
        }
    }
}

/// The groups of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum GroupsName {
    /// All games are one group
    #[default]
    One,
    /// One for each event
    Event,
    /// One for each round of each event
    Round,
    /// One for the players who met, directly or through others
    Met,
}

impl GroupsName {
    fn is_one(&self) -> bool {
        *self == GroupsName::One
    }

    /// Returns the tag whose values are the groups, if it is one.
    const fn tag(self) -> Option<&'static str> {
        match self {
            GroupsName::Event => Some("event"),
            GroupsName::Round => Some("round"),
            GroupsName::One | GroupsName::Met => None,
        }
    }
}

impl fmt::Display for GroupsName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GroupsName::One => "one",
            GroupsName::Event => "event",
            GroupsName::Round => "round",
            GroupsName::Met => "met",
        })
    }
}

impl From<GroupsName> for TournamentGroups {
    fn from(name: GroupsName) -> TournamentGroups {
        match name {
            GroupsName::One => TournamentGroups::One,
            GroupsName::Event => TournamentGroups::Event,
            GroupsName::Round => TournamentGroups::Round,
            GroupsName::Met => TournamentGroups::Met,
        }
    }
}

impl Default for CrosstableReportRequest {
    fn default() -> Self {
        CrosstableReportRequest {
            games: ReportGames::default(),
            limit: None,
            tie_breaks: default_tie_breaks(),
            groups: GroupsName::One,
            nodes: default_solver_nodes(),
        }
    }
}

/// The most players whose results against each other can be requested: a million cells.
const MOST_PLAYERS: usize = 1000;

fn default_tie_breaks() -> Vec<TieBreakName> {
    use TieBreakName::{Buchholz, Direct, SonnebornBerger, Wins};
    vec![Direct, SonnebornBerger, Buchholz, Wins]
}

fn default_solver_nodes() -> u64 {
    200_000
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_default_nodes(nodes: &u64) -> bool {
    *nodes == default_solver_nodes()
}

/// Creates the report.
pub(super) fn crosstable_report(
    corpus: &CorpusSnapshot,
    games: &Games,
    request: &CrosstableReportRequest,
    provenance: Provenance,
) -> Result<Report> {
    if request.nodes == 0 {
        return Err(Error::parameter("nodes", "--nodes must be above 0"));
    }
    if request.limit.is_some_and(|limit| !(2..=MOST_PLAYERS).contains(&limit)) {
        let message = format!("--limit must be from 2 to {MOST_PLAYERS} players; without it, all are listed");
        return Err(Error::parameter("limit", message));
    }
    let tie_breaks = request.tie_breaks.iter().copied().map(TieBreak::from).collect();
    let options = CrosstableOptions { max_players: request.limit, tie_breaks };
    let mut meter = SolverMeter::new(corpus.corpus(), request.nodes);
    let found = standings(corpus.corpus(), games, request.groups.into(), &options, &mut meter)?;
    let mut report = tafl_reports::crosstable_report(&found, provenance);
    if let ([only], Some(tag)) = (found.as_slice(), request.groups.tag())
        && only.name.is_empty()
    {
        report.summary.push(format!("No game has the tag {tag}, so all games are one group."));
    }
    Ok(report)
}
