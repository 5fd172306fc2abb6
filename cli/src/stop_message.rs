//! The message that is printed when Ctrl-C or SIGTERM stops a command: what is saved, and how to go on.

use std::sync::{Arc, Mutex, PoisonError};

use indicatif::ProgressBar;

/// The message of a command, one line. Clones share it.
///
/// Apart from the message, the signal stops the program as if it had no handler. That is safe at any time, because every file
/// is written so that the program can be killed in between.
#[derive(Debug, Clone, Default)]
pub(crate) struct StopMessage(Arc<Mutex<Option<String>>>);

impl StopMessage {
    /// Returns an empty message. When a signal stops this process, the progress line is removed, and the message is printed.
    pub(crate) fn of_process(progress: ProgressBar) -> StopMessage {
        let message = StopMessage::default();
        message.clone().print_on_signal(progress);
        message
    }

    /// Sets the text.
    pub(crate) fn set(&self, text: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    /// Waits on another thread for a signal, prints the message, and stops the program by the signal. A second signal stops it at
    /// once, even if standard error takes no message.
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
            // The order matters: the first handler stops the program only if the second one ran for an earlier signal. If they
            // can't be registered, the thread alone stops the program.
            let _ = flag::register_conditional_default(signal, Arc::clone(&is_second))
                .and_then(|_| flag::register(signal, Arc::clone(&is_second)));
        }
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if let Some(text) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
                    if !progress.is_hidden() {
                        progress.finish_and_clear();
                        progress.set_draw_target(ProgressDrawTarget::hidden());
                    }
                    // A message that can't be written must not keep the program from stopping.
                    let _ = writeln!(std::io::stderr(), "{text}");
                }
                // The signal and not an exit code ends the program, so that a shell stops its script too.
                let _ = emulate_default_handler(signal);
            }
        });
    }

    /// Does nothing: other systems have no such signals.
    #[cfg(not(unix))]
    fn print_on_signal(self, _: ProgressBar) {}
}
