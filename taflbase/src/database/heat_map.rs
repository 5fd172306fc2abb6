//! Heat maps of the games of a variant.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_reports::{HeatMaps, heat_maps};

use super::error::under;
use super::{CorpusRequest, CorpusSnapshot, FilterRequest};
use crate::{App, CompiledVariant, Job, Result, RulesRequest};

/// Count where pieces are captured, where the king goes, and where moves start
///
/// # Examples
///
/// ```
/// use taflbase::database::{HeatMapRequest, ImportRequest, OnCorpus};
/// use taflbase::{App, Job, Request, RulesRequest, StreamRequest};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let (corpus, file) = (folder.path().join("games.corpus"), folder.path().join("games.otg"));
/// # std::fs::write(&file, "[attackers:Ann]\n[defenders:sven77]\n[variant:brandubh7]\n\n1. d2-c2 e4-e1\n").unwrap();
/// let (app, job) = (App::new(), Job::default());
/// let import = ImportRequest { corpus: corpus.clone(), paths: vec![file], ..ImportRequest::default() };
/// import.run(&app, &job, &mut |_event| Ok(()))?;
///
/// let request = HeatMapRequest { rules: RulesRequest::of("brandubh7"), ..HeatMapRequest::default() };
/// let answer = OnCorpus { corpus, request }.run(&app, &job)?;
/// let moves = answer.maps.iter().find(|map| map.kind == "attackers-moves").unwrap();
/// // The only move of the attackers starts on d2, or on one of the three cells that are symmetric to it.
/// assert_eq!((answer.games, moves.total, moves.cells.len()), (1, 1, 4));
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeatMapRequest {
    /// The rules.
    #[serde(flatten)]
    pub rules: RulesRequest,
    /// The games that are counted. Unless the orientation of the board matters, cells are averaged over the symmetries of the
    /// rules.
    #[serde(flatten)]
    pub filter: FilterRequest,
}

/// The heat maps of the games that began from the start of a variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeatMapAnswer {
    /// The name of the variant in the catalog; null for other rules.
    pub variant: Option<String>,
    /// The query that games must match.
    pub query: Option<String>,
    /// Whether cells are not averaged over the symmetries of the rules.
    pub as_it_stands: bool,
    /// The number of symmetries over which cells are averaged, including the identity.
    pub symmetries: usize,
    /// The number of games.
    pub games: u64,
    /// The number of plies of these games.
    pub plies: u64,
    /// The maps, one for each kind.
    pub maps: Vec<EventHeatMap>,
}

/// The number of events of a kind on each cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventHeatMap {
    /// The kind: `attackers-captured`, `defenders-captured`, `king`, `king-moves`, `attackers-moves`, or `defenders-moves`.
    pub kind: String,
    /// The title.
    pub title: String,
    /// The name of the events, such as `captured pieces`.
    pub events: String,
    /// The number of all events.
    pub total: u64,
    /// The cells with events, in the order of ranks and files.
    pub cells: Vec<HeatMapCell>,
}

/// The events on a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeatMapCell {
    /// The cell.
    pub cell: String,
    /// The number of events on this cell and on the cells that are symmetric to it.
    pub count: u64,
    /// The proportion of all events that are on this cell, averaged over symmetric cells.
    pub proportion: f64,
}

/// The heat maps of a variant, before they are converted to an answer.
pub struct CountedHeatMaps {
    /// The rules.
    pub rules: Arc<CompiledVariant>,
    /// The maps, one for each kind.
    pub found: HeatMaps,
    filter: FilterRequest,
}

impl HeatMapRequest {
    /// Counts the events of the games.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is wrong, a file is damaged, or the job is stopped.
    pub fn find(self, corpus: &Arc<CorpusSnapshot>, app: &App, job: &Job) -> Result<CountedHeatMaps> {
        let rules = self.rules.require(app)?;
        let chosen = self.filter.games(corpus, job)?;
        let is_chosen =
            |at: &tafl_corpus::GameAt| chosen.as_ref().is_none_or(|sets| sets[at.segment].contains(at.row));
        let found = under(job, |stop| {
            let games = corpus.corpus().games().filter(is_chosen);
            heat_maps(corpus.corpus(), rules.book.rules(), self.filter.as_it_stands, games, stop)
        })?;
        Ok(CountedHeatMaps { rules, found, filter: self.filter })
    }
}

