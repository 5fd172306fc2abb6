//! `tafl man`: writes manual pages.

use std::fs;
use std::path::Path;

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;
use tafl_rules::counted;
use taflbase::escape::escape_path;

use crate::args::{command as command_line, tools::ManArgs};
use crate::output::write_whole;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if a page cannot be written.
pub(crate) fn run(args: &ManArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let tafl = command_line();
    let Some(folder) = &args.output else {
        let page = page(&find(&tafl, &args.command)?)?;
        io.print(&page)?;
        return Ok(Exit::Ok);
    };
    fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let written = write_pages(&tafl, folder)?;
    io.notice(&format!("wrote {} to {}", counted(written as u64, "page", "pages"), escape_path(folder)));
    Ok(Exit::Ok)
}

/// Returns the subcommand with a name such as `rules diff`; without a name, the program itself.
fn find(tafl: &Command, words: &[String]) -> anyhow::Result<Command> {
    let mut command = tafl;
    for word in words {
        let name = command.get_name();
        command =
            command.find_subcommand(word).with_context(|| format!("unknown command `{word}` of `{name}`"))?;
    }
    Ok(command.clone())
}

fn page(command: &Command) -> anyhow::Result<String> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}

/// Writes the pages of a command and its subcommands, and returns their number.
fn write_pages(command: &Command, folder: &Path) -> anyhow::Result<usize> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let path = folder.join(format!("{name}.1"));
    write_whole(&path, page(command)?.as_bytes()).with_context(|| format!("{}", path.display()))?;
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    below.map(|below| write_pages(below, folder)).try_fold(1, |sum, written| Ok(sum + written?))
}
