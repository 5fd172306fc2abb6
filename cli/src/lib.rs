//! The program `tafl`, as a function that tests can call.
//!
//! [`run`] takes the arguments of a command line and an [`Io`], and returns an [`Exit`]. The answer goes to standard output,
//! everything else to standard error. The libraries have all logic; this crate parses arguments and prints.

mod args;
mod command;
mod engine_protocol;
mod exit;
mod features;
mod file_size_limit;
mod io;
#[cfg(feature = "mcp")]
mod mcp;
mod number;
mod open_file_limit;
mod output;
mod quarantine;
mod records;
mod samples;
mod saved_series;
mod snippet;
mod stop_message;
mod tally;
mod target;
mod temporary;
mod variant;
#[cfg(feature = "serve")]
mod web;
mod wrap;

use std::ffi::OsString;

pub use exit::Exit;
pub use file_size_limit::report_file_size_limit;
pub use io::{ColorChoice, Io};
pub use open_file_limit::raise_open_file_limit;

use args::Command;
use exit::Reported;
use taflbase::escape::{escape, is_unsafe};

/// Runs a command line, whose first argument is the program's name, and returns the exit.
///
/// Errors are written to standard error. If the reader closes standard output early, as `head` does, the run is a success.
pub fn run<I>(args: I, io: &mut Io<'_>) -> Exit
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let cli = match args::parse(args) {
        Ok(cli) => cli,
        Err(error) => {
            let Some(message) = features::missing_feature(&error) else { return print_usage(&error, io) };
            io.error(&message);
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
        Err(error) => match (error.downcast_ref::<Reported>(), error.downcast_ref::<taflbase::Error>()) {
            (Some(Reported(exit)), _) => *exit,
            (None, Some(error)) => variant::print_error(error, io),
            (None, None) => {
                io.error(&render(&error));
                Exit::Error
            }
        },
    }
}

/// Returns an error with its causes, without those that the text already ends with.
fn render(error: &anyhow::Error) -> String {
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

/// Checks a command line, whose first argument is the program's name, without running it.
///
/// # Errors
///
/// Returns the message of the program about a wrong command line.
pub fn check_args<I>(args: I) -> Result<(), String>
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    match args::parse(args) {
        // clap reports requests for help and for the version as errors with exit code 0.
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
        Command::Analyze(args) => command::analyze::run(args, io),
        Command::Tune(args) => command::tune::run(args, io),
        Command::Match(args) => command::match_::run(args, io),
        Command::League(args) => command::league::run(args, io),
        Command::Openings(args) => command::openings::run(args, io),
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
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::serve(args, io),
        Command::Bench(args) => command::bench::run(args, io),
        Command::Demo(args) => command::demo::run(args, io),
        Command::Completions(args) => command::completions::run(args, io),
        Command::Man(args) => command::man::run(args, io),
    }
}

/// Prints a message of clap: help and version to standard output, errors to standard error.
fn print_usage(error: &clap::Error, io: &mut Io<'_>) -> Exit {
    let is_error = error.use_stderr();
    let styled = error.render();
    let plain = styled.to_string();
    let text = if plain.contains(|symbol| symbol != '\n' && is_unsafe(symbol)) {
        // The message quotes the arguments verbatim, so their escape sequences can't be told from clap's colors.
        plain.split('\n').map(escape).collect::<Vec<_>>().join("\n")
    } else if io.has_colors() {
        styled.ansi().to_string()
    } else {
        plain
    };
    if is_error {
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
