//! The mathematics of the reports: intervals, comparisons, strengths, and lengths. It is independent of
//! games.
//!
//! Intervals are at 95 % unless stated otherwise. Values that cannot be estimated are [`NotEstimable`] or `None`,
//! never NaN.

pub(crate) mod activity;
pub(crate) mod balance;
pub(crate) mod cluster;
pub(crate) mod compare;
pub(crate) mod coverage;
pub(crate) mod dyadic;
pub(crate) mod hierarchy;
pub(crate) mod interval;
pub(crate) mod mantel_haenszel;
pub(crate) mod matrix;
pub(crate) mod missing;
mod mixed_fit;
pub(crate) mod multiple;
pub(crate) mod normal;
pub(crate) mod quantile;
pub(crate) mod rank_correlation;
pub(crate) mod ratings;
pub(crate) mod ratio;
pub(crate) mod residual;
pub(crate) mod sample_size;
pub(crate) mod scaling;
pub(crate) mod score;
pub(crate) mod sequential;
pub(crate) mod simulate;
pub(crate) mod strength;
pub(crate) mod survival;

pub use activity::PlayerActivity;
pub use balance::{Balance, WinRatio};
pub use cluster::{Distances, TreeJoin, support, tree_order, upgma};
pub use compare::{
    DifferenceEstimate, RankComparison, ScoreSample, compare_estimates, compare_proportions, compare_ranks,
    compare_scores, games_needed,
};
pub use coverage::{LeagueCoverage, coverage};
pub use dyadic::{DesignEffect, GrowingHits, SharedPlayers};
pub use hierarchy::{MeasuredValue, PooledEstimates, PoolingModel, partially_pool, partially_pool_by};
pub use interval::{Estimate, Rate, SMALL_SAMPLE, Z95, difference_of_estimates, difference_of_rates};
pub use mantel_haenszel::{ModelFreeAdvantage, mantel_haenszel};
pub use missing::NotEstimable;
pub use multiple::{benjamini_hochberg, holm};
pub use normal::{normal_cdf, normal_quantile, standard_normal, two_sided};
pub use quantile::{MIN_FOR_MEAN, MIN_FOR_MEDIAN, SampleCenter, Summary, mean_of_games, sample_quantile};
pub use rank_correlation::rank_correlation;
pub use ratings::{Ratings, rate};
pub use ratio::{RatioOfSums, clustered_rate};
pub use residual::{Residual, ResidualMean, residual_mean};
pub use sample_size::{PlanConditions, SampleSizeQuestion};
pub use scaling::{PlanePositions, classical_scaling};
pub use score::WdlCounts;
pub use sequential::{ErrorRates, MeanTest, Moments, TestDecision, always_p, always_score};
pub use simulate::{LeagueSpec, Schedule, SimulatedLeague};
pub use strength::{
    Advantage, AdvantageLine, FitOptions, League, Pairing, PairingResults, SideChoiceEffect, Strength,
    StrengthDrift, Strengths, elo, expectation, expected_score, fit, fit_from, fit_line, strength_drift,
};
pub use survival::{Incidence, SurvivalEnding, SurvivalPoint, incidence, thinned};
