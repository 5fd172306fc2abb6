//! `tafl search`: searches a corpus for games or positions.

mod text;

use std::sync::Arc;

use anyhow::{Context, bail};
use tafl_corpus::{HitFormat, write_hits};
use taflbase::database::{CorpusSnapshot, SearchHits};
use taflbase::{Job, json_line};

use crate::args::database::search::{SearchArgs, SearchFormat};
use crate::io::ColorMode;
use crate::output::{file_named, write_whole};
use crate::target::protect_inputs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the query is wrong, the corpus cannot be read, or the answer cannot be written.
pub(crate) fn run(args: &SearchArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let is_countable = matches!(args.format, SearchFormat::Text | SearchFormat::Json | SearchFormat::Jsonl);
    if args.request.count && !is_countable {
        bail!("--count supports only --format text, json, and jsonl");
    }
    protect_inputs(&[file_named(args.output.as_deref())], std::slice::from_ref(&args.corpus))?;
    if file_named(args.output.as_deref()).is_none()
        && matches!(args.format, SearchFormat::Parquet | SearchFormat::Arrow)
    {
        io.check_binary(if args.format == SearchFormat::Parquet { "parquet" } else { "arrow" })?;
    }
    let corpus = Arc::new(CorpusSnapshot::open(&args.corpus, args.threads.threads)?);
    let job = Job::default();
    let hits = args.request.find(&corpus, &job)?;
    let written = write(&hits, args, &job, io.style())?;
    match file_named(args.output.as_deref()) {
        Some(path) => write_whole(path, &written).with_context(|| path.display().to_string())?,
        None => io.write_bytes(&written)?,
    }
    if hits.found().total.number() > 0 {
        return Ok(Exit::Ok);
    }
    let notes = hits.notes()?;
    if notes.is_empty() && args.format != SearchFormat::Text {
        // Tables and JSON have no sentence about it.
        io.notice("nothing matches the query");
    }
    io.notices(&notes);
    Ok(Exit::Findings)
}

fn write(hits: &SearchHits, args: &SearchArgs, job: &Job, style: ColorMode) -> anyhow::Result<Vec<u8>> {
    let table = |format| {
        let mut out = Vec::new();
        write_hits(&hits.rows()?, format, &mut out)?;
        anyhow::Ok(out)
    };
    Ok(match args.format {
        SearchFormat::Text if args.request.count => text::count(hits).into_bytes(),
        SearchFormat::Text => text::write(hits, style)?.into_bytes(),
        SearchFormat::Json => json_line(&hits.answer(job)?).into_bytes(),
        SearchFormat::Jsonl => {
            let answer = hits.answer(job)?;
            let lines = answer.hits.iter().map(json_line).chain([json_line(&answer.summary)]);
            lines.collect::<String>().into_bytes()
        }
        SearchFormat::Csv => table(HitFormat::Csv)?,
        SearchFormat::Parquet => table(HitFormat::Parquet)?,
        SearchFormat::Arrow => table(HitFormat::Arrow)?,
        SearchFormat::OpenTafl => hits.open_tafl()?.into_bytes(),
    })
}
