//! Games of files, for commands that want what was played and not what was written.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use tafl_parser::Format;

use crate::args::records::InputArgs;
use crate::args::rules::VariantArgs;
use crate::pipeline::Plan;
use crate::referee::{Judged, Terms};
use crate::{Exit, Io};

/// Returns what `keep` makes of the games of files, how many were read, and how reading went.
///
/// # Errors
///
/// Fails when nothing can be written.
pub(crate) fn read<T: Send>(
    paths: &[PathBuf],
    notation: Option<Format>,
    keep: &(dyn Fn(&Judged) -> Option<T> + Sync),
    io: &mut Io<'_>,
) -> anyhow::Result<(Vec<T>, u64, Exit)> {
    let nothing = || VariantArgs { variant: None, rules: None };
    let input = InputArgs {
        paths: paths.to_vec(),
        notation,
        variant: nothing(),
        threads: Some(NonZeroUsize::MIN),
        record_lines: false,
    };
    let terms = Terms::new(&nothing(), io)?;
    let plan = Plan::new(&input, io);
    let mut exit = if plan.inputs.is_incomplete { Exit::Error } else { Exit::Ok };
    let (mut games, mut n_read) = (Vec::new(), 0_u64);
    plan.read(
        io,
        || terms.referee(),
        |referee, _, batch| {
            referee.enter_batch(batch);
            let judged: Vec<Judged> = batch.parse().map(|(_, parsed)| referee.judge(parsed)).collect();
            (judged.len(), judged.iter().filter_map(keep).collect::<Vec<T>>())
        },
        |io, step| {
            match step.answer {
                Ok((count, found)) => {
                    n_read += count as u64;
                    games.extend(found);
                }
                Err(error) => {
                    exit = Exit::Error;
                    io.error(&format!("{}: {error}", plan.inputs.list[step.input].name()));
                }
            }
            Ok(())
        },
    )?;
    Ok((games, n_read, exit))
}
