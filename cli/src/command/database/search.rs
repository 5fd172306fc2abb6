//! `tafl search`: where in a corpus something is so.

pub(crate) mod json;
pub(crate) mod notes;
mod otn;
mod text;

use std::num::NonZeroUsize;
use std::thread;

use anyhow::{Context, bail};
use tafl_corpus::Corpus;
use tafl_corpus::query::{Query, QueryError};
use tafl_corpus::search::{Answer, Count, HitRow, Page, Searcher, TableFormat, write_hits};
use tafl_parser::Severity;

use crate::args::database::search::{SearchArgs, SearchFormat};
use crate::exit::Said;
use crate::output::{file_named, write_whole};
use crate::snippet::{Place, Snippet};
use crate::target::spare;
use crate::{Exit, Io};

/// More hits than this in one table, page or list of games are too many for memory.
const MOST: u64 = 1_000_000;

/// What was asked and what came of it.
struct Asked<'a> {
    args: &'a SearchArgs,
    corpus: &'a Corpus,
    query: &'a Query,
    answer: &'a Answer,
    rows: &'a [HitRow],
}

/// Runs the command.
///
/// # Errors
///
/// Fails when the query is wrong, the corpus cannot be read, or the answer not be written.
pub(crate) fn run(args: &SearchArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let query = read_query(&args.query, io)?;
    if args.count && !matches!(args.format, SearchFormat::Text | SearchFormat::Json) {
        bail!("--count is written as text or JSON");
    }
    if args.limit > MOST {
        bail!("--limit is at most {MOST}; use --offset for what follows");
    }
    spare(&[file_named(args.output.as_deref())], std::slice::from_ref(&args.corpus))?;
    let corpus = Corpus::open(&args.corpus)?;
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let searcher = Searcher::open(&corpus, args.threads.unwrap_or_else(cores));
    let answer = searcher.search(&query, page(args))?;
    let rows = searcher.rows(&corpus, &query, &answer.hits)?;
    let asked = Asked { args, corpus: &corpus, query: &query, answer: &answer, rows: &rows };
    let written = asked.write(io)?;
    match file_named(args.output.as_deref()) {
        Some(path) => write_whole(path, &written).with_context(|| path.display().to_string())?,
        None => io.write_bytes(&written)?,
    }
    if answer.total.number() > 0 {
        return Ok(Exit::Ok);
    }
    for note in notes::of(&query, &corpus, &searcher)? {
        io.notice(&note);
    }
    Ok(Exit::Findings)
}

fn page(args: &SearchArgs) -> Page {
    if args.count {
        return Page { offset: 0, limit: 0, count: Count::All };
    }
    Page { offset: args.offset, limit: args.limit, count: Count::Page }
}

impl Asked<'_> {
    fn write(&self, io: &Io<'_>) -> anyhow::Result<Vec<u8>> {
        let table = |format| {
            let mut out = Vec::new();
            write_hits(self.rows, format, &mut out).map(|()| out)
        };
        Ok(match self.args.format {
            SearchFormat::Text => text::write(self, io.style()).into_bytes(),
            SearchFormat::Json => json::write(self).into_bytes(),
            SearchFormat::Csv => table(TableFormat::Csv)?,
            SearchFormat::Parquet => table(TableFormat::Parquet)?,
            SearchFormat::Otn => otn::write(self)?.into_bytes(),
        })
    }
}

/// Reads a query, and says what is wrong with it where it is none.
///
/// # Errors
///
/// Fails when it is none; then people have been told.
pub(crate) fn read_query(text: &str, io: &mut Io<'_>) -> Result<Query, Said> {
    Query::parse(text).map_err(|error| {
        say_error(text, &error, io);
        Said(Exit::Error)
    })
}

/// Says what is wrong with a query, with a mark under the spot.
fn say_error(query: &str, error: &QueryError, io: &mut Io<'_>) {
    let clamp =
        |at: usize| (0..=at.min(query.len())).rev().find(|at| query.is_char_boundary(*at)).unwrap_or(0);
    let (start, end) = (clamp(error.span.start as usize), clamp(error.span.end as usize));
    let line_start = query[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = query[start..].find('\n').map_or(query.len(), |at| start + at);
    let line = query[..start].matches('\n').count() as u64 + 1;
    let message = error.to_string();
    let mut text = String::new();
    let place = Place {
        name: "query",
        line,
        column: query[line_start..start].chars().count() as u64 + 1,
        text: &query[line_start..line_end],
        part: (start - line_start, end.clamp(start, line_end) - line_start),
        within: "",
    };
    Snippet { severity: Severity::Error, code: None, message: &message, place: Some(place), help: None }
        .write(io.error_style(), &mut text);
    io.notice_always(text.trim_end());
}
