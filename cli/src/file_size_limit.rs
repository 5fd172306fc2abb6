//! The file size limit (`ulimit -f`).

/// Makes a write beyond the file size limit an error. Otherwise, the system ends the program without a message (SIGXFSZ).
pub fn report_file_size_limit() {
    #[cfg(unix)]
    {
        // A signal with a handler does not end the program: the write that exceeded the limit fails. Below the limit, the
        // program needs no handler, so a failure to register it can be ignored.
        let is_reached = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, is_reached);
    }
}
