//! The traits of requests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{App, Job, Result};

/// A task with one answer.
///
/// A request is a plain struct of parameters. It derives `Deserialize` and `JsonSchema`, and with the feature `clap` also
/// `clap::Args`; the doc comment of a field is the one source of its help text and its description in every schema, and
/// its default and its range are declared on the field and nowhere else.
pub trait Request: Sized {
    /// The answer, which serializes to the JSON of the command line and of the web server.
    type Answer;

    /// Runs the request.
    ///
    /// # Errors
    ///
    /// Fails if the request fails; findings about records are part of the answer.
    fn run(self, app: &App, job: &Job) -> Result<Self::Answer>;
}

/// A task over many records or games, whose results are delivered one at a time, in the order of the input.
pub trait StreamRequest: Sized {
    /// A result, such as the findings about one record.
    type Item;
    /// The sums over all results.
    type Summary;

    /// Runs the request, and passes each result to `take`.
    ///
    /// # Errors
    ///
    /// Fails if the request can't be run or `take` fails. Nothing is read afterwards.
    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(Self::Item) -> Result<()> + Send),
    ) -> Result<Self::Summary>;
}

/// The tag that distinguishes the summary from hits in a stream of lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum SummaryTag {
    /// The counts of a search.
    #[default]
    Summary,
}
