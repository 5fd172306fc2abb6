//! The line that is printed when Ctrl-C or SIGTERM stops a command: what is saved, and how to go on.

use std::sync::{Arc, Mutex, PoisonError};

use indicatif::ProgressBar;

/// The line of a command. Clones share it.
///
/// The signal stops the program as it does without a line: files are written so that a program can be stopped at any time.
#[derive(Debug, Clone, Default)]
pub(crate) struct StopNote(Arc<Mutex<Option<String>>>);

impl StopNote {
    /// Returns an empty note that is printed by this process, after the progress line is removed.
    pub(crate) fn of_process(progress: ProgressBar) -> StopNote {
        let note = StopNote::default();
        note.clone().print_on_signal(progress);
        note
    }

    /// Sets the line.
    pub(crate) fn set(&self, line: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
    }

    /// Waits on another thread for a signal, prints the line, and stops the program by the signal. A second signal stops it at
    /// once, even if standard error takes no line.
    #[cfg(unix)]
    fn print_on_signal(self, progress: ProgressBar) {
        use std::io::Write as _;

        use indicatif::ProgressDrawTarget;
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::flag;
        use signal_hook::iterator::Signals;
        use signal_hook::low_level::emulate_default_handler;

        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        let is_second = Arc::default();
        for signal in [SIGINT, SIGTERM] {
            // The condition is checked before the next handler makes it true. Without these handlers, the thread stops the
            // program.
            let _ = flag::register_conditional_default(signal, Arc::clone(&is_second))
                .and_then(|_| flag::register(signal, Arc::clone(&is_second)));
        }
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if let Some(line) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
                    if !progress.is_hidden() {
                        progress.finish_and_clear();
                        progress.set_draw_target(ProgressDrawTarget::hidden());
                    }
                    // A message that can't be written must not keep the program from stopping.
                    let _ = writeln!(std::io::stderr(), "{line}");
                }
                // The caller sees that the program was stopped by the signal.
                let _ = emulate_default_handler(signal);
            }
        });
    }

    /// Other systems have no such signals.
    #[cfg(not(unix))]
    fn print_on_signal(self, _: ProgressBar) {}
}
