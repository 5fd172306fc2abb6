//! The explorer, the opening tree, and heat maps.

use std::sync::Arc;
use std::time::Instant;

use taflbase::database::{
    ExploreAnswer, ExploreRequest, HeatMapAnswer, HeatMapRequest, TreeAnswer, TreeRequest,
};

use crate::api_error::ApiError;
use crate::param::ParamLimit;
use crate::request::ApiRequest;
use crate::routes::{Endpoint, Reply, Timed, Work};

impl Endpoint for ExploreRequest {
    const NAME: &'static str = "explore";
    const PATH: &'static str = "/api/explore";
    const SUMMARY: &'static str = "The moves played from a position, and the results of the games.";
    const WORK: Work = Work::Quick;
    const LIMITS: &'static [ParamLimit] = &[ParamLimit::new("limit", 1000, 200)];
    const REQUIRED: &'static [&'static str] = &["variant"];
    type Answer = Timed<ExploreAnswer>;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let start = Instant::now();
        Ok(Reply::json(&Timed::since(start, request.run(self)?)))
    }
}

impl Endpoint for HeatMapRequest {
    const NAME: &'static str = "heat_maps";
    const PATH: &'static str = "/api/heat-maps";
    const SUMMARY: &'static str =
        "Where pieces are captured, where the king goes, and where moves start, in the games of a variant.";
    const WORK: Work = Work::Query;
    const REQUIRED: &'static [&'static str] = &["variant"];
    type Answer = Timed<HeatMapAnswer>;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let start = Instant::now();
        Ok(Reply::json(&Timed::since(start, request.run(self)?)))
    }
}

impl Endpoint for TreeRequest {
    const NAME: &'static str = "tree";
    const PATH: &'static str = "/api/tree";
    const SUMMARY: &'static str = "The opening tree of a position: the moves played from it, to some depth.";
    const WORK: Work = Work::Query;
    const LIMITS: &'static [ParamLimit] =
        &[ParamLimit::new("depth", 8, 3), ParamLimit::new("min_games", 1_000_000_000, 2)];
    const REQUIRED: &'static [&'static str] = &["variant"];
    type Answer = Timed<TreeAnswer>;

    fn answer(self, request: &Arc<ApiRequest>) -> Result<Reply, ApiError> {
        let start = Instant::now();
        Ok(Reply::json(&Timed::since(start, request.run(self)?)))
    }
}
