//! `tafl convert`: writes records in another notation.

use anyhow::Context;
use tafl_rules::counted;
use taflbase::records::{
    ConvertRequest, ConvertedRecord, HeaderFilter, NotConverted, RecordEvent, RecordReader, RecordRequest,
};

use crate::args::records::ConvertArgs;
use crate::io::ColorMode;
use crate::output::file_named;
use crate::target::{Target, keep_apart, protect_inputs};
use crate::{Exit, Io, records};

pub(crate) mod losses;

use losses::Listing;

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the rules are unknown, or the output cannot be written.
pub(crate) fn run(args: &ConvertArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let request = ConvertRequest { list_losses: args.losses.is_some(), ..args.request.clone() };
    let to = request.to.0.0;
    let source = records::source(&request, io)?;
    let reader = &source.reader;
    let style = io.error_style();
    protect_inputs(&[args.losses.as_deref()], &request.input.paths)?;
    let (output, losses) = (file_named(args.output.as_deref()), file_named(args.losses.as_deref()));
    keep_apart(&[("-o", output), ("--losses", losses)])?;
    let target = Target::new(args.output.as_deref(), Some(to), &reader.inputs.list)?;
    let headers = HeaderFilter::new(to);
    let mut run = ConvertRun {
        target,
        headers,
        listing: Listing::new(args.losses.as_deref())?,
        has_written: false,
        has_left_out: false,
    };
    let (summary, counts) = request.process(
        &source,
        &io.job(),
        |record| WrittenRecord::new(record, style),
        |nth, event| run.take(io, reader, nth, event),
    )?;
    io.end_progress();
    if run.has_written || !run.has_left_out {
        run.target.finish().context("the output cannot be written")?;
    }
    run.listing.finish().context("the list of losses cannot be written")?;
    for line in losses::to_text(&summary, to) {
        io.notice(&line);
    }
    let has_errors = summary.has_errors() || counts.file_errors > 0;
    let exit = records::read_exit(reader, &counts);
    Ok(exit.and(if has_errors { Exit::Findings } else { Exit::Ok }))
}

/// The output about a record.
struct WrittenRecord {
    text: String,
    /// The reason why the record was not written.
    left_out: Option<String>,
    /// A line of JSON for each loss, if they are listed.
    list: String,
}

impl WrittenRecord {
    fn new(record: ConvertedRecord, style: ColorMode) -> WrittenRecord {
        let mut list = String::new();
        for line in record.lines(&record.findings) {
            line.write_json(&mut list);
            list.push('\n');
        }
        let left_out = record.left_out.as_ref().map(|why| explain(&record, why, style));
        WrittenRecord { text: record.text, left_out, list }
    }
}

/// Returns the reason why a record was not written, with the places of its errors.
fn explain(record: &ConvertedRecord, why: &NotConverted, style: ColorMode) -> String {
    match why {
        NotConverted::NotExpressible(message) => message.clone(),
        NotConverted::Unreadable { errors, more } => {
            let mut text = String::new();
            for line in record.lines(errors) {
                records::write_finding(&line, style, &mut text);
            }
            if *more > 0 {
                let more = counted(*more, "more error", "more errors");
                text.push_str(&format!("{more} in the same record\n"));
            }
            text
        }
    }
}

/// The targets of records and losses.
struct ConvertRun<'a> {
    target: Target<'a>,
    headers: HeaderFilter,
    listing: Listing,
    has_written: bool,
    /// Whether a record was not written. If none was, the output file remains as it was.
    has_left_out: bool,
}

impl ConvertRun<'_> {
    fn take(
        &mut self,
        io: &mut Io<'_>,
        reader: &RecordReader<'_>,
        nth: usize,
        event: RecordEvent<WrittenRecord>,
    ) -> anyhow::Result<()> {
        let RecordEvent::Record(record) = event else {
            records::show_event(reader, nth, &event, io);
            return Ok(());
        };
        if let Some(text) = &record.left_out {
            io.notice_always(text.trim_end());
            self.has_left_out = true;
        }
        self.listing.write(io, &record.list).context("the list of losses cannot be written")?;
        let text = self.headers.filter(self.target.file_of(nth), &record.text);
        self.has_written |= !text.is_empty();
        self.target.write(io, nth, text)
    }
}