impl CountedHeatMaps {
    /// Returns the answer.
    pub fn answer(&self) -> HeatMapAnswer {
        let HeatMaps { shape, games, plies, symmetries, ref maps } = self.found;
        let of_events = |map: &tafl_reports::HeatMap| EventHeatMap {
            kind: map.kind.as_str().to_owned(),
            title: map.kind.title().to_owned(),
            events: map.kind.events().to_owned(),
            total: map.total,
            cells: shape
                .cells()
                .zip(map.counts.iter().zip(&map.proportions))
                .filter(|(_, (count, _))| **count > 0)
                .map(|(cell, (count, proportion))| HeatMapCell {
                    cell: shape.name(cell),
                    count: *count,
                    proportion: *proportion,
                })
                .collect(),
        };
        HeatMapAnswer {
            variant: self.rules.variant.catalog_name().map(ToOwned::to_owned),
            query: self.filter.query.clone(),
            as_it_stands: self.filter.as_it_stands,
            symmetries,
            games,
            plies,
            maps: maps.iter().map(of_events).collect(),
        }
    }
}

impl CorpusRequest for HeatMapRequest {
    type Answer = HeatMapAnswer;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, app: &App, job: &Job) -> Result<HeatMapAnswer> {
        Ok(self.find(corpus, app, job)?.answer())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{ImportRequest, OnCorpus};
    use crate::{ErrorKind, Request, StreamRequest};

    const GAMES: &str = "[variant:brandubh7]\n[attackers:Ann]\n\n1. d2-c2 d3-a3\n\n\
                         [variant:brandubh7]\n[attackers:Bo]\n\n1. d6-e6 d5-g5\n\n\
                         [variant:tablut9_wtf]\n\n1. d1-d2 e3-d3\n\n";

    const OTHER_START: &str = r#"{"taflbase":1,"variant":"brandubh7","start":{"board":"7x7","position":"/3t3/3t3/7/ttTKTtt/3T3/3t3/3t3/"},"lines":[{"moves":"d2-c2"}]}"#;

    #[test]
    fn games_with_the_start_of_the_variant_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let (corpus, file) = (folder.path().join("games.corpus"), folder.path().join("games.otg"));
        let other = folder.path().join("other.jsonl");
        std::fs::write(&file, GAMES).unwrap();
        std::fs::write(&other, OTHER_START).unwrap();
        let (app, job) = (App::new(), Job::default());
        let import =
            ImportRequest { corpus: corpus.clone(), paths: vec![file, other], ..ImportRequest::default() };
        import.run(&app, &job, &mut |_| Ok(())).unwrap();
        let ask = |filter: FilterRequest, variant: &str| {
            let request = HeatMapRequest { rules: RulesRequest::of(variant), filter };
            OnCorpus { corpus: corpus.clone(), request }.run(&app, &job)
        };
        let all = ask(FilterRequest::default(), "brandubh7").unwrap();
        assert_eq!((all.games, all.plies, all.symmetries, all.maps.len()), (2, 4, 8, 6));
        let moves = |answer: &HeatMapAnswer| {
            let map = answer.maps.iter().find(|map| map.kind == "attackers-moves").unwrap();
            map.cells.iter().map(|one| (one.cell.clone(), one.count, one.proportion)).collect::<Vec<_>>()
        };
        let cell = |name: &str, count, proportion| (name.to_owned(), count, proportion);
        // Both moves come from cells that are symmetric to each other.
        assert_eq!(moves(&all), ["d2", "b4", "f4", "d6"].map(|name| cell(name, 2, 0.25)));
        let as_it_stands = FilterRequest { as_it_stands: true, ..FilterRequest::default() };
        assert_eq!(moves(&ask(as_it_stands, "brandubh7").unwrap()), [cell("d2", 1, 0.5), cell("d6", 1, 0.5)]);
        let query = FilterRequest { query: Some("player:Ann".to_owned()), ..FilterRequest::default() };
        assert_eq!(ask(query, "brandubh7").unwrap().games, 1);
        assert_eq!(ask(FilterRequest::default(), "fetlar11").unwrap().games, 0);
        assert_eq!(ask(FilterRequest::default(), "brandubj").unwrap_err().kind, ErrorKind::UnknownVariant);
    }
}
