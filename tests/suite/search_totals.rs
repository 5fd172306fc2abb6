//! Totals of searches of real games; the environment variable `TAFL_RECORDS` names their folder.

use std::path::Path;

use tafl_tests::data;
use taflbase::database::{ImportRequest, OnCorpus, SearchRequest, SearchSummary};
use taflbase::{App, Job, Request, StreamRequest};

/// Returns the counts of a search: estimated if `is_exact` is false, and counting all would take long.
fn summary(corpus: &Path, query: &str, is_exact: bool) -> SearchSummary {
    let request = SearchRequest { query: query.to_owned(), count: is_exact, ..SearchRequest::default() };
    let request = OnCorpus { corpus: corpus.to_owned(), request };
    request.run(&App::new(), &Job::default()).unwrap().summary
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn estimates_are_near_the_true_totals_of_real_games() {
    let records = data::records("csv");
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus");
    // Games of two variants, one after the other: a part from the beginning is not like the rest.
    for name in ["brandubh.csv", "copenhagen.csv"] {
        let paths = vec![records.join(name)];
        let import = ImportRequest { corpus: corpus.clone(), paths, ..ImportRequest::default() };
        import.run(&App::new(), &Job::default(), &mut |_| Ok(())).unwrap();
    }
    let mut n_estimates = 0;
    for query in ["capture", "not capture", "attackers_lost>1", "plies_left>10", "king_distance<=3 and ply>5"]
    {
        let (found, all) = (summary(&corpus, query, false), summary(&corpus, query, true));
        assert!(all.exact && all.hits_between.is_none(), "{query}");
        let Some([low, high]) = found.hits_between else {
            assert_eq!((found.hits, found.games), (all.hits, all.games), "{query}");
            continue;
        };
        n_estimates += 1;
        let error = (found.hits as f64 - all.hits as f64).abs() / all.hits as f64;
        assert!(error < 0.08 && (low..=high).contains(&all.hits), "{query}: {found:?}, true {}", all.hits);
    }
    assert!(n_estimates > 2, "{n_estimates}");
}
