//! Matches: players against each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::number_pair::NumberPair;
use super::pair_terms::PairTerms;
use crate::Bounded;

/// Play a match between two players
///
/// # Examples
///
/// ```
/// use taflbase::play::{MatchRequest, PairTerms};
/// use taflbase::{App, Bounded, Job, Request};
///
/// let request = MatchRequest {
///     first: "taflbase:nodes=100".into(),
///     second: "random".into(),
///     pairs: Some(Bounded::new(1).expect("it is in the range")),
///     terms: PairTerms { variant: vec!["brandubh7".into()], ..PairTerms::default() },
///     ..MatchRequest::default()
/// };
/// let answer = request.run(&App::new(), &Job::default())?;
/// assert_eq!(answer.result.games.games, 2);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct MatchRequest {
    /// The player under test
    pub first: String,
    /// Its opponent
    pub second: String,
    /// The number of pairs to play; with --sprt, the maximum [default: 50, or one for each opening
    /// if there are fewer]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Bounded<1, 1_000_000, 50>>,
    /// The rules, openings, and limits.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub terms: PairTerms,
    /// End when the first player is significantly better by ELO1, or not better by ELO0
    #[cfg_attr(feature = "clap", arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true))]
    pub sprt: Option<NumberPair>,
    /// The error probabilities of the test: ALPHA,BETA
    #[cfg_attr(feature = "clap", arg(long, value_name = "ALPHA,BETA", default_value_t))]
    pub errors: NumberPair,
}
