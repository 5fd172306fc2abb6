//! Games of files, for commands that want what was played and not what was written.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::args::records::InputArgs;
use crate::args::rules::VariantArgs;
use crate::pipeline::Plan;
use crate::referee::{Judged, Terms};
use crate::{Exit, Io};

/// Returns what `keep` makes of the games of files, and how reading went.
///
/// # Errors
///
/// Fails when nothing can be written.
pub(crate) fn read<T: Send>(
    paths: &[PathBuf],
    keep: &(dyn Fn(&Judged) -> Option<T> + Sync),
    io: &mut Io<'_>,
) -> anyhow::Result<(Vec<T>, Exit)> {
    let nothing = || VariantArgs { variant: None, rules: None };
    let input = InputArgs {
        paths: paths.to_vec(),
        notation: None,
        variant: nothing(),
        threads: Some(NonZeroUsize::MIN),
        record_lines: false,
    };
    let terms = Terms::new(&nothing(), io)?;
    let plan = Plan::new(&input, io);
    let mut exit = if plan.inputs.is_incomplete { Exit::Error } else { Exit::Ok };
    let mut games = Vec::new();
    plan.read(
        io,
        || terms.referee(),
        |referee, _, batch| {
            referee.enter_batch(batch);
            batch.parse().filter_map(|(_, parsed)| keep(&referee.judge(parsed))).collect::<Vec<T>>()
        },
        |io, step| {
            match step.answer {
                Ok(found) => games.extend(found),
                Err(error) => {
                    exit = Exit::Error;
                    io.error(&format!("{}: {error}", plan.inputs.list[step.input].name()));
                }
            }
            Ok(())
        },
    )?;
    Ok((games, exit))
}
