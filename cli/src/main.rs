//! The program `tafl`.

use std::process::ExitCode;

use tafl_cli::Io;

fn main() -> ExitCode {
    tafl_cli::report_file_size_limit();
    tafl_cli::raise_open_file_limit();
    #[cfg(feature = "database")]
    tafl_corpus::hide_library_panics();
    tafl_cli::run(std::env::args_os(), &mut Io::of_process()).into()
}
