//! Leagues: more than two players, each against the others.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pair_terms::PairTerms;
use crate::Bounded;

/// Play a league of several players, and rate them
///
/// # Examples
///
/// ```
/// use taflbase::play::{LeagueRequest, PairTerms};
/// use taflbase::{App, Bounded, Job, Request};
///
/// let request = LeagueRequest {
///     players: ["taflbase:nodes=200", "taflbase:nodes=20", "random"].map(String::from).to_vec(),
///     pairs: Some(Bounded::new(1).expect("it is in the range")),
///     terms: PairTerms { variant: vec!["brandubh7".into()], ..PairTerms::default() },
///     ..LeagueRequest::default()
/// };
/// let answer = request.run(&App::new(), &Job::default())?;
/// assert_eq!(answer.pairings.len(), 3);
/// assert_eq!(answer.players.iter().map(|player| player.all.games).sum::<u64>(), 12);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct LeagueRequest {
    /// The players: `taflbase`, `random`, or programs
    #[cfg_attr(feature = "clap", arg(value_name = "PLAYER", required = true, num_args = 2..))]
    pub players: Vec<String>,
    /// The number of pairs of games between two players [default: 50, or one for each opening
    /// if there are fewer]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Bounded<1, 1_000_000, 50>>,
    /// Let only the first player meet the others, instead of each player every other
    #[cfg_attr(feature = "clap", arg(long))]
    pub gauntlet: bool,
    /// The rules, openings, and limits.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub terms: PairTerms,
}
