//! Files that reach the limit of their size (`ulimit -f`).

/// Makes it an error to write beyond the limit of the size of files. Otherwise, the system ends the program without a word
/// (SIGXFSZ).
pub fn report_file_size_limit() {
    #[cfg(unix)]
    {
        // A signal with a handler does nothing else: the write that reached the limit fails. Without the handler, the
        // program works as well up to there, so a failure to register it can be ignored.
        let is_reached = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, is_reached);
    }
}
