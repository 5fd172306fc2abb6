//! Inference of hidden rules.

use serde_json::json;
use tafl_tests::measure::inference;
use tafl_tests::measure::recovery::{RuleRecovery, table};

use crate::options::{Options, OutputFormat};

/// Infers rules, and prints the proportion of the options that were recovered.
///
/// # Errors
///
/// Fails if a file can't be read.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let threads = options.threads();
    let all = if options.input.is_empty() {
        inference::random_games(threads)
    } else {
        inference::of_files(&options.input)?
    };
    let mut rows = Vec::new();
    for hidden in &all {
        options.progress(&hidden.name);
        rows.push(hidden.recover(threads));
    }
    match options.format {
        OutputFormat::Text => print!("{}", table(&rows)),
        OutputFormat::Json => {
            let list: Vec<_> = rows.iter().map(RuleRecovery::json).collect();
            println!("{:#}", json!({ "threads": threads, "infer": list }));
        }
    }
    Ok(())
}
