//! The program `tafl`, as a function that tests can call.
//!
//! [`run`] takes the words of a command line and an [`Io`], and returns an [`Exit`]. Standard output is the answer,
//! standard error is everything else. Nothing here decides about rules or notations: that is for the libraries.

mod args;
mod command;
mod dialogue;
mod exit;
mod features;
mod games;
mod io;
mod number;
mod output;
mod play;
mod quarantine;
mod records;
mod samples;
mod snippet;
mod tally;
mod target;
mod temporary;
mod variant;
#[cfg(feature = "serve")]
mod web;
mod wrap;

use std::ffi::OsString;

pub use exit::Exit;
pub use io::{ColorChoice, Io};

use args::Command;
use exit::Said;
use taflbase::escape::{escape, is_unsafe};

/// Runs one command line, the program's name first, and returns how it went.
///
/// Errors are written to standard error. A reader that closes standard output early, as `head` does, is a success.
pub fn run<I>(words: I, io: &mut Io<'_>) -> Exit
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let cli = match args::parse(words) {
        Ok(cli) => cli,
        Err(mistake) => {
            let Some(left_out) = features::left_out(&mistake) else { return say_usage(&mistake, io) };
            io.error(&left_out);
            return Exit::Error;
        }
    };
    io.set_up(cli.global.color, cli.global.quiet);
    let result = dispatch(&cli.command, io);
    let flushed = io.flush();
    if io.is_closed() {
        return Exit::Ok;
    }
    match result.and_then(|exit| flushed.map(|()| exit).map_err(Into::into)) {
        Ok(exit) => exit,
        Err(error) => match (error.downcast_ref::<Said>(), error.downcast_ref::<taflbase::Error>()) {
            (Some(Said(exit)), _) => *exit,
            (None, Some(error)) => variant::print_error(error, io),
            (None, None) => {
                io.error(&told(&error));
                Exit::Error
            }
        },
    }
}

/// Returns an error with its causes, but for those whose text stands there already.
fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// Checks that a command line, the program's name first, can be understood, and runs nothing.
///
/// # Errors
///
/// Returns what the program would say about it.
pub fn understand<I>(words: I) -> Result<(), String>
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    match args::parse(words) {
        // Who asks for help or for the version gets an answer, which clap calls an error without a fault.
        Err(error) if error.exit_code() != 0 => Err(error.render().to_string()),
        _ => Ok(()),
    }
}

fn dispatch(command: &Command, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    match command {
        Command::Validate(args) => command::validate::run(args, io),
        Command::Convert(args) => command::convert::run(args, io),
        Command::Repair(args) => command::repair::run(args, io),
        Command::Replay(args) => command::replay::run(args, io),
        Command::Infer(args) => command::infer::run(args, io),
        Command::Lines(args) => command::lines::run(args, io),
        Command::Move(args) => command::move_::run(args, io),
        Command::Eval(args) => command::eval::run(args, io),
        Command::Tune(args) => command::tune::run(args, io),
        Command::Match(args) => command::match_::run(args, io),
        Command::Selfplay(args) => command::selfplay::run(args, io),
        Command::Engine(args) => command::engine::run(args, io),
        Command::Solve(args) => command::solve::run(args, io),
        Command::Annotate(args) => command::annotate::run(args, io),
        Command::Puzzles(args) => command::puzzles::run(args, io),
        Command::Calibrate(args) => command::calibrate::run(args, io),
        Command::Show(args) => command::show::run(args, io),
        Command::Rules(args) => command::rules::run(args, io),
        Command::Perft(args) => command::perft::run(args, io),
        #[cfg(feature = "database")]
        Command::Database(command) => command::database::run(command, io),
        #[cfg(feature = "serve")]
        Command::Serve(args) => web::serve(args, io),
        Command::Bench(args) => command::bench::run(args, io),
        Command::Demo(args) => command::demo::run(args, io),
        Command::Completions(args) => command::completions::run(args, io),
        Command::Man(args) => command::man::run(args, io),
    }
}

/// Writes what clap has to say: help and version to standard output, mistakes to standard error.
fn say_usage(error: &clap::Error, io: &mut Io<'_>) -> Exit {
    let is_mistake = error.use_stderr();
    let styled = error.render();
    let plain = styled.to_string();
    let text = match plain.contains(|symbol| symbol != '\n' && is_unsafe(symbol)) {
        // What was typed stands in the message as it is, and colors cannot be told from it.
        true => plain.split('\n').map(escape).collect::<Vec<_>>().join("\n"),
        false if io.has_colors() => styled.ansi().to_string(),
        false => plain,
    };
    if is_mistake {
        io.notice_always(text.trim_end());
        return Exit::Error;
    }
    match io.print(&format!("{}\n", text.trim_end())).and_then(|()| io.flush()) {
        Err(error) if !io.is_closed() => {
            io.error(&error.to_string());
            Exit::Error
        }
        Ok(()) | Err(_) => Exit::Ok,
    }
}
