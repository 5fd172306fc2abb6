//! `tafl export`: games of a corpus as records.

use std::io::Write as _;
use std::slice;

use anyhow::Context;
use taflbase::records::HeaderFilter;

use crate::args::database::corpus::ExportArgs;
use crate::command::convert::losses::to_text;
use crate::output::{Output, file_named};
use crate::target::protect_inputs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the corpus can't be opened, the query is wrong, a file is damaged, or the output can't be written.
pub(crate) fn run(args: &ExportArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (request, output) = (&args.request, file_named(args.output.as_deref()));
    protect_inputs(&[output], slice::from_ref(&request.corpus))?;
    let job = io.job();
    let export = request.prepare(&job)?;
    let mut output = output
        .map(|path| Output::create(path).with_context(|| format!("{} cannot be written", path.display())))
        .transpose()?;
    let mut headers = HeaderFilter::new(request.to.0.0);
    let summary = export.run(&job, |game| {
        if let Some(reason) = &game.left_out {
            io.notice_always(&format!("{}: {reason}", game.game));
        }
        let text = headers.filter(0, &game.text);
        match &mut output {
            Some(output) => output.write_all(text.as_bytes()).context("the output cannot be written")?,
            None => io.print(text)?,
        }
        anyhow::Ok(())
    })?;
    if let Some(output) = output {
        output.finish().context("the output cannot be written")?;
    }
    for line in to_text(&summary, request.to.0.0) {
        io.notice(&line);
    }
    io.notices(export.notes());
    let is_finding = summary.left_out > 0 || !export.notes().is_empty();
    Ok(if is_finding { Exit::Findings } else { Exit::Ok })
}
