//! Checks the records of a file and prints what is wrong with them.
//!
//! ```console
//! cargo run -p taflbase --example validate_file -- games/brandubh.csv brandubh7
//! ```

use taflbase::records::{RecordEvent, RecordInputs, ValidateRequest};
use taflbase::{App, Job, StreamRequest};

fn main() -> taflbase::Result<()> {
    let mut words = std::env::args().skip(1);
    let mut input = RecordInputs::of([words.next().expect("the first word is a file")]);
    if let Some(variant) = words.next() {
        input = input.by(&variant);
    }

    // The request says what to do; the job would carry a deadline or a progress bar.
    let request = ValidateRequest { input, limit: Some(5), ..ValidateRequest::default() };
    let summary = request.run(&App::new(), &Job::default(), &mut |item| {
        match item.event {
            RecordEvent::Record(record) => {
                for found in &record.findings {
                    println!("{}:{}: {} [{}]", item.input, found.line, found.message, found.code);
                }
            }
            RecordEvent::Unreadable(error) => eprintln!("{}: {error}", item.input),
            // Other events are about files: those that are skipped, and findings besides records.
            _ => {}
        }
        Ok(())
    })?;
    println!("{} of {} games are sound", summary.games.sound, summary.games.games);
    Ok(())
}
